"""Names of images.

Source of the grammar: `github.com/distribution/reference` (`regexp.go`, `normalize.go`) at 0.6.
"""

import re
from functools import lru_cache

from msgspec import Struct

# Parts of tags that hold digits and still name no version.
_MACHINES = {"amd64", "arm64", "arm64v8", "x86", "64", "i386", "386"}
_MOVING = {"latest", "snapshot"}
_COMMIT = re.compile(r"[0-9a-f]{7,}")


class Image(Struct, frozen=True):
    """`registry/repository:tag@digest`; a registry that is not written is Docker Hub, a tag that is not is `latest`."""

    registry: str
    repository: str
    tag: str | None
    digest: str | None

    @property
    def name(self) -> str:
        """The last part of the repository: `kube-state-metrics`."""
        return self.repository.rpartition("/")[2]


@lru_cache(maxsize=10_000)
def parsed(image: str) -> Image:
    """The parts of an image's name."""
    rest, _, digest = image.partition("@")
    head, slash, path = rest.partition("/")
    is_registry = bool(slash) and (head == "localhost" or "." in head or ":" in head)
    registry, path = (head, path) if is_registry else ("docker.io", rest)
    folder, _, last = path.rpartition("/")
    name, _, tag = last.partition(":")
    repository = f"{folder}/{name}" if folder else name
    if registry == "docker.io" and "/" not in repository:
        repository = f"library/{repository}"
    return Image(registry, repository, tag or None, digest or None)


def names_version(tag: str | None) -> bool:
    """Whether a tag says which version is meant; `latest`, `main`, `stable` or no tag say none, `16` and `v2-alpine` do.

    Nothing keeps a registry from giving another image under the same tag; a digest alone does that.
    """
    parts = set(re.split(r"[-_.]", (tag or "").lower()))
    if not _MOVING.isdisjoint(parts):
        return False
    return any(_COMMIT.fullmatch(part) or any(map(str.isdigit, part)) for part in parts - _MACHINES)
