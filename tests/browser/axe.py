"""axe-core, fetched once into a folder outside the tree and checked; a test that cannot have it fails."""

from __future__ import annotations

import hashlib
import subprocess
from functools import cache
from pathlib import Path

VERSION = "4.14.1"
SHA256 = "29348999450cdf2849a8e70b7912fc2da85a849da39c0d0d5394f51d4a9ed95c"
_FOLDER = Path.home() / ".cache" / "kubegap-axe" / VERSION
_FILE = _FOLDER / "node_modules" / "axe-core" / "axe.min.js"
_RUN = """async () => {
  const found = await axe.run(document, {resultTypes: ["violations"]});
  return found.violations.map(one => `${one.id} (${one.impact}): ${one.help}\\n    `
    + one.nodes.map(node => node.target.join(" ") + ": " + (node.any[0]?.message || node.all[0]?.message || "")).join("\\n    "));
}"""


@cache
def source() -> str:
    """The script."""
    if not _FILE.exists():
        _FOLDER.mkdir(parents=True, exist_ok=True)
        command = ["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", _FOLDER, f"axe-core@{VERSION}"]
        subprocess.run(command, check=True, timeout=300)
    text = _FILE.read_bytes()
    assert hashlib.sha256(text).hexdigest() == SHA256, "this is not the axe-core that was pinned"
    return text.decode()


def violations(page) -> list[str]:
    """What axe finds wrong with a page as it stands."""
    page.evaluate(source() + "; void 0")
    return page.evaluate(_RUN)
