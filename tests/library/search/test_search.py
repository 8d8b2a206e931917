"""What a list promises: counts that come true, pages that go on, reasons that stand in the text."""

from __future__ import annotations

import unicodedata
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kubegap.library.record import Incident
from kubegap.library.search import why
from kubegap.library.search.analyse import keys, words
from kubegap.library.search.plan import enough, plan
from kubegap.library.search.prepared import Place
from kubegap.library.search.query import BadQuery, Query
from kubegap.library.search.result import Why
from kubegap.library.search.search import Search, with_recognised
from kubegap.library.vocabulary import FACET_FIELDS, FACETS, tagged
from kubegap.problems import UnknownName

WORDS = [
    "GPU",
    "노드",
    "node",
    "webhook",
    "웹훅",
    "NCCL",
    "재시작",
    "timeout",
    "드라이버",
    "kube-proxy",
    "때문에",
    "the",
    "ECC",
    "DNS 장애",
    "xyzzy",
    "certificate",
]
questions = st.lists(st.sampled_from(WORDS), max_size=4).map(" ".join)
SLOW = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def ids(search: Search, query: Query) -> list[str]:
    return [item.id for item in search.run(query).items]


@st.composite
def filters(draw: st.DrawFn) -> dict:
    some = {
        "component": ["gpu-hardware-memory", "nccl", "kubelet"],
        "symptom": ["gpu-not-visible", "job-crash"],
        "factor": ["monitoring-blind-spot"],
    }
    return {
        facet: tuple(draw(st.lists(st.sampled_from(values), unique=True, min_size=1)))
        for facet, values in some.items()
        if draw(st.booleans())
    }


@SLOW
@given(questions, filters())
def test_count_of_a_value_is_the_total_after_choosing_it(search: Search, q: str, chosen: dict) -> None:
    query = Query(q=q, filters=chosen)
    result = search.run(query)
    for facet in FACETS:
        for value in result.facets[facet][:3]:
            assert search.total(query.with_values(facet, [value.id])) == value.count


@SLOW
@given(questions, filters())
def test_every_hit_passes_every_filter(search: Search, q: str, chosen: dict) -> None:
    for item in search.run(Query(q=q, filters=chosen, page_size=100)).items:
        terms = tagged(search.generation.incident(item.id))
        for facet, values in chosen.items():
            carried = {above for term in terms[facet] for above in search.vocabulary.with_broader(facet, term)}
            assert carried & set(values)


@SLOW
@given(questions, filters())
def test_adding_a_filter_never_adds_a_case(search: Search, q: str, chosen: dict) -> None:
    wide = Query(q=q, page_size=200)
    narrow = Query(q=q, filters=chosen, page_size=200)

    assert set(ids(search, narrow)) <= set(ids(search, wide))


