"""Words that stand nowhere in the library, and the nearest ones that do: offered as a link, never put in silently."""

from __future__ import annotations

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from functools import cached_property

import msgspec

from kubegap.library.normal import normal
from kubegap.library.search.analyse import words
from kubegap.library.search.backend import SearchBackend
from kubegap.library.search.fields import FIELDS
from kubegap.library.search.function_words import PARTICLES, is_function_word
from kubegap.library.search.plan import Plan, Wanted
from kubegap.library.search.result import Correction
from kubegap.library.vocabulary import FACETS, Vocabulary

LEXICON = "lexicon.json"
# Below, two words are only by chance alike.
LEAST_ALIKE = 0.75
_SHORTEST = 3
_MOST_WORDS = 50_000

Lexicon = Mapping[str, int]


def lexicon(words_of_cases: Mapping[tuple[str, bool], int], vocabulary: Vocabulary) -> dict[str, int]:
    """The words of all texts and names, and how often each stands; of Hangul also without particles, and what is common only.

    `words_of_cases` counts words with whether they are Hangul (see `prepared.prepare`).
    """
    counts: Counter[str] = Counter()
    for (word, is_hangul), count in (*words_of_cases.items(), *_words_of_names(vocabulary)):
        for form in _forms(word, is_hangul=is_hangul):
            counts[form] += count
    return dict(counts.most_common(_MOST_WORDS))


def _words_of_names(vocabulary: Vocabulary) -> Iterator[tuple[tuple[str, bool], int]]:
    for facet in FACETS:
        for entry in vocabulary[facet].values():
            for name in entry.names():
                yield from (((word.text, word.is_hangul), 1) for word in words(name))


def encode_lexicon(counts: Lexicon) -> bytes:
    """The lexicon as a file of the generation."""
    return msgspec.json.encode(counts)


def decode_lexicon(data: bytes) -> dict[str, int]:
    """The lexicon of `encode_lexicon`."""
    return msgspec.json.decode(data, type=dict[str, int])


class Spellings:
    """The words of a lexicon by the letter that they begin with, sorted out when the first misspelt word is looked for."""

    def __init__(self, known: Lexicon) -> None:
        self.known = known

    def nearest(self, word: str) -> str | None:
        """The word most like another, of equally like ones the commonest; None where none is like it."""
        letters = _letters(normal(word))
        matcher = SequenceMatcher(b=letters, autojunk=False)
        best = (LEAST_ALIKE, 0, "")
        for other in self._by_letter.get(letters[0], ()):
            other_letters = _letters(other)
            if abs(len(other_letters) - len(letters)) > 2:
                continue
            matcher.set_seq1(other_letters)
            if matcher.quick_ratio() >= best[0]:
                best = max(best, (matcher.ratio(), self.known[other], other))
        return best[2] or None

    @cached_property
    def _by_letter(self) -> Mapping[str, Sequence[str]]:
        # Letters of Hangul take three times the room of its syllables, so only words are kept.
        found: dict[str, list[str]] = defaultdict(list)
        for word in self.known:
            found[_letters(word[:1])[0]].append(word)
        return dict(found)


def corrections(plan: Plan, backend: SearchBackend, spellings: Spellings) -> Iterator[Correction]:
    """For each word of a question that stands nowhere, the nearest word that does."""
    for word in plan.wanted:
        if word.terms or len(word.text) < _SHORTEST or _is_known(word, backend, spellings.known):
            continue
        if (better := spellings.nearest(word.text)) is not None:
            q = plan.query.q
            yield Correction(word.text, better, f"{q[: word.start]}{better}{q[word.end :]}")


def _is_known(word: Wanted, backend: SearchBackend, known: Lexicon) -> bool:
    """Whether a word stands somewhere: a Latin one as a key, a Hangul one in the lexicon, with or without a particle.

    Bigrams find more than that (엔비디어 finds 엔비디아), which is no reason not to offer the right spelling.
    """
    if word.itself.first:
        return any(form in known for form in _forms(normal(word.text), is_hangul=True))
    needed = [word.itself.whole, *word.itself.pieces]
    return any(backend.frequency(field, key) for field in FIELDS for key in needed)


def _letters(word: str) -> str:
    """Jamo of Hangul, so that one wrong vowel is one wrong letter."""
    return unicodedata.normalize("NFD", word)


def _forms(word: str, *, is_hangul: bool) -> Sequence[str]:
    if not is_hangul:
        return [word] if len(word) >= _SHORTEST and not word.isdigit() else []
    stems = [word[: -len(particle)] for particle in PARTICLES if word.endswith(particle)]
    return [form for form in (word, *stems) if len(form) >= 2 and not is_function_word(form)]
