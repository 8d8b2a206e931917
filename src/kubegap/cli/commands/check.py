"""`kubegap check`: look for the gaps behind the incidents."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click
from msgspec import Struct

from kubegap.checks import pages, run
from kubegap.checks.model import Severity
from kubegap.checks.page import Page
from kubegap.checks.pages import CHECKS
from kubegap.cli import choosing, comparing, live, options, upgrading
from kubegap.cluster.objects import Namespace
from kubegap.cluster.snapshot import Snapshot
from kubegap.library.generation import Generation, library_directory, open_library
from kubegap.library.search.query import BadQuery
from kubegap.report import baseline as baselines
from kubegap.report import exit_code, formats, grants
from kubegap.report.baseline import Baseline
from kubegap.report.standing import Verdict, baseline_of, counted, judge
from kubegap.report.view import WIDTH, View, library_address
from kubegap.text import Lang, Text

_FAIL_ON = [severity.value for severity in Severity if severity is not Severity.INFO]


def command(lang: Lang) -> click.Command:
    """The command in the reader's language."""

    @click.command(help=_HELP.of(lang))
    @live.options(lang)
    @click.option("--snapshot", metavar="PATH", help=_SNAPSHOT.of(lang))
    @click.option("-f", "--file", "inputs", multiple=True, metavar="FILE|DIR|-", help=_FILE.of(lang))
    @click.option("--namespace", "-n", "namespaces", multiple=True, metavar="N", help=_NAMESPACE.of(lang))
    @click.option("--select", multiple=True, metavar="X", help=_SELECT.of(lang), shell_complete=options.complete_check)
    @click.option("--skip", multiple=True, metavar="X", help=_SKIP.of(lang), shell_complete=options.complete_check)
    @click.option(
        "--incident",
        "incidents",
        multiple=True,
        metavar="ID",
        help=_INCIDENT.of(lang),
        shell_complete=options.complete_incident,
    )
    @click.option("--component", "components", multiple=True, metavar="ID", help=_COMPONENT.of(lang))
    @click.option("--read-at", metavar="TIME", help=_READ_AT.of(lang))
    @click.option("--target-version", metavar="VERSION", help=_TARGET.of(lang))
    @click.option("--fail-on", type=click.Choice(_FAIL_ON), default=Severity.HIGH.value, help=_FAIL.of(lang))
    @options.format_option(lang, *formats.names())
    @comparing.options(lang)
    @click.option("--library-url", envvar="KUBEGAP_LIBRARY_URL", metavar="URL", help=_LIBRARY_URL.of(lang))
    @click.option("--verbose", "-v", is_flag=True, help=_VERBOSE.of(lang))
    @options.library_option(lang)
    @options.lang_option(lang)
    def check(**given: Any) -> int:
        return _check(Asked(**given), lang)

    return check


class Asked(Struct, frozen=True):
    """What the command line asks for, option by option."""

    contexts: tuple[str, ...]
    kubeconfig: str | None
    no_exec: bool
    snapshot: str | None
    inputs: tuple[str, ...]
    namespaces: tuple[str, ...]
    select: tuple[str, ...]
    skip: tuple[str, ...]
    incidents: tuple[str, ...]
    components: tuple[str, ...]
    read_at: str | None
    target_version: str | None
    fail_on: str
    form: str
    baseline: str | None
    write_baseline: str | None
    compare: tuple[str, str] | None
    library_url: str | None
    verbose: bool
    library: str | None

    @property
    def target(self) -> live.Target:
        """The live cluster that is asked for."""
        return live.Target(self.contexts, self.kubeconfig, self.no_exec)

    @property
    def inputs_given(self) -> int:
        """How many of the inputs that exclude each other."""
        return sum((bool(self.inputs), self.snapshot is not None, self.compare is not None, self.target.is_given))


def _check(asked: Asked, lang: Lang) -> int:
    """Read, judge, show; the exit code. Mistakes are told before anything is read."""
    if asked.inputs_given > 1:
        raise BadQuery(_ONE_INPUT)
    address = library_address(asked.library_url)
    old = comparing.known(asked.baseline, asked.write_baseline, is_compared=asked.compare is not None)
    generation = open_library(library_directory(asked.library))
    known = generation.decoded(CHECKS, pages.decode)
    chosen = choosing.checks(known, generation, asked.select, asked.skip, asked.incidents, asked.components)
    version = upgrading.target(asked.target_version)
    cluster = upgrading.aimed(_read(asked, chosen, lang), version)
    choosing.confirm(asked.namespaces, cluster, lang)
    if asked.compare:
        old = comparing.before(asked.compare[0], chosen, asked.namespaces, lang, version)
    report = run.run(cluster, chosen, asked.namespaces)
    verdict = judge(report, old, known)
    comparing.tell(verdict, lang)
    titles = _titles(generation, chosen)
    _show(View(report, lang, titles, verdict, address, _width(), asked.verbose, _colours()), asked.form)
    if asked.write_baseline:
        verdict = _written(asked.write_baseline, report, verdict, old)
    named = [name for name in asked.select if name in known]
    return exit_code(counted(report, verdict), Severity(asked.fail_on), named)


