"""The application: every route, and what becomes of mistakes."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import anyio.to_thread
from fastapi import FastAPI
from starlette.concurrency import run_in_threadpool
from starlette.convertors import Convertor, register_url_convertor
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from kubegap.library.search.query import Query
from kubegap.library.vocabulary import FACETS
from kubegap.problems import KubegapError
from kubegap.web import crawlers, forms, mistakes
from kubegap.web.addresses import COOKIE_PATH
from kubegap.web.api import PREFIX, add_api
from kubegap.web.house import House, Visit, reader_language
from kubegap.web.language import COOKIE, known
from kubegap.web.metrics import MEDIA_TYPE, Measured, Metrics
from kubegap.web.mistakes import Detail, Mistake, Refused
from kubegap.web.pages import Pages
from kubegap.web.paste import pasted
from kubegap.web.problem import problem
from kubegap.web.safety import Safe
from kubegap.web.settings import Settings
from kubegap.web.views.mistake import mistake_page
from kubegap.web.views.similar import similar_page
from kubegap.web.words import mistakes as words
from kubegap.web.words.similar import SIMILAR_EMPTY
