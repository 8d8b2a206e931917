"""Of names that overlap the longest is kept, however many there are; held against the plain definition."""

from hypothesis import given
from hypothesis import strategies as st

from kubegap.library.search.names import Found, longest


def plainly(found):
    kept = []
    for name in sorted(found, key=lambda name: (name.start - name.end, name.start)):
        if all(
            name.end <= other.start or other.end <= name.start or (name.start, name.end) == (other.start, other.end)
            for other in kept
        ):
            kept.append(name)
    return sorted(kept)


FOUND = st.builds(
    lambda start, length, facet, term: Found(start, start + length, facet, term, start, start + length),
    st.integers(0, 30),
    st.integers(1, 8),
    st.sampled_from(["cause", "symptom"]),
    st.sampled_from("abc"),
)


@given(st.lists(FOUND, max_size=25))
def test_the_longest_of_overlapping_names_is_kept(found):
    assert longest(found) == plainly(found)


def test_a_long_text_compares_no_name_with_all_others():
    compared = 0

    class Place(int):
        def __le__(self, other):
            nonlocal compared
            compared += 1
            return int(self) <= int(other)

        __lt__ = __le__

    count = 4_000
    found = [Found(n, n + 1, "cause", "a", Place(2 * n), Place(2 * n + 1)) for n in range(count)]

    assert len(longest(found)) == count
    assert compared < 60 * count
