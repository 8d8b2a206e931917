"""Words that several parts of a report use."""

from kubegap.checks.model import Severity, State
from kubegap.report.standing import Status
from kubegap.text import Text

SEVERITIES = {
    Severity.CRITICAL: Text(ko="심각", en="critical"),
    Severity.HIGH: Text(ko="높음", en="high"),
    Severity.MEDIUM: Text(ko="보통", en="medium"),
    Severity.LOW: Text(ko="낮음", en="low"),
    Severity.INFO: Text(ko="참고", en="info"),
}
STATES = {
    State.FOUND: Text(ko="발견", en="found"),
    State.CLEAR: Text(ko="이상 없음", en="clear"),
    State.NOT_SEEN: Text(ko="보지 못함", en="not seen"),
    State.NOT_APPLICABLE: Text(ko="해당 없음", en="not applicable"),
    State.NOT_VISIBLE: Text(ko="제공자 쪽이라 볼 수 없음", en="not visible"),
    State.NOT_IN_THIS_INPUT: Text(ko="입력에 없음", en="not in this input"),
}
AND_MORE = Text(ko=", 이 밖에 {count}건", en=", and {count} more")
UPGRADE = Text(ko="{version} 업그레이드 기준", en="for an upgrade to {version}")
STATUSES = {
    Status.NEW: Text(ko="새로움", en="new"),
    Status.KNOWN: Text(ko="이미 앎", en="known"),
    Status.WORSENED: Text(ko="나빠짐", en="worsened"),
    Status.ACCEPTED: Text(ko="수용", en="accepted"),
    Status.EXPIRED: Text(ko="수용 기한 지남", en="expired"),
}
COMPARED = Text(ko="기준과 견줌", en="Compared")
GONE = Text(ko="없어짐", en="gone")
UNCONFIRMED = Text(ko="확인하지 못함", en="not looked for")
NOT_ANSWERED = Text(ko="다 답하지 못한 것", en="Not fully answered")
BEFORE = Text(ko="앞선 사례", en="Happened before")
NONE_SEEN = Text(ko="본 범위에서는 틈을 찾지 못했다.", en="No gap found in what was seen.")
UNSET = Text(ko="설정 없음", en="not set")
