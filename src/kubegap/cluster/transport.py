"""The wire to an API server: GET and nothing else, a list of allowed paths, and manners.

`Door.get` answers with a body or raises `Unanswered` with the words for the report. It waits as it is told (`Retry-After`), backs off
with jitter where it is not told, follows no redirect, and counts what it costs the server.
"""

from __future__ import annotations

import random
import ssl
import threading
import time
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from urllib.parse import urlencode, urlsplit

import urllib3
from msgspec import Struct
from urllib3.exceptions import HTTPError, ProxyError, ReadTimeoutError, SSLError

from kubegap.cluster import validity
from kubegap.cluster.chunks import lines_that_begin
from kubegap.cluster.connections import pool_for, user_agent
from kubegap.cluster.credentials import Access
from kubegap.cluster.objects import METRICS, Resource
from kubegap.cluster.resources import RESOURCES
from kubegap.cluster.snapshot import Certificate, ReadState
from kubegap.problems import KubegapError
from kubegap.text import Text

# Kinds whose every object may hold what nobody should carry about; no list of them is ever asked for.
_NEVER = {"secrets", "configmaps"}
_QUERY = {"limit", "continue"}
_AGAIN = {429, 500, 502, 503, 504}
_CHUNK = 1 << 18


class Limits(Struct, frozen=True):
    """What a run may cost, in seconds, requests, objects and bytes."""

    connect_seconds: float = 10
    request_seconds: float = 60
    run_seconds: float = 300
    attempts: int = 6
    first_wait: float = 0.5
    longest_wait: float = 30
    page: int = 500
    page_bytes: int = 1 << 29


class Unreachable(KubegapError):
    """No API server answered at all, or it does not know who is asking."""


class Unanswered(Exception):
    """One question without an answer: how far that leaves the kind, why, whether trying again helps and after how long."""

    def __init__(self, state: ReadState, reason: Text, *, may_pass: bool = False, wait: float | None = None) -> None:
        super().__init__(reason.en)
        self.state = state
        self.reason = reason
        self.may_pass = may_pass
        self.wait = wait


class Answer(Struct, frozen=True):
    """What came back; `body` is decompressed."""

    status: int
    body: bytes
    content_type: str


class _Question(Struct, frozen=True):
    """What is asked, in which form the answer should come, and how the lines begin that are wanted of it, if not all are."""

    url: str
    accept: str | None
    lines: tuple[bytes, ...]


def list_path(resource: Resource) -> str:
    """Where all objects of a kind are listed: `/api/v1/pods`, `/apis/discovery.k8s.io/v1/endpointslices`; metrics together."""
    if resource.is_metric:
        return METRICS
    return f"{group_path(resource)}/{resource.plural}"


def group_path(resource: Resource) -> str:
    """Where the API server says which kinds it serves in a version of a group."""
    return f"/{'apis' if resource.group else 'api'}/{resource.api_version}"


_READ = [resource for kind in RESOURCES.values() for resource in kind.resource.versions]
_LISTS = {list_path(resource) for resource in _READ if resource.plural not in _NEVER}
ALLOWED = frozenset(
    {"/version", "/api", "/apis"} | {group_path(resource) for resource in _READ if not resource.is_metric} | _LISTS
)


