"""Made-up incidents in any number: the same seed gives the same ones. Words follow a Zipf-like law, as in real text."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import date, timedelta

from kubegap.library.record import Happened, Incident, Passage, Source, Tag, Where
from kubegap.library.search.analyse import keys
from kubegap.library.search.names import concept
from kubegap.library.search.prepared import Prepared, Texts
from kubegap.library.vocabulary import FACETS, Facet, Vocabulary
from kubegap.text import LANGS, Lang, Text

_SYLLABLES = (
    "노드파클러스터장애설정배포재시작오류메모리네트워크인증서웹훅"
    "드레인스케줄롤아웃학습추론체크포인트볼륨지연급증로그감지조치원복구"
)
_LATIN = [
    "node",
    "pod",
    "kubelet",
    "etcd",
    "webhook",
    "timeout",
    "OOMKilled",
    "nvidia-smi",
    "Xid",
    "79",
    "coredns",
    "pdb",
    "drain",
    "kube-proxy",
]
_PARTICLES = ["", "이", "가", "을", "를", "에서", "로", "의"]
_NO_TEXTS = Texts([], {}, [])
_SPAN_DAYS = 3650
_START = date(2016, 1, 1)


class Maker:
    """Makes incidents over a vocabulary from one seed."""

    def __init__(self, vocabulary: Vocabulary, seed: int = 1, length: int = 1) -> None:
        """`length` multiplies the length of the prose; 4 is about that of a real record."""
        self._length = length
        self._random = random.Random(seed)
        self._terms = {facet: list(terms) for facet, terms in vocabulary.facets.items()}
        terms = [term for facet in vocabulary.facets.values() for term in facet.values()]
        self._names: dict[Lang, list[str]] = {
            lang: [name for term in terms for name in term.names_of(lang)] for lang in LANGS
        }
        self._korean = self._lexicon(
            600, lambda: "".join(self._random.choices(_SYLLABLES, k=self._random.choice((2, 2, 2, 3, 4))))
        )
        self._english = _LATIN + self._lexicon(
            600, lambda: "".join(self._random.choices("abcdeghiklmnoprstu", k=self._random.randint(3, 9)))
        )

    def incidents(self, count: int) -> Iterator[Incident]:
        """That many incidents, one after the other."""
        return (self._incident(number) for number in range(count))

    def prepared(self, count: int, length: int = 160) -> Iterator[Prepared]:
        """Cases as an engine indexes them, of `length` body words, without the texts that they would come from: for a million of them."""
        keys_of_word = {word: list(keys(word)) for word in (*self._english, *self._korean)}
        for number in range(count):
            body = [key for lang in LANGS for _ in range(length // 2) for key in keys_of_word[self._bare(lang)]]
            title = [key for lang in LANGS for _ in range(8) for key in keys_of_word[self._bare(lang)]]
            terms = {facet: list(self.terms(facet, self._random.randint(1, 4))) for facet in FACETS}
            concepts = [concept(facet, term) for facet, found in terms.items() for term in found]
            day = (_START + timedelta(days=self._random.randrange(_SPAN_DAYS))).toordinal()
            fields = {
                "title": title,
                "signatures": title[:5],
                "tags": concepts,
                "organisation": title[:1],
                "body": body,
            }
            yield Prepared(
                f"{number:07d}", fields, terms, terms["component"], [], day, day, True, number, number, _NO_TEXTS
            )

    def _bare(self, lang: Lang) -> str:
        words = self._english if lang == "en" else self._korean
        return words[self._zipf(len(words))]

    def words(self, count: int) -> str:
        """A question of some words in either language, sometimes with a name of a term in it."""
        picked = [self._word(self._random.choice(("ko", "en"))) for _ in range(count)]
        if self._random.random() < 0.4:
            picked.insert(self._random.randrange(count + 1), self._name(self._random.choice(LANGS)))
        return " ".join(picked)

    def terms(self, facet: Facet, count: int) -> tuple[str, ...]:
        """Some term ids of a facet, common ones more often."""
        return tuple(dict.fromkeys(self._terms[facet][self._zipf(len(self._terms[facet]))] for _ in range(count)))

    def _incident(self, number: int) -> Incident:
        day = _START + timedelta(days=self._random.randrange(_SPAN_DAYS))
        precision = self._random.choice(("day", "day", "day", "month", "year", "approximate"))
        from_ = str(day)[: {"day": 10, "month": 7, "year": 4, "approximate": 7}[precision]]
        return Incident(
            id=f"{day.year}-00-made-up-{number:07d}",
            title=self._text(8),
            organisation=self._word("en").title(),
            happened=Happened(from_=from_, precision=precision, basis="event"),
            added=str(day),
            platforms=list(self.terms("platform", self._random.randrange(2))),
            components=self._tags("component"),
            causes=self._tags("cause"),
            symptoms=self._tags("symptom"),
            factors=self._tags("factor"),
            symptom=self._passage(25 * self._length),
            actions=[self._passage(12) for _ in range(self._length)],
            lesson=self._passage(20 * self._length),
            sources=[
                Source(
                    url=f"https://example.com/{number}",
                    title="Made up",
                    publisher="Example",
                    kind="blog",
                    language="en",
                    read="full",
                )
            ],
            signatures=[self._sentence("en", 5)],
        )

    def _tags(self, facet: Facet) -> list[Tag]:
        where = Where(source=1, at="line 1")
        return [
            Tag(term=term, certainty="stated", where=where) for term in self.terms(facet, self._random.randint(1, 4))
        ]

    def _passage(self, length: int) -> Passage:
        text = self._text(length)
        return Passage(ko=text.ko, en=text.en)

    def _text(self, length: int) -> Text:
        return Text(ko=self._sentence("ko", length), en=self._sentence("en", length))

    def _sentence(self, lang: Lang, length: int) -> str:
        named = [] if self._random.random() < 0.8 else [self._name(lang)]
        return " ".join([*(self._word(lang) for _ in range(length)), *named])

    def _name(self, lang: Lang) -> str:
        return self._random.choice(self._names[lang])

    def _word(self, lang: Lang) -> str:
        if lang == "en":
            return self._english[self._zipf(len(self._english))]
        return self._korean[self._zipf(len(self._korean))] + self._random.choice(_PARTICLES)

    def _zipf(self, size: int) -> int:
        return min(int(size ** self._random.random()) - 1, size - 1)

    def _lexicon(self, size: int, make: object) -> list[str]:
        return sorted({make() for _ in range(size)}, key=lambda word: (len(word), word))  # type: ignore[operator]
