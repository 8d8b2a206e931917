"""Words of the result list."""

from __future__ import annotations

from kubegap.library.search.query import Order
from kubegap.library.vocabulary import Facet
from kubegap.text import Text

CASES = Text(ko="사례", en="Cases")
SEARCH_LABEL = Text(ko="사례 검색", en="Search the cases")
SEARCH_PLACEHOLDER = Text(
    ko="증상, 오류 문구, 구성 요소. 예: NCCL 타임아웃", en="A symptom, an error, a component. For example: NCCL timeout"
)
SEARCH_BUTTON = Text(ko="검색", en="Search")
SUGGESTIONS = Text(ko="검색어 제안", en="Suggestions")
SUGGESTED_CASE = Text(ko="사례", en="case")
MORE_OPTIONS = Text(ko="기간", en="Period")
PERIOD_FROM = Text(ko="이때부터", en="From")
PERIOD_TO = Text(ko="이때까지", en="To")
PERIOD_FORM = Text(
    ko="2024, 2024-03, 2024-03-09 처럼 아는 데까지", en="As far as you know it: 2024, 2024-03 or 2024-03-09"
)
JUMP_CASES = Text(ko="사례로 가기", en="Skip to the cases")
JUMP_VALUES = Text(ko="값으로 좁히기", en="Narrow by value")
ORDER = Text(ko="순서", en="Order")
APPLIED = Text(ko="적용된 필터", en="Applied filters")
CLEAR_ALL = Text(ko="모두 풀기", en="Clear all")
REMOVE = Text(ko="{facet} {label} 필터 풀기", en="Remove the filter {facet} {label}")
REMOVE_THIS = Text(ko="필터 풀기", en="remove this filter")
PERIOD = Text(ko="일어난 때", en="When")
PERIOD_SPAN = Text(ko="{start}부터 {to}까지", en="{start} to {to}")
PERIOD_SINCE = Text(ko="{start}부터", en="since {start}")
PERIOD_UNTIL = Text(ko="{to}까지", en="until {to}")
NARROWER_ONE = Text(ko="하위 값 {count}개 포함", en="including {count} narrower")
NARROWER_MANY = Text(ko="하위 값 {count}개 포함", en="including {count} narrower")
CORRECTED = Text(ko="혹시 이 말을 찾으셨나요?", en="Did you mean this?")
RECOMMENDED = Text(ko="추천 필터", en="Recommended filters")
RECOMMENDED_HINT = Text(
    ko="검색어에 분류 값이 들어 있으면 여기서 필터로 걸 수 있습니다.",
    en="Values named in your search are offered here as filters.",
)
RECOMMENDED_NONE = Text(ko="이 검색어에는 분류 값이 없습니다.", en="Your search names no value of the vocabulary.")
ORDERED_BY: dict[Order, Text] = {
    "relevance": Text(ko="잘 맞는 것부터", en="Best match"),
    "newest": Text(ko="최근 사례부터", en="Newest"),
    "added": Text(ko="최근에 추가된 것부터", en="Last added"),
}
COUNT_ONE = Text(ko="{count}건", en="{count} case")
COUNT_MANY = Text(ko="{count}건", en="{count} cases")
HEADING_COUNT = Text(ko="{count}건", en="{count}")
PLACE = Text(ko="{total}건 중 {first}~{last}번째", en="{first}–{last} of {total}")
OTHER_FORMS = Text(ko="같은 목록을 다른 형식으로", en="The same list in other forms")
FEED = Text(ko="구독", en="Feed")
SYMPTOM = Text(ko="증상", en="Symptom")
WHY = Text(ko="일치", en="Matched")
TAGS = Text(ko="분류", en="Tags")
MORE_TAGS = Text(ko="외 {count}개", en="and {count} more")
OPEN_CASE = Text(
    ko="촉발·원인·감지·조치·후속 조치·교훈·출처",
    en="Trigger, cause, detection, actions, follow-ups, lesson, sources",
)
SOURCES_ONE = Text(ko="출처 {count}건", en="{count} source")
SOURCES_MANY = Text(ko="출처 {count}건", en="{count} sources")
IN_FIELD: dict[str, Text] = {
    "title": Text(ko="제목", en="title"),
    "organisation": Text(ko="조직", en="organisation"),
    "signatures": Text(ko="오류 문구", en="error text"),
    "symptom": Text(ko="증상", en="symptom"),
    "trigger": Text(ko="촉발", en="trigger"),
    "detection": Text(ko="감지", en="detection"),
    "actions": Text(ko="조치", en="actions"),
    "follow_ups": Text(ko="후속 조치", en="follow-ups"),
    "lesson": Text(ko="교훈", en="lesson"),
    "impact": Text(ko="영향", en="impact"),
    "components.note": Text(ko="구성 요소의 근거", en="note on a component"),
    "causes.note": Text(ko="원인의 근거", en="note on a cause"),
    "symptoms.note": Text(ko="증상의 근거", en="note on a symptom"),
    "factors.note": Text(ko="기여 요인의 근거", en="note on a factor"),
}
PAGES = Text(ko="쪽 이동", en="Pages")
PREVIOUS = Text(ko="앞쪽", en="Previous")
NEXT = Text(ko="다음쪽", en="Next")
PAGE_TITLE = Text(ko="{title}, {page}쪽", en="{title}, page {page}")
CLUSTER_TITLE = Text(ko="내 클러스터에도 있는지 확인하기", en="Is it in my cluster too?")
CLUSTER_TOP = Text(
    ko="이 {count}건에서 가장 많이 나오는 구성 요소:", en="Components that these {count} cases share most:"
)
CLUSTER_NONE = Text(
    ko="이 목록에는 두 건 이상에 함께 나오는 구성 요소가 없습니다. 필터를 풀어 목록을 넓히면 볼 수 있습니다.",
    en="No component stands in two or more of these cases. Widen the list to see which ones do.",
)
VALUES_BY: dict[Facet, Text] = {
    "cause": Text(ko="원인별", en="By cause"),
    "component": Text(ko="구성 요소별", en="By component"),
    "symptom": Text(ko="증상별", en="By symptom"),
    "factor": Text(ko="기여 요인별", en="By contributing factor"),
    "platform": Text(ko="플랫폼별", en="By platform"),
}
VALUES = Text(ko="값으로 좁히기", en="Narrow by value")
VALUES_EMPTY = Text(ko="이 목록에는 값이 없습니다.", en="This list has no values.")
VALUES_REST = Text(ko="나머지 {count}개", en="{count} more")
VALUES_ANY = Text(
    ko="고른 값 가운데 하나라도 있는 사례를 보여 줍니다.", en="Cases with any of the chosen values are shown."
)
VALUE_CHOSEN = Text(ko="고름", en="chosen")
EMPTY_TITLE = Text(ko="맞는 사례가 없습니다", en="No case fits")
EMPTY_WAYS = Text(ko="하나를 빼면 이렇게 됩니다.", en="Leaving one out gives:")
EMPTY_WITHOUT_FILTER = Text(ko="{facet} {label} 없이", en="without {facet} {label}")
EMPTY_WITHOUT_WORD = Text(ko="검색어 “{word}” 없이", en="without the word “{word}”")
EMPTY_WITHOUT_PERIOD = Text(ko="기간 없이", en="without the period")
EMPTY_WITHOUT_FILTERS = Text(ko="필터와 기간을 모두 풀고", en="without any filter or period")
EMPTY_WITHOUT_WORDS = Text(ko="검색어를 모두 빼고", en="without any word")
EMPTY_NO_WAY = Text(
    ko="하나만 빼서는 사례가 나오지 않습니다. 필터를 모두 풀거나 다른 말로 찾으세요.",
    en="Leaving out one thing is not enough. Clear the filters or search in other words.",
)
EMPTY_PASTE = Text(ko="로그나 오류 문구를 통째로 붙여 넣어 찾기", en="Paste a whole log or error to search by")