@SLOW
@given(questions)
def test_pages_go_on_where_the_last_ended(search: Search, q: str) -> None:
    whole = ids(search, Query(q=q, page_size=200))
    paged = [
        incident
        for page in range(1, len(whole) // 7 + 2)
        for incident in ids(search, Query(q=q, page=page, page_size=7))
    ]

    assert paged == whole


@SLOW
@given(questions)
def test_either_normal_form_gives_the_same_list(search: Search, q: str) -> None:
    composed, decomposed = (search.run(Query(q=unicodedata.normalize(form, q))) for form in ("NFC", "NFD"))

    assert [item.id for item in composed.items] == [item.id for item in decomposed.items]
    assert [(found.id, found.count) for found in composed.recognised] == [
        (found.id, found.count) for found in decomposed.recognised
    ]


@SLOW
@given(questions, st.sampled_from(["NFC", "NFD"]))
def test_recognised_spans_do_not_overlap_and_hold_their_words(search: Search, q: str, form: str) -> None:
    q = unicodedata.normalize(form, f"👩‍💻 {q} é́")
    spans = sorted({found.span for found in search.run(Query(q=q)).recognised})

    assert all(before[1] <= after[0] for before, after in pairwise(spans))
    for found in search.run(Query(q=q)).recognised:
        named = plan(Query(q=q[slice(*found.span)]), search.names).found
        assert (found.facet, found.id) in {(name.facet, name.term) for name in named}


def _text(incident: Incident, reason: Why, search: Search) -> str:
    """The text that a reason speaks of: the label of a term, or a text of the record."""
    facet = next((facet for facet in FACETS if FACET_FIELDS[facet] == reason.field), None)
    if facet:
        return search.vocabulary.term(facet, reason.terms[0]).label.of(reason.lang)
    return why.text_at(incident, Place("body", reason.field, reason.index, reason.lang))


@SLOW
@given(questions)
def test_reasons_hold_the_words_that_they_name(search: Search, q: str) -> None:
    asked = {word.text: word for word in plan(Query(q=q), search.names).wanted}
    for item in search.run(Query(q=q)).items:
        incident = search.generation.incident(item.id)
        for reason in item.why:
            text = _text(incident, reason, search)
            shown = [text[start:end] for start, end in reason.ranges]

            assert all(shown)
            assert all(0 <= start < end <= len(text) for start, end in reason.ranges)
            for word in reason.words:
                alone = [part for part in shown if asked[word].itself.stands_in(set(keys(part)))]
                spread = asked[word].itself.stands_in({key for part in shown for key in keys(part)})
                named = asked[word].terms or asked[word].same
                assert alone or spread or named, (item.id, reason, shown)


def test_every_found_case_says_why(search: Search) -> None:
    for q in ("webhook", "GPU 인식 불가", "x509 certificate", "NCCL 타임아웃"):
        for item in search.run(Query(q=q)).items:
            assert item.why, (q, item.id)


def test_why_points_into_the_text_as_given(search: Search) -> None:
    (item, *_) = search.run(Query(q="ip_vs modprobe")).items
    incident = search.generation.incident(item.id)

    found = {
        incident.signatures[reason.index][start:end].casefold()
        for reason in item.why
        if reason.field == "signatures"
        for start, end in reason.ranges
    }

    assert {"ip_vs", "modprobe"} <= found


def test_seed_query_recognises_exactly_its_two_values(search: Search) -> None:
    q = "GPU 인식 불가 NCCL 타임아웃"

    found = search.run(Query(q=q)).recognised

    assert [(value.facet, value.id, q[slice(*value.span)]) for value in found] == [
        ("symptom", "gpu-not-visible", "GPU 인식 불가"),
        ("symptom", "nccl-error-timeout", "NCCL 타임아웃"),
    ]


def test_recognised_count_is_the_total_of_its_address(search: Search) -> None:
    query = Query(q="GPU 인식 불가 때문에 재시작")
    for found in search.run(query).recognised:
        assert search.total(with_recognised(query, found.facet, found.id, found.span)) == found.count


def test_seed_filters_give_both_seed_cases_newest_first(search: Search) -> None:
    chosen = {
        "component": ("gpu-hardware-memory",),
        "symptom": ("gpu-not-visible",),
        "factor": ("monitoring-blind-spot",),
    }
    result = search.run(Query(filters=chosen))

    found = [item.id for item in result.items]

    assert result.order == "newest"
    assert [incident for incident in found if "alibaba" in incident or "ecc-gpu-node-reused" in incident] == [
        "2024-06-alibaba-nccl-error-4096-gpu-job",
        "2021-08-bigscience-ecc-gpu-node-reused",
    ]
    assert {top.id for top in result.top_components} >= {"gpu-hardware-memory", "nccl"}
    assert result.sentence.ko == "검색어는 없고 필터 3개만 걸었습니다. 가장 최근에 일어난 사례가 먼저 나옵니다."
    assert result.sentence.en == "No words were searched for; only 3 filters applied. The newest come first."


def test_words_that_no_case_has_are_dropped_and_named(search: Search) -> None:
    result = search.run(Query(q="webhook xyzzy"))

    assert result.dropped == ["xyzzy"]
    assert "“xyzzy”" in result.sentence.en
    assert result.total == search.run(Query(q="webhook")).total


def test_words_are_dropped_before_filters_are_looked_at(search: Search) -> None:
    alone = search.run(Query(q="webhook certificate"))
    filtered = search.run(Query(q="webhook certificate", filters={"component": ("nccl",)}))

    assert alone.dropped == filtered.dropped == []
    assert filtered.total == 0


def test_only_unknown_words_find_nothing(search: Search) -> None:
    result = search.run(Query(q="xyzzy plugh"))

    assert result.total == 0
    assert sorted(result.dropped) == ["plugh", "xyzzy"]


def test_only_function_words_are_told(search: Search) -> None:
    result = search.run(Query(q="the 때문에"))

    assert result.total == search.total(Query())
    assert "say too little" in result.sentence.en


@pytest.mark.parametrize(("words", "least"), [(1, 1), (2, 2), (3, 2), (4, 2), (5, 2), (6, 3)])
def test_how_many_words_are_enough(words: int, least: int) -> None:
    assert enough(words) == least


@pytest.mark.parametrize("q", ["kuberntes", "엔비디어 드라이버"])
def test_misspelt_word_is_offered_corrected(search: Search, q: str) -> None:
    (correction,) = search.run(Query(q=q)).corrections

    assert correction.q == q.replace(correction.word, correction.to)
    assert correction.to in {"kubernetes", "엔비디아"}


@pytest.mark.parametrize("q", ["kubernetes", "웹훅 장애", "GPU가 안 보임"])
def test_right_word_is_not_corrected(search: Search, q: str) -> None:
    assert search.run(Query(q=q)).corrections == []


@pytest.mark.parametrize(
    "q",
    [
        "",
        " ",
        "때문에",
        "a" * 10_000,
        "노드 " * 4_000,
        'AND OR NOT "',
        "field:value^3 +(-~*?)",
        "\u202eabc\u202c",
        "a\0b",
        "\ud800",
        "🤖👩‍💻",
        "ﬁ İ ß",
        "-" * 500,
    ],
)
def test_any_text_gets_a_normal_answer(search: Search, q: str) -> None:
    result = search.run(Query(q=q))

    assert result.total >= len(result.items)
    assert result.sentence.ko
    assert result.sentence.en


@SLOW
@given(st.text(max_size=60))
def test_random_text_gets_a_normal_answer(search: Search, q: str) -> None:
    assert search.run(Query(q=q)).page == 1


def test_unknown_value_is_told_with_the_nearest_three(search: Search) -> None:
    with pytest.raises(UnknownName) as raised:
        search.run(Query(filters={"component": ("gpu-hw-memory",)}))

    assert raised.value.nearest[0] == "gpu-hardware-memory"
    assert len(raised.value.nearest) == 3


@pytest.mark.parametrize(
    "query",
    [Query(from_="2024-13"), Query(to="yesterday"), Query(from_="2024", to="2023"), Query(page=0), Query(from_="٢٠٢٤")],
)
def test_impossible_questions_are_refused(search: Search, query: Query) -> None:
    with pytest.raises(BadQuery):
        search.run(query)


def test_period_keeps_roughly_dated_cases_and_counts_them(search: Search) -> None:
    result = search.run(Query(from_="2019-03-01", to="2019-03-31", page_size=100))
    roughly = [item for item in result.items if item.happened.precision != "day"]

    assert roughly
    assert f"{len(roughly)} case" in result.sentence.en


def test_withdrawn_case_is_not_listed(loaded, tmp_path) -> None:
    import msgspec

    from kubegap.library.compiling import compile_library
    from kubegap.library.generation import open_library
    from kubegap.library.record import Revision
    from kubegap.text import Text

    incidents = [document.value for document in loaded.incidents.values()][:3]
    gone = msgspec.structs.replace(
        incidents[0], withdrawn=Revision(on="2026-12-01", because=Text(ko="틀렸다", en="wrong"))
    )
    compile_library([gone, *incidents[1:]], loaded.vocabulary, tmp_path, revision="", extra={})
    opened = open_library(tmp_path)

    assert gone.id in opened.ids
    assert gone.id not in ids(Search(opened), Query())


def test_next_page_is_an_address(search: Search) -> None:
    first = search.run(Query(filters={"component": ("gpu-hardware-memory",)}, page_size=2))

    assert first.next == "?component=gpu-hardware-memory&page=2"
    assert search.run(Query(page_size=500)).next is None


class TestSimilar:
    """Pasted logs and similar cases."""

    LOG = (
        "2026-11-30T08:12:01.123Z node-17 kubelet[812]: level=info msg=starting\n"
        "Nov 30 08:12:03 node-17 kernel: NVRM: Xid (PCI:0000:3b:00): 79, pid=1234, GPU has fallen off the bus.\n"
        "10.0.0.1:443 handler done in 35ms 550e8400-e29b-41d4-a716-446655440000\n"
    )

    def test_log_finds_the_case_with_its_error(self, search: Search) -> None:
        found = [item.id for item in search.similar(self.LOG).items]

        assert "2021-03-nvplugin-lost-gpu-12000-failed-pods" in found[:3]

    def test_times_and_addresses_are_not_looked_for(self) -> None:
        from kubegap.library.search.similar import masked

        rest = masked(self.LOG)

        assert len(rest) == len(self.LOG)
        assert "79, pid" in rest
        assert not any(varying in rest for varying in ("08:12", "10.0.0.1", "550e8400", "0000:3b:00"))

    def test_case_is_not_similar_to_itself(self, search: Search) -> None:
        incident = "2021-08-bigscience-ecc-gpu-node-reused"
        found = [item.id for item in search.similar_to(incident).items]

        assert found
        assert incident not in found

    def test_text_without_known_words_finds_nothing(self, search: Search) -> None:
        result = search.similar("xyzzy plugh 0x1234")

        assert result.total == 0
        assert "no word that this library knows" in result.sentence.en

    @pytest.mark.parametrize("text", ["", "\0" * 1000, "\ufffd" * 64_000, "노드 " * 12_000, "a" * 64_000])
    def test_any_text_gets_an_answer(self, search: Search, text: str) -> None:
        assert search.similar(text).page == 1


def test_analysis_keeps_identifiers_whole_and_in_parts() -> None:
    assert {"nvidia-smi", "nvidia", "smi", "oomkill", "oom", "kill"} <= set(keys("nvidia-smi OOMKilled"))


def test_places_count_in_the_text_as_given() -> None:
    text = unicodedata.normalize("NFD", "é GPU가 안 보임")

    (_, gpu, _, _, seen) = words(text)

    assert text[gpu.start : gpu.end] == "GPU"
    assert unicodedata.normalize("NFC", text[seen.start : seen.end]) == "보임"
