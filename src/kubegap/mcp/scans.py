"""Scans that were made, kept in the user's cache for later questions: private, few, not old, without the objects themselves.

A scan is a file `<scan id>.report.gz`; its id begins with the time, so the newest sorts last. Whatever else lies there is left
alone, and told of.
"""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from pathlib import Path

from msgspec import Struct
from platformdirs import user_cache_path

from kubegap.checks.run import Report
from kubegap.mcp.shelf import Shelf
from kubegap.problems import KubegapError
from kubegap.report import kept
from kubegap.report.kept import NoReport
from kubegap.report.standing import Verdict, judge
from kubegap.text import Text

MOST = 20
MOST_BYTES = 64 * 1024 * 1024
LONGEST = timedelta(days=7)
ID = r"^\d{8}t\d{12}z-[0-9a-f]{4}$"
_SUFFIX = ".report.gz"
_TIME = "%Y%m%dt%H%M%S%fz"
_IN_MEMORY = 4
# A file of somebody else's making may be anything, also a link to elsewhere or a pipe that nobody writes to.
_READING = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)


class UnknownScan(KubegapError):
    """No scan of that id, or none at all."""


class Scan(Struct, frozen=True):
    """A report with the id under which it is asked for again; times are this machine's."""

    id: str
    report: Report
    verdict: Verdict

    @property
    def made(self) -> datetime:
        """When it was kept."""
        return _time_of(self.id)

    @property
    def expires(self) -> datetime:
        """When it is forgotten at the latest."""
        return self.made + LONGEST


def default_folder() -> Path:
    """The folder of this user's scans."""
    return user_cache_path("kubegap") / "scans"


