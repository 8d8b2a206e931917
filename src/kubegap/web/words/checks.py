"""Words of the checks: their index, their pages, and where cases and lists lead to them."""

from __future__ import annotations

from kubegap.library import words as library_words
from kubegap.text import Text, same

PROMPT_RULES = Text(
    ko="어느 컨텍스트를 보는지 먼저 말하고, 발견마다 근거가 된 값과 사례 식별자와 바꿀 것을 적어 줘. 보지 못한 것도 빠짐없이 알려 주고,"
    " 아무것도 바꾸지 마.",
    en="Say first which context you look at. For each finding give the values it rests on, the incident ids and what to change, and tell me"
    " everything that was not seen. Change nothing.",
)
PROMPT_UNSEEN_RULES = Text(
    ko="이것을 근거로 둔 점검 항목은 아직 없으니, 내 클러스터에서 무엇을 읽어 보면 알 수 있는지도 말해 줘. 아무것도 바꾸지 마.",
    en="No check rests on it yet, so tell me also what to read in my cluster to find out. Change nothing.",
)

CHECKS_TITLE = Text(ko="점검 항목", en="Checks")
CHECKS_INTRO = Text(
    ko="사례가 드러낸 틈이 클러스터에 있는지 찾습니다. 항목마다 근거가 된 사례가 있고, 클러스터는 읽기만 합니다.",
    en="Each looks in a cluster for a gap that incidents exposed, and names the incidents it rests on. All of them only read.",
)
CHECKS_ALL = Text(ko="모두 점검하기", en="Run all of them")
CHECKS_AREAS = Text(ko="영역", en="Areas")
CHECKS_HEADING = Text(ko="{count}개", en="{count}")
CHECKS_ONE = Text(ko="{count}개", en="{count} check")
CHECKS_MANY = Text(ko="{count}개", en="{count} checks")
CHECK_RESTS_ONE = Text(ko="사례 {count}건", en="{count} incident")
CHECK_RESTS_MANY = Text(ko="사례 {count}건", en="{count} incidents")
CHECK_RANGE = Text(ko="{worst}에서 {mildest}까지", en="{worst} to {mildest}")
CHECK_SEVERITY = Text(ko="심각도", en="Severity")
CHECK_AREA = Text(ko="영역", en="Area")
CHECK_ID = Text(ko="식별자", en="Id")
CHECK_RUN = Text(ko="점검하기", en="Run it")
CHECK_RUN_HINT = Text(
    ko="kubeconfig 의 현재 컨텍스트를 읽습니다. 파일을 보려면 `-f`, 저장한 스냅샷을 보려면 `--snapshot` 을 붙이세요.",
    en="It reads the current context of the kubeconfig; add `-f` for files or `--snapshot` for a saved snapshot.",
)
CHECK_LOOKS_FOR = Text(ko="찾는 것", en="What it looks for")
CHECK_WHY = Text(ko="왜", en="Why")
CHECK_INCIDENTS = Text(ko="근거가 된 사례", en="Incidents behind it")
CHECK_NO_INCIDENT = Text(
    ko="근거가 된 사례가 아직 없어 발견을 참고로만 알립니다.",
    en="It rests on no incident yet, so it reports for information only.",
)
CHECK_NOT_HERE = library_words.NO_TITLE
CHECK_REMEDIATION = Text(ko="바꿀 것", en="What to change")
CHECK_VERIFY = Text(ko="확인", en="How to verify")
CHECK_LIMITS = Text(ko="볼 수 없는 것", en="What it cannot see")
CHECK_READS = Text(ko="읽는 것", en="What it reads")
CHECK_READS_KIND = Text(ko="종류와 권한", en="Kind and right")
CHECK_READS_KINDS = Text(ko="종류 {count}가지", en="{count} kinds")
CHECK_READS_WHY = Text(ko="읽는 까닭", en="What for")
CHECK_OPTIONAL = Text(ko="없어도 답할 수 있음", en="answers without it")
CHECK_ROLE = Text(ko="줄 권한", en="Rights to grant")
CHECK_ROLE_HINT = Text(
    ko="이 항목에 필요한 권한은 이것뿐입니다. 읽기만 하고 Secret 은 들어 있지 않습니다.",
    en="This is all that this check needs: it only reads, and no Secrets.",
)
CHECK_EXAMPLES = Text(ko="예", en="Examples")
CHECK_EXAMPLES_HINT = Text(
    ko="예는 모두 이 항목의 시험이기도 합니다. 적힌 클러스터를 보고 적힌 대로 답해야 합니다.",
    en="Each is also a test of this check: of the cluster given, it must say what stands here.",
)
CHECK_INPUT = Text(ko="이 예의 객체", en="Objects of this example")
CHECK_BASE = Text(ko="예가 바탕으로 삼는 클러스터", en="The cluster that examples start from")
CHECK_BASE_HINT = Text(
    ko="예의 객체를 이 위에 놓습니다. 이름이 같으면 예의 것이 대신합니다.",
    en="An example's objects are laid over these; where a name is the same, the example's takes its place.",
)
CHECK_BARE = Text(ko="공통 클러스터 없이 이 객체뿐입니다", en="these objects alone, without the common cluster")
CHECK_FROM = Text(ko="사례:", en="From:")
CHECK_FORM = Text(ko="이 항목을 데이터로", en="This check as data")
CHECKS_FORM = Text(ko="이 목록을 데이터로", en="This list as data")
CHECK_BACK = Text(ko="모든 점검 항목", en="All checks")
COPY_COMMAND = Text(ko="명령 복사", en="Copy the command")
COPY_ROLE = Text(ko="역할 복사", en="Copy the role")

