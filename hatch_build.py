"""Puts the compiled library into the wheel."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class LibraryHook(BuildHookInterface[Any]):
    """Compiles `library/` where the package looks for it, before its files are collected."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002
        """Run by hatchling; an editable install can skip it, since `make` compiles the library itself."""
        if os.environ.get("KUBEGAP_SKIP_LIBRARY"):
            return
        root = Path(self.root)
        sys.path.insert(0, str(root / "src"))
        from kubegap.cli.building import build  # noqa: PLC0415

        build(
            [root / "library"], root / "src" / "kubegap" / "_library", revision=os.environ.get("KUBEGAP_REVISION", "")
        )
