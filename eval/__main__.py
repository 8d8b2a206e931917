"""`python -m eval [HALF]`: print the quality report; of both halves, write it to `eval/report.md` too.

Fails when a target of the held-out half is missed. While tuning, ask for `development` alone.
"""

from __future__ import annotations

import sys
from pathlib import Path

from eval.judged import HALVES
from eval.report import halves, lines

asked = sys.argv[1:] or HALVES
measured = halves(asked)
text = "# Search quality\n\n`make eval` prints this. The held-out half is never used for tuning.\n" + "\n".join(
    line for half in measured for line in lines(half)
)
print(text)
if asked == HALVES:
    Path(__file__).with_name("report.md").write_text(text + "\n", encoding="utf-8")
sys.exit(any(not target.is_met for half in measured if half.name == "held_out" for target in half.targets))
