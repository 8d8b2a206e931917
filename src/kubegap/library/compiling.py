"""From loaded records to the files of a generation: records, what search has prepared, and an engine's index."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec

from kubegap.library.generation import Manifest
from kubegap.library.record import Incident
from kubegap.library.search import tantivy_index
from kubegap.library.search.corrections import LEXICON, encode_lexicon, lexicon
from kubegap.library.search.few import CASES, FEW, encode_cases
from kubegap.library.search.names import NAMES, Names, encode_names
from kubegap.library.search.prepared import LABELS, TEXTS, encode_labels, encode_texts, prepare
from kubegap.library.search.sounds import SOUNDS, sounds_of
from kubegap.library.storing import lines, record_files, write
from kubegap.library.vocabulary import Vocabulary


def compile_library(
    incidents: Iterable[Incident], vocabulary: Vocabulary, out: Path, *, revision: str, extra: Mapping[str, bytes]
) -> Manifest:
    """Compile checked records into `out` and make them current; `extra` files go in as they are."""
    ordered = sorted(incidents, key=lambda incident: incident.id)
    names = Names.of(vocabulary)
    prepared, words = prepare(ordered, vocabulary, names)
    texts = {entry.id: encode_texts(entry.texts) for entry in prepared}
    known = lexicon(words, vocabulary)
    files = {
        **record_files(ordered, vocabulary),
        **lines(TEXTS, [texts.get(incident.id, b"null") for incident in ordered]),
        NAMES: encode_names(names),
        LEXICON: encode_lexicon(known),
        SOUNDS: msgspec.json.encode(sounds_of(known)),
        LABELS: encode_labels(vocabulary, names),
        **({CASES: encode_cases(prepared)} if len(prepared) <= FEW else {}),
        **extra,
    }
    return write(out, files, revision, lambda folder: tantivy_index.build(folder / tantivy_index.FOLDER, prepared))
