"""Words of the page that takes a pasted log."""

from __future__ import annotations

from kubegap.text import Text

SIMILAR_TITLE = Text(ko="로그로 찾기", en="Search by log")
SIMILAR_INTRO = Text(
    ko="화면에 뜬 오류나 로그를 그대로 붙여 넣으면 비슷한 사례를 찾아 줍니다.",
    en="Paste the error or log as it stands on your screen to find cases like it.",
)
SIMILAR_LABEL = Text(ko="로그나 오류 문구", en="Log or error text")
SIMILAR_BUTTON = Text(ko="비슷한 사례 찾기", en="Find similar cases")
SIMILAR_KEPT = Text(
    ko="붙여 넣은 글은 저장하지 않고 주소에도 남지 않습니다. 시각, 주소, 해시는 찾기 전에 가립니다. 64 KiB "
    "까지 받습니다.",
    en="What you paste is not stored and does not appear in the address. Times, addresses and hashes are "
    "masked before searching. Up to 64 KiB.",
)
SIMILAR_FOUND = Text(ko="비슷한 사례", en="Similar cases")
SIMILAR_NOTHING = Text(
    ko="비슷한 사례를 찾지 못했습니다. 오류 문구가 있는 몇 줄만 남기거나 검색창에서 증상의 말로 찾아 보세요.",
    en="No similar case was found. Try only the few lines with the error, or describe the symptom in the search box.",
)
SIMILAR_EMPTY = Text(ko="붙여 넣은 글이 없습니다.", en="Nothing was pasted.")
SIMILAR_FIRST = Text(ko="{total}건 가운데 가장 비슷한 {shown}건입니다.", en="The closest {shown} of {total}.")
