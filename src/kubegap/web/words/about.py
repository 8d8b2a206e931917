"""Words of the page about the library."""

from __future__ import annotations

from kubegap.text import Text

ABOUT_TITLE = Text(ko="소개", en="About")
ABOUT_WHAT = Text(ko="무엇인가", en="What it is")
ABOUT_WHAT_TEXT = Text(
    ko="쿠버네티스, 클라우드 네이티브 플랫폼, GPU·AI 인프라에서 난 장애 가운데 공개된 것을 모아, 같은 틀로 "
    "적은 라이브러리입니다. "
    "업그레이드를 앞두고, 설계를 쓰면서, 장애가 한창일 때, 회고를 하면서 봅니다.",
    en="A library of publicly reported incidents in Kubernetes, cloud-native platforms and GPU and AI "
    "infrastructure, each told in the same form. "
    "It is meant for the days before an upgrade, for design work, for the middle of an incident and for the "
    "review after it.",
)
ABOUT_HOW = Text(ko="기록은 어떻게 쓰나", en="How records are made")
ABOUT_HOW_TEXT = Text(
    ko="공개 보고서를 읽고 사실만 우리 말로 적습니다. 출처의 문장은 베끼지 않으며 수와 날짜는 출처 그대로 둡니다. "
    "한국어와 영어는 둘 다 원문이고, 한쪽을 번역한 글이 아닙니다. 출처가 말하지 않은 항목은 비워 두고, "
    "비었다는 것을 보여 줍니다.",
    en="Someone reads the public report and writes down its facts in their own words. No sentence is copied; "
    "numbers and dates stay as the source has them. "
    "Korean and English are both originals, neither a translation of the other. What the source does not say "
    "stays out, and the page says so.",
)
ABOUT_SURE = Text(ko="얼마나 확실한가", en="How sure it is")
ABOUT_SURE_TEXT = Text(
    ko="분류 값마다 출처에 적힌 것인지, 미루어 적은 것인지 밝힙니다. 앞의 것은 출처의 자리를, 뒤의 것은 무엇을 "
    "보고 적었는지를 함께 보여 줍니다. "
    "출처마다 얼마나 읽었는지도 적습니다. 이 페이지의 이전 판에서만 옮긴 사실에는 그렇다고 따로 적습니다.",
    en="Each value on a case is either stated by the source or inferred by us. The first shows the place in "
    "the source, the second what we read it from. "
    "Each source says how much of it was read. Facts that only the earlier edition of this page has are marked "
    "as such.",
)
ABOUT_CORRECTIONS = Text(ko="고치고 거두는 일", en="Corrections")
ABOUT_CORRECTIONS_TEXT = Text(
    ko="틀린 곳은 고치고, 무엇을 왜 고쳤는지 기록에 남깁니다. 서지 못할 기록은 지우지 않고 거둡니다. 주소는 "
    "그대로 남고, 목록에서만 빠집니다.",
    en="Mistakes are corrected, and the record keeps what was changed and why. A record that should not stand "
    "is withdrawn, not deleted: "
    "its address stays, and lists leave it out.",
)
ABOUT_PRIVACY = Text(ko="남기지 않는 것", en="What is not kept")
ABOUT_PRIVACY_TEXT = Text(
    ko="붙여 넣은 로그는 저장하지도 기록하지도 않습니다. 쿠키는 고른 언어 하나뿐입니다. 다른 사이트에 아무것도 "
    "요청하지 않습니다.",
    en="Pasted logs are neither stored nor logged. The only cookie is the language you chose. The pages ask "
    "nothing of any other site.",
)
ABOUT_DATA = Text(ko="데이터로 쓰기", en="Use it as data")
ABOUT_DATA_TEXT = Text(
    ko="목록 주소 뒤에 .json, .csv, .ndjson, .atom 을 붙이면 같은 목록이 그 형식으로 나옵니다. 기록은 CC BY "
    "4.0 으로 쓸 수 있습니다.",
    en="Put .json, .csv, .ndjson or .atom behind the address of a list and the same list comes in that form. "
    "Records may be used under CC BY 4.0.",
)
ABOUT_DOWNLOAD = Text(ko="라이브러리 전체", en="The whole library")
ABOUT_API = Text(ko="API 설명(OpenAPI)", en="Description of the API (OpenAPI)")
ABOUT_CHECKSUM = Text(ko="SHA-256 과 파일 목록", en="SHA-256 and list of files")
ABOUT_NUMBERS = Text(ko="무엇이 들어 있나", en="What it holds")
NUMBER_CASES = Text(ko="사례", en="Cases")
NUMBER_WITHDRAWN = Text(ko="거둔 기록", en="Withdrawn")
NUMBER_ORGANISATIONS = Text(ko="조직", en="Organisations")
NUMBER_SOURCES = Text(ko="출처", en="Sources")
NUMBER_YEARS = Text(ko="해", en="Years")
NUMBER_TERMS = Text(ko="분류 값", en="Values of the vocabulary")
NUMBER_UNUSED = Text(ko="아직 사례가 없는 값", en="Values without a case yet")
BY_LANGUAGE = Text(ko="출처의 언어", en="Language of the sources")
BY_KIND = Text(ko="출처의 종류", en="Kind of source")
BY_EXTENT = Text(ko="읽은 정도", en="How much was read")
BY_YEAR = Text(ko="일어난 해", en="Year of the incident")
WHAT = Text(ko="항목", en="What")
HOW_MANY = Text(ko="수", en="Count")