def _read(asked: Asked, chosen: Iterable[Page], lang: Lang) -> Snapshot:
    time = _time(asked.read_at)
    if asked.compare:
        return comparing.load(asked.compare[1], time, lang)
    if asked.inputs:
        return comparing.load_files(asked.inputs, time)
    if asked.snapshot is not None:
        return comparing.load_saved(asked.snapshot, time, lang)
    # Namespaces tell clusters apart, and whether those that are named exist.
    are_needed = asked.baseline or asked.write_baseline or asked.namespaces
    also = {Namespace.resource.path} if are_needed else set()
    return live.read(asked.target, live.kinds_of(chosen) | also, lang, time)


def _show(view: View, form: str) -> None:
    if form == formats.DEFAULT and grants.is_all_refused(view.report):
        click.echo(grants.page(view.report, view.lang, view.width), nl=False)
    else:
        click.echo(formats.render(form, view), nl=False)


def _written(path: str, report: run.Report, verdict: Verdict, old: Baseline | None) -> Verdict:
    """The verdict once the baseline is written: what was not compared with anything is known from now on."""
    new = baseline_of(report, verdict, old)
    baselines.write(Path(path), new)
    return verdict if old else judge(report, new)


def _titles(generation: Generation, chosen: Iterable[Page]) -> dict[str, Text]:
    cited = {incident for page in chosen for incident in page.incidents}
    return {incident: generation.title_of(incident) for incident in cited}


def _time(words: str | None) -> datetime | None:
    if words is None:
        return None
    try:
        time = datetime.fromisoformat(words)
    except ValueError as error:
        raise BadQuery(_BAD_TIME.fill(time=words)) from error
    return time if time.tzinfo else time.replace(tzinfo=UTC)


def _width() -> int:
    return shutil.get_terminal_size((WIDTH, 24)).columns


def _colours() -> bool:
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")


_HELP = Text(
    ko="공개된 사례가 드러낸 틈이 클러스터에 있는지 읽기만 하며 점검한다."
    " `-f` 도 `--snapshot` 도 없으면 kubeconfig 의 현재 컨텍스트를 본다.",
    en="Check a cluster, read-only, for the gaps that public incidents exposed."
    " Without `-f` and `--snapshot` it looks at the current context of the kubeconfig.",
)
_FILE = Text(
    ko="`kubectl get -o json|yaml` 출력, 매니페스트, 그런 파일의 폴더, 또는 표준 입력(-)",
    en="Output of `kubectl get -o json|yaml`, manifests, a folder of such files, or standard input (-)",
)
_NAMESPACE = Text(
    ko="이 네임스페이스의 대상만 (여러 번 줄 수 있다)", en="Only subjects in this namespace (may be repeated)"
)
_SELECT = Text(
    ko="점검할 항목: id, 영역, 또는 글롭 (여러 번 줄 수 있다)",
    en="Checks to run: an id, an area or a glob (may be repeated)",
)
_SKIP = Text(ko="뺄 항목: id, 영역, 또는 글롭", en="Checks to leave out: an id, an area or a glob")
_INCIDENT = Text(ko="이 사례를 근거로 둔 항목만", en="Only checks grounded in this incident")
_COMPONENT = Text(ko="이 구성 요소의 사례를 근거로 둔 항목만", en="Only checks grounded in incidents of this component")
_READ_AT = Text(
    ko="덤프를 뜬 시각 (기본값: 덤프 안의 가장 늦은 시각)",
    en="When the dump was taken (default: the newest time in it)",
)
_TARGET = Text(
    ko="업그레이드하려는 쿠버네티스 버전 (기본값: API 서버의 다음 마이너 버전)",
    en="Version of Kubernetes that an upgrade goes to (default: the next minor of the API server)",
)
_FAIL = Text(ko="이 심각도부터 종료 코드 1 (기본값: high)", en="Exit code 1 from this severity up (default: high)")
_VERBOSE = Text(
    ko="발견과 근거, 사례, 보지 못한 까닭을 빠짐없이 (표에만 해당한다. 다른 형식은 그대로다)",
    en="Every finding, all evidence, every incident and reason (for the table; other formats stay as they are)",
)
_LIBRARY_URL = Text(
    ko="사례 라이브러리의 주소; 보고가 그 페이지로 이어진다 (기본값: KUBEGAP_LIBRARY_URL)",
    en="Address of an Incident Library, to whose pages the report links (default: KUBEGAP_LIBRARY_URL)",
)
_SNAPSHOT = Text(ko="`kubegap snapshot save` 로 저장한 파일", en="A file that `kubegap snapshot save` wrote")
_ONE_INPUT = Text(
    ko="`-f`, `--snapshot`, `--compare`, 그리고 클러스터를 고르는 옵션(`--context`, `--kubeconfig`, `--no-exec`)은 함께 쓸 수 없습니다.",
    en="Use one of `-f`, `--snapshot`, `--compare`, and the options of a live cluster (`--context`, `--kubeconfig`, `--no-exec`).",
)
_BAD_TIME = Text(
    ko="`{time}` 은 시각이 아닙니다. 2026-11-30T08:00:00Z 처럼 쓰세요.",
    en="`{time}` is not a time; write 2026-11-30T08:00:00Z.",
)
