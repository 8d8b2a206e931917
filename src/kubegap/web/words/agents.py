"""Words of the page that says how to add kubegap to Claude Code or Codex."""

from __future__ import annotations

from kubegap.text import Text

AGENTS_TITLE = Text(ko="Claude Code 와 Codex 에서 쓰기", en="In Claude Code and Codex")
AGENTS_LEAD = Text(
    ko="kubegap 을 더하면 에이전트가 사례를 찾고, 클러스터를 읽기만 하며 점검하고, 발견마다 근거와 사례를 댑니다.",
    en="With kubegap added, the agent looks up incidents, scans the cluster read-only, and gives evidence and incidents for each finding.",
)
AGENTS_FIRST = Text(ko="먼저 kubegap 설치", en="First install kubegap")
AGENTS_FIRST_HINT = Text(
    ko="Python 3.11 이상이 있어야 합니다. 플러그인은 PATH 에서 kubegap 을 찾습니다.",
    en="It needs Python 3.11 or newer. The plugin looks for kubegap on the PATH.",
)
AGENTS_PLACE = Text(
    ko="OWNER/kubegap 자리에는 플러그인이 공개된 저장소나, 체크아웃한 폴더의 경로를 적습니다.",
    en="For OWNER/kubegap write the repository that publishes the plugin, or the path of a checkout.",
)
AGENTS_ASK = Text(ko="그다음 물어보기", en="Then ask")
AGENTS_ASK_TEXT = Text(
    ko="사례나 사례 목록의 쪽마다 붙여 넣을 말이 있습니다. 보이는 사례의 식별자가 그 안에 들어 있습니다.",
    en="Each case and each list of cases has a prompt to paste, with the ids of the cases that are shown.",
)
AGENTS_SAFE = Text(ko="무엇을 읽고 무엇이 나가나", en="What is read and what leaves")
AGENTS_SAFE_TEXT = Text(
    ko="kubeconfig 의 클러스터를 GET 요청으로만 읽고 시크릿은 읽지 않습니다. kubegap 이 요청하는 곳은 API 서버뿐입니다."
    " 에이전트가 읽은 답은 에이전트의 모델로 갑니다.",
    en="It reads the cluster of your kubeconfig with GET requests only, and never a Secret. kubegap asks nothing but the API server. The"
    " answers that your agent reads go to your agent's model.",
)
AGENTS_MORE = Text(
    ko="다른 클라이언트, 줄 권한, 지우는 법은 저장소의 이 문서에 있습니다:",
    en="Other clients, the rights to grant and removal are in this document of the repository:",
)
