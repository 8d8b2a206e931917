"""Words that never count in a query, and the particles that Korean hangs on words."""

from __future__ import annotations

ENGLISH = frozenset(
    (
        "a an and any are as at be because been but by can did do does for from had has have how i if "
        "in into is it its me my no not of on or our so that the their then there these they this to "
        "was we were what when where which while who why will with you your after before cannot "
        "could should would may might must shall just only still also very some such than too over "
        "between during without within about again get gets got keep keeps kept s t"
    ).split()
)
KOREAN = frozenset(
    (
        "때문에 때문 하는 하고 해서 했다 한다 하다 하면 되는 된다 됐다 되어 되면 있는 있다 있음 있을 없이 "
        "그리고 그러나 하지만 그래서 또는 혹은 대한 대해 위한 위해 통해 관련 경우 어떻게 왜 무엇 언제 "
        "어디 이런 그런 저런 것 수 등 및 더 후 뒤 중 시 때 에서 으로 부터 까지 에게 보다 처럼 너무 어떤 "
        "무슨 이유 방법 계속 다시 자꾸 갑자기 못 안 잘 다 나요 나나요 인가요 하나요 되나요 있나요 없나요 "
        "건가요 뭔가요 합니다 됩니다 있습니다 없습니다 것이 것을 하지 되지 않고 않는 않아 않음 못하고 "
        "못해 못함 아닌 아니라 매우 가장 모두 함께 이미 아직 바로"
    ).split()
)
PARTICLES = frozenset(
    (
        "이 가 은 는 을 를 의 에 도 만 로 와 과 랑 나 야 들 으로 에서 에게 까지 부터 처럼 보다 마다 이나 "
        "이랑 하고 에는 에도 에만 로는 로도 와의 과의 들이 들을 들의 들은 에서는 에서도 으로는 으로도 "
        "까지는 부터는 이라는 라는 이라고 라고"
    ).split()
)
# What makes a verb of a Korean noun: 재시작했다, 만료된.
VERB_ENDINGS = frozenset(
    (
        "하다 했다 한다 하는 하면 해서 하고 하지 하여 한 할 함 했고 했는데 하던 "
        "되다 됐다 된다 되는 되면 돼서 되고 되지 되어 된 될 됨 됐고 됐는데 되던 시켰다 시킨 시키는 "
        "되었다 되었음 되었고 했어요 됐어요 합니다 됩니다 했습니다 됐습니다 해요 돼요 하네요 되네요 했네 됐네"
    ).split()
)
# What an English word may end with and still be the same word.
ENGLISH_ENDINGS = frozenset({"s", "es", "ed", "d", "ing", "ings"})


def is_ending(rest: str) -> bool:
    """Whether the rest of a Hangul word is only its particle, or what makes a verb of it."""
    return rest in PARTICLES or rest in VERB_ENDINGS


def is_function_word(word: str) -> bool:
    """Whether a normalised word never counts by itself."""
    return word in ENGLISH or word in KOREAN


def is_particle(word: str) -> bool:
    """Whether a Hangul run right after a Latin word is only its particle, as 가 in `GPU가`."""
    return word in PARTICLES


def without_particle(word: str) -> str:
    """A Hangul word without its longest particle, if two syllables or more are left: 노드에서는 is 노드."""
    for length in range(min(3, len(word) - 2), 0, -1):
        if word[-length:] in PARTICLES:
            return word[:-length]
    return word
