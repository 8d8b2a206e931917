"""What SARIF 2.1.0 asks of the parts that are written here, as a JSON Schema of its own: required properties and values."""

from jsonschema import Draft202012Validator

_TEXT = {"type": "string", "minLength": 1}
_MESSAGE = {
    "type": "object",
    "required": ["text"],
    "properties": {"text": _TEXT, "markdown": _TEXT},
    "additionalProperties": False,
}
_LEVEL = {"enum": ["none", "note", "warning", "error"]}


def _object(required, **properties):
    return {"type": "object", "required": required, "properties": properties, "additionalProperties": False}


_RULE = _object(
    ["id"],
    id=_TEXT,
    name=_TEXT,
    shortDescription=_MESSAGE,
    fullDescription=_MESSAGE,
    help=_MESSAGE,
    helpUri={"type": "string", "pattern": "^https?://"},
    defaultConfiguration=_object([], level=_LEVEL),
    properties={"type": "object"},
)
_LOCATION = _object(
    [],
    physicalLocation=_object(
        ["artifactLocation"],
        artifactLocation=_object(["uri"], uri={"type": "string", "pattern": r"^[A-Za-z0-9._~%/-]+$"}),
        region=_object(["startLine"], startLine={"type": "integer", "minimum": 1}),
    ),
    logicalLocations={
        "type": "array",
        "items": _object([], name={"type": "string"}, fullyQualifiedName={"type": "string"}, kind={"type": "string"}),
    },
)
_RESULT = _object(
    ["message"],
    ruleId=_TEXT,
    ruleIndex={"type": "integer", "minimum": 0},
    level=_LEVEL,
    message=_MESSAGE,
    locations={"type": "array", "items": _LOCATION},
    partialFingerprints={"type": "object", "additionalProperties": {"type": "string"}},
    baselineState={"enum": ["new", "unchanged", "updated", "absent"]},
    suppressions={
        "type": "array",
        "items": _object(
            ["kind"],
            kind={"enum": ["inSource", "external"]},
            status={"enum": ["accepted", "underReview", "rejected"]},
            justification={"type": "string"},
        ),
    },
    properties={"type": "object"},
)
_NOTIFICATION = _object(
    ["message"],
    message=_MESSAGE,
    level=_LEVEL,
    descriptor=_object([], id=_TEXT),
    associatedRule=_object([], id=_TEXT),
)
_RUN = _object(
    ["tool"],
    tool=_object(
        ["driver"], driver=_object(["name"], name=_TEXT, version=_TEXT, rules={"type": "array", "items": _RULE})
    ),
    automationDetails=_object([], id=_TEXT),
    language={"enum": ["ko", "en"]},
    columnKind={"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
    invocations={
        "type": "array",
        "items": _object(
            ["executionSuccessful"],
            executionSuccessful={"type": "boolean"},
            toolExecutionNotifications={"type": "array", "items": _NOTIFICATION},
        ),
    },
    results={"type": "array", "items": _RESULT},
)
_LOG = _object(
    ["version", "runs"], **{"$schema": _TEXT}, version={"const": "2.1.0"}, runs={"type": "array", "items": _RUN}
)
_VALIDATOR = Draft202012Validator(_LOG)


def checked(log):
    """The log, if it is valid and its results name the rules that they say they do."""
    faults = [f"{list(fault.absolute_path)}: {fault.message[:200]}" for fault in _VALIDATOR.iter_errors(log)]
    assert not faults
    for run in log["runs"]:
        rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
        assert len(set(rules)) == len(rules)
        assert all(rules[result["ruleIndex"]] == result["ruleId"] for result in run["results"])
    return log