class Door:
    """Asks one API server; safe to use from several threads. `stop` makes every wait end."""

    def __init__(self, access: Access, limits: Limits, stop: threading.Event) -> None:
        self.requests = 0
        self.bytes = 0
        self.date: datetime | None = None
        self.certificate: Certificate | None = None
        self._access = access
        self._limits = limits
        self._stop = stop
        self._lock = threading.Lock()
        self._end = time.monotonic() + limits.run_seconds
        self._pool = pool_for(access)
        self._headers = urllib3.HTTPHeaderDict(
            {"User-Agent": user_agent(), "Accept-Encoding": "gzip", "Accept": "application/json"}
        )
        for name, value in access.headers:
            self._headers.add(name, value)

    def first(self, path: str) -> Answer:
        """The first question to this server; raises `Unreachable` in one line where nobody answers it."""
        try:
            answer = self.get(path)
        except Unanswered as error:
            raise Unreachable(_NO_ANSWER.fill(server=self._access.server, reason=error.reason)) from error
        if answer.status == 401:
            raise Unreachable(_WHO.fill(server=self._access.server))
        return answer

    def get(
        self,
        path: str,
        query: Mapping[str, str | int] | None = None,
        accept: str | None = None,
        lines: tuple[bytes, ...] = (),
    ) -> Answer:
        """The answer to GET; raises `Unanswered` once trying again is of no use.

        Of a long text only those lines are held that begin in one of the ways of `lines`, if any are given.
        """
        if path not in ALLOWED or not _QUERY.issuperset(query or {}):
            raise ValueError(f"kubegap does not ask for {path}")
        url = f"{self._access.server}{path}{'?' + urlencode(query) if query else ''}"
        question = _Question(url, accept, lines)
        attempt = 1
        while not isinstance(tried := self._attempt(question), Answer):
            if not tried.may_pass or attempt >= self._limits.attempts:
                raise tried
            self._pause(tried, attempt)
            attempt += 1
        return tried

    def close(self) -> None:
        """Let go of the connections that nobody uses any more."""
        self._pool.clear()

    def _attempt(self, question: _Question) -> Answer | Unanswered:
        seconds = min(self._limits.request_seconds, self._left())
        if self._stop.is_set():
            return Unanswered(ReadState.HALF_READ, STOPPED)
        if seconds <= 0:
            return Unanswered(ReadState.TIMED_OUT, _RUN_LATE.fill(seconds=f"{self._limits.run_seconds:g}"))
        with self._lock:
            self.requests += 1
        try:
            return self._once(question, time.monotonic() + seconds)
        except (ReadTimeoutError, TimeoutError):
            return Unanswered(ReadState.TIMED_OUT, _LATE.fill(seconds=f"{seconds:.0f}"))
        except (SSLError, ssl.SSLError) as error:
            return Unanswered(ReadState.HALF_READ, _TLS.fill(reason=_short(error)))
        except (HTTPError, OSError) as error:
            words = _PROXY if isinstance(error, ProxyError) else _BROKEN
            return Unanswered(ReadState.HALF_READ, words.fill(reason=_short(error)), may_pass=True)

    def _once(self, question: _Question, end: float) -> Answer | Unanswered:
        headers = self._headers.copy()
        if question.accept:
            headers["Accept"] = question.accept
        seconds = max(0.1, end - time.monotonic())
        timeout = urllib3.Timeout(connect=min(seconds, self._limits.connect_seconds), read=seconds)
        response = self._pool.request(
            "GET", question.url, headers=headers, timeout=timeout, redirect=False, retries=False, preload_content=False
        )
        try:
            self._look_at(response)
            parts = self._parts(response, end)
            # Why a question is refused is told in lines of another kind.
            is_cut = bool(question.lines) and response.status == 200
            body = b"".join(lines_that_begin(parts, question.lines) if is_cut else parts)
        except BaseException:
            # What is left of the body must not be taken for the next answer.
            response.close()
            raise
        finally:
            with self._lock:
                self.bytes += response.tell()
        response.release_conn()
        return _judged(response.status, body, response.headers)

    def _look_at(self, response: urllib3.BaseHTTPResponse) -> None:
        """Keep the server's own time, and until when its certificate is good, from the first answer that has them."""
        if self.date is None:
            self.date = _date(response.headers.get("Date"))
        if self.certificate is None and self._access.tls:
            socket = getattr(response.connection, "sock", None)
            encoded = socket.getpeercert(binary_form=True) if isinstance(socket, ssl.SSLSocket) else None
            self.certificate = validity.read(encoded) if encoded else None

    def _parts(self, response: urllib3.BaseHTTPResponse, end: float) -> Iterator[bytes]:
        size = 0
        # `read1` gives what is there, so that a body which trickles meets its deadline too.
        while part := response.read1(_CHUNK, decode_content=True):
            yield part
            size += len(part)
            if self._stop.is_set():
                raise Unanswered(ReadState.HALF_READ, STOPPED)
            if time.monotonic() > end:
                raise TimeoutError
            if size > self._limits.page_bytes:
                raise Unanswered(ReadState.HALF_READ, _HUGE.fill(size=self._limits.page_bytes >> 20))

    def _pause(self, tried: Unanswered, attempt: int) -> None:
        """Wait as asked, else twice as long each time, with jitter so that many clients do not come back at once."""
        backoff = min(self._limits.longest_wait, self._limits.first_wait * 2 ** (attempt - 1))
        wait = backoff * random.uniform(0.5, 1.5) if tried.wait is None else tried.wait  # noqa: S311, no secret
        if wait >= self._left():
            raise tried
        if self._stop.wait(wait):
            raise Unanswered(ReadState.HALF_READ, STOPPED)

    def _left(self) -> float:
        return self._end - time.monotonic()


