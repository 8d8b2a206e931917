"""The objects of YAML documents; those of a List as kubectl prints it one by one, because a tree of it all is slow and large."""

from collections.abc import Iterator

from kubegap.cluster import yaml_text
from kubegap.cluster.lists import Broken, EmptyList, Item, is_list, kind_of_items, opened
from kubegap.cluster.yaml_text import Piece, YamlError


def of_document(piece: Piece, name: str) -> Iterator[Item | Broken | EmptyList]:
    """Every object of a document that is held whole."""
    listed = yaml_text.cut_list(piece)
    if listed and (kind := _kind_of_list(listed.around)):
        found = [of_list_item(part, name) for part in listed.items]
        # An alias to an anchor of another item is the one reason to need the whole tree.
        if not any(isinstance(item, Broken) for item in found) or isinstance(_whole(piece, name), Broken):
            for item in found:
                yield from [item] if isinstance(item, Broken) else opened(Item(item.place, item.content, *kind), 1)
            return
    whole = _whole(piece, name)
    yield from [whole] if isinstance(whole, Broken) else opened(whole)


def of_list_item(piece: Piece, name: str) -> Item | Broken:
    """The one object of a list item that was cut out with its dash."""
    whole = _whole(piece, name)
    if isinstance(whole, Broken):
        return whole
    content = whole.content
    return Item(whole.place, content[0] if isinstance(content, list) and len(content) == 1 else content)


def _kind_of_list(around: Piece) -> tuple[str | None, str | None] | None:
    """What the items are, from the List without them; None if it is none or cannot be read."""
    try:
        content = yaml_text.load(around)
    except YamlError:
        return None
    return kind_of_items(content) if isinstance(content, dict) and is_list(content) else None


def _whole(piece: Piece, name: str) -> Item | Broken:
    try:
        return Item(f"{name}:{piece.line}", yaml_text.load(piece))
    except YamlError as error:
        return Broken(f"{name}:{error.line}", str(error))
