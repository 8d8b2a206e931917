"""What a run found, joined with the incidents behind it, in the forms that people and machines read."""

from kubegap.report.exits import exit_code

__all__ = ["exit_code"]
