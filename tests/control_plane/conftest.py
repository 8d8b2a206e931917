"""One control plane for the whole suite, with everything planted, and kubegap as a process that looks at it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.control_plane.asking import Kubegap, printed
from tests.control_plane.impatient import compile_impatient
from tests.control_plane.plane import Plane, running
from tests.control_plane.world import plant


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compile_impatient(tmp_path_factory.mktemp("library"))


@pytest.fixture(scope="session")
def _planted(tmp_path_factory: pytest.TempPathFactory, library: Path):
    with running(tmp_path_factory.mktemp("plane")) as started:
        bare = Kubegap(started, library).report("reader")
        plant(started)
        yield started, bare


@pytest.fixture(scope="session")
def plane(_planted: tuple[Plane, dict]) -> Plane:
    return _planted[0]


@pytest.fixture(scope="session")
def bare(_planted: tuple[Plane, dict]) -> dict:
    """The report on the same cluster before anything was there, definitions of custom resources included."""
    return _planted[1]


@pytest.fixture(scope="session")
def kubegap(plane: Plane, library: Path) -> Kubegap:
    return Kubegap(plane, library)


@pytest.fixture(scope="session")
def live(kubegap: Kubegap) -> dict:
    """The report of one who may read all that the checks ask for."""
    return kubegap.report("reader")


@pytest.fixture(scope="session")
def dump(plane: Plane):
    """What the real kubectl prints of everything that the checks read, in a format."""
    return lambda form: printed(plane, form)
