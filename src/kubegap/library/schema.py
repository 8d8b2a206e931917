"""The JSON Schema of a type, and every way in which plain data misses it, in words."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import msgspec
from msgspec import Struct

from kubegap.library.strict_yaml import Node, Path
from kubegap.problems import did_you_mean, nearest
from kubegap.text import Text, same

DIALECT = "https://json-schema.org/draft/2020-12/schema"


class Mismatch(Struct, frozen=True):
    """One place where data misses its type; `at_key` when the key itself is the fault."""

    path: Path
    message: Text
    hint: Text | None = None
    at_key: bool = False


def schema_of(kind: Any) -> dict[str, Any]:
    """The JSON Schema of a msgspec type, for editors and for `mismatches`."""
    return {"$schema": DIALECT, **msgspec.json.schema(kind)}


def mismatches(data: Node, kind: Any) -> Iterator[Mismatch]:
    """All mismatches of plain data (dicts, lists, strings) with a msgspec type; nothing when jsonschema finds none."""
    for error in _validator(kind).iter_errors(data):
        yield from _explain(error)


@cache
def _validator(kind: Any) -> Any:
    # jsonschema is slow to import and needed only once something is wrong.
    from jsonschema import Draft202012Validator, validators  # noqa: PLC0415

    checker = Draft202012Validator.TYPE_CHECKER.redefine_many(
        {"integer": lambda _, value: _is_digits(value), "boolean": lambda _, value: _is_truth(value)}
    )
    extend: Any = validators.extend
    return extend(Draft202012Validator, type_checker=checker)(schema_of(kind))


def _is_digits(value: object) -> bool:
    return isinstance(value, str) and value.isascii() and value.isdigit()


def _is_truth(value: object) -> bool:
    return isinstance(value, str) and value.lower() in _TRUTHS


def _explain(error: Any) -> Iterator[Mismatch]:
    path = tuple(error.absolute_path)
    if error.validator == "anyOf":
        yield from _explain_choice(error)
    elif error.validator == "additionalProperties":
        yield from _unknown_fields(error, path)
    elif error.validator == "required":
        yield Mismatch(path, _MISSING.fill(name=_missing_name(error)))
    elif error.validator == "enum":
        choices = [str(choice) for choice in error.validator_value]
        yield Mismatch(
            path, _NOT_ONE_OF.fill(value=_short(error.instance), choices=", ".join(choices)), _hint(error, choices)
        )
    elif error.validator == "type":
        yield Mismatch(path, _WRONG_KIND.fill(wanted=_KINDS[error.validator_value], found=_kind_of(error.instance)))
    elif error.validator in _MESSAGES:
        message = _MESSAGES[error.validator].fill(value=_short(error.instance), limit=error.validator_value)
        yield Mismatch(path, message, _described(error))
    else:
        yield Mismatch(path, same(error.message))


def _explain_choice(error: Any) -> Iterator[Mismatch]:
    """Of the alternatives of a field, explain only the one that the writer's form (mapping, list, text) meant."""
    branches: dict[int, list[Any]] = {}
    for inner in error.context:
        branches.setdefault(inner.schema_path[0], []).append(inner)
    meant = [errors for errors in branches.values() if not any(_is_form_error(error, inner) for inner in errors)]
    if meant:
        for inner in meant[0]:
            yield from _explain(inner)
    else:
        wanted = _FORMS if any(inner.validator_value == "array" for inner in error.context) else _KINDS["object"]
        yield Mismatch(tuple(error.absolute_path), _WRONG_KIND.fill(wanted=wanted, found=_kind_of(error.instance)))


def _is_form_error(choice: Any, inner: Any) -> bool:
    if inner.validator == "anyOf":
        return all(_is_form_error(choice, deeper) for deeper in inner.context)
    return inner.validator == "type" and list(inner.absolute_path) == list(choice.absolute_path)


def _unknown_fields(error: Any, path: Path) -> Iterator[Mismatch]:
    known = error.schema.get("properties", {})
    for name in error.instance:
        if name not in known:
            unused = [field for field in known if field not in error.instance]
            yield Mismatch(
                (*path, name), _UNKNOWN_FIELD.fill(name=name), did_you_mean(nearest(name, unused, 1)), at_key=True
            )


def _missing_name(error: Any) -> str:
    present = error.instance
    missing = (name for name in error.validator_value if name not in present and f"'{name}'" in error.message)
    return str(next(missing))


def _hint(error: Any, choices: list[str]) -> Text | None:
    return did_you_mean(nearest(str(error.instance), choices, 1))


def _described(error: Any) -> Text | None:
    """What the form should be, where the type says it in both languages (see `record.form`)."""
    if error.validator != "pattern" or "descriptionKo" not in error.schema:
        return None
    return Text(ko=f"형식: {error.schema['descriptionKo']}", en=f"expected: {error.schema['description']}")


def _kind_of(value: object) -> Text:
    return _KINDS["object" if isinstance(value, dict) else "array" if isinstance(value, list) else "string"]


def _short(value: object) -> str:
    words = str(value)
    return words if len(words) <= 60 else words[:57] + "..."


# What msgspec takes for a boolean where all is text.
_TRUTHS = {"true", "false", "1", "0"}
_KINDS = {
    "object": Text(ko="필드 묶음", en="a mapping of fields"),
    "array": Text(ko="목록", en="a list"),
    "string": Text(ko="글자", en="text"),
    "integer": Text(ko="정수", en="a whole number"),
    "number": Text(ko="숫자", en="a number"),
    "boolean": Text(ko="참 또는 거짓", en="true or false"),
    "null": Text(ko="빈 값", en="nothing"),
}
_FORMS = Text(ko="ko 와 en 묶음, 또는 그런 묶음의 목록", en="a pair of ko and en, or a list of such pairs")
_MISSING = Text(ko="`{name}` 필드가 없습니다.", en="the field `{name}` is missing")
_UNKNOWN_FIELD = Text(ko="`{name}` 라는 필드는 없습니다.", en="there is no field `{name}`")
_NOT_ONE_OF = Text(ko="`{value}` 는 쓸 수 없습니다. 쓸 수 있는 값: {choices}", en="`{value}` is not one of: {choices}")
_WRONG_KIND = Text(ko="형식이 다릅니다. 필요한 것: {wanted}, 있는 것: {found}.", en="expected {wanted}, found {found}")
_MESSAGES = {
    "pattern": Text(ko="`{value}` 는 형식에 맞지 않습니다.", en="`{value}` does not have the right form"),
    "minLength": Text(ko="값이 비어 있습니다.", en="the value is empty"),
    "maxLength": Text(ko="너무 깁니다. {limit}자까지 쓸 수 있습니다.", en="too long; at most {limit} characters"),
    "minItems": Text(ko="목록이 비어 있습니다. 하나는 있어야 합니다.", en="the list is empty; at least one is needed"),
}
