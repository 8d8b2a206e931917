"""The id of a finding."""

from kubegap.checks.model import Finding


def finding_id(check: str, finding: Finding) -> str:
    """Stable across runs and clusters rebuilt: the check, and kind, namespace and name of the subject."""
    return f"{check}/{finding.subject.path}"
