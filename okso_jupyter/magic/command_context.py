"""CommandContext: the words of a `%okso` subcommand and the notebook state that it may read."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from okso_jupyter.errors import JournalError, UsageError
from okso_jupyter.magic.used_tools import UsedTools
from okso_jupyter.planning.outcome import Planning
from okso_jupyter.results import Run
from okso_jupyter.resume.checks import check_owner, owner_of
from okso_jupyter.session.session import Session
from okso_jupyter.settings import Settings
from okso_jupyter.views.shown_text import ShownText

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class CommandContext:
    """Input of one subcommand.

    Attributes:
        words: The words after its name.
        last: The value of `_okso`.
        config: Settings from `%config`.
        variables: The notebook's variables.
        display: IPython's display function.
        new_cell: Puts a text into a new cell of the notebook.
        used: The tools that `%okso use` took from the notebook.
    """

    words: list[str]
    last: object
    config: Mapping[str, Any]
    variables: Mapping[str, object]
    display: Callable[..., Any]
    new_cell: Callable[[str], object] = print
    used: UsedTools = field(default_factory=UsedTools)

    @property
    def settings(self) -> Settings:
        """The settings of the notebook, those of `%config` included."""
        return Settings.load(self.config)

    def session(self) -> Session:
        """Return a session with these settings and the notebook's own tools."""
        session = Session(self.settings)
        session.use(*self.used.tools(self.variables))
        return session

    def rows_of(self, table: pd.DataFrame, kind: str) -> pd.DataFrame:
        """Return the rows that the words name; all rows where there are no words.

        Raises:
            UsageError: There is no such row.
        """
        for name in self.words:
            if name not in table.index:
                known = {str(one).casefold(): one for one in table.index}
                near = difflib.get_close_matches(name.casefold(), known, n=1)
                msg = f"there is no {kind} {name!r}"
                way = f"did you mean {known[near[0]]}?" if near else f"%okso {kind}s lists them"
                raise UsageError(msg, hint=way)
        return table.loc[self.words] if self.words else table

    def run(self) -> Run:
        """Return the run to inspect: the one named by id, else the last one of this kernel.

        A run of another folder may be inspected; that folder is printed.
        """
        if self.words:
            with self.session() as session:
                run = session.load_run(self.words[0])
                owner = owner_of(run)
                if owner != str(session.root):
                    self.display(ShownText(f"(a run of the folder {owner})"))
                return run
        if isinstance(self.last, Run):
            return self.last
        if isinstance(self.last, Planning):
            with self.session() as session:
                return session.load_run(self.last.run_id)
        msg = "no request was run in this kernel yet"
        raise JournalError(msg, hint="run a %%okso cell, or name a run of %okso runs")

    def own_run(self) -> Run:
        """Return the run to act on; UsageError where it belongs to another folder."""
        if self.words:
            with self.session() as session:
                check_owner(session.load_run(self.words[0]), session.root)
        return self.run()
