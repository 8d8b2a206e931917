"""Words for what went wrong, and what to do next."""

from __future__ import annotations

from kubegap.text import Text

NOT_FOUND = Text(ko="그런 페이지가 없습니다", en="There is no such page")
NOT_FOUND_DETAIL = Text(
    ko="주소를 잘못 옮겼거나 없어진 페이지입니다.", en="The address may have been copied in part, or the page is gone."
)
NO_CASE = Text(ko="그런 사례가 없습니다", en="There is no such case")
NO_CASE_DETAIL = Text(ko="`{id}` 라는 사례는 없습니다.", en="There is no case `{id}`.")
NO_CHECK = Text(ko="그런 점검 항목이 없습니다", en="There is no such check")
NO_CHECK_DETAIL = Text(ko="`{id}` 라는 점검 항목은 없습니다.", en="There is no check `{id}`.")
NO_TERM = Text(ko="그런 분류 값이 없습니다", en="There is no such term")
NO_TERM_DETAIL = Text(ko="{facet}에 `{id}` 라는 값은 없습니다.", en="`{id}` is not a {facet}.")
NO_FACET_DETAIL = Text(ko="`{facet}` 라는 분류 축은 없습니다.", en="There is no facet `{facet}`.")
BAD_REQUEST = Text(ko="이 주소로는 찾을 수 없습니다", en="This cannot be searched for")
NO_PAGE = Text(ko="그런 쪽이 없습니다", en="There is no such page of the list")
NO_PAGE_DETAIL = Text(
    ko="이 목록은 {last}쪽까지입니다. {page}쪽은 없습니다.", en="This list has {last} page(s); there is no page {page}."
)
UNKNOWN_VALUE = Text(ko="{facet}에 `{value}` 라는 값은 없습니다.", en="`{value}` is not a {facet}.")
UNKNOWN_PARAMETER = Text(ko="`{name}` 이라는 매개변수는 없습니다.", en="There is no parameter `{name}`.")
REPEATED_PARAMETER = Text(ko="한 번만 쓸 수 있는 매개변수입니다: `{name}`.", en="`{name}` may be given only once.")
TOO_LONG = Text(ko="검색어가 너무 깁니다", en="The search is too long")
TOO_LONG_DETAIL = Text(
    ko="검색어는 {limit} 바이트까지입니다. 로그는 ‘로그로 찾기’ 에 붙여 넣으세요.",
    en="Searches take up to {limit} bytes. Paste logs into “Search by log”.",
)
TOO_BIG = Text(ko="글이 너무 큽니다", en="The text is too big")
TOO_BIG_DETAIL = Text(
    ko="64 KiB 까지 받습니다. 오류가 난 부분만 붙여 넣으세요.",
    en="Up to 64 KiB are taken. Paste only the part with the error.",
)
TOO_SLOW = Text(ko="글이 너무 늦게 왔습니다", en="The text came too slowly")
TOO_SLOW_DETAIL = Text(
    ko="{seconds}초 안에 다 받지 못했습니다. 다시 보내세요.",
    en="It did not arrive within {seconds} seconds. Send it again.",
)
CUT_OFF = Text(ko="글이 다 오지 않았습니다", en="The text did not arrive whole")
CUT_OFF_DETAIL = Text(ko="연결이 끊겼습니다. 다시 보내세요.", en="The connection broke. Send it again.")
WRONG_TYPE = Text(ko="이 형식은 받지 않습니다", en="This form is not taken")
WRONG_TYPE_DETAIL = Text(
    ko="글은 `text/plain`, 양식은 `application/x-www-form-urlencoded`, API 는 `application/json` 의 `text` 로 "
    "보내세요.",
    en="Send `text/plain`, a form as `application/x-www-form-urlencoded`, or `application/json` with `text`.",
)
BAD_JSON_DETAIL = Text(
    ko='본문은 `{{"text": "…"}}` 꼴이어야 합니다.', en='The body must be of the form `{{"text": "…"}}`.'
)
WRONG_METHOD = Text(ko="이 주소는 그렇게 쓸 수 없습니다", en="This address does not take that")
WRONG_METHOD_DETAIL = Text(ko="`{method}` 는 받지 않습니다.", en="`{method}` is not taken here.")
BROKEN = Text(ko="서버에서 문제가 생겼습니다", en="Something broke on our side")
BROKEN_DETAIL = Text(ko="기록해 두었습니다. 잠시 뒤 다시 시도하세요.", en="It was logged. Try again in a moment.")
REFUSED = Text(ko="요청을 받을 수 없습니다", en="The request cannot be taken")
WAYS = Text(ko="이렇게 해 볼 수 있습니다", en="What you can do")
WAY_ALL = Text(ko="모든 사례 보기", en="See all cases")
WAY_TERMS = Text(ko="분류에서 고르기", en="Choose from the terms")
WAY_CHECKS = Text(ko="모든 점검 항목 보기", en="See all checks")
WAY_SIMILAR = Text(ko="로그로 찾기", en="Search by log")
WAY_WITHOUT = Text(ko="`{value}` 값을 빼고 보기", en="Leave out `{value}`")
WAY_INSTEAD = Text(ko="{label}(`{id}`) 값으로 보기", en="Use {label} (`{id}`)")
WAY_FIRST_PAGE = Text(ko="첫 쪽", en="First page")
WAY_LAST_PAGE = Text(ko="마지막 쪽", en="Last page")
WAY_NO_PERIOD = Text(ko="기간 없이 보기", en="Leave out the period")
WAY_SWAPPED = Text(ko="{start}부터 {to}까지 보기", en="See {start} to {to}")
WAY_DEFAULT_ORDER = Text(ko="기본 순서로 보기", en="Use the default order")
STATUS = Text(ko="상태 코드 {status}", en="Status {status}")
