"""What words each subcommand of `%okso` takes; light, since Tab asks for it first."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from typing import Final, Literal

from okso_jupyter.errors import UsageError
from okso_jupyter.magic import options

Takes = Literal[
    "nothing",
    "a run",
    "a run to resume",
    "a plan",
    "a candidate",
    "weights",
    "tools",
    "settings",
    "a rating",
    "a file",
]

TAKES: Final[Mapping[str, Takes]] = {
    "settings": "settings",
    "tools": "tools",
    "candidates": "a run",
    "ranking": "a run",
    "tree-stats": "a run",
    "why-not": "a candidate",
    "rescore": "weights",
    "what-if": "a run",
    "plan": "a plan",
    "history": "a run",
    "observations": "a run",
    "trace": "a run",
    "ledger": "a run",
    "graph": "a run",
    "timeline": "a run",
    "report": "a run",
    "undo": "a run",
    "redo": "a run",
    "record": "a file",
    "runs": "nothing",
    "workflows": "nothing",
    "pause": "a run",
    "resume": "a run to resume",
    "feedback": "a rating",
    "init": "nothing",
    "doctor": "nothing",
    "help": "nothing",
}
_USAGE: Final = """\
Plan the request in the cell, have the plan approved, run it, show the answer.

    %%okso --samples 5
    What is the mean of the temperature column in {{path}}?

The request is free text. {{name}} in it stands for a variable of the notebook: a word or number as
it is, a table as its head, shape and dtypes; no other brace means anything. The plan is shown in a
form and nothing runs before you approve it, unless --yes leaves that to a policy. The run is in
_okso; NAME << binds it to NAME and shows nothing, NAME= << binds and shows it.
"""
_BESIDE: Final = """\
%config OksoMagics sets options for all cells. In loops: Session().run(request). In async code:
await okso_jupyter.arun(request). %okso help explains the subcommands:
"""
_FILE_AND_RUN: Final = 2
_MOST_WORDS: Final[Mapping[Takes, int]] = {
    "nothing": 0,
    "a run": 1,
    "a run to resume": 1,
    "a plan": 1,
}


def check(name: str, words: Sequence[str]) -> None:
    """Refuse what makes no sense before anything is looked up.

    Raises:
        UsageError: There is no such subcommand, or it takes fewer words.
    """
    if name not in TAKES:
        near = difflib.get_close_matches(name, TAKES, n=1)
        msg = f"%okso: there is no subcommand {name!r}"
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(TAKES)}"
        raise UsageError(msg, hint=hint)
    if TAKES[name] == "a file" and not 0 < len(words) <= _FILE_AND_RUN:
        msg = f"%okso {name} takes a file, and the id of a run where it is not the last one"
        raise UsageError(msg, hint=f"%okso {name} FILE [RUN]")
    most = _MOST_WORDS.get(TAKES[name])
    if most is not None and len(words) > most:
        takes = "nothing" if most == 0 else "one run at most"
        msg = f"%okso {name} takes {takes}, and was given {' '.join(words)!r}"
        raise UsageError(msg, hint="%okso help lists the subcommands")


def usage() -> str:
    """Return how a cell is written, with all options; this is what `%%okso?` shows."""
    return f"{_USAGE}\n{options.parser().format_help()}\n{_BESIDE}\n%okso: {', '.join(TAKES)}\n"
