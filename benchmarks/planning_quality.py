"""How often a plan is the right one: this planner beside others, on the same model and cases.

    python -m benchmarks.planning_quality [--limit N] [--category NAME ...] [--csv FILE]

The cases are those of the Berkeley Function-Calling Leaderboard (package `bfcl-eval`), a file of
JSON lines per category; `docs/planning_quality.md` says more and shows figures.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Final

if not __package__:  # run as a file: the folder above is not on the path yet
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import machine
from benchmarks.quality import table, versions
from benchmarks.quality.answers import AnswerFile, Judged
from benchmarks.quality.cases import CasesError, categories, load
from benchmarks.quality.contestants import (
    Contestant,
    FunctionCalling,
    Planner,
    SingleGeneration,
    model_name,
)
from benchmarks.quality.ideal_server import AskingIdeal, IdealServer
from benchmarks.workers import WorkerError
from okso_jupyter import OksoError, Session, Settings
from okso_jupyter.llm.protocol import LanguageModel
from okso_jupyter.llm.registry import is_address
from okso_jupyter.llm.specs import BUNDLED, find_weights

_CASES: Final = Path("../shared/bfcl-dev")
_IDEAL: Final = "ideal"
#: Between these the figures stand in `docs/planning_quality.md`.
_BEGIN: Final = "<!-- figures of {} -->\n"
_END: Final = "<!-- end of figures -->"
_PLAIN: Final = 3


def main(arguments: Sequence[str] | None = None) -> int:
    """Plan, judge, print; return 0 when everything that was asked for was measured."""
    parser = _parser()
    given = parser.parse_args(arguments)
    try:
        wanted = _categories(given.cases, given.category)
        answers = AnswerFile(given.csv)
        with tempfile.TemporaryDirectory(prefix="okso-quality-") as scratch, ExitStack() as stack:
            contestants = _contestants(given, Path(scratch), stack)
            print("\n".join(_facts(contestants)), flush=True)
            judged = list(_judged(given, wanted, contestants, answers))
    except (CasesError, ValueError, OSError, WorkerError, OksoError) as error:
        parser.error(str(error))
    found = table.rows(judged)
    compared = [versions.as_markdown(judged, answers)] if given.versions else []
    below = "\n\n".join([table.cost(judged), *compared])
    print("\n\n".join(["", table.as_text(found), below, *table.without_answer(judged)]))
    if given.markdown:
        facts = "\n".join(f"- {fact}" for fact in _facts(contestants))
        text = f"{facts}\n\n{table.as_markdown(found)}\n\n{below}"
        _write(given.markdown, _BEGIN.format(given.model), text)
    return 0


def _write(file: Path, begin: str, text: str) -> None:
    """Write the figures to a file: between its marks, where it has them."""
    before, mark, rest = file.read_text("utf-8").partition(begin) if file.exists() else ("",) * 3
    _, end, after = rest.partition(_END)
    whole = f"{before}{mark}\n{text}\n\n{end}{after}" if mark and end else f"{text}\n"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(whole, "utf-8")


def _facts(contestants: Sequence[Contestant]) -> list[str]:
    """Return what the figures depend on."""
    key = contestants[0].key
    settings = key.settings or "default"
    return [*machine.describe(), f"model: {key.model}", f"settings: {settings}, code: {key.code}"]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="planning_quality", description=__doc__.split("\n")[0], allow_abbrev=False
    )
    add = parser.add_argument
    add("--cases", type=Path, default=_CASES, metavar="DIR", help=f"the data ({_CASES})")
    add("--category", nargs="+", metavar="NAME", help="files of the data (all)")
    add("--limit", type=_positive, metavar="N", help="cases of each category, spread over it (all)")
    add(
        "--model",
        default=BUNDLED,
        metavar="SPEC",
        help="any spec of a model; ideal is a server that knows the accepted calls",
    )
    add("--samples", type=_positive, metavar="N", help="candidates of a plan (the default setting)")
    add(
        "--set",
        action="append",
        default=[],
        type=_setting,
        metavar="NAME=VALUE",
        help="a setting; repeatable",
    )
    add("--label", metavar="TEXT", help="a name for this version of the planner, see --versions")
    add(
        "--peers",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="single generation and llama-cpp-python's function calling too",
    )
    add(
        "--plain",
        type=int,
        default=_PLAIN,
        metavar="N",
        help=f"cases of each category whose plain batch of candidates is timed too ({_PLAIN})",
    )
    add(
        "--csv",
        type=Path,
        metavar="FILE",
        help="keeps every answer; what it has is not asked again",
    )
    add(
        "--versions",
        action="store_true",
        help="show beside it the other versions of the planner that FILE has",
    )
    add("--markdown", type=Path, metavar="FILE", help="the table as Markdown")
    return parser  # fmt: skip


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        msg = f"must be a whole number from 1 on, not {text!r}"
        raise argparse.ArgumentTypeError(msg)
    return int(text)


def _setting(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        msg = f"must be NAME=VALUE, not {text!r}"
        raise argparse.ArgumentTypeError(msg)
    return name, value


def _categories(folder: Path, wanted: Sequence[str] | None) -> Sequence[str]:
    """Return the categories to do.

    Raises:
        CasesError: One of them is not there, or no data at all.
    """
    there = categories(folder)
    for name in wanted or ():
        if name not in there:
            msg = f"there is no category {name!r} in {folder}: it has {', '.join(there)}"
            raise CasesError(msg)
    return wanted or there


def _contestants(given: argparse.Namespace, scratch: Path, stack: ExitStack) -> list[Contestant]:
    """Return who answers, the model loaded."""
    if given.model != _IDEAL:
        return _asking(given, given.model, scratch, stack)
    server = stack.enter_context(IdealServer())
    return [AskingIdeal(each, server) for each in _asking(given, server.spec, scratch, stack)]


def _asking(
    given: argparse.Namespace, spec: str, scratch: Path, stack: ExitStack
) -> list[Contestant]:
    """Return who asks a model."""
    root = scratch / "root"
    root.mkdir()
    settings = _settings(spec, scratch / "home", dict(given.set))
    model = stack.enter_context(Session(settings, tools=(), root=root)).model("planner")
    said = " ".join([*([given.label] if given.label else ()),
                     *(f"{name}={value}" for name, value in sorted(given.set))])  # fmt: skip
    planner = Planner(model=model, settings=settings, said=said, samples=given.samples, root=root)
    return [planner, *(_peers(spec, model, settings, stack) if given.peers else ())]


def _settings(spec: str, home: Path, chosen: Mapping[str, str]) -> Settings:
    """Return the defaults and what was chosen; of the environment only the key of a server."""
    key = os.environ.get("OKSO_API_KEY")
    keys = {"OKSO_API_KEY": key} if key else {}
    return Settings.of({"OKSO_HOME": str(home), "PLANNER_MODEL_SPEC": spec, **keys, **chosen})


def _peers(
    spec: str, model: LanguageModel, settings: Settings, stack: ExitStack
) -> Iterator[Contestant]:
    yield SingleGeneration(model=model)
    if is_address(spec):
        print("llama-cpp-python is left out: it runs files, and this model is on a server")
        return
    peer = FunctionCalling(
        find_weights(spec),
        model_name(model),
        context_tokens=settings.llama_default_context_size,
        threads=model.identity.threads,
    )
    yield stack.enter_context(closing(peer))


def _judged(
    given: argparse.Namespace,
    wanted: Sequence[str],
    contestants: Sequence[Contestant],
    answers: AnswerFile,
) -> Iterator[Judged]:
    """Yield every answer, judged; one that is not known yet is asked for and written down."""
    keys = [contestant.key for contestant in contestants]
    for category in wanted:
        for place, case in enumerate(load(given.cases, category, given.limit)):
            for contestant, key in zip(contestants, keys, strict=True):
                known = answers.known(key, case)
                answer = known or contestant.answer(case, plain_too=place < given.plain)
                judged = Judged(key=key, case=case, answer=answer)
                if known is None:
                    answers.add(judged)
                    _say(judged)
                yield judged


def _say(judged: Judged) -> None:
    """Print one line about an answer that was just given."""
    mark = "right" if judged.verdict.right else "tools" if judged.verdict.right_tools else "wrong"
    answer = judged.answer
    print(
        f"{judged.case.name:32} {judged.key.contestant:18} {mark}  {answer.duration_s:6.2f} s  "
        f"{answer.error}".rstrip(),
        flush=True,
    )


if __name__ == "__main__":
    sys.exit(main())
