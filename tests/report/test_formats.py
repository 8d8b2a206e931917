"""Every output format: the same findings in each, hostile text in none, nothing cut or unseen in silence."""

import json
import re
from functools import cache
from html.parser import HTMLParser
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs
from tests.report import openmetrics_text, sarif_log

from kubegap.checks.model import Confidence, Evidence, Finding, Message, Severity, State, Subject
from kubegap.checks.pages import read_pages
from kubegap.checks.run import Cause, Report, Result, run
from kubegap.cluster import files
from kubegap.cluster.objects import Metadata, Namespace
from kubegap.cluster.snapshot import Coverage, Origin, ReadState, Snapshot, Source, Unread
from kubegap.report import formats
from kubegap.report.baseline import Baseline, Known
from kubegap.report.formats.markdown import LIMIT
from kubegap.report.standing import judge
from kubegap.report.view import BadAddress, View, library_address
from kubegap.text import LANGS, Text

URL = "https://incidents.example.com"
# What must never arrive as it is where people look: controls, directions, nothing to see.
ACTING = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2028\u2029\u2066-\u2069\ufeff]")
HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "]]></failure><testcase/>",
    "`` ` ```\n# heading\n- @team #1 [x](javascript:alert(1)) | ~~a~~ ![i](http://evil.example/x.png)",
    "https://evil.example www.evil.example",
    "\u202egnp.exe\u2066 \x1b[31mred\x00\x85\u2028",
    "=cmd|' /C calc'!A0",
    '{0} {{x}} \\ " %s ${x} &amp; &#60;',
    "a\nb\r\n# EOF\n",
    "",
]


def report_with(page, findings, state=State.FOUND, cause=None, **changes):
    why = Text(ko="까닭", en="why") if cause else None
    missing = (Coverage(Namespace.resource, 0, ReadState.REFUSED, why),) if cause else ()
    result = Result(page, state, tuple(findings), cause, reason=why, missing=missing)
    return Report(Snapshot(Source(Origin.DUMP, **changes), {}, {}), (result,))


def hostile(words, name="x"):
    subject = Subject("v1", f"Kind{words}", words or None, f"{name}{words}")
    message = Message("down", {"backend": words})
    evidence = (Evidence(words, words, words, words), Evidence("a", "b", None))
    return Finding(subject, Severity.HIGH, Confidence.CONFIG, (message,), evidence, (words,))


def names_in(form, text):
    """The names of subjects that a report in this format tells of."""
    if form == "openmetrics":
        found = re.findall(r"^kubegap_findings{.*} (\d+)$", text, re.MULTILINE)
        return {f"subject-{number}" for number in range(sum(map(int, found)))}
    if form == "table":
        text = re.sub(r"\n\s+", "", text)
    return set(re.findall(r"subject-\d+", text))


@pytest.fixture
def several(page):
    findings = [hostile("", f"subject-{number}") for number in range(3)]
    return report_with(page, [structs.replace(finding, severity=Severity.LOW) for finding in findings])


def test_the_formats_are_those_of_the_design():
    assert set(formats.names()) == {
        "table", "json", "ndjson", "sarif", "junit", "markdown", "html", "openmetrics"
    }  # fmt: skip
    assert formats.names()[0] == "table"


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("form", formats.names())
def test_all_formats_hold_the_same_findings(several, titles, form, lang):
    view = View(several, lang, titles, is_verbose=True)

    assert names_in(form, formats.render(form, view)) == {"subject-0", "subject-1", "subject-2"}


