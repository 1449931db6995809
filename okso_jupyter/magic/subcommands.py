"""Arguments of each `%okso` subcommand; quick to import, since completion needs it first."""

from __future__ import annotations

import difflib
import re
import shlex
from collections.abc import Mapping, Sequence
from typing import Final, Literal

from okso_jupyter.errors import UsageError
from okso_jupyter.magic import options

Takes = Literal[
    "nothing",
    "a run",
    "a run to resume",
    "a run to undo",
    "a run to forget",
    "a run to write as code",
    "a run to export",
    "a plan",
    "a candidate",
    "weights",
    "tools",
    "settings",
    "a rating",
    "a file",
    "a file to trust",
    "a name to explain",
    "a model",
    "tools of the notebook",
    "an audit",
    "a policy",
    "servers",
]

TAKES: Final[Mapping[str, Takes]] = {
    "settings": "settings",
    "tools": "tools",
    "use": "tools of the notebook",
    "candidates": "a run",
    "ranking": "a run",
    "tree-stats": "a run",
    "why-not": "a candidate",
    "rescore": "weights",
    "what-if": "a run",
    "audit": "an audit",
    "plan": "a plan",
    "history": "a run",
    "observations": "a run",
    "trace": "a run",
    "ledger": "a run",
    "graph": "a run",
    "timeline": "a run",
    "report": "a run",
    "show": "a run",
    "undo": "a run to undo",
    "redo": "a run to undo",
    "record": "a file",
    "forget": "a run to forget",
    "cell": "a run to write as code",
    "export": "a run to export",
    "runs": "nothing",
    "workflows": "nothing",
    "policy": "a policy",
    "mcp": "servers",
    "trust": "a file to trust",
    "pause": "a run",
    "resume": "a run to resume",
    "feedback": "a rating",
    "init": "nothing",
    "doctor": "nothing",
    "models": "a model",
    "help": "a name to explain",
}
_USAGE: Final = """\
Plan the request in the cell, have the plan approved, run it, show the answer.

    %%okso --samples 5
    What is the mean of the temperature column in {{path}}?

The request is free text, and one of a single line may stand behind %okso. {{name}} in it stands for
a variable of the notebook: a word or number as it is, a table as its head, shape and dtypes; no
other brace means anything. The plan is shown in a form and nothing runs before you approve it,
unless --yes leaves that to a policy. The run is in _okso; NAME << binds it to NAME and shows
nothing, NAME= << binds and shows it.
"""
_BESIDE: Final = """\
%config OksoMagics sets options for all cells. In loops: Session().run(request). In async code:
await okso_jupyter.arun(request). %okso help explains the subcommands:
"""
#: Syntax of the words after a subcommand.
WORDS: Final[Mapping[Takes, str]] = {
    "nothing": "",
    "a run": "[RUN]",
    "a run to resume": "[list | RUN [STEP=ANSWER ...]]",
    "a run to undo": "[--dry-run] [RUN]",
    "a run to forget": "RUN | --older-than DAYS",
    "a run to write as code": "[--sql] [RUN]",
    "a run to export": "[RUN] --format otlp|jsonl|atif",
    "a plan": "[on | off | status | RUN]",
    "a candidate": "K [RUN]",
    "weights": "RULE=WEIGHT ... [RUN]",
    "tools": "[TOOL ...]",
    "settings": "[NAME ...]",
    "a rating": "[RATING [NOTE]]",
    "a file": "FILE [RUN]",
    "a file to trust": "[--show | --revoke] [FILE]",
    "a model": "[MODEL]",
    "tools of the notebook": "[[--off] TOOL ...]",
    "an audit": "[scores | rules | requests | prompt [RUN] | likelihood [RUN] | diff K L [RUN]]",
    "a policy": "[test TOOL NAME=VALUE ... | why|offer|allow [RUN] STEP | backtest]",
    "servers": "[add NAME -- COMMAND ... | add NAME URL | remove SERVER | try SERVER | "
    "accept SERVER | pin TOOL EFFECT ... | unpin TOOL]",
    "a name to explain": "[SUBCOMMAND | OPTION | SETTING | TOOL | RULE]",
}
_FILE_AND_RUN: Final = 2
#: Fewest words after a subcommand that may be the rest of a request.
_LEAST_WORDS: Final = 2
#: A word of a request, not the id of a run, a number or an assignment.
_PLAIN: Final = re.compile(r"[^\W\d_]+[?!.,]?")
#: Least similarity of a mistyped subcommand to the intended one, from 0 to 1.
_SLIP: Final = 0.8
#: Words that `%okso plan` takes in place of a run.
PLAN_WORDS: Final = ("on", "off", "status")
#: What `%okso audit` takes, and which of these are about one run.
AUDITS: Final = ("scores", "rules", "requests", "prompt", "likelihood", "diff")
#: What `%okso policy` takes.
POLICY_WORDS: Final = ("test", "why", "offer", "allow", "backtest")
#: What `%okso mcp` takes.
MCP_WORDS: Final = ("add", "remove", "try", "accept", "pin", "unpin")
#: The option of `%okso cell` for SQL in place of pandas.
SQL: Final = "--sql"
#: The option of `%okso export` for the format, and the formats.
FORMAT: Final = "--format"
EXPORT_FORMATS: Final = ("otlp", "jsonl", "atif")
#: Options before the file in `%okso trust`.
TRUST_OPTIONS: Final = ("--show", "--revoke")
_MOST_WORDS: Final[Mapping[Takes, int]] = {
    "nothing": 0,
    "a run": 1,
    "a run to undo": 1,
    "a run to write as code": 1,
    "a plan": 1,
    "a name to explain": 1,
    "a model": 1,
}


