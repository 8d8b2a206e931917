"""Words of the vocabulary's pages."""

from __future__ import annotations

from kubegap.library.vocabulary import Facet
from kubegap.text import Text

TERMS_TITLE = Text(ko="분류", en="Terms")
TERMS_INTRO = Text(
    ko="사례를 네 축으로 나눕니다. 원인은 망가졌거나 틀렸던 것, 구성 요소는 그 자리, 증상은 사람이 본 것, 기여 "
    "요인은 일어나고 번지고 오래가게 한 것입니다.",
    en="Cases are told apart on four facets: cause is what broke or was wrong, component is where, symptom is "
    "what people saw, "
    "and a contributing factor let it happen, spread or last.",
)
TERMS_CONTENTS = Text(ko="분류 축", en="Facets")
TERM_COUNT = Text(ko="값 {count}개", en="{count} values")
FACET_TITLES: dict[Facet, Text] = {
    "cause": Text(ko="원인", en="Causes"),
    "component": Text(ko="구성 요소", en="Components"),
    "symptom": Text(ko="증상", en="Symptoms"),
    "factor": Text(ko="기여 요인", en="Contributing factors"),
    "platform": Text(ko="플랫폼", en="Platforms"),
}
DEFINITION = Text(ko="뜻", en="Definition")
SYNONYMS = Text(ko="같은 뜻으로 찾는 말", en="Also found as")
BROADER = Text(ko="상위 값", en="Broader")
NARROWER = Text(ko="하위 값", en="Narrower")
TERM_CASES = Text(ko="이 값을 가진 사례", en="Cases with this value")
TERM_NO_CASES = Text(ko="아직 이 값을 가진 사례가 없습니다.", en="No case has this value yet.")
TERM_ALL = Text(ko="사례 {count}건 모두 보기", en="All {count} cases")
TERM_ONE = Text(ko="사례 {count}건 보기", en="The {count} case")
YEARS = Text(ko="해마다 몇 건", en="Cases by year")
YEARS_NOTE = Text(
    ko="공개되어 여기 기록된 사례만 센 수입니다. 장애가 얼마나 잦은지는 말해 주지 않습니다.",
    en="These count what was made public and recorded here; they do not say how often it happens.",
)
YEARS_CHART = Text(
    ko="해마다의 사례 수 막대그래프. 같은 수가 아래 표에 있습니다.",
    en="Bar chart of cases by year; the table below has the same numbers.",
)
YEAR = Text(ko="해", en="Year")
CASE_COUNT = Text(ko="사례 수", en="Cases")
TOGETHER = Text(ko="자주 함께 나오는 값", en="Values it most often appears with")
TOGETHER_SHARE = Text(ko="{total}건 가운데 {count}건", en="{count} of {total}")
TOGETHER_FEW = Text(ko="사례가 적어 비율로 읽기 어렵습니다.", en="Too few cases to read these as rates.")
TERM_FEED = Text(ko="이 값의 새 사례 구독", en="Feed of new cases with this value")
TERM_FORMS = Text(ko="이 값의 사례를 데이터로", en="These cases as data")
ID = Text(ko="식별자", en="Id")
