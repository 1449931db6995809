"""Parser of the `%%okso` line: a name to bind, and options."""

from __future__ import annotations

import argparse
import difflib
import keyword
import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, NoReturn

from okso_jupyter.errors import UsageError

_REPLAY = "replay="
_TARGET = re.compile(r"^\s*([^\W\d]\w*)(\s*=)?\s*<<(.*)$", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class CellOptions:
    """The parsed line of a cell.

    Attributes:
        target: Name that the run is bound to, in addition to `_okso`; empty for none.
        shows: Whether the run is shown; a cell that only binds shows nothing.
        inputs: Names of the variables that Python gets a copy of.
        outputs: Names of the variables that are taken back.
        settings: Settings by name in capitals.
        approve: "ask", "auto", "deny" or "replay=FILE".
        plan_only: Return the planning before anything is shown for approval.
        dry_run: List the approved calls and run none.
        may_replace: Files whose content "auto" may approve to be replaced.
        debug: Show errors with their stack.
    """

    target: str
    shows: bool
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    settings: Mapping[str, Any]
    approve: str | None
    plan_only: bool
    dry_run: bool
    may_replace: tuple[str, ...]
    debug: bool


class _Parser(argparse.ArgumentParser):
    """Argument parser that raises UsageError."""

    def error(self, message: str) -> NoReturn:
        unknown = re.search(r"unrecognized arguments: (\S+)", message)
        hint = "%okso help lists the options"
        if unknown:
            near = difflib.get_close_matches(unknown[1].split("=")[0], self.known(), n=1)
            hint = f"did you mean {near[0]}?" if near else hint
        msg = f"%%okso: {message}"
        raise UsageError(msg, hint=hint)

    def known(self) -> dict[str, argparse.Action]:
        """Return every option by its name."""
        return {option: action for action in self._actions for option in action.option_strings}


class _Policies(tuple[str, ...]):
    """The values of `--approve`; `replay=` is followed by a file."""

    __slots__ = ()

    def __contains__(self, word: object) -> bool:
        """Return whether a word is one of the values."""
        named = str(word).startswith(_REPLAY) and word != _REPLAY
        return named or (super().__contains__(word) and word != f"{_REPLAY}FILE")


_POLICIES = _Policies(("ask", "auto", "deny", f"{_REPLAY}FILE"))


def known() -> dict[str, argparse.Action]:
    """Return every option by its name, such as "--yes"."""
    return parser().known()


def parser() -> _Parser:
    """Return the parser of the options; its help is the help of the magic."""
    made = _Parser(
        prog="%%okso [NAME <<]",
        description="Plan the request in the cell, have the plan approved, run it.",
        add_help=False,
        allow_abbrev=False,
        exit_on_error=False,
        formatter_class=partial(argparse.HelpFormatter, width=88),  # in any terminal
    )
    add = made.add_argument
    add("--approve", choices=_POLICIES, help="who decides about the plan")
    add("--yes", action="store_true", help="the same as --approve auto")
    add("--confirm", action="store_true", help="always ask, whatever else is set")
    add("--dry-run", action="store_true", help="list the approved calls and run none")
    add(
        "--may-replace",
        metavar="PATH",
        action="append",
        default=[],
        help="file whose content --yes may approve to be replaced; repeatable",
    )
    add("--plan-only", action="store_true", help="plan and return the planning")
    add("--samples", metavar="N", help="candidates to sample")
    add("--temperature", metavar="T", help="sampling temperature, 0 to 1")
    add("--seed", metavar="N", help="seed of the first candidate")
    add(
        "--model",
        metavar="SPEC",
        help="model: bundled, auto, a GGUF file, repo[:file], or http(s)://host/v1#model",
    )
    add("--mode", choices=["plan", "react", "call"], help="who makes the calls of the plan")
    name: dict[str, Any] = {"metavar": "NAME", "action": "append", "default": []}
    add("--record", metavar="FILE", help="add the run to a recording, raw and private")
    add("--replay", metavar="FILE", help="play a recording back; nothing is asked live")
    add("--in", dest="inputs", help="variable that Python gets a copy of; repeatable", **name)
    add(
        "--out",
        dest="outputs",
        help="variable to take back, of Python or a query; repeatable",
        **name,
    )
    add("--set", metavar="NAME=VALUE", action="append", default=[], help="any setting; repeatable")
    add("--keep-going", action="store_true", help="print why a run did not complete; raise nothing")
    add("--verbose", action="store_true", help="log everything, prompts too")
    add("--quiet", action="store_true", help="log warnings only, show the answer only")
    add("--debug", action="store_true", help="show errors with their stack")
    return made


def parse(line: str) -> CellOptions:
    """Parse the line of a cell.

    Raises:
        UsageError: The line cannot be parsed; the message names the part.
    """
    target, shows, rest = _target(line)
    try:
        words = shlex.split(rest)
    except ValueError as error:
        msg = f"%%okso: the options cannot be read: {error}"
        raise UsageError(msg, hint="the request itself goes below the first line") from error
    try:
        given = parser().parse_args(words)
    except argparse.ArgumentError as error:
        msg = f"%%okso: {error}"
        raise UsageError(msg, hint="%okso help lists the options") from error
    if given.yes and given.approve not in (None, "auto"):
        msg = f"%%okso: --yes and --approve {given.approve} contradict each other"
        raise UsageError(msg)
    if given.verbose and given.quiet:
        msg = "%%okso: --verbose and --quiet contradict each other"
        raise UsageError(msg)
    return CellOptions(
        target=target,
        shows=shows,
        inputs=tuple(dict.fromkeys(given.inputs)),
        outputs=tuple(dict.fromkeys(given.outputs)),
        settings=_settings(given),
        approve="auto" if given.yes else given.approve,
        plan_only=given.plan_only,
        dry_run=given.dry_run,
        may_replace=tuple(dict.fromkeys(given.may_replace)),
        debug=given.debug,
    )


def _target(line: str) -> tuple[str, bool, str]:
    """Return the name before `<<`, whether the run is shown, and the rest of the line."""
    match = _TARGET.match(line)
    if match is None or keyword.iskeyword(match[1]):
        if "<<" in line:
            msg = f"%%okso: {line.partition('<<')[0].strip()!r} is not a name to bind"
            raise UsageError(msg, hint="write %%okso NAME << or %%okso NAME= <<")
        return "", True, line
    return match[1], match[2] is not None, match[3]


def _settings(given: argparse.Namespace) -> dict[str, Any]:
    """Return the settings that the options set, by name in capitals."""
    found: dict[str, Any] = {}
    for assignment in given.set:
        name, equals, value = assignment.partition("=")
        if not equals:
            msg = f"%%okso: --set {assignment!r} is not NAME=VALUE"
            raise UsageError(msg)
        found[name] = value
    for option, name in (
        ("samples", "PLANNER_SAMPLE_COUNT"),
        ("temperature", "PLANNER_TEMPERATURE"),
        ("seed", "PLANNER_SEED"),
        ("model", "PLANNER_MODEL_SPEC"),
        ("mode", "EXECUTOR_MODE"),
        ("record", "OKSO_RECORD"),
        ("replay", "OKSO_REPLAY"),
    ):
        if getattr(given, option) is not None:
            found[name] = getattr(given, option)
    if given.keep_going:
        found["KEEP_GOING"] = True
    if given.confirm:
        found["FORCE_CONFIRM"] = True
    if given.verbose or given.quiet:
        found["VERBOSITY"] = 2 if given.verbose else 0
    return found
