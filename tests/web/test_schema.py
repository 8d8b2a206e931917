"""The API holds what its description says, whatever is asked: schemathesis makes the questions, good ones and bad ones."""

from __future__ import annotations

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import Case, GenerationMode
from schemathesis.schemas import BaseSchema
from schemathesis.specs.openapi.checks import positive_data_acceptance
from starlette.applications import Starlette

EACH = 30
REFUSALS = ["400", "404", "413", "414", "415"]
asked = settings(
    max_examples=EACH,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)


@pytest.fixture(scope="module")
def schema(app: Starlette) -> BaseSchema:
    config = schemathesis.Config.from_dict({"checks": {"negative_data_rejection": {"expected-statuses": REFUSALS}}})
    return schemathesis.openapi.from_asgi("/api/v1/openapi.json", app, config=config)


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
def test_answers_are_as_described(schema: BaseSchema, mode: GenerationMode):
    for found in schema.get_all_operations():
        operation = found.ok()
        # Where nothing is asked, nothing is asked wrongly.
        asks = [operation.definition.raw.get(part) for part in ("parameters", "requestBody")]
        if mode is GenerationMode.NEGATIVE and not any(asks):
            continue

        @asked
        @given(case=operation.as_strategy(generation_mode=mode))
        def holds(case: Case) -> None:
            # That a day does not exist, or `from` is after `to`, no schema can say.
            case.call_and_validate(excluded_checks=[positive_data_acceptance])

        holds()