CASE_CHECKS_LEAD = Text(ko="이 사례를 근거로 둔 점검 항목:", en="Checks that rest on this incident:")
CASE_CHECKS_NONE = Text(
    ko="이 사례를 근거로 둔 점검 항목은 아직 없습니다.",
    en="No check rests on this incident yet.",
)
EVERY_CHECK = Text(ko="모든 점검 항목:", en="All checks:")
BEHIND_ALL = Text(ko="이 목록의 사례에서 나온 점검 항목:", en="Checks that rest on these incidents:")
BEHIND_PAGE = Text(
    ko="이 쪽에 보이는 사례에서 나온 점검 항목:", en="Checks that rest on the incidents shown on this page:"
)
BEHIND_NONE = Text(
    ko="여기 보이는 사례를 근거로 둔 점검 항목은 아직 없습니다.",
    en="No check rests on the incidents shown here yet.",
)
AGENT_HOW = Text(ko="Claude Code 나 Codex 에 붙여 넣을 말", en="To paste in Claude Code or Codex")
AGENT_SETUP = Text(ko="kubegap 을 더하는 법", en="How to add kubegap there")
AGENT_ABOUT = Text(
    ko="kubegap 을 더한 Claude Code 나 Codex 는 이런 틈이 쿠버네티스 클러스터에 있는지 읽기만 하며 살핍니다."
    " 점검 항목도 여기 실린 사례처럼 공개 보고서를 근거로 삼습니다.",
    en="With kubegap added, Claude Code or Codex looks for such gaps in a Kubernetes cluster and only ever reads it. The checks"
    " rest on public reports, as the cases here do.",
)
PROMPT_ONE = Text(
    ko="kubegap 으로 내 클러스터를 읽기만 하며 점검해서 이 사례에서 드러난 틈이 있는지 알려 줘: {incidents}. {rules}",
    en="Use kubegap to scan my cluster, read-only, for the gaps that this incident exposed: {incidents}. {rules}",
)
PROMPT_MANY = Text(
    ko="kubegap 으로 내 클러스터를 읽기만 하며 점검해서 이 사례들에서 드러난 틈이 있는지 알려 줘: {incidents}. {rules}",
    en="Use kubegap to scan my cluster, read-only, for the gaps that these incidents exposed: {incidents}. {rules}",
)
PROMPT_UNSEEN_ONE = Text(
    ko="이 사례를 kubegap 에서 찾아 설명해 줘: {incidents}. {rules}",
    en="Look this incident up in kubegap and explain it: {incidents}. {rules}",
)
PROMPT_UNSEEN_MANY = Text(
    ko="이 사례들을 kubegap 에서 찾아 설명해 줘: {incidents}. {rules}",
    en="Look these incidents up in kubegap and explain them: {incidents}. {rules}",
)
COPY_PROMPT = Text(ko="붙여 넣을 말 복사", en="Copy the prompt")
BEHIND_MORE = Text(ko="외 {count}개", en="and {count} more")

AREAS: dict[str, Text] = {
    "control_plane": Text(ko="컨트롤 플레인", en="Control plane"),
    "dns": same("DNS"),
    "network": Text(ko="네트워크", en="Network"),
    "scheduling": Text(ko="스케줄링", en="Scheduling"),
    "autoscaling": Text(ko="오토스케일링", en="Autoscaling"),
    "workloads": Text(ko="워크로드", en="Workloads"),
    "storage": Text(ko="스토리지", en="Storage"),
    "tenancy": Text(ko="테넌시", en="Tenancy"),
    "observability": Text(ko="관측", en="Observability"),
    "operations": Text(ko="운영", en="Operations"),
    "gpu": same("GPU"),
}
