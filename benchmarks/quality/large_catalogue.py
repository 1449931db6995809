"""Whether planning scales with the catalogue: each case's functions hidden among a hundred tools.

    python -m benchmarks.quality.large_catalogue [--cases DIR] [--limit N] [--tools N] [--model]

The catalogue is the built-in tools and functions of other cases. Printed are the share of requests
whose accepted tools are all offered (95 % interval), the characters of the prompt, and the
milliseconds of a prompt. With --model the bundled model plans requests over the large catalogue
and over the built-in one; tokens and seconds of those after the first are compared.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Final

from benchmarks.comparison import REQUESTS
from benchmarks.quality.cases import Case, load
from benchmarks.quality.table import wilson
from benchmarks.quality.watched import WatchedModel
from benchmarks.sections.as_it_works import FILES
from okso_jupyter import Session, Settings, Tool
from okso_jupyter.plan.plan import FINAL_TOOL
from okso_jupyter.planning.prompt.builder import PlannerPrompt, make_prompts
from okso_jupyter.session.tool_set import catalog

_CASES: Final = Path("../shared/bfcl-dev")
#: Those with accepted calls. Functions of the first are what the others are hidden among.
_CATEGORIES: Final = (
    "simple_python", "multiple", "parallel", "parallel_multiple", "live_simple", "live_multiple",
    "live_parallel", "live_parallel_multiple",
)  # fmt: skip
_TOOLS: Final = 100
#: Requests for which the model writes something; the first reads the catalogue.
_PLANNED: Final = REQUESTS[1:]


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What the planner makes of a request over a large catalogue.

    Attributes:
        case: The case.
        missing: The accepted tools that no step may call.
        chars: Characters of the messages; the schema is a grammar and takes no context.
        took_ms: Milliseconds of the first prompt.
    """

    case: Case
    missing: frozenset[str]
    chars: int
    took_ms: float


def hidden_among(case: Case, cases: Sequence[Case], count: int) -> dict[str, Tool]:
    """Return a catalogue of `count` tools: built-in ones, the case's, and those of other cases."""
    tools = dict(catalog(None)) | {tool.name: tool for tool in case.tools()}
    for other in cases:
        for tool in other.tools():
            if len(tools) >= count:
                return tools
            tools.setdefault(tool.name, tool)
    return tools


def found(case: Case, tools: Mapping[str, Tool]) -> Found:
    """Return whether the accepted tools of a case are offered."""
    started = time.perf_counter()
    prompt = next(iter(_prompts(case.request, tools)))
    took_ms = 1000 * (time.perf_counter() - started)
    offered = {known.tool for known in prompt.ranked if known.offered}
    wanted = {name for accepted in case.accepted for name in accepted}
    plain = {name.replace(".", "_") for name in offered}
    missing = frozenset(name for name in wanted if name.replace(".", "_") not in plain)
    return Found(case=case, missing=missing, chars=size_of(prompt), took_ms=took_ms)


def _prompts(request: str, tools: Mapping[str, Tool]) -> Iterator[PlannerPrompt]:
    budget = Settings.of({}).planner_max_plan_steps
    return make_prompts(request, tools=tools, workspace=None, budget=budget)


def size_of(prompt: PlannerPrompt) -> int:
    """Return the characters of a prompt's messages."""
    return sum(len(message.content) for message in prompt.messages)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What the bundled model does for one request.

    Attributes:
        tokens: Tokens of the prompt that were read anew, and those of all completions.
        took_s: Seconds of the processor, which others may use meanwhile.
    """

    tokens: int
    took_s: float


def later_costs(tools: Mapping[str, Tool]) -> list[Cost]:
    """Return what requests after the first cost over a catalogue.

    Raises:
        ValueError: The model wrote nothing for one of them, so that there is nothing to compare.
    """
    own = [tool for name, tool in tools.items() if name != FINAL_TOOL]
    with tempfile.TemporaryDirectory(prefix="okso-catalogue-") as folder:
        for name, text in FILES.items():
            (Path(folder) / name).write_text(text, "utf-8")
        settings = Settings.of({"OKSO_HOME": f"{folder}/home"})
        with Session(settings, tools=(), root=folder) as opened:
            watched = WatchedModel(opened.model("planner"))
        with Session(settings, tools=own, model=watched, root=folder) as session:
            return [_cost(session, watched, request) for request in _PLANNED][1:]


def _cost(session: Session, watched: WatchedModel, request: str) -> Cost:
    watched.seen.clear()
    started = time.process_time()
    session.plan(request, seed=1)
    took_s = time.process_time() - started
    if not watched.seen:
        msg = f"the model was not asked for {request!r}"
        raise ValueError(msg)
    firsts = [exchange.completions[0] for exchange in watched.seen]
    read = sum(first.prompt_tokens - first.cached_tokens for first in firsts)
    written = sum(each.output_tokens for exchange in watched.seen for each in exchange.completions)
    return Cost(tokens=read + written, took_s=took_s)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a line for each category, then sizes and times."""
    parser = argparse.ArgumentParser(prog="large_catalogue", description=__doc__.split("\n")[0])
    parser.add_argument("--cases", type=Path, default=_CASES, metavar="DIR")
    parser.add_argument("--limit", type=int, default=40, metavar="N", help="cases of each category")
    parser.add_argument("--tools", type=int, default=_TOOLS, metavar="N")
    parser.add_argument("--model", action="store_true", help="time the bundled model, too")
    parser.add_argument("--show", action="store_true", help="the requests whose tool is missing")
    given = parser.parse_args(arguments)
    others = load(given.cases, _CATEGORIES[0])
    every: list[Found] = []
    for category in _CATEGORIES:
        cases = load(given.cases, category, given.limit)
        results = [found(case, hidden_among(case, others, given.tools)) for case in cases]
        every += results
        print(_line(category, results), flush=True)
        for one in results:
            if given.show and one.missing:
                print(f"  {sorted(one.missing)}: {one.case.request[:160]!r}")
    print(_line("all", every))
    if given.model:
        large = later_costs(hidden_among(every[0].case, others, given.tools))
        for request, many, few in zip(_PLANNED[1:], large, later_costs(catalog(None)), strict=True):
            tokens = f"{many.tokens} tokens, {many.tokens / few.tokens:.2f} times {few.tokens}"
            print(f"{tokens}; {many.took_s:.1f} s beside {few.took_s:.1f}: {request!r}")
    return 0


def _line(name: str, results: Sequence[Found]) -> str:
    spread = wilson(sum(not one.missing for one in results), len(results))
    chars = sorted(one.chars for one in results)
    return (
        f"{name:22} offered {spread.middle:5.1f} % of {len(results)} "
        f"({spread.low:.0f} to {spread.high:.0f}), {chars[len(chars) // 2]} characters "
        f"(most {chars[-1]}), {median(one.took_ms for one in results):.0f} ms"
    )


if __name__ == "__main__":
    sys.exit(main())
