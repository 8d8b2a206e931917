"""Simple CEL expressions of match conditions, answered with True, False, or None where they cannot be told.

Understood: `request.` fields of the `Facts` given, string literals, lists of them, `==`, `!=`, `in`, `startsWith`,
`endsWith`, `contains`, `!`, `&&`, `||`, parentheses, `true`, `false`. Everything else (`object`, `authorizer`, `has`,
`matches`, macros, numbers, ternaries) is None, and None spreads as in CEL: `false && unknown` is false.
"""

import re
from collections.abc import Callable, Mapping

Value = str | bool | tuple[str, ...] | None
Facts = Mapping[str, str | tuple[str, ...]]

_TOKEN = re.compile(
    r"""\s*(?:(?P<string>"[^"\\\n]*"|'[^'\\\n]*')|(?P<name>[A-Za-z_][\w]*(?:\s*\.\s*[A-Za-z_]\w*)*)"""
    r"""|(?P<mark>&&|\|\||==|!=|[!()\[\],.]))"""
)
_METHODS: Mapping[str, Callable[[str, str], bool]] = {
    "startsWith": str.startswith,
    "endsWith": str.endswith,
    "contains": str.__contains__,
}
_LONGEST = 4096
_DEEPEST = 50


def holds(expression: str, facts: Facts) -> bool | None:
    """Whether an expression is true of a request; None when this reader cannot tell."""
    if len(expression) > _LONGEST:
        return None
    try:
        answer = _Reader(_tokens(expression), facts).whole()
    except _BeyondError:
        return None
    return answer if isinstance(answer, bool) else None


class _BeyondError(Exception):
    """The expression uses CEL that is not understood here."""


def _tokens(expression: str) -> list[str]:
    found, at, text = [], 0, expression.rstrip()
    while at < len(text):
        match = _TOKEN.match(text, at)
        if not match:
            raise _BeyondError
        found.append(re.sub(r"\s*\.\s*", ".", match[0].strip()) if match["name"] else match[0].strip())
        at = match.end()
    return found


class _Reader:
    """Recursive descent over the tokens, with CEL's precedence: `||`, `&&`, relations, `!`."""

    def __init__(self, tokens: list[str], facts: Facts) -> None:
        self.tokens = tokens
        self.facts = facts
        self.at = 0
        self.depth = 0

    def whole(self) -> Value:
        value = self.either()
        if self.at < len(self.tokens):
            raise _BeyondError
        return value

    def either(self) -> Value:
        value = self.both()
        while self.take("||"):
            value = _or(value, self.both())
        return value

    def both(self) -> Value:
        value = self.relation()
        while self.take("&&"):
            value = _and(value, self.relation())
        return value

    def relation(self) -> Value:
        left = self.negation()
        for mark in ("==", "!=", "in"):
            if self.take(mark):
                return _relate(mark, left, self.negation())
        return left

    def negation(self) -> Value:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise _BeyondError
        value = _not(self.negation()) if self.take("!") else self.call(self.primary())
        self.depth -= 1
        return value

    def call(self, value: Value) -> Value:
        """A method after a literal or a group, as in `"a".startsWith(...)`; after a name it is part of the name."""
        if self.take("."):
            raise _BeyondError
        return value

    def primary(self) -> Value:
        token = self.next()
        if token == "(":  # noqa: S105 - a bracket, no secret
            value = self.either()
            self.expect(")")
            return value
        if token == "[":  # noqa: S105
            return self.strings()
        if token[0] in "\"'":
            return token[1:-1]
        if token in {"true", "false"}:
            return token == "true"  # noqa: S105
        return self.named(token)

    def named(self, name: str) -> Value:
        """A field of the request, or a method of one."""
        if not self.take("("):
            return self.facts.get(name)
        field, _, method = name.rpartition(".")
        argument = self.either()
        self.expect(")")
        value = self.facts.get(field)
        if method not in _METHODS or not isinstance(value, str) or not isinstance(argument, str):
            return None
        return _METHODS[method](value, argument)

    def strings(self) -> Value:
        if self.take("]"):
            return ()
        items = [self.either()]
        while self.take(","):
            items.append(self.either())
        self.expect("]")
        return tuple(item for item in items if isinstance(item, str)) if all(map(_is_text, items)) else None

    def take(self, token: str) -> bool:
        found = self.at < len(self.tokens) and self.tokens[self.at] == token
        self.at += found
        return found

    def next(self) -> str:
        if self.at >= len(self.tokens):
            raise _BeyondError
        self.at += 1
        return self.tokens[self.at - 1]

    def expect(self, token: str) -> None:
        if self.next() != token:
            raise _BeyondError


def _is_text(value: Value) -> bool:
    return isinstance(value, str)


def _or(left: Value, right: Value) -> Value:
    if left is True or right is True:
        return True
    return False if left is False and right is False else None


def _and(left: Value, right: Value) -> Value:
    if left is False or right is False:
        return False
    return True if left is True and right is True else None


def _not(value: Value) -> Value:
    return not value if isinstance(value, bool) else None


def _relate(mark: str, left: Value, right: Value) -> Value:
    if left is None or right is None:
        return None
    if mark == "in":
        return left in right if isinstance(left, str) and isinstance(right, tuple) else None
    if type(left) is not type(right):
        return None
    return (left == right) is (mark == "==")
