"""The requests with the kind of answer that each should get, and whether a run gave it.

A kind is one of:

- capabilities: what this session can do, with example requests; no tool is called.
- small_talk: a short friendly sentence; no tool is called.
- refused: one sentence that says what cannot be done and what can; no tool is called.
- quoted: sentences of a file, said to be quoted from it.
- observed: what a tool gave.
- missing: the file that is named is not there, and the run says so.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, get_args

from okso_jupyter import Run

HERE: Final = Path(__file__).parent
FILES: Final = HERE / "files"
Kind = Literal["capabilities", "small_talk", "refused", "quoted", "observed", "missing"]
Part = Literal["tuned", "unseen"]
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)

_FINAL: Final = "final_answer"
_QUOTED: Final = re.compile(r"“[^”]*”")
#: The end of a sentence: no decimal point, no suffix of a file.
_END: Final = re.compile(r"[.!?](?=\s|$)")
_SHORT_CHARS: Final = 400
_LEAST_EXAMPLES: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A request and the answer that it should get.

    Attributes:
        request: The request.
        kind: The kind of answer.
        says: Texts that the answer holds, in any case.
        writes: Files that the run may make or change.
    """

    request: str
    kind: Kind
    says: tuple[str, ...] = ()
    writes: frozenset[str] = frozenset()


def load(part: Part) -> list[Case]:
    """Return the cases that the rules were tuned on, or those that were written afterwards."""
    rows = json.loads((HERE / "requests.json").read_text("utf-8"))[part]
    return [
        Case(
            request=row["request"],
            kind=row["kind"],
            says=tuple(row.get("says", ())),
            writes=frozenset(row.get("writes", ())),
        )
        for row in rows
    ]


def contents(folder: Path) -> dict[str, bytes]:
    """Return the files of a folder, by their path in it."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def flaw(case: Case, run: Run, before: Mapping[str, bytes], after: Mapping[str, bytes]) -> str:
    """Return why a run is not what the case asks for; empty where it is.

    Args:
        case: The case.
        run: Its run.
        before: The files before the run.
        after: The files after it.
    """
    return next(_flaws(case, run, before, after), "")


def _flaws(
    case: Case, run: Run, before: Mapping[str, bytes], after: Mapping[str, bytes]
) -> Iterator[str]:
    """Yield every reason."""
    names = {*before, *after}
    changed = {name for name in names if before.get(name) != after.get(name)}
    if changed != case.writes:
        yield f"it changed {sorted(changed) or 'no file'}"
    answer = run.answer or run.failure
    yield from (f"it does not say {text!r}" for text in case.says if not _says(answer, text))
    yield from _CHECKS[case.kind](run, answer)


def _says(answer: str, text: str) -> bool:
    return text.lower() in answer.lower()


def _called(run: Run) -> list[str]:
    """Return the tools that gave something."""
    seen = run.steps_seen
    return [o.call.tool for o in seen if o.call.tool != _FINAL and o.status == "completed"]


def _without_calls(run: Run) -> Iterator[str]:
    if run.state != "completed":
        yield f"the run is {run.state}"
    if any(seen.call.tool != _FINAL for seen in run.steps_seen):
        yield "it calls a tool"


def _capabilities(run: Run, answer: str) -> Iterator[str]:
    yield from _without_calls(run)
    if "file_read" not in answer:
        yield "it names no tools"
    if len(_QUOTED.findall(answer)) < _LEAST_EXAMPLES:
        yield "it gives no examples"


def _small_talk(run: Run, answer: str) -> Iterator[str]:
    yield from _without_calls(run)
    if not answer or len(answer) > _SHORT_CHARS or "\n" in answer or answer.startswith("I cannot"):
        yield "it is no short reply"


def _refused(run: Run, answer: str) -> Iterator[str]:
    yield from _without_calls(run)
    plain = _QUOTED.sub("", answer)
    if not answer.startswith("I cannot ") or "\n" in answer:
        yield "it is no refusal"
    elif len(_END.findall(plain)) != 1:
        yield "it is more than one sentence"
    elif "I can " not in plain:
        yield "it names nothing that can be done"


def _quoted(run: Run, answer: str) -> Iterator[str]:
    yield from _observed(run, answer)
    said, _, quoted = answer.partition("\n")
    seen = _flat("\n".join(o.text for o in run.steps_seen if o.call.tool != _FINAL))
    if not said.startswith("Quoted from "):
        yield "it is not said to be quoted"
    if not quoted.strip():
        yield "nothing is quoted"
    foreign = [line for line in quoted.splitlines() if _flat(line).removeprefix("- ") not in seen]
    if foreign:
        yield f"{foreign[0]!r} was not observed"
    if len(_flat(quoted)) > len(seen) / 2:
        yield "it is no summary: more than half is quoted"


def _flat(text: str) -> str:
    return " ".join(text.split())


def _observed(run: Run, _answer: str) -> Iterator[str]:
    if run.state != "completed":
        yield f"the run is {run.state}"
    if not _called(run):
        yield "nothing was observed"


def _missing(run: Run, answer: str) -> Iterator[str]:
    if _called(run):
        yield "something was read that was not asked for"
    if "no such file" not in answer and not answer.startswith("I cannot "):
        yield "it does not say what is missing"


_CHECKS: Final[Mapping[Kind, Callable[[Run, str], Iterator[str]]]] = {
    "capabilities": _capabilities,
    "small_talk": _small_talk,
    "refused": _refused,
    "quoted": _quoted,
    "observed": _observed,
    "missing": _missing,
}
