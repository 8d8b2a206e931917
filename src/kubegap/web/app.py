"""The application: every route in one place."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio.to_thread
from starlette.applications import Starlette
from starlette.convertors import Convertor, register_url_convertor
from starlette.middleware import Middleware
from starlette.routing import Route

from kubegap.text import LANGS
from kubegap.web import check_pages, forms
from kubegap.web.answers import Answers
from kubegap.web.api import api_routes
from kubegap.web.check_pages import CheckPages
from kubegap.web.compression import Compressed
from kubegap.web.house import House
from kubegap.web.metrics import Measured, Metrics
from kubegap.web.pages import Pages
from kubegap.web.pasting import Pasting
from kubegap.web.plumbing import Plumbing
from kubegap.web.safety import Safe
from kubegap.web.settings import Settings

# What takes long is made by the processor too, not waited for: more threads would only take turns.
WORKERS = 8


class _LangConvertor(Convertor[str]):
    regex = "|".join(LANGS)

    def convert(self, value: str) -> str:
        return value

    def to_string(self, value: str) -> str:
        return value


register_url_convertor("lang", _LangConvertor())


def create_app(library: Path, settings: Settings, metrics: Metrics | None = None) -> Starlette:
    """The application over a library directory; raises `KubegapError` when there is no library to open."""
    house, metrics = House(library, settings), metrics or Metrics()
    app = Starlette(
        # The most asked for come first.
        routes=[*_lists(house), *_pages(house), *api_routes(house), *Plumbing(house, metrics).routes()],
        exception_handlers=Answers(house).by_error,
        lifespan=_lifespan,
        middleware=[
            Middleware(Safe, root_path=settings.root_path),
            Middleware(Measured, metrics=metrics),
            Middleware(Compressed),
        ],
    )
    app.router.redirect_slashes = False
    app.state.house = house
    return app


def _lists(house: House) -> list[Route]:
    fresh, incidents = house.fresh, "/{lang:lang}/incidents"
    return [
        Route(incidents, fresh(Pages(house).results, is_quick=True)),
        Route(f"{incidents}.json", fresh(forms.result_json, is_quick=True)),
        Route(f"{incidents}.csv", fresh(forms.result_csv)),
        Route(f"{incidents}.ndjson", fresh(forms.result_ndjson)),
        Route(f"{incidents}.atom", fresh(forms.result_atom)),
        Route(f"{incidents}/{{id}}.json", fresh(forms.case_json)),
        Route(f"{incidents}/{{id}}.yaml", fresh(forms.case_yaml)),
    ]


def _pages(house: House) -> list[Route]:
    pages, checks, pasting, fresh = Pages(house), CheckPages(house), Pasting(house), house.fresh
    return [
        Route("/{lang:lang}/incidents.svg", fresh(pages.picture)),
        Route("/{lang:lang}/incidents/{id}", fresh(pages.case)),
        Route("/{lang:lang}/terms", fresh(pages.terms)),
        Route("/{lang:lang}/terms/{facet}/{term}", fresh(pages.term)),
        Route("/{lang:lang}/checks", fresh(checks.index)),
        Route("/{lang:lang}/checks.json", fresh(check_pages.checks_json)),
        Route("/{lang:lang}/checks/{id}.json", fresh(check_pages.check_json)),
        Route("/{lang:lang}/checks/{id}", fresh(checks.check)),
        Route("/{lang:lang}/about", fresh(pages.about)),
        Route("/{lang:lang}/agents", fresh(pages.agents)),
        Route("/{lang:lang}/similar", pasting.similar, methods=["POST"]),
        Route("/{lang:lang}/similar", fresh(pages.similar)),
    ]


@asynccontextmanager
async def _lifespan(_app: Starlette) -> AsyncIterator[None]:
    anyio.to_thread.current_default_thread_limiter().total_tokens = WORKERS
    yield
