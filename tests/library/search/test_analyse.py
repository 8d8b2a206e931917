"""The quick look for words agrees with taking a text apart whole."""

from __future__ import annotations

from kubegap.library.loading import Library
from kubegap.library.search.analyse import words, words_like
from kubegap.library.search.plan import needed


def test_words_like_a_key_are_found_wherever_they_stand(loaded: Library) -> None:
    for document in loaded.incidents.values():
        title = document.value.title
        for text in (title.ko, title.en, *document.value.signatures):
            for word in words(text):
                own = needed(word)
                for key in (own.whole, *own.pieces):
                    assert word in list(words_like(text, [key])), (text, key)


def test_words_like_a_key_pass_others_over() -> None:
    found = list(words_like("Retries of a proxy: 재시도 두 번", ["retry", "=번"]))

    assert [word.text for word in found] == ["retries", "번"]


def test_words_like_a_key_keep_their_places_in_a_decomposed_text() -> None:
    text = "\u1112\u1161\u11ab\u1100\u1173\u11af node"

    assert [(word.text, word.start) for word in words_like(text, ["node"])] == [("node", 7)]
