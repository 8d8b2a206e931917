"""Which cluster the tools look at: what the start of the server said, what a call asks for, and the way there."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence

from msgspec import Struct

from kubegap.cluster.credentials import Access, access, server_of
from kubegap.cluster.kubeconfig import Choice, NoContext, NoKubeconfig, PluginFailed, chosen, contexts
from kubegap.cluster.progress import Progress
from kubegap.cluster.snapshot import Snapshot
from kubegap.mcp.untrusted import shown
from kubegap.problems import KubegapError
from kubegap.text import Text

_SHOWN = 30


class Target(Struct, frozen=True):
    """The kubeconfig and context that the server was started with, and whether programs that it names may run."""

    environment: Mapping[str, str]
    kubeconfig: str | None = None
    context: str | None = None
    no_exec: bool = False

    def contexts(self) -> list[str]:
        """The contexts of the kubeconfig, sorted."""
        return contexts(self.kubeconfig, self.environment)

    def choice(self, context: str) -> Choice | None:
        """The context, cluster and user of a call; None where only the pod around us says which cluster.

        Raises `NoContext` for one that the kubeconfig does not have.
        """
        try:
            return chosen(self.kubeconfig, context or self.context, self.environment)
        except NoKubeconfig:
            if self.kubeconfig is None and self.environment.get("KUBERNETES_SERVICE_HOST"):
                return None
            raise

    def server(self, choice: Choice | None) -> str:
        """The address of a choice's API server; empty where the pod around us says it."""
        return server_of(choice) if choice else ""

    def access(self, context: str) -> Access:
        """How to reach the cluster; raises `BadKubeconfig`."""
        return access(self.kubeconfig, context or self.context, self.environment, may_run=not self.no_exec)

    def read(
        self,
        context: str,
        kinds: Iterable[str],
        on_progress: Callable[[Progress], None],
        stop: threading.Event,
    ) -> Snapshot:
        """The kinds as they are now."""
        # What opens connections takes long to import, which tools that need no cluster need not spend.
        from kubegap.cluster.collect import collect  # noqa: PLC0415

        return collect(self.access(context), kinds, on_progress=on_progress, stop=stop)

    def greet(self, context: str) -> Snapshot:
        """The cluster without any of its objects, if it answers soon."""
        from kubegap.cluster.collect import greet  # noqa: PLC0415

        return greet(self.access(context))


def remedy(error: KubegapError, environment: Mapping[str, str]) -> KubegapError:
    """The error for someone who talks to an agent: options of a command line are of no use there."""
    if isinstance(error, NoContext) and error.known:
        return KubegapError(error.message, _there_are(error.known))
    if isinstance(error, NoKubeconfig | NoContext):
        said = environment.get("KUBECONFIG", "")
        where = _SET_BUT_MISSING.fill(path=said) if said else _NOT_SET
        return KubegapError(error.message, where)
    if isinstance(error, PluginFailed):
        # What the program printed may hold anything, and goes to the person's own terminal only.
        return KubegapError(_PLUGIN.fill(command=error.command), _TRY)
    return error


def _there_are(contexts: Sequence[str]) -> Text:
    names = ", ".join(shown(name) for name in contexts[:_SHOWN])
    rest = len(contexts) - _SHOWN
    return _THERE_ARE.fill(names=names, more=_AND_MORE.fill(count=rest) if rest > 0 else "")


_THERE_ARE = Text(
    ko="있는 컨텍스트: {names}{more}. 어느 것을 볼지 사용자에게 물어보세요.",
    en="Its contexts: {names}{more}. Ask the user which one to look at.",
)
_AND_MORE = Text(ko=" 외 {count}개", en=" and {count} more")
_NOT_SET = Text(
    ko="사용자가 kubegap 이 볼 kubeconfig 를 정해야 합니다. KUBECONFIG 를 설정하고 클라이언트를 다시 시작하거나(Codex 는 `env_vars` 에"
    " KUBECONFIG 를 적어야 넘겨줍니다) `kubegap mcp --kubeconfig <파일>` 로 서버를 띄우세요. 사례를 찾는 도구는 클러스터 없이도 됩니다.",
    en="The user has to say which kubeconfig kubegap reads: set KUBECONFIG and restart the client (Codex passes it only if"
    " `env_vars` names it), or start the server as `kubegap mcp --kubeconfig <file>`. The tools for incidents need no cluster.",
)
_SET_BUT_MISSING = Text(
    ko="KUBECONFIG 는 `{path}` 인데 거기서 컨텍스트를 찾지 못했습니다. 경로가 맞는지 사용자에게 확인하세요.",
    en="KUBECONFIG is `{path}`, and no context was found there; ask the user whether the path is right.",
)
_PLUGIN = Text(
    ko="kubeconfig 가 로그인에 쓰라고 한 프로그램 `{command}` 이 실패했습니다.",
    en="The program `{command}`, which the kubeconfig names for logging in, failed.",
)
_TRY = Text(
    ko="사용자가 터미널에서 `kubectl get --raw /version` 으로 까닭을 보고 다시 로그인해야 합니다.",
    en="The user should run `kubectl get --raw /version` in a terminal, which tells why, and log in again.",
)
