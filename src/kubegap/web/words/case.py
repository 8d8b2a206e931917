"""Words of a case."""

from __future__ import annotations

from kubegap.text import Text

WHEN = Text(ko="언제", en="When")
DURATION = Text(ko="이어진 시간", en="Duration")
ORGANISATION = Text(ko="조직", en="Organisation")
ADDED = Text(ko="기록한 날", en="Added")
SOURCE = Text(ko="출처 {place}", en="source {place}")
EARLIER = Text(ko="이전 판에서 옮겼고 다시 읽지는 못했다", en="from the earlier edition, not re-read")
INFERRED_SHORT = Text(ko="미루어 적음", en="inferred")
SOURCE_PLACE = Text(ko="읽은 곳", en="Read")
ARCHIVED = Text(ko="보관본", en="Archived copy")
SIMILAR_CASES = Text(ko="비슷한 사례", en="Similar cases")
SIMILAR_BY = Text(ko="함께 가진 값:", en="Shared values:")
SIMILAR_NONE = Text(ko="아직 비슷한 사례가 없습니다.", en="No case is like this one yet.")
CITE = Text(ko="인용", en="Citation")
CITE_HINT = Text(ko="글을 누르면 통째로 선택됩니다.", en="A click selects all of it.")
COPY = Text(ko="인용문 복사", en="Copy the citation")
COPIED = Text(ko="복사했습니다", en="Copied")
CITATION = Text(
    ko="Incident Library. “{title}”. 사례 {id}, {added} 기록. {url}",
    en="Incident Library. “{title}”. Case {id}, added {added}. {url}",
)
FORMS = Text(ko="이 기록을 데이터로", en="This record as data")
REPORT = Text(ko="틀린 곳을 알리기", en="Report an error")
REPORT_HOW = Text(
    ko="이 기록은 아래 파일에 있습니다. 틀린 문장과 출처의 자리를 적어 알려 주세요. 고친 내역은 이 페이지에 남깁니다.",
    en="This record is the file below. Tell us the wrong sentence and the place in the source; corrections "
    "stay visible on this page.",
)
REPORT_LINK = Text(ko="오류 신고 쓰기", en="Write a report")
BACK = Text(ko="모든 사례", en="All cases")
PERMALINK = Text(ko="고정 주소", en="Permanent address")
