"""The commands; a module's name is its command's."""

from kubegap.text import Text

HELP = Text(
    ko="공개된 쿠버네티스·GPU 사례를 찾고, 그 사례가 드러낸 틈을 클러스터에서 읽기만 하며 점검한다.",
    en="Search public Kubernetes and GPU incidents, and check a cluster, read-only, for the gaps they exposed.",
)
