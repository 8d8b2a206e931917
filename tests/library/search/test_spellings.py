"""The nearest spelling, held against the plain definition over the whole lexicon."""

import unicodedata
from difflib import SequenceMatcher

from hypothesis import given
from hypothesis import strategies as st

from kubegap.library.search.corrections import LEAST_ALIKE, Spellings

WORDS = st.text(alphabet="abkuernts가나엔비디아어", min_size=1, max_size=9)


def plainly(word, known):
    """Of all words with the same first letter and nearly as long, the most alike, then the commonest, then by spelling."""
    letters = unicodedata.normalize("NFD", word)
    found = [(LEAST_ALIKE, 0, "")]
    for other, count in known.items():
        others = unicodedata.normalize("NFD", other)
        if others[0] == letters[0] and abs(len(others) - len(letters)) <= 2:
            found.append((SequenceMatcher(None, others, letters, autojunk=False).ratio(), count, other))
    return max(found)[2] or None


@given(WORDS, st.dictionaries(WORDS, st.integers(1, 5), max_size=30))
def test_the_nearest_spelling_is_that_of_the_whole_lexicon(word, known):
    assert Spellings(known).nearest(word) == plainly(word, known)


def test_a_wrong_vowel_is_one_wrong_letter():
    assert Spellings({"엔비디아": 3, "엔드포인트": 9}).nearest("엔비디어") == "엔비디아"
    assert Spellings({"kubernetes": 3}).nearest("kuberntes") == "kubernetes"
    assert Spellings({"kubernetes": 3}).nearest("prometheus") is None
