"""Where labels are broken."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubegap.library.labels import address_lines, lines_of, text_width

ROOM, SIZE = 154.0, 13.0


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("NCCL", ("NCCL",)),
        ("GPU hardware and memory", ("GPU hardware", "and memory")),
        ("Errors not tied to a node", ("Errors not", "tied to a node")),
        ("오해를 부르는 신호·모호한 오류", ("오해를 부르는", "신호·모호한 오류")),
        ("RDMA 네트워크(InfiniBand·RoCE)", ("RDMA 네트워크", "(InfiniBand·RoCE)")),
        ("컨트롤러·CRD·오퍼레이터·스케줄러", ("컨트롤러·CRD·", "오퍼레이터·스케줄러")),
    ],
)
def test_lines_are_few_and_about_equally_long(text: str, lines: tuple[str, ...]):
    assert lines_of(text, ROOM, SIZE) == lines


def test_a_third_line_where_there_is_room_for_it():
    name = "NVIDIA k8s-device-plugin (user report)"

    assert lines_of(name, 152, SIZE, 3) == ("NVIDIA", "k8s-device-plugin", "(user report)")
    assert "…" in "".join(lines_of(name, 152, SIZE, 2))


@given(text=st.text("ab가나·( )", min_size=1, max_size=60).map(str.strip).filter(bool), most=st.integers(1, 3))
def test_lines_have_room_and_lose_nothing_unsaid(text: str, most: int):
    lines = lines_of(text, ROOM, SIZE, most)

    assert 1 <= len(lines) <= most
    assert all(text_width(line, SIZE) <= ROOM for line in lines)
    assert "…" in "".join(lines) or "".join(lines).replace(" ", "") == text.replace(" ", "")


def test_an_address_is_broken_behind_its_separators():
    address = "https://library.test/ko/incidents?component=gpu-hardware-memory&symptom=gpu-not-visible"
    lines = address_lines(address, 400, SIZE, 4)

    assert "".join(lines) == address
    assert all(line[-1] in "/?&" for line in lines[:-1])
    assert all(text_width(line, SIZE) <= 400 for line in lines)
    assert address_lines(f"https://library.test/?q={'가' * 600}&order=added", 400, SIZE, 2)[-1].endswith("…")
