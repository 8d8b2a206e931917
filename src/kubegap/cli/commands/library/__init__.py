"""Commands on the library's own files."""

from kubegap.text import Text

HELP = Text(
    ko="라이브러리의 기록을 검사하고 컴파일하고 센다.", en="Check, compile and count the records of the library."
)
