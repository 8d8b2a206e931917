"""English words as Koreans write them by ear."""

from __future__ import annotations

import pytest

from kubegap.library.search.query import Query
from kubegap.library.search.search import Search
from kubegap.library.search.sounds import sound, sounds_of, spelled

ALIKE = {
    "카펜터": "karpenter",
    "맥스서지": "maxSurge",
    "크래시루프백오프": "CrashLoopBackOff",
    "웹훅": "webhook",
    "타임아웃": "timeout",
    "클러스터": "cluster",
    "체크포인트": "checkpoint",
    "컨피그맵": "configmap",
    "디플로이먼트": "deployment",
    "키암": "kiam",
}


@pytest.mark.parametrize("hangul", ALIKE)
def test_words_by_ear_sound_like_the_words(hangul: str) -> None:
    assert sound(hangul) == sound(ALIKE[hangul])


@pytest.mark.parametrize(("hangul", "latin"), [("노드", "pod"), ("타임아웃", "admit"), ("클러스터", "cloister-free")])
def test_other_words_sound_otherwise(hangul: str, latin: str) -> None:
    assert sound(hangul) != sound(latin)


@pytest.mark.parametrize(
    ("hangul", "latin"), [("엔브이엠엘", "nvml"), ("에이더블유에스", "aws"), ("노드", None), ("이", None)]
)
def test_letters_named_one_by_one_are_read(hangul: str, latin: str | None) -> None:
    assert spelled(hangul) == latin


def test_short_sounds_count_only_when_alone() -> None:
    assert sounds_of(["kiam", "kemo", "node"]) == {"NT": ["node"]}


def test_word_by_ear_finds_what_it_sounds_like_and_says_so(search: Search) -> None:
    result = search.run(Query(q="플레그가"))

    assert "2022-10-dfds-faulty-ami-kernel-defect" in {item.id for item in result.items}
    assert "sounds alike" in result.sentence.en


def test_known_word_is_not_taken_by_ear(search: Search) -> None:
    assert "sounds alike" not in search.run(Query(q="노드 타임아웃")).sentence.en
