"""One kind of a live cluster, page by page, each page decoded straight into typed records."""

from __future__ import annotations

import re
import threading
from typing import Any, Generic, TypeVar

import msgspec
from msgspec import Struct

from kubegap.cluster import typed
from kubegap.cluster.objects import KubernetesObject, Resource
from kubegap.cluster.sharing import Sharing
from kubegap.cluster.snapshot import Coverage, ReadState, Unread
from kubegap.cluster.transport import Answer, Door, Unanswered, answered, list_path
from kubegap.text import Text

T = TypeVar("T")
_Key = tuple[str | None, str]
# A list that grows while it is read repeats no objects; pages that bring nothing new mean a server that has lost its place.
MAX_IDLE_PAGES = 3
_USER = re.compile(r'User "([^"]{1,200})"')


class _ListMeta(Struct, rename={"token": "continue"}):
    token: str | None = None


class _Page(Struct, Generic[T]):
    kind: str = ""
    metadata: _ListMeta | None = None
    items: list[T] | None = None


class _Status(Struct):
    message: str = ""


class Listing:
    """What was read of one kind so far; safe to look at from another thread while `read` runs."""

    def __init__(self, kind: type[KubernetesObject], page: int) -> None:
        self.kind = kind
        # Where to ask for it: in the version that the server has.
        self.served: Resource = kind.resource
        self.unread: list[Unread] = []
        self.notes: list[Text] = []
        self.state = ReadState.HALF_READ
        self.reason: Text | None = None
        self._objects: dict[_Key, KubernetesObject] = {}
        self._page = page
        self._sharing = Sharing()
        self._lock = threading.Lock()
        self._typed = msgspec.json.Decoder(_Page[kind]).decode  # type: ignore[valid-type]
        self._raw = msgspec.json.Decoder(_Page[msgspec.Raw]).decode

    @property
    def count(self) -> int:
        """How many objects were read."""
        return len(self._objects)

    def objects(self) -> tuple[KubernetesObject, ...]:
        """The objects read so far."""
        with self._lock:
            return tuple(self._objects.values())

    def coverage(self) -> Coverage:
        """How far it was read, and why not further."""
        if self.state is ReadState.READ and self.unread:
            return Coverage(self.kind.resource, self.count, ReadState.HALF_READ, typed.lost(self.unread))
        return Coverage(self.kind.resource, self.count, self.state, self.reason)

    def read(self, door: Door) -> None:
        """Read all pages; whatever goes wrong ends in `state` and `reason`."""
        try:
            self._read_again(door)
            self.state = ReadState.READ
        except Unanswered as error:
            self.state, self.reason = error.state, error.reason

    def _read_again(self, door: Door) -> None:
        """Once, and a second time from the start where the place in the list grew too old for the server."""
        if self._read_pages(door):
            return
        self.notes.append(_AGAIN.fill(kind=self.kind.resource.kind))
        # What was read is of another moment than the rest would be.
        with self._lock:
            self._objects, self.unread = {}, []
        if not self._read_pages(door):
            raise Unanswered(ReadState.HALF_READ, _EXPIRED)

    def _read_pages(self, door: Door) -> bool:
        """Whether the end of the list was reached; False when the place in it expired (410)."""
        token, idle = "", 0
        while True:
            query: dict[str, str | int] = {"limit": self._page, **({"continue": token} if token else {})}
            answer = door.get(list_path(self.served), query)
            if answer.status == 410 and token:
                return False
            page = self._decoded(answer)
            idle = 0 if self._take(page.items or []) else idle + 1
            following = (page.metadata and page.metadata.token) or ""
            if not following:
                return True
            if following == token or idle >= MAX_IDLE_PAGES:
                raise Unanswered(ReadState.HALF_READ, _ENDLESS)
            token = following

    def _decoded(self, answer: Answer) -> _Page[Any]:
        check_status(answer)
        if not answer.content_type.startswith("application/json"):
            raise Unanswered(ReadState.HALF_READ, _NO_JSON.fill(type=answer.content_type or "?"))
        try:
            page = self._typed(answer.body)
        except typed.MISFITS:
            page = self._one_by_one(answer.body)
        if page.kind and not page.kind.endswith("List"):
            raise Unanswered(ReadState.HALF_READ, _NO_LIST.fill(kind=page.kind))
        return page

    def _one_by_one(self, body: bytes) -> _Page[Any]:
        """The objects that fit, where a page as a whole does not; the others are written down."""
        try:
            page = self._raw(body)
        except typed.MISFITS as error:
            raise Unanswered(ReadState.HALF_READ, _BROKEN.fill(reason=typed.misfit(error))) from None
        found = []
        for item in page.items or ():
            try:
                found.append(typed.convert(item, self.kind))
            except typed.MISFITS as error:
                place = typed.called(item, self.kind)
                self.unread.append(Unread(place, typed.misfit(error), self.kind.resource.path))
        return _Page(page.kind, page.metadata, found)

    def _take(self, items: list[KubernetesObject]) -> bool:
        """Keep the objects; whether any of them is new."""
        found = {(thing.namespace, thing.name): self._sharing.shared(typed.trimmed(thing)) for thing in items}
        with self._lock:
            before = len(self._objects)
            self._objects.update(found)
            return len(self._objects) > before


def check_status(answer: Answer) -> None:
    """Raise `Unanswered` for any answer but 200."""
    if answer.status == 403:
        raise Unanswered(ReadState.REFUSED, _refused(answer.body))
    if answer.status == 401:
        raise Unanswered(ReadState.REFUSED, _UNKNOWN_USER)
    if answer.status != 200:
        raise Unanswered(ReadState.HALF_READ, answered(answer.status))


def _refused(body: bytes) -> Text:
    """Who was refused, if the server says it."""
    try:
        user = _USER.search(msgspec.json.decode(body, type=_Status).message)
    except typed.MISFITS:
        user = None
    return _REFUSED.fill(user=user[1]) if user else _REFUSED_SOMEBODY


_AGAIN = Text(
    ko="{kind} 목록을 읽는 도중에 이어 읽을 자리가 만료되어(410) 처음부터 다시 읽었다.",
    en="The place in the list of {kind} expired while reading (410), so it was read again from the start.",
)
_EXPIRED = Text(ko="이어 읽을 자리가 두 번 만료됐다(410)", en="the place in the list expired twice (410)")
_ENDLESS = Text(
    ko="API 서버가 새 오브젝트 없이 계속 이어 읽으라고만 한다",
    en="the API server keeps saying that there is more and brings nothing new",
)
_REFUSED = Text(
    ko="API 서버가 `{user}` 의 읽기를 거절했다 (403)", en="the API server refuses `{user}` to read it (403)"
)
_REFUSED_SOMEBODY = Text(ko="API 서버가 읽기를 거절했다 (403)", en="the API server refuses to let it be read (403)")
_UNKNOWN_USER = Text(
    ko="API 서버가 인증을 받아들이지 않는다 (401)", en="the API server does not accept the credentials (401)"
)
_NO_JSON = Text(ko="JSON 이 아닌 답이 왔다 ({type})", en="the answer is no JSON ({type})")
_NO_LIST = Text(ko="목록이 아니라 {kind} 가 왔다", en="the answer is a {kind} and no list")
_BROKEN = Text(ko="답을 읽을 수 없다: {reason}", en="the answer cannot be read: {reason}")