def is_request(line: str) -> bool:
    """Return whether a line is a request in plain words, not a subcommand.

    It is a subcommand if its first word is the name of one or its only word, or if the first word
    nearly is a name and no plain word follows: "how many rows" is a request, "undoo 7" is not.
    "export the bills to b.csv" is one too, since the subcommand names a format.
    """
    first, *others = line.split() or [""]
    if first == "export" and FORMAT not in others:
        return any(_PLAIN.fullmatch(word) for word in others)
    if not others or first in TAKES or first.startswith("-"):
        return False
    return not _near(first) or any(_PLAIN.fullmatch(word) for word in others)


def words_of(line: str) -> tuple[str, list[str]]:
    """Return a subcommand and its words, checked before anything is loaded.

    Raises:
        UsageError: The line cannot be read, there is no such subcommand, or it does not take
            these words.
    """
    try:
        name, *words = shlex.split(line) or ["help"]
    except ValueError as error:
        msg = f"%okso: the line cannot be read: {error}"
        hint = "a quotation mark stands for itself behind a backslash"
        raise UsageError(msg, hint=hint) from error
    try:
        check(name, words)
    except UsageError as error:
        raise as_perhaps_request(error, name, words) from None
    return name, words


def as_perhaps_request(error: UsageError, name: str, words: Sequence[str]) -> UsageError:
    """Return an error that also says where a request stands, if the words may be one."""
    if name not in TAKES or len(words) < _LEAST_WORDS or any("=" in word for word in words):
        return error
    hint = f"{error.hint}; a request that begins with {name!r} stands below %%okso"
    return UsageError(error.message, hint=hint)


def _near(name: str) -> str:
    """Return the subcommand that a word names or nearly names; empty where there is none."""
    return next(iter(difflib.get_close_matches(name, TAKES, n=1, cutoff=_SLIP)), "")


def check(name: str, words: Sequence[str]) -> None:
    """Check a subcommand and its words before anything is loaded.

    Raises:
        UsageError: There is no such subcommand, or it does not take these words.
    """
    if name.startswith("-"):
        msg = f"%okso: {name} is not a subcommand"
        hint = "options stand on the line of %%okso, the request below it"
        raise UsageError(msg, hint=hint)
    if name not in TAKES:
        near = difflib.get_close_matches(name, TAKES, n=1)
        msg = f"%okso: there is no subcommand {name!r}"
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(TAKES)}"
        hint += "; a request of one word stands below %%okso" if not near else ""
        raise UsageError(msg, hint=hint)
    if TAKES[name] == "a file" and not 0 < len(words) <= _FILE_AND_RUN:
        msg = f"%okso {name} takes a file, and the id of a run where it is not the last one"
        raise UsageError(msg, hint=f"%okso {name} FILE [RUN]")
    if TAKES[name] == "a file to trust" and not _are_of_trust(words):
        msg = f"%okso {name} takes one file, or nothing, and was given {' '.join(words)!r}"
        raise UsageError(msg, hint=f"%okso {name} [{' | '.join(TRUST_OPTIONS)}] FILE")
    if TAKES[name] == "a run to resume":
        _check_resume(words)
    if TAKES[name] == "a run to undo":
        words = [word for word in words if word != "--dry-run"]
    if TAKES[name] == "a run to write as code":
        words = [word for word in words if word != SQL]
    most = _MOST_WORDS.get(TAKES[name])
    if most is not None and len(words) > most:
        one = "name" if TAKES[name] == "a name to explain" else "run"
        takes = "nothing" if most == 0 else f"one {one} at most"
        msg = f"%okso {name} takes {takes}, and was given {' '.join(words)!r}"
        raise UsageError(msg, hint="%okso help lists the subcommands")


def _check_resume(words: Sequence[str]) -> None:
    """Raise UsageError for answers without the id of their run, or for words after `list`."""
    if words and "=" in words[0]:
        msg = f"%okso resume: {words[0]!r} is an answer, and the id of its run is missing"
        raise UsageError(msg, hint="%okso resume RUN STEP=ANSWER; %okso resume list shows the ids")
    if words[1:] and words[0] == "list":
        msg = f"%okso resume list takes nothing, and was given {' '.join(words[1:])!r}"
        raise UsageError(msg, hint="%okso resume RUN STEP=ANSWER resumes a run")


def check_part(command: str, part: str, parts: Sequence[str]) -> None:
    """Raise UsageError for a word after a subcommand that is none of its parts."""
    if part in parts:
        return
    near = difflib.get_close_matches(part, parts, n=1)
    hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(parts)}"
    msg = f"%okso {command}: there is no {part!r}"
    raise UsageError(msg, hint=hint)


def no_such_plan(word: str) -> UsageError:
    """Return the error for a word after `%okso plan` that is not the id of a run."""
    near = difflib.get_close_matches(word.lower(), PLAN_WORDS, n=1)
    msg = f"%okso plan: {word!r} is neither {', '.join(PLAN_WORDS)} nor the id of a run"
    hint = f"did you mean {near[0]}?" if near else "%okso runs lists the runs"
    return UsageError(msg, hint=hint)


def _are_of_trust(words: Sequence[str]) -> bool:
    """Return whether there are no words, a file, or an option with a file."""
    is_option = bool(words) and words[0] in TRUST_OPTIONS
    return not words or (len(words) == 1 + is_option and not words[-1].startswith("-"))


def usage() -> str:
    """Return the usage of a cell with all options, which `%%okso?` shows."""
    return f"{_USAGE}\n{options.parser().format_help()}\n{_BESIDE}\n%okso: {', '.join(TAKES)}\n"
