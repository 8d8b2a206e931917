"""Names of images.

Source of the grammar: `github.com/distribution/reference` (`regexp.go`, `normalize.go`) at 0.6.
"""

from msgspec import Struct


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
