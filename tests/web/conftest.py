"""The application over the repository's library, and over small made ones."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.applications import Starlette

from kubegap.checks.pages import CHECKS
from kubegap.library.compiling import compile_library
from kubegap.library.generation import Generation
from kubegap.library.record import Incident
from kubegap.web.app import create_app
from kubegap.web.edition import Edition
from kubegap.web.settings import Settings
from tests.web.client import Client

SEED = "component=gpu-hardware-memory&symptom=gpu-not-visible&factor=monitoring-blind-spot"
CHECK = "webhook-fail-closed-wide"
CASE = "2021-08-bigscience-ecc-gpu-node-reused"


@pytest.fixture(scope="session")
def app(library_dir: Path) -> Starlette:
    return create_app(library_dir, Settings())


@pytest.fixture(scope="session")
def client(app: Starlette) -> Iterator[Client]:
    found = Client(app)
    yield found
    found.close()


@pytest.fixture(scope="session")
def edition(app: Starlette) -> Edition:
    found: Edition = app.state.house.shelf.edition()
    return found


@pytest.fixture
def made(generation: Generation, tmp_path: Path):
    """Serve a library of the given records: `made(record, …)` gives a client; the directory is `tmp_path`."""
    opened: list[Client] = []

    def serve(*incidents: Incident, settings: Settings | None = None) -> Client:
        compile_made(tmp_path, list(incidents), generation)
        opened.append(Client(create_app(tmp_path, settings or Settings())))
        return opened[-1]

    yield serve
    for found in opened:
        found.close()


def compile_made(out: Path, incidents: list[Incident], generation: Generation) -> None:
    ordered = sorted(incidents, key=lambda one: one.id)
    compile_library(ordered, generation.vocabulary, out, revision="made", extra={CHECKS: generation.file(CHECKS)})


@pytest.fixture
def case(generation: Generation) -> Incident:
    """A real record to change."""
    return generation.incident(CASE)
