"""Plans of the bundled model behind real servers, beside the same model in this process.

    python -m benchmarks.served_plans [--limit 10] [--samples 2] [--only WAY ...]

The cases are function calls of the development half, the same for every way. Each case is planned
in all ways, one right after the other, so that a busy machine is busy for all; each way is the
first one in turn. A case that is not measured is planned once before, which warms caches and shows
what a server can do. Printed: the share of right calls (95 % interval), the median seconds of a
plan, their ratio to the seconds in this process (95 %; case by case, and of all cases together,
where longer plans weigh more), and the tokens of prompts and completions.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import mean, median
from typing import Final, TypeVar

from benchmarks.environments import PeerUnavailableError, default_folder
from benchmarks.figures import paired_ratio, ratio_of_sums
from benchmarks.llama_servers import llama_server, of_llama_cpp, of_llama_cpp_python
from benchmarks.machine import cores, describe
from benchmarks.quality.answers import Judged
from benchmarks.quality.cases import Case, load
from benchmarks.quality.contestants import Planner
from benchmarks.quality.table import wilson
from okso_jupyter import Session, Settings
from okso_jupyter.llm.specs import BUNDLED, find_weights

_CASES: Final = Path("../shared/bfcl-dev")
_CATEGORIES: Final = ("simple_python", "multiple")
_MODEL: Final = "SmolLM2-135M"
_HERE: Final = "in this process"
_Item = TypeVar("_Item")
_HEADER: Final = """
| way | right | s | times the seconds here | of all cases | prompt tokens | output tokens |
| --- | --- | --- | --- | --- | --- | --- |"""


@dataclass(frozen=True, slots=True)
class Way:
    """How the model is reached.

    Attributes:
        name: What the table calls it.
        settings: Yields the settings that reach it, within a block.
    """

    name: str
    settings: Callable[[], AbstractContextManager[dict[str, str]]]


def ways(folder: Path) -> list[Way]:
    """Return every way; servers are started when their turn comes."""
    gguf = find_weights(BUNDLED)
    binary = partial(llama_server, folder)

    @contextmanager
    def here() -> Iterator[dict[str, str]]:
        yield {"PLANNER_MODEL_SPEC": str(gguf)}

    @contextmanager
    def started() -> Iterator[dict[str, str]]:
        yield {"PLANNER_MODEL_SPEC": str(gguf), "LLAMA_BIN": str(binary())}

    @contextmanager
    def by_address(server: Callable[[], AbstractContextManager[str]]) -> Iterator[dict[str, str]]:
        with server() as address:
            yield {"PLANNER_MODEL_SPEC": f"{address}#{_MODEL}"}

    return [
        Way(_HERE, here),
        Way("LLAMA_BIN", started),
        Way("llama-server", lambda: by_address(lambda: of_llama_cpp(binary(), gguf, cores()))),
        Way(
            "llama_cpp.server",
            lambda: by_address(lambda: of_llama_cpp_python(folder, gguf, cores())),
        ),
    ]


@contextmanager
def planner_of(way: Way, samples: int | None) -> Iterator[Planner]:
    """Yield a planner whose model is reached in this way, within a block.

    Raises:
        PeerUnavailableError: Its server is missing.
    """
    with tempfile.TemporaryDirectory() as scratch, way.settings() as chosen:
        root = Path(scratch) / "root"
        root.mkdir()
        settings = Settings.of({"OKSO_HOME": f"{scratch}/home", **chosen})
        with Session(settings, tools=(), root=root) as session:
            yield Planner(
                model=session.model("planner"),
                settings=settings,
                said=way.name,
                samples=samples,
                root=root,
            )


def planned(
    chosen: Sequence[Way], cases: Sequence[Case], samples: int | None
) -> dict[str, list[Judged]]:
    """Return the judged answers of each way that there is; why another is missing is printed.

    The first case is planned, but not measured.
    """
    judged: dict[str, list[Judged]] = {}
    with ExitStack() as held:
        planners = {}
        for way in chosen:
            try:
                planners[way.name] = held.enter_context(planner_of(way, samples))
            except PeerUnavailableError as error:
                print(f"{way.name} is not measured: {error}", flush=True)
        unmeasured, *measured = cases
        for planner in planners.values():
            planner.answer(unmeasured)
        for turn, case in enumerate(measured):
            for name, planner in _rotated([*planners.items()], turn):
                answer = planner.answer(case)
                judged.setdefault(name, []).append(
                    Judged(key=planner.key, case=case, answer=answer)
                )
    return judged


def _rotated(items: list[_Item], turn: int) -> list[_Item]:
    """Return items with another one first in each turn."""
    first = turn % len(items)
    return [*items[first:], *items[:first]]


def row(name: str, judged: Sequence[Judged], here: Sequence[Judged]) -> str:
    """Return a row of the table in Markdown."""
    right = wilson(sum(one.verdict.right for one in judged), len(judged))
    seconds = [one.answer.duration_s for one in judged]
    seconds_here = [one.answer.duration_s for one in here]
    ratio, total = paired_ratio(seconds, seconds_here), ratio_of_sums(seconds, seconds_here)
    prompt, output = (
        mean(getattr(one.answer, kind) for one in judged)
        for kind in ("prompt_tokens", "output_tokens")
    )
    return (
        f"| {name} | {right.middle:.0f} % ({right.low:.0f} to {right.high:.0f}) of {len(judged)} "
        f"| {median(seconds):.2f} | {ratio.middle:.2g} ({ratio.low:.2g} to {ratio.high:.2g}) "
        f"| {total.middle:.2g} ({total.low:.2g} to {total.high:.2g}) "
        f"| {prompt:.0f} | {output:.0f} |"
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--limit", type=int, default=10, help="cases of each category")
    parser.add_argument(
        "--samples", type=int, default=2, help="candidates of a request; 0 for the default"
    )
    parser.add_argument("--only", nargs="*", default=[], help="ways to measure beside this process")
    parser.add_argument("--folder", type=Path, default=default_folder(), help="for what is built")
    given = parser.parse_args(arguments)
    cases = [case for name in _CATEGORIES for case in load(_CASES, name, given.limit)]
    unmeasured = load(_CASES, _CATEGORIES[0], given.limit + 1)[-1]
    print("\n".join(describe()))
    wanted = {_HERE, *given.only}
    chosen = [way for way in ways(given.folder) if not given.only or way.name in wanted]
    judged = planned(chosen, [unmeasured, *cases], given.samples or None)
    print(_HEADER)
    for name, answers in judged.items():
        print(row(name, answers, judged[_HERE]))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
