"""English words as Koreans write them by ear: 카펜터 for Karpenter, 맥스서지 for maxSurge.

Both are brought to the consonants that Korean keeps; words with the same ones sound alike. It is looked for only where a Hangul
word is not in the library, and what was found for it is told.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container, Iterable, Mapping, Sequence

import msgspec

from kubegap.library.search.function_words import without_particle
from kubegap.library.search.plan import Plan, Wanted

SOUNDS = "sounds.json"
_SHORTEST = 3
_MOST_WORDS = 3

Sounds = Mapping[str, Sequence[str]]

_JAMO = {
    **dict.fromkeys("\u1100\u1101\u110f\u11a8\u11bf", "K"),
    **dict.fromkeys("\u1102\u11ab\u11bc", "N"),
    **dict.fromkeys("\u1103\u1104\u1110\u11ae\u11c0", "T"),
    **dict.fromkeys("\u1105\u11af", "L"),
    **dict.fromkeys("\u1106\u11b7", "M"),
    **dict.fromkeys("\u1107\u1108\u1111\u11b8\u11c1", "P"),
    # A final ㅅ is how Korean hears a final t: 타임아웃.
    **dict.fromkeys("\u1109\u110a", "S"),
    "\u11ba": "T",
    **dict.fromkeys("\u110c\u110d\u110e", "J"),
    "\u1112": "H",
}
# In order: what two letters sound like, then what Korean does not hear, then single letters.
_LATIN: tuple[tuple[str, str], ...] = (
    (r"tch|ch|dg", "J"),
    (r"ph", "P"),
    (r"sh", "S"),
    (r"th", "T"),
    (r"ng(?![aeiouy])", "N"),
    (r"x", "KS"),
    (r"qu|q", "K"),
    (r"ck", "K"),
    (r"c(?=[eiy])", "S"),
    (r"g(?=[eiy])", "J"),
    (r"r(?![aeiouy])", ""),
    (r"([b-df-hj-np-tv-z])\1", r"\1"),
)
_LETTER_NAMES = dict(
    zip(
        (
            "에이치 더블유 에이 에프 아이 제이 케이 에스 브이 엑스 와이 제트 비 씨 시 디 이 지 엘 엠 엔 오 피 큐 알 티 유"
        ).split(),
        "hwafijksvxyzbccdeglmnopqrtu",
        strict=True,
    )
)
_LETTER_NAME = re.compile("|".join(_LETTER_NAMES))
_SPELLED = re.compile(f"(?:{_LETTER_NAME.pattern}){{2,}}")
_LETTERS = {
    **dict.fromkeys("kgc", "K"),
    "n": "N",
    **dict.fromkeys("td", "T"),
    **dict.fromkeys("lr", "L"),
    "m": "M",
    **dict.fromkeys("pbfv", "P"),
    **dict.fromkeys("sz", "S"),
    "j": "J",
    "h": "H",
}
_DOUBLED = re.compile(r"(.)\1+")


def sound(word: str) -> str:
    """The consonants of a Hangul or Latin word that Korean keeps, with a mark where it begins with a vowel."""
    folded = unicodedata.normalize("NFD", word)
    kept = _hangul(folded) if "\u1100" <= folded[:1] <= "\u1112" or folded[:1] == "\u110b" else _latin(word)
    return _DOUBLED.sub(r"\1", kept)


def sounds_of(words: Iterable[str]) -> dict[str, list[str]]:
    """Latin words by their sound; of those too short to be told apart, only the one that is alone in it."""
    found: dict[str, list[str]] = {}
    for word in words:
        if word.isascii() and word.isalpha() and len(word) > 2:
            found.setdefault(sound(word), []).append(word)
    return {
        heard: alike
        for heard, alike in found.items()
        if len(heard) >= _SHORTEST or (len(heard) > 1 and len(alike) == 1)
    }


def decode_sounds(data: bytes) -> dict[str, list[str]]:
    """The words by sound, from a file of the generation."""
    return msgspec.json.decode(data, type=dict[str, list[str]])


def with_sounds(plan: Plan, known: Container[str], sounds: Sounds) -> Plan:
    """The plan in which Hangul words that the library does not have are also looked for as the Latin words that sound alike."""
    wanted = tuple(word if _is_known(word, known) else _by_ear(word, known, sounds) for word in plan.wanted)
    return msgspec.structs.replace(plan, wanted=wanted) if wanted != plan.wanted else plan


def spelled(word: str) -> str | None:
    """The Latin letters that a Hangul word names one by one, or None: 엔브이엠엘 is nvml."""
    match = _SPELLED.fullmatch(word)
    return "".join(_LETTER_NAMES[name] for name in _LETTER_NAME.findall(word)) if match else None


def _by_ear(word: Wanted, known: Container[str], sounds: Sounds) -> Wanted:
    bare = without_particle(word.text)
    letters = spelled(bare)
    named = [letters] if letters in known else []
    return msgspec.structs.replace(word, alike=tuple([*named, *sounds.get(sound(bare), ())][:_MOST_WORDS]))


def _is_known(word: Wanted, known: Container[str]) -> bool:
    if not word.itself.first or word.terms or word.same:
        return True
    return word.text in known or without_particle(word.text) in known


def _hangul(jamo: str) -> str:
    kept = "".join(_JAMO.get(letter, "") for letter in jamo)
    return ("A" if jamo[0] == "\u110b" and jamo[1:2] not in _SEMIVOWELS else "") + kept


# After a silent ㅇ these begin with w or y, which are consonants in English.
_SEMIVOWELS = frozenset("\u116a\u116b\u116c\u116f\u1170\u1171\u1163\u1164\u1167\u1168\u116d\u1172")


def _latin(word: str) -> str:
    text = word.casefold()
    for pattern, sounds in _LATIN:
        text = re.sub(pattern, sounds, text)
    begins_with_vowel = word[:1].casefold() in "aeiou"
    kept = "".join(letter if letter.isupper() else _LETTERS.get(letter, "") for letter in text)
    return ("A" if begins_with_vowel else "") + kept
