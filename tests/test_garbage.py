"""Reading without the garbage collector leaves it as it was."""

import gc
import weakref

import pytest

from kubegap.garbage import without_collector


class Ring:
    """Something that only the collector can free."""

    def __init__(self):
        self.itself = self


def test_what_was_read_can_be_collected_afterwards():
    with without_collector():
        assert not gc.isenabled()
        ring = Ring()
    gone = weakref.ref(ring)

    del ring
    gc.collect()

    assert gone() is None


@pytest.mark.parametrize("was_on", [True, False])
def test_the_collector_is_as_it_was(was_on):
    (gc.enable if was_on else gc.disable)()
    try:
        with pytest.raises(ValueError, match="broken"), without_collector():
            raise ValueError("broken")
        assert gc.isenabled() is was_on
    finally:
        gc.enable()
