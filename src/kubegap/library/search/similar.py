"""Similar cases: of a pasted log or text, and of a case. What varies (times, addresses, hashes) is masked first."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from math import log

from kubegap.library.record import Incident, passages
from kubegap.library.search.analyse import Word, pairs, words
from kubegap.library.search.backend import SearchBackend
from kubegap.library.search.fields import FIELDS
from kubegap.library.search.function_words import is_function_word
from kubegap.library.search.names import Names
from kubegap.library.search.plan import Plan, Wanted, all_wanted
from kubegap.library.search.query import Query

MAX_BYTES = 64 * 1024
# So many words of a text are looked for, and so many pairs: the most telling ones.
MOST_WORDS = 24
MOST_PAIRS = 48
# A word of a signature tells more of a log than a word of a story.
_SIGNATURE = 3.0

# What tells one occurrence from another and says nothing of the kind of trouble.
_VARYING = re.compile(
    r"""
    \d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}(?:[.,]\d+)?(?:Z|[+-]\d{2}:?\d{2})?   # 2024-12-11T15:12:00.123Z
  | \b[EWIF]\d{4}\s\d{2}:\d{2}:\d{2}\.\d+                                      # klog: E1211 15:12:00.123456
  | \b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\w*\s+\d{1,2}\s+\d{2}:\d{2}:\d{2}
  | \b\d{2}:\d{2}:\d{2}(?:[.,]\d+)?\b
  | \b[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}\b                   # UUID
  | \bsha256:[0-9a-fA-F]+
  | \b0x[0-9a-fA-F]+\b
  | \b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b                                       # IPv4
  | \b(?:[0-9a-fA-F]{1,4}:){4,7}[0-9a-fA-F]{1,4}\b                             # IPv6
  | \b[0-9a-fA-F]{4,8}:[0-9a-fA-F]{2}:[0-9a-fA-F]{2}(?:\.[0-9])?\b             # PCI address
  | \b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{12,}\b                         # hash
  | \b[a-z0-9-]+-[a-f0-9]{8,10}-[a-z0-9]{5}\b                                  # pod of a Deployment
    """,
    re.VERBOSE,
)


def masked(text: str) -> str:
    """The text with timestamps, addresses and hashes blanked, so that places in it stay what they were."""
    return _VARYING.sub(lambda match: " " * len(match.group()), text)


def plan_text(text: str, query: Query, names: Names, backend: SearchBackend, cases: int) -> Plan:
    """A plan that looks for the most telling words of a pasted text among `cases` cases."""
    text = masked(text)
    text_words = words(text)
    found, same = names.find_both(text_words, text)
    wanted: dict[str, Wanted] = {}
    for word, looked_for in zip(text_words, all_wanted(text_words, text, found, same), strict=True):
        if len(word.text) > 1 and not is_function_word(word.text):
            wanted.setdefault(looked_for.itself.whole, looked_for)
    telling = _most_telling(wanted.values(), backend, cases)
    return Plan(query, tuple(telling), tuple(found), _known_pairs(text_words, backend), is_text=True)


def text_of(incident: Incident) -> str:
    """What a case is like, as text: its title, symptoms and signatures in both languages."""
    symptoms = [side for part in passages(incident.symptom) for side in (part.ko, part.en)]
    return "\n".join([incident.title.ko, incident.title.en, *incident.signatures, *symptoms])


def _most_telling(wanted: Iterable[Wanted], backend: SearchBackend, cases: int) -> list[Wanted]:
    """The rarest words that the library knows, those of signatures first; in the order of the text."""
    weighed = [(weight, word) for word in wanted if (weight := _weight(word, backend, cases))]
    weighed.sort(key=lambda pair: (-pair[0], pair[1].start))
    return sorted((word for _, word in weighed[:MOST_WORDS]), key=lambda word: word.start)


def _weight(word: Wanted, backend: SearchBackend, cases: int) -> float:
    keys = [word.itself.whole, *word.itself.pieces[:1], *word.concepts]
    counts = {field: max(backend.frequency(field, key) for key in keys) for field in FIELDS}
    most = max(counts.values())
    if not most:
        return 0.0
    return log(1 + cases / most) * (_SIGNATURE if counts["signatures"] else 1.0)


def _known_pairs(text: Sequence[Word], backend: SearchBackend) -> tuple[str, ...]:
    known = ((count, pair) for pair in dict.fromkeys(pairs(text)) if (count := backend.pair_frequency(pair)))
    return tuple(pair for _, pair in sorted(known)[:MOST_PAIRS])
