"""The healthy clusters by name."""

from __future__ import annotations

from collections.abc import Callable

from tests.silence.gpu import gpu
from tests.silence.large import large
from tests.silence.objects import Thing
from tests.silence.small import small

CLUSTERS: dict[str, Callable[[], list[Thing]]] = {"small": small, "gpu": gpu, "large": large}
