"""`%okso audit`: the plans of all runs by their points and rules, or parts of one run's choice."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from okso_jupyter.audit.journal_audit import JournalAudit
from okso_jupyter.errors import UsageError
from okso_jupyter.legible import visible
from okso_jupyter.magic.command_context import CommandContext
from okso_jupyter.magic.subcommands import AUDITS

if TYPE_CHECKING:
    import pandas as pd

_CANDIDATES_COMPARED: Final = 2


def audit(asked: CommandContext) -> JournalAudit | pd.DataFrame | str:
    """What became of plans by points and rules, in all runs; prompt and candidates of one run."""
    if not asked.words:
        return _journal(asked)
    part, *words = asked.words
    if part not in _PARTS:
        near = difflib.get_close_matches(part, _PARTS, n=1)
        msg = f"%okso audit: there is no audit {part!r}"
        raise UsageError(
            msg, hint=f"did you mean {near[0]}?" if near else f"there are {', '.join(AUDITS)}"
        )
    return _PARTS[part](replace(asked, words=words))


def _journal(asked: CommandContext) -> JournalAudit:
    """Return the audit of all runs.

    Raises:
        UsageError: There are words that it does not take.
    """
    if asked.words:
        msg = f"%okso audit takes no {' '.join(asked.words)!r} there: it is about all runs"
        raise UsageError(msg, hint="%okso help audit")
    with asked.session() as session:
        return session.audit()


def _prompt(asked: CommandContext) -> str:
    prompt = replace(asked, words=_one_run(asked.words)).run().prompt
    return visible(prompt) or "no model was asked for a plan of this run: it has no prompt"


def _likelihood(asked: CommandContext) -> pd.DataFrame:
    return replace(asked, words=_one_run(asked.words)).run().likelihoods


def _diff(asked: CommandContext) -> pd.DataFrame:
    """Return the differences of two candidates.

    Raises:
        UsageError: The words are not two numbers, and perhaps a run.
    """
    numbers, words = asked.words[:_CANDIDATES_COMPARED], asked.words[_CANDIDATES_COMPARED:]
    if len(numbers) < _CANDIDATES_COMPARED or not all(n.isascii() and n.isdigit() for n in numbers):
        msg = "%okso audit diff: which two candidates?"
        raise UsageError(msg, hint="such as: %okso audit diff 1 2; %okso candidates lists them")
    run = replace(asked, words=_one_run(words)).run()
    return run.compare(*map(int, numbers))


def _one_run(words: list[str]) -> list[str]:
    """Return the id of a run, or none.

    Raises:
        UsageError: There is more than one word.
    """
    if len(words) > 1:
        msg = f"%okso audit takes one run at most there, and was given {' '.join(words)!r}"
        raise UsageError(msg, hint="%okso runs lists them")
    return words


_PARTS: Final[Mapping[str, Callable[[CommandContext], pd.DataFrame | str]]] = {
    "scores": lambda asked: _journal(asked).scores,
    "rules": lambda asked: _journal(asked).rules,
    "requests": lambda asked: _journal(asked).requests,
    "prompt": _prompt,
    "likelihood": _likelihood,
    "diff": _diff,
}
