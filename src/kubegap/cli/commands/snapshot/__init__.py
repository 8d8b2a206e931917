"""Commands on snapshots of clusters."""

from kubegap.text import Text

HELP = Text(ko="클러스터의 스냅샷을 저장한다.", en="Save snapshots of clusters.")
