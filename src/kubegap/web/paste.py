"""Reading a pasted text: only so much, only so long, and in the forms that browsers and programs send."""

from __future__ import annotations

import asyncio
from urllib.parse import parse_qs

import msgspec
from starlette.requests import ClientDisconnect, Request

from kubegap.library.search.similar import MAX_BYTES
from kubegap.web.mistakes import Detail, Mistake, Refused
from kubegap.web.words import mistakes as words

SECONDS = 10.0
FORM = "application/x-www-form-urlencoded"
JSON = "application/json"
PLAIN = "text/plain"
# A byte takes up to three in a form, six in JSON.
_WIRE = {FORM: 3 * MAX_BYTES + 64, JSON: 6 * MAX_BYTES + 64, PLAIN: MAX_BYTES}
_MOST_FIELDS = 8


class _Pasted(msgspec.Struct):
    text: str


async def pasted(request: Request) -> str:
    """The text of a POST; raises `Refused` when it is too big, too slow, cut off or of another form."""
    media_type = request.headers.get("content-type", PLAIN).partition(";")[0].strip().lower()
    if media_type not in _WIRE:
        raise Refused(Mistake(415, "wrong-type", words.WRONG_TYPE, [Detail(words.WRONG_TYPE_DETAIL)]))
    text = _text(await _read(request, _WIRE[media_type]), media_type)
    if len(text.encode(errors="replace")) > MAX_BYTES:
        raise Refused(_TOO_BIG)
    return text


async def _read(request: Request, most: int) -> bytes:
    length = request.headers.get("content-length", "")
    if length.isascii() and length.isdigit() and (len(length) > 12 or int(length) > most):
        raise Refused(_TOO_BIG)
    try:
        async with asyncio.timeout(SECONDS):
            return await _gathered(request, most)
    except TimeoutError as error:
        detail = Detail(words.TOO_SLOW_DETAIL.fill(seconds=f"{SECONDS:g}"))
        raise Refused(Mistake(408, "too-slow", words.TOO_SLOW, [detail])) from error
    except ClientDisconnect as error:
        raise Refused(Mistake(400, "cut-off", words.CUT_OFF, [Detail(words.CUT_OFF_DETAIL)])) from error


async def _gathered(request: Request, most: int) -> bytes:
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > most:
            raise Refused(_TOO_BIG)
    return bytes(body)


def _text(body: bytes, media_type: str) -> str:
    if media_type == PLAIN:
        return body.decode(errors="replace")
    if media_type == JSON:
        try:
            return msgspec.json.decode(body, type=_Pasted).text
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise Refused(
                Mistake(400, "bad-json", words.BAD_REQUEST, [Detail(words.BAD_JSON_DETAIL.fill())])
            ) from error
    try:
        fields = parse_qs(body.decode("latin-1"), keep_blank_values=True, errors="replace", max_num_fields=_MOST_FIELDS)
    except ValueError as error:
        raise Refused(Mistake(400, "bad-form", words.WRONG_TYPE, [Detail(words.WRONG_TYPE_DETAIL)])) from error
    return fields.get("text", [""])[0].replace("\r\n", "\n")


_TOO_BIG = Mistake(413, "too-big", words.TOO_BIG, [Detail(words.TOO_BIG_DETAIL)])
