"""A home with Codex, the plugin and kubegap, beside one control plane with everything planted."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.agents.app_server import AppServer, app_server
from tests.agents.clients import Home, put_kubegap
from tests.control_plane.impatient import compile_impatient
from tests.control_plane.plane import Plane, running
from tests.control_plane.world import plant


@pytest.fixture(scope="session")
def plane(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Plane]:
    with running(tmp_path_factory.mktemp("plane")) as started:
        plant(started)
        yield started


@pytest.fixture(scope="session")
def codex(plane: Plane, tmp_path_factory: pytest.TempPathFactory) -> Home:
    """Codex, with KUBECONFIG as its user would have set it."""
    folder = tmp_path_factory.mktemp("codex")
    own = {"KUBECONFIG": plane.kubeconfig("reader"), "KUBEGAP_LIBRARY": str(compile_impatient(folder / "library"))}
    home = Home(folder, [put_kubegap(folder / "bin")], own)
    home.add_to_codex()
    return home


@pytest.fixture(scope="session")
def session(codex: Home) -> Iterator[AppServer]:
    with app_server(codex) as started:
        yield started
