"""The plugin as it stands in the repository; `tests/agents` installs it into the real clients."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
# A real client asks the real server for these in `tests/agents`.
TOOLS = {
    "get_cluster_status",
    "scan_cluster",
    "list_gaps",
    "get_gap",
    "search_incidents",
    "find_similar_incidents",
    "get_incident",
    "list_checks",
    "compare_scans",
}
