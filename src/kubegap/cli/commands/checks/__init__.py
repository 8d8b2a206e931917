"""Commands on the checks themselves."""

from kubegap.text import Text

HELP = Text(ko="점검 항목을 나열하고 설명한다.", en="List and explain the checks.")
