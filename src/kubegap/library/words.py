"""Words for the parts of a record, as every surface shows them."""

from __future__ import annotations

from kubegap.library.record import Basis, Certainty, Extent, Happened, Record, SourceKind
from kubegap.text import Lang, Text

SECTION_NAMES = {
    "symptom": Text(ko="증상", en="Symptom"),
    "trigger": Text(ko="촉발", en="Trigger"),
    "cause": Text(ko="원인", en="Cause"),
    "component": Text(ko="구성 요소", en="Component"),
    "factor": Text(ko="기여 요인", en="Contributing factors"),
    "detection": Text(ko="감지", en="Detection"),
    "actions": Text(ko="조치", en="Actions"),
    "follow_ups": Text(ko="후속 조치", en="Follow-ups"),
    "lesson": Text(ko="교훈", en="Lesson"),
    "impact": Text(ko="영향", en="Impact"),
    "sources": Text(ko="출처", en="Sources"),
    "signatures": Text(ko="오류 문구", en="Signatures"),
    "related": Text(ko="함께 볼 사례", en="Related incidents"),
    "revised": Text(ko="고친 내역", en="Corrections"),
    "platform": Text(ko="플랫폼", en="Platform"),
}
_NOT_STATED = Text(ko="출처에 없음", en="not stated in the source")
_NOT_STATED_IN_PART = Text(ko="출처에서 읽은 부분에 없음", en="not stated in the part of the source that was read")
CERTAINTY: dict[Certainty, Text] = {
    "stated": Text(ko="출처에 적힘", en="stated"),
    "inferred": Text(ko="미루어 적음", en="inferred"),
}
_ABOUT_THEN = Text(ko="{when} 무렵", en="around {when}")
BASIS: dict[Basis, Text] = {
    "event": Text(ko="일어난 날", en="date of the event"),
    "report": Text(ko="보고서의 날짜", en="date of the report"),
}
EXTENT: dict[Extent, Text] = {
    "full": Text(ko="전체를 읽음", en="read in full"),
    "excerpt": Text(ko="일부를 읽음", en="read in part"),
    "summary": Text(ko="요약만 읽음", en="only a summary was read"),
}
SOURCE_KIND: dict[SourceKind, Text] = {
    "postmortem": Text(ko="포스트모템", en="postmortem"),
    "blog": Text(ko="블로그", en="blog post"),
    "paper": Text(ko="논문", en="paper"),
    "issue-thread": Text(ko="이슈 스레드", en="issue thread"),
    "logbook": Text(ko="작업 일지", en="logbook"),
    "report": Text(ko="보고서", en="report"),
    "talk": Text(ko="발표", en="talk"),
    "book": Text(ko="책", en="book"),
    "earlier-edition": Text(
        ko="이 페이지의 이전 판에서 옮김, 논문에서 다시 읽지 못함",
        en="from the earlier edition of this page, not re-read in the paper",
    ),
}
NO_TITLE = Text(ko="이 라이브러리에 없는 사례", en="not in this library")
WITHDRAWN = Text(ko="{on} 에 거둔 기록입니다. {because}", en="This record was withdrawn on {on}. {because}")


def not_stated(record: Record) -> Text:
    """What to say of a section that a record does not tell: unread text is not claimed to be silent."""
    return _NOT_STATED if record.sources[0].read == "full" else _NOT_STATED_IN_PART


def when(happened: Happened, lang: Lang) -> str:
    """`2021-08-12`, `2019-12-04 – 2019-12-05`, `2022`, `around 2022`."""
    period = f"{happened.from_} – {happened.to}" if happened.to and happened.to != happened.from_ else happened.from_
    return _ABOUT_THEN.fill(when=period).of(lang) if happened.precision == "approximate" else period
