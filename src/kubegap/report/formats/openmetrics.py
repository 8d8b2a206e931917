"""OpenMetrics for a scrape or a textfile collector: gauges of what was found and of how far was seen."""

from collections import Counter
from collections.abc import Iterable, Mapping

from kubegap.checks.model import Severity, State
from kubegap.report.lines import escaped
from kubegap.report.view import View

_ESCAPES = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n"})
Labels = Mapping[str, str]
Sample = tuple[Labels, float]


def render(view: View) -> str:
    """All families in the same order whatever was found; numbers of every severity and state are there, also 0."""
    source, report = view.report.snapshot.source, view.report
    kinds = report.coverage()
    gauges = [
        _gauge(
            "findings", "Findings by check, severity and status; status is empty without a baseline.", _findings(view)
        ),
        _gauge("findings_by_severity", "Findings that count, by severity.", _severities(view)),
        _gauge("checks", "Checks by the state in which they ended.", _states(view)),
        _gauge("check_state", "1 for the state in which a check ended.", _ends(view)),
        _gauge(
            "kind_objects",
            "Objects read of a kind, by how far it was read.",
            [({"kind": kind.resource.path, "state": kind.state}, kind.objects) for kind in kinds],
        ),
        _gauge("partial", "1 if any kind was not read whole.", [({}, not all(kind.is_complete for kind in kinds))]),
        _gauge("unread_pieces", "Pieces of the input that could not be read.", [({}, len(report.snapshot.unread))]),
        _gauge("requests", "Requests to the API server.", [({}, source.requests)]),
        _gauge("read_bytes", "Bytes read from the API server.", [({}, source.bytes)], "bytes"),
        _gauge("read_seconds", "Time that reading took.", [({}, source.seconds)], "seconds"),
        _gauge("cluster", "Which cluster this is.", [(_cluster(view), 1)]),
    ]
    if source.read_at:
        time: list[Sample] = [({}, source.read_at.timestamp())]
        gauges.append(_gauge("read_at_seconds", "When the cluster was read, since 1970.", time, "seconds"))
    return "".join(gauges) + "# EOF\n"


def _findings(view: View) -> list[Sample]:
    counts = Counter(
        (entry.page.id, entry.finding.severity.value, entry.status.value if entry.status else "")
        for entry in view.entries()
    )
    return [
        ({"check": check, "severity": severity, "status": status}, count)
        for (check, severity, status), count in sorted(counts.items())
    ]


def _severities(view: View) -> list[Sample]:
    counts = Counter(entry.finding.severity for entry in view.entries() if entry.counts)
    return [({"severity": severity.value}, counts[severity]) for severity in Severity]


def _states(view: View) -> list[Sample]:
    counts = Counter(result.state for result in view.report.results)
    return [({"state": state.value}, counts[state]) for state in State]


def _ends(view: View) -> list[Sample]:
    return [({"check": result.page.id, "state": result.state.value}, 1) for result in view.report.results]


def _cluster(view: View) -> Labels:
    snapshot = view.report.snapshot
    return {
        "name": snapshot.source.context or snapshot.source.name or "",
        "uid": snapshot.uid or "",
        "version": snapshot.source.version or "",
        "provider": snapshot.provider or "",
    }


def _gauge(name: str, told: str, samples: Iterable[Sample], unit: str | None = None) -> str:
    full = f"kubegap_{name}"
    lines = [f"# TYPE {full} gauge", *([f"# UNIT {full} {unit}"] if unit else []), f"# HELP {full} {told}"]
    lines += [f"{full}{_labels(labels)} {_number(value)}" for labels, value in samples]
    return "".join(f"{line}\n" for line in lines)


def _labels(labels: Labels) -> str:
    """Control and bidirectional characters are allowed in labels, and shown as escapes all the same."""
    pairs = ",".join(f'{name}="{escaped(value).translate(_ESCAPES)}"' for name, value in labels.items())
    return f"{{{pairs}}}" if pairs else ""


def _number(value: float) -> str:
    whole = float(value)
    return str(int(whole)) if whole.is_integer() else repr(whole)
