"""What is asked of the server, tool by tool; the answers of one call are the arguments of the next."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

CASE = "2021-08-bigscience-ecc-gpu-node-reused"
GAP = "webhook-fail-closed-wide"
LOG = "NVRM: Xid (PCI:0000:3b:00): 79, GPU has fallen off the bus."

Call = Callable[[str, dict[str, Any]], dict[str, Any]]
Read = Callable[[str], str]


def talk(call: Call, read: Read, lang: str = "en") -> None:
    """Call every tool and read a resource of each kind; `call` gives the structured content of the result."""
    call("get_cluster_status", {"lang": lang})
    first = call("scan_cluster", {"lang": lang})["scan_id"]
    page = call("list_gaps", {"scan_id": first, "limit": 5, "lang": lang})
    call("list_gaps", {"scan_id": first, "limit": 5, "cursor": page["next_cursor"], "lang": lang})
    call("get_gap", {"gap_id": GAP, "scan_id": first, "limit": 3, "lang": lang})
    call("search_incidents", {"query": "GPU 인식 불가", "limit": 3, "lang": lang})
    call("find_similar_incidents", {"text": LOG, "limit": 3, "lang": lang})
    call("get_incident", {"incident_id": CASE, "lang": lang})
    call("list_checks", {"incident_id": CASE, "lang": lang})
    second = call("scan_cluster", {"max_age_seconds": 0, "lang": lang})["scan_id"]
    call("compare_scans", {"before": first, "after": second, "lang": lang})
    for uri in ("incident://index", f"incident://{CASE}", f"check://{GAP}", f"scan://{second}/report"):
        read(uri)
