"""Words that stand on every page."""

from __future__ import annotations

from kubegap.text import Lang, Text

SKIP = Text(ko="본문으로 건너뛰기", en="Skip to the content")
MAIN_MENU = Text(ko="주 메뉴", en="Main menu")
NAV_CASES = Text(ko="사례", en="Cases")
NAV_TERMS = Text(ko="분류", en="Terms")
NAV_CHECKS = Text(ko="점검 항목", en="Checks")
NAV_SIMILAR = Text(ko="로그로 찾기", en="Search by log")
NAV_ABOUT = Text(ko="소개", en="About")
# Each language names the other one in the other's own words.
SWITCH = Text(ko="English", en="한국어")
FOOT_ABOUT = Text(
    ko="공개된 장애 보고서를 읽고 사실만 옮긴 사례 모음입니다.",
    en="A library of cases, written from the facts of public incident reports.",
)
FOOT_LICENCE = Text(ko="기록은 CC BY 4.0, 코드는 Apache-2.0 입니다.", en="Records are CC BY 4.0, code is Apache-2.0.")
FOOT_EDITION = Text(ko="라이브러리 판", en="Edition of the library")
FOOT_DATA = Text(ko="모든 기록 내려받기", en="Download all records")
NOTICES = Text(ko="알림", en="Notes")
UNKNOWN_PARAMETERS = Text(
    ko="주소에 모르는 이름이 있어 쓰지 않았습니다: {names}.",
    en="The address has {names}, which this page does not know and did not use.",
)
REPEATED_PARAMETERS = Text(
    ko="주소에 여러 번 나와 첫 값만 썼습니다: {names}.",
    en="The address gives {names} more than once; only the first was used.",
)

LANGUAGES: dict[str, Text] = {
    "de": Text(ko="독일어", en="German"),
    "en": Text(ko="영어", en="English"),
    "es": Text(ko="스페인어", en="Spanish"),
    "fr": Text(ko="프랑스어", en="French"),
    "ja": Text(ko="일본어", en="Japanese"),
    "ko": Text(ko="한국어", en="Korean"),
    "pt": Text(ko="포르투갈어", en="Portuguese"),
    "ru": Text(ko="러시아어", en="Russian"),
    "zh": Text(ko="중국어", en="Chinese"),
}


def language_name(code: str, lang: Lang) -> str:
    """The name of a language, or its code where we have no name."""
    return LANGUAGES[code].of(lang) if code in LANGUAGES else code
