"""OpenMetrics as Prometheus's own parser reads it, and as this exposition is meant: gauges, each family and sample once."""

from prometheus_client.openmetrics.parser import text_string_to_metric_families


def families(text):
    """The samples of each family by their labels."""
    assert text.endswith("\n# EOF\n") or text == "# EOF\n"
    found = {}
    for family in text_string_to_metric_families(text):
        assert family.type == "gauge"
        assert family.documentation
        assert family.name not in found
        found[family.name] = {tuple(sample.labels.items()): sample.value for sample in family.samples}
        assert len(found[family.name]) == len(family.samples)
    return found