def _judged(status: int, body: bytes, headers: Mapping[str, str]) -> Answer | Unanswered:
    """The answer, or why it is none."""
    if 300 <= status < 400:
        host = urlsplit(headers.get("Location", "")).netloc
        return Unanswered(ReadState.HALF_READ, _ELSEWHERE.fill(status=status, host=host or "?"))
    if status in _AGAIN:
        state = ReadState.TIMED_OUT if status == 429 else ReadState.HALF_READ
        wait = _asked_wait(headers.get("Retry-After"))
        return Unanswered(state, _BUSY if status == 429 else answered(status), may_pass=True, wait=wait)
    return Answer(status, body, headers.get("Content-Type", ""))


def answered(status: int) -> Text:
    """The words for an answer that is of no use."""
    return _ANSWERED.fill(status=status)


def _asked_wait(value: str | None) -> float | None:
    """Seconds of a `Retry-After`; an API server writes no dates there."""
    return float(value) if value and value.isdigit() else None


def _date(value: str | None) -> datetime | None:
    try:
        return parsedate_to_datetime(value).astimezone(UTC) if value else None
    except ValueError:
        return None


def _short(error: BaseException) -> str:
    """The last of nested reasons, on one line."""
    while error.__cause__ or getattr(error, "reason", None):
        inner = error.__cause__ or getattr(error, "reason", None)
        if not isinstance(inner, BaseException):
            break
        error = inner
    return (" ".join(str(error).split()) or type(error).__name__)[:200]


STOPPED = Text(ko="사용자가 멈췄다 (Ctrl-C)", en="stopped by the user (Ctrl-C)")
_NO_ANSWER = Text(
    ko="{server} 의 API 서버에 닿지 못했습니다: {reason}.", en="The API server at {server} cannot be reached: {reason}."
)
_WHO = Text(
    ko="{server} 의 API 서버가 인증을 받아들이지 않습니다 (401). `kubectl get --raw /version` 도 되지 않으면 다시 로그인하세요.",
    en="The API server at {server} does not accept the credentials (401). If `kubectl get --raw /version` fails too, log in again.",
)
_RUN_LATE = Text(ko="실행 전체의 제한 시간 {seconds}초가 지났다", en="the {seconds} seconds of the whole run were over")
_LATE = Text(ko="{seconds}초 안에 답이 끝나지 않았다", en="no complete answer within {seconds} seconds")
_TLS = Text(ko="TLS 연결을 맺지 못했다: {reason}", en="TLS failed: {reason}")
_PROXY = Text(ko="프록시를 거쳐 연결하지 못했다: {reason}", en="the proxy did not connect: {reason}")
_BROKEN = Text(ko="연결이 되지 않거나 끊겼다: {reason}", en="no connection, or it broke: {reason}")
_ELSEWHERE = Text(
    ko="다른 곳({host})으로 가라는 답({status})은 따르지 않는다",
    en="an answer ({status}) that leads elsewhere ({host}) is not followed",
)
_HUGE = Text(ko="답 하나가 {size} MiB 를 넘는다", en="one answer is larger than {size} MiB")
_BUSY = Text(ko="API 서버가 계속 바쁘다고 답했다 (429)", en="the API server kept saying that it is busy (429)")
_ANSWERED = Text(ko="API 서버가 {status} 로 답했다", en="the API server answered {status}")
