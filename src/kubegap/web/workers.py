"""Several processes behind one listening socket: a page is made by the processor, and one process uses one core."""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import socket
import sys
import time
import traceback
from collections.abc import Callable
from types import FrameType

import click

from kubegap.problems import KubegapError
from kubegap.text import Lang

# A worker that dies sooner than this after its start would die again and again.
_TOO_SOON_SECONDS = 2.0

log = logging.getLogger(__name__)


def cores() -> int:
    """How many processors this process may use; 1 where processes cannot be forked."""
    if not hasattr(os, "fork"):
        return 1
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Workers:
    """Starts workers, replaces one that dies, and ends with all of them when it is told to."""

    def __init__(self, count: int, listening: socket.socket, work: Callable[[int], None], lang: Lang) -> None:
        self._count = count
        self._listening = listening
        self._work = work
        self._lang: Lang = lang
        self._running: dict[int, tuple[int, float]] = {}
        self._is_ending = False

    def run(self) -> bool:
        """Serve until told to end; False when a worker could not be kept alive."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._end)
        for place in range(self._count):
            self._start(place)
        has_failed = False
        while self._running:
            pid, status = os.wait()
            place, started = self._running.pop(pid, (-1, 0.0))
            if place < 0 or self._is_ending:
                continue
            log.warning("worker %d ended by itself (%d)", place, os.waitstatus_to_exitcode(status))
            if time.monotonic() - started < _TOO_SOON_SECONDS:
                has_failed = True
                self._end(signal.SIGTERM, None)
            else:
                self._start(place)
        return not has_failed

    def _start(self, place: int) -> None:
        sys.stdout.flush()
        if pid := os.fork():
            self._running[pid] = (place, time.monotonic())
            return
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, signal.SIG_DFL)
        code = 1
        try:
            self._work(place)
            code = 0
        except KubegapError as error:
            click.echo(f"kubegap: {error.sentence(self._lang)}", err=True)
        except BaseException:  # noqa: BLE001, nothing of the parent may run in the child
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            os._exit(code)

    def _end(self, _number: int, _frame: FrameType | None) -> None:
        self._is_ending = True
        # Once the workers have closed it too, nobody is let in who would not be answered.
        self._listening.close()
        for pid in self._running:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGTERM)