@pytest.mark.parametrize("form", formats.names())
def test_the_same_report_gives_the_same_bytes(report, titles, form):
    again = structs.replace(report, results=tuple(structs.replace(result) for result in report.results))

    assert formats.render(form, View(report, "ko", titles)) == formats.render(form, View(again, "ko", dict(titles)))


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("form", formats.names())
def test_a_report_without_findings_is_whole(page, form, lang):
    text = formats.render(form, View(report_with(page, [], State.CLEAR), lang))

    parsed(form, text)
    assert text.endswith("\n")


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("form", formats.names())
def test_what_was_not_seen_is_said(page, form, lang):
    report = report_with(page, [], State.NOT_SEEN, Cause.REFUSED)
    report = structs.replace(report, snapshot=structs.replace(report.snapshot, unread=(Unread("dump:7", "broken"),)))
    text = formats.render(form, View(report, lang))

    parsed(form, text)
    if form == "openmetrics":
        assert f'kubegap_check_state{{check="{page.id}",state="not-seen"}} 1' in text
        assert "kubegap_unread_pieces 1" in text
    elif "json" not in form:
        assert {"ko": "까닭", "en": "why"}[lang] in text
        assert "dump:7" in text or form == "junit"
    assert "not-seen" in text or {"ko": "보지 못함", "en": "not seen"}[lang] in text


@pytest.mark.parametrize("severity", [Severity.INFO, Severity.LOW])
def test_a_test_says_what_was_not_seen_whether_it_fails_or_not(page, severity):
    findings = [structs.replace(hostile("", "subject-0"), severity=severity)]
    report = report_with(page, findings, State.FOUND, Cause.NOT_IN_THIS_INPUT)
    (case,) = ET.fromstring(formats.render("junit", View(report, "en"))).iter("testcase")
    told = case.find("system-out" if severity is Severity.INFO else "failure").text

    assert "subject-0" in told
    assert told.endswith("found: why")


@pytest.mark.parametrize("form", formats.names())
@pytest.mark.parametrize("words", HOSTILE)
def test_hostile_text_does_nothing(page, form, words):
    for lang in LANGS:
        check_hostile(form, page, words, lang)


@settings(max_examples=60, deadline=None)
@given(
    words=st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=40), form=st.sampled_from(formats.names())
)
def test_any_text_does_nothing(words, form):
    check_hostile(form, read_page(), words, "en")


@cache
def read_page():
    return read_pages()["webhook-fail-closed-wide"]


def check_hostile(form, page, words, lang):
    report = report_with(page, [hostile(words)], context=words)
    report = structs.replace(report, snapshot=structs.replace(report.snapshot, unread=(Unread(words, words),)))
    text = formats.render(form, View(report, lang, {}, library_url=URL))
    found = parsed(form, text)
    if "json" not in form:
        assert not ACTING.search(text)
    if form == "json":
        assert found["findings"][0]["evidence"][0]["value"] == words
    if form == "ndjson":
        assert len(found) == 2
    if form == "sarif":
        assert len(found["runs"][0]["results"]) == 1
    if form == "junit":
        assert [element.tag for element in found.iter()] == ["testsuites", "testsuite", "testcase", "failure"]


def test_a_comment_mentions_nobody_and_links_nowhere(page):
    words = "@team #12 https://evil.example www.evil.example [x](http://evil.example) a@b.example"
    text = outside_code(formats.render("markdown", View(report_with(page, [hostile(words)]), "en")))

    assert not re.search(r"@\w|(?<!&)#\d|https?://|www\.|\]\(", text)


class _Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.addresses, self.handlers = set(), [], []

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.addresses += [value for name, value in attrs if name in {"href", "src", "action", "srcset"}]
        self.handlers += [name for name, _ in attrs if name.startswith("on") or name == "style"]


def parsed(form, text):
    """The text read by what reads such a format; fails where it is not well formed."""
    return READERS[form](text)


def markdown(text):
    assert len(text) <= LIMIT
    assert not re.search("<[a-z!/]", outside_code(text))
    return text