class Scans:
    """The scans of one folder; a folder that cannot be used leaves them in memory alone, which `notes` tell."""

    def __init__(self, folder: Path, shelf: Shelf) -> None:
        self._folder = folder
        self._shelf = shelf
        self._unwritable: str | None = None
        self._held: dict[str, Scan] = {}
        self._read = lru_cache(maxsize=_IN_MEMORY)(self._from_file)

    def keep(self, report: Report) -> Scan:
        """Keep a report under a new id, and forget what is too much or too old."""
        now = datetime.now(UTC)
        scan = Scan(f"{now:{_TIME}}-{secrets.token_hex(2)}", report, judge(report, checks=self._shelf.pages))
        self._held = {**dict(list(self._held.items())[1 - _IN_MEMORY :]), scan.id: scan}
        try:
            self._write(scan)
            self._unwritable = None
        except OSError as error:
            self._unwritable = error.strerror or str(error)
        self._prune(now)
        return scan

    def get(self, scan_id: str) -> Scan:
        """One scan, the newest for an empty id; raises `UnknownScan`."""
        known = self.ids()
        if not scan_id:
            if (newest := self.newest()) is None:
                raise UnknownScan(_NONE, _MAKE_ONE)
            return newest
        if scan_id not in known:
            hint = _KNOWN.fill(ids=", ".join(known[-3:])) if known else _MAKE_ONE
            raise UnknownScan(_UNKNOWN.fill(id=scan_id), hint)
        try:
            return self._open(scan_id)
        except NoReport as error:
            raise UnknownScan(_DAMAGED.fill(id=scan_id, reason=error.message), _MAKE_ONE) from error

    def newest(self) -> Scan | None:
        """The newest scan that can be read."""
        return next(self.newest_first(), None)

    def newest_first(self) -> Iterator[Scan]:
        """All scans that can be read."""
        for scan_id in reversed(self.ids()):
            try:
                yield self._open(scan_id)
            except NoReport:
                continue

    def ids(self) -> list[str]:
        """Ids of the scans that are kept, the oldest first, without those that are too old."""
        limit = datetime.now(UTC) - LONGEST
        found = {path.name.removesuffix(_SUFFIX) for path in self._files()} | self._held.keys()
        return sorted(scan_id for scan_id in found if _time_of(scan_id) > limit)

    def notes(self) -> list[Text]:
        """What lies in the folder and cannot be used, and whether the folder can be used at all."""
        notes = [_ONLY_HERE.fill(folder=self._folder, reason=self._unwritable)] if self._unwritable else []
        if foreign := self._foreign():
            notes.append(_FOREIGN.fill(folder=self._folder, count=len(foreign)))
        for scan_id in self.ids():
            try:
                self._open(scan_id)
            except NoReport as error:
                notes.append(_IGNORED.fill(id=scan_id, reason=error.message))
        return notes

    def _open(self, scan_id: str) -> Scan:
        return self._held.get(scan_id) or self._read(scan_id)

    def _from_file(self, scan_id: str) -> Scan:
        path = self._folder / f"{scan_id}{_SUFFIX}"
        try:
            with os.fdopen(os.open(path, _READING), "rb") as file:
                data = file.read(MOST_BYTES + 1)
        except OSError as error:
            raise NoReport(_UNREADABLE.fill(reason=error.strerror or error)) from error
        if len(data) > MOST_BYTES:
            raise NoReport(_HUGE)
        report = kept.decode(data, self._shelf.pages, self._shelf.checks)
        return Scan(scan_id, report, judge(report, checks=self._shelf.pages))

    def _write(self, scan: Scan) -> None:
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._folder.chmod(0o700)
        half = self._folder / f".{scan.id}.{os.getpid()}"
        try:
            with os.fdopen(os.open(half, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                file.write(kept.encode(scan.report, self._shelf.checks))
            half.replace(self._folder / f"{scan.id}{_SUFFIX}")
        finally:
            half.unlink(missing_ok=True)

    def _prune(self, now: datetime) -> None:
        """Forget the oldest until number, age and size are within their limits; the newest always stays."""
        room = MOST_BYTES
        for place, path in enumerate(sorted(self._files(), reverse=True)):
            # Another process may have forgotten it already; a folder with that name is left alone.
            with suppress(OSError):
                room -= path.stat().st_size
                is_old = _time_of(path.name.removesuffix(_SUFFIX)) < now - LONGEST
                if place and (place >= MOST or is_old or room < 0):
                    path.unlink()

    def _files(self) -> list[Path]:
        return [path for path in self._there() if _is_ours(path)]

    def _foreign(self) -> list[Path]:
        return [path for path in self._there() if not _is_ours(path)]

    def _there(self) -> list[Path]:
        try:
            return sorted(self._folder.iterdir())
        except OSError:
            return []


def _is_ours(path: Path) -> bool:
    name = path.name.removesuffix(_SUFFIX)
    return path.name.endswith(_SUFFIX) and re.fullmatch(ID, name) is not None and _is_time(name)


def _is_time(scan_id: str) -> bool:
    try:
        _time_of(scan_id)
    except ValueError:
        return False
    return True


def _time_of(scan_id: str) -> datetime:
    return datetime.strptime(scan_id.split("-", maxsplit=1)[0], _TIME).replace(tzinfo=UTC)


_NONE = Text(ko="보관한 스캔이 없습니다.", en="No scan is kept.")
_MAKE_ONE = Text(ko="scan_cluster 로 새로 스캔하세요.", en="Make one with scan_cluster.")
_UNKNOWN = Text(ko="`{id}` 라는 스캔은 없습니다.", en="There is no scan `{id}`.")
_KNOWN = Text(ko="보관한 최근 스캔: {ids}.", en="The latest scans: {ids}.")
_DAMAGED = Text(ko="스캔 `{id}` 을 읽을 수 없습니다({reason}).", en="The scan `{id}` cannot be read ({reason}).")
_IGNORED = Text(ko="스캔 {id} 은 무시했다: {reason}", en="The scan {id} is ignored: {reason}")
_FOREIGN = Text(
    ko="{folder} 에 스캔이 아닌 파일이 {count}개 있어 무시했다.",
    en="{count} file(s) in {folder} are no scans and ignored.",
)
_ONLY_HERE = Text(
    ko="{folder} 에 쓸 수 없어({reason}) 스캔은 이 프로세스가 끝나면 사라진다.",
    en="{folder} cannot be written ({reason}): scans last only as long as this process.",
)
_UNREADABLE = Text(ko="열 수 없다({reason})", en="it cannot be opened ({reason})")
_HUGE = Text(ko="너무 크다", en="it is too large")
