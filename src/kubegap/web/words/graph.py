"""Words of the graph and of its table."""

from __future__ import annotations

from kubegap.text import Text

GRAPH = Text(ko="그래프", en="Graph")
GRAPH_ONE = Text(
    ko="사례 {count}건과 그 분류 값을 잇는 그래프. 아래 표와 같은 내용입니다.",
    en="Graph of {count} case and its values. The table below says the same.",
)
GRAPH_MANY = Text(
    ko="사례 {count}건과 그 분류 값을 잇는 그래프. 아래 표와 같은 내용입니다.",
    en="Graph of {count} cases and their values. The table below says the same.",
)
GRAPH_LEGEND = Text(ko="그림의 기호", en="Signs of the graph")
GRAPH_VALUE = Text(
    ko="{facet} {label}, 사례 {count}건. 필터에 더하기", en="{facet} {label}, cases: {count}. Add as a filter"
)
GRAPH_CHOSEN = Text(
    ko="{facet} {label}, 사례 {count}건. 필터 풀기", en="{facet} {label}, cases: {count}. Remove this filter"
)
GRAPH_MORE_CASES = Text(ko="외 {count}건", en="and {count} more")
GRAPH_MORE_VALUES = Text(ko="값 {count}개 더", en="{count} more values")
GRAPH_TABLE = Text(ko="표로 보기", en="See it as a table")
GRAPH_SVG = Text(ko="그림 받기(SVG)", en="Picture (SVG)")
GRAPH_TABLE_VALUE = Text(ko="값", en="Value")
GRAPH_TABLE_COUNT = Text(ko="사례 수", en="Cases")
GRAPH_TABLE_CASES = Text(ko="그림의 사례", en="In the graph")
GRAPH_MADE = Text(
    ko="Incident Library, 라이브러리 판 {mark}, CC BY 4.0", en="Incident Library, edition {mark}, CC BY 4.0"
)