def outside_code(text):
    """Markdown without blocks and spans of code, and without what a backslash escapes."""
    text = re.sub(r"^```sh\n.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"\\.|(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)", "", text)


def junit(text):
    root = ET.fromstring(text)
    for element in root.iter():
        if element.tag in {"testsuites", "testsuite"}:
            cases = list(element.iter("testcase"))
            assert int(element.get("tests")) == len(cases)
            for attribute, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
                assert int(element.get(attribute)) == sum(case.find(tag) is not None for case in cases)
    return root


def html(text):
    reader = _Tags()
    reader.feed(text)
    assert not reader.tags & {"script", "img", "iframe", "link", "object", "embed", "form", "base"}
    assert not reader.handlers
    assert all(address.startswith(f"{URL}/") for address in reader.addresses)
    assert not re.search(r"url\(|@import", text)
    return reader


READERS = {
    "json": json.loads,
    "ndjson": lambda text: [json.loads(line) for line in text.split("\n")[:-1]],
    "sarif": lambda text: sarif_log.checked(json.loads(text)),
    "junit": junit,
    "openmetrics": openmetrics_text.families,
    "html": html,
    "markdown": markdown,
    "table": str,
}


@pytest.mark.parametrize("form", formats.names())
def test_five_thousand_findings(page, form):
    findings = [hostile("", f"subject-{number:04}") for number in range(5_000)]
    text = formats.render(form, View(report_with(page, findings), "en", library_url=URL))

    parsed(form, text)
    if form == "table":
        assert "5,000 findings" in text
    elif form == "markdown":
        shown = text.count("- `Kind/subject-")
        assert 50 <= shown < 5_000
        assert f"and {5_000 - shown:,} more" in text
    else:
        assert len(names_in(form, text)) == 5_000


def test_a_comment_has_something_of_every_gap_and_counts_the_rest(many_gaps):
    report = many_gaps(400)
    text = formats.render("markdown", View(report, "ko"))
    left = re.search(r"틈 ([\d,]+)개의 발견 ([\d,]+)건을 싣지 못했다", text)
    shown = len(re.findall(r"^### .*\(`", text, re.MULTILINE))

    assert len(text) <= LIMIT
    assert shown + int(left[1].replace(",", "")) == len({result.page.id for result in report.results})


@pytest.mark.parametrize("form", set(formats.names()) - {"openmetrics"})
@pytest.mark.parametrize("lang", LANGS)
def test_findings_link_to_the_pages_of_their_incidents(report, titles, page, form, lang):
    text = formats.render(form, View(report, lang, titles, library_url=library_address(f"{URL}/"), is_verbose=True))
    text = re.sub(r"\n\s+", "", text) if form == "table" else text

    for incident in page.incidents:
        assert f"{URL}/{lang}/incidents/{incident}" in text
    assert URL not in formats.render(form, View(report, lang, titles))


def test_of_many_gaps_the_table_tells_how_addresses_are_made(many_gaps):
    assert f"{URL}/en/incidents/<incident id>" in formats.render("table", View(many_gaps(15), "en", library_url=URL))


@pytest.mark.parametrize(
    "words", ["javascript:alert(1)", "example.com", "http://", "https://u:p@x", 'https://x/"', "https://x?q"]
)
def test_addresses_that_browsers_should_not_open_are_refused(words):
    with pytest.raises(BadAddress):
        library_address(words)


@pytest.fixture
def compared(page):
    """A view with one finding of every status, and one that is gone."""
    made = [hostile("", f"subject-{number}") for number in range(3)]
    report = report_with(page, made, read_at=None)
    annotated = Namespace(metadata=Metadata(name="kube-system"))
    report = structs.replace(report, snapshot=structs.replace(report.snapshot, objects={"v1/namespaces": (annotated,)}))
    ids = [f"{page.id}/Kind/-/subject-{number}" for number in (1, 2, 9)]
    entries = [Known(ids[0], Severity.HIGH), Known(ids[1], Severity.LOW), Known(ids[2], Severity.LOW)]
    return report, judge(report, Baseline("1", entries))


def test_json_tells_the_status_of_every_finding_and_what_is_gone(compared, page):
    report, verdict = compared
    data = json.loads(formats.render("json", View(report, "en", verdict=verdict)))

    assert [finding["status"] for finding in data["findings"]] == ["new", "known", "worsened"]
    assert data["findings"][2]["was"] == "low"
    assert data["baseline"] == {"gone": [f"{page.id}/Kind/-/subject-9"], "unconfirmed": []}


@pytest.mark.parametrize("form", ["json", "ndjson", "sarif", "markdown", "html"])
def test_what_could_not_be_judged_is_told(compared, form):
    report, verdict = compared
    noted = structs.replace(verdict, notes=(Text(ko="모름", en="nobody knows"),))

    assert "nobody knows" in formats.render(form, View(report, "en", verdict=noted))


def test_the_table_counts_what_does_not_count_and_tells_what_is_gone(compared):
    report, verdict = compared
    text = formats.render("table", View(report, "en", verdict=verdict))

    assert "new 1, known 1, worsened 1" in text
    assert "(2 findings)" in text
    assert "subject-9" in text
    assert "Kind/subject-1" not in text


def test_code_scanning_gets_states_and_fingerprints(compared, page):
    report, verdict = compared
    run = json.loads(formats.render("sarif", View(report, "ko", verdict=verdict)))["runs"][0]

    assert [result["baselineState"] for result in run["results"]] == ["new", "unchanged", "updated"]
    assert run["results"][0]["partialFingerprints"] == {"findingId/v1": f"{page.id}/Kind/-/subject-0"}
    assert run["tool"]["driver"]["rules"][0]["shortDescription"]["text"] == page.title.ko


@pytest.mark.parametrize(
    ("name", "text", "uri", "line"),
    [
        ("deploy/보안/hook.yaml", "# the first\n---\n", "deploy/%EB%B3%B4%EC%95%88/hook.yaml", 2),
        ("./hook.yaml", "", "hook.yaml", 1),
        ("/srv/a b.yaml", "", "file:///srv/a%20b.yaml", 1),
        ("stdin", "", "kubernetes/ValidatingWebhookConfiguration/hook", 1),
    ],
)
def test_code_scanning_gets_the_file_and_line_of_a_manifest(page, name, text, uri, line):
    hook = (
        "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingWebhookConfiguration\nmetadata: {name: hook}\n"
        "webhooks:\n- name: a.example.com\n  failurePolicy: Fail\n  clientConfig: {service: {namespace: policy, name: hook}}\n"
        "  rules: [{apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'], operations: ['*']}]\n"
    )
    report = run(files.decode([(name, (text + hook).encode())]), [page])
    result = json.loads(formats.render("sarif", View(report, "en")))["runs"][0]["results"][0]
    place = result["locations"][0]["physicalLocation"]

    assert (place["artifactLocation"]["uri"], place["region"]["startLine"]) == (uri, line)


def test_a_known_finding_fails_no_test(compared):
    report, verdict = compared
    case = ET.fromstring(formats.render("junit", View(report, "en", verdict=verdict))).find(".//testcase")

    assert "subject-0" in case.find("failure").text
    assert "subject-1" not in case.find("failure").text
    assert "subject-1" in case.find("system-out").text


def test_both_languages_stand_in_one_page_that_opens_in_the_readers(report):
    pages = {lang: formats.render("html", View(report, lang)) for lang in LANGS}

    for lang, page in pages.items():
        assert f'id="lang-{lang}" aria-label="{ {"ko": "한국어", "en": "English"}[lang] }" checked' in page
        assert report.results[0].page.title.ko in page
        assert "A fail-closed webhook" in page


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("form", ["table", "markdown", "junit", "sarif", "html"])
def test_what_is_counted_and_no_field_is_called_in_the_readers_language(report_of, finding_of, form, lang):
    word = {"ko": "준비된 엔드포인트", "en": "ready endpoints"}[lang]
    finding = finding_of(evidence=(Evidence("Service/shop/cart", "ready-endpoints", "0"),))

    text = formats.render(form, View(report_of((State.FOUND, [finding], None)), lang, is_verbose=True))

    assert word in re.sub(r"\s+", " ", text)
    assert "ready-endpoints" not in text


@pytest.mark.parametrize(
    ("form", "whole", "broken"),
    [
        ("sarif", '"level": "error"', '"level": "severe"'),
        ("sarif", '"runs": ', '"walks": '),
        ("openmetrics", "# TYPE kubegap_findings gauge", "# TYPE kubegap_findings meter"),
        ("openmetrics", "# EOF\n", "# EOF"),
        ("openmetrics", "kubegap_findings{", "kubegap_findings_total{"),
    ],
)
def test_what_reads_a_format_refuses_what_is_none(report, form, whole, broken):
    text = formats.render(form, View(report, "en"))
    assert whole in text

    with pytest.raises((AssertionError, ValueError)):
        parsed(form, text.replace(whole, broken, 1))
