"""Shows the plugin at work in the real Codex, tool by tool, against a real control plane with planted gaps; no model takes part.

`python -m scripts.transcript` prints what was asked and answered; `--full` leaves nothing out, `--lang ko` asks for Korean.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path
from typing import Any

from tests.agents.app_server import AppServer, app_server
from tests.agents.clients import Home, put_kubegap
from tests.agents.conversation import talk
from tests.control_plane.impatient import compile_impatient
from tests.control_plane.plane import running
from tests.control_plane.world import plant

SHOWN = 1_200


class Scribe:
    """Writes down what goes through a session."""

    def __init__(self, session: AppServer, most: int | None) -> None:
        self._session, self._most = session, most

    def call(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """Call a tool; an error of the tool is written down as such."""
        result = self._session.call(tool, arguments)
        is_error = bool(result.get("isError"))
        found: dict[str, Any] = result.get("structuredContent") or {}
        text = result["content"][0]["text"]
        self._write(f"{tool} {json.dumps(arguments, ensure_ascii=False)}", text, "error" if is_error else "answer")
        return found

    def read(self, uri: str) -> str:
        """Read a resource."""
        text = self._session.read(uri)
        self._write(uri, text, "text")
        return text

    def _write(self, asked: str, text: str, kind: str) -> None:
        size = len(text.encode())
        shown = text if self._most is None or len(text) <= self._most else text[: self._most] + " …"
        print(f"> {asked}\n< {kind}, {size:,} bytes\n{shown}\n", flush=True)


def main() -> None:
    """Start everything, talk, and stop everything."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--full", action="store_true", help="leave nothing out")
    parser.add_argument("--lang", choices=["ko", "en"], default="en")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "plane").mkdir()
        with running(folder / "plane") as plane:
            plant(plane)
            library = str(compile_impatient(folder / "library"))
            own = {"KUBECONFIG": plane.kubeconfig("reader"), "KUBEGAP_LIBRARY": library}
            home = Home(folder / "home", [put_kubegap(folder / "bin")], own)
            home.add_to_codex()
            with app_server(home) as session:
                scribe = Scribe(session, None if asked.full else SHOWN)
                talk(scribe.call, scribe.read, asked.lang)


if __name__ == "__main__":
    main()
