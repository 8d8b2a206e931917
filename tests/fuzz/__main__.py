"""Coverage-guided fuzzing of everything that reads strangers' bytes: `python -m tests.fuzz FOLDER [SECONDS]`.

Needs atheris (`make fuzz`). FOLDER keeps what was found to reach new code, and inputs that broke something.
"""

from __future__ import annotations

import sys
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["kubegap.cluster", "kubegap.checks", "kubegap.report"]):
    from kubegap.cluster.saved import _lines
    from tests.fuzz.targets import PAGES, TARGETS, files


def seeds(folder: Path) -> None:
    """One input for every case of every check, as a dump and as a snapshot, and one for each other target."""
    texts = [case.input.encode() for page in PAGES for case in page.cases]
    lines = [b"\n".join(_lines(files.decode([("case", text)]))) for text in texts[::7]]
    body = (
        b'{"kind":"PodList","metadata":{"continue":"x"},"items":[{"metadata":{"name":"p","namespace":"n"},"spec":{}}]}'
    )
    config = b"current-context: a\nclusters:\n- name: a\n  cluster: {server: x}\ncontexts:\n- {name: a, context: {cluster: a}}\n"
    chosen = [
        *((0, t) for t in texts),
        *((1, t) for t in texts),
        *((2, t) for t in lines),
        (4, body),
        (5, config),
        (7, b"1.5Gi"),
        (8, b'@{group="policy",removed_release="1.25",resource="poddisruptionbudgets",version="v1beta1"} 1'),
    ]
    # Those of one page differ little, and each costs the time of many small ones.
    chosen = [pair for number, pair in enumerate(chosen) if number % 3 == 0 or pair[0] > 2]
    for number, (target, text) in enumerate(chosen):
        (folder / f"seed-{number}").write_bytes(bytes([target]) + text)


def one(data: bytes) -> None:
    if data:
        TARGETS[data[0] % len(TARGETS)](data[1:])


def main() -> None:
    folder = Path(sys.argv[1])
    seconds = sys.argv[2] if len(sys.argv) > 2 else "600"
    folder.mkdir(parents=True, exist_ok=True)
    seeds(folder)
    limits = [f"-max_total_time={seconds}", "-max_len=4096", "-timeout=60", "-rss_limit_mb=4096"]
    atheris.Setup([sys.argv[0], *limits, f"-artifact_prefix={folder}/", str(folder)], one)
    atheris.Fuzz()


main()
