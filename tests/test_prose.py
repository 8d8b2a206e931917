"""What of a page's words is a command to paste."""

import pytest

from kubegap.prose import blocks, is_command


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("kubectl get pods -A", True),
        ("kubectl 로 파드를 본다.", False),
        ("etcd keeps what kubectl get shows.", False),
        ("Run `kubectl get pods`.", False),
        ("webhook-fail-closed-wide (control_plane)", False),
        ("", False),
    ],
)
def test_only_a_line_that_can_be_pasted_is_a_command(line, expected):
    assert is_command(line) is expected


def test_lines_of_one_sort_stand_together():
    text = "First.\nThen:\nkubectl get pods\nkubectl get nodes\nLast."

    assert list(blocks(text)) == [
        (False, "First.\nThen:"),
        (True, "kubectl get pods\nkubectl get nodes"),
        (False, "Last."),
    ]
