"""The types of what tools are asked with. Schemas are flat and short, since clients carry them in every conversation.

An id has no pattern: a wrong one is answered with the nearest that exist. An empty value means that none was given.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

Language = Literal["", "ko", "en"]
Context = Annotated[str, Field(description="of the kubeconfig; empty: current")]
ScanId = Annotated[str, Field(description="empty: newest")]
Severity = Literal["", "critical", "high", "medium", "low", "info"]
Few = Annotated[int, Field(ge=1, le=20)]
Many = Annotated[int, Field(ge=1, le=50)]
