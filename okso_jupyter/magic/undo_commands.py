"""`%okso undo` and `%okso redo`: revert the file changes of a run, and make them again."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from okso_jupyter.errors import UndoError
from okso_jupyter.kernel import interrupt
from okso_jupyter.magic.clickable import KeptButtons, can_click
from okso_jupyter.magic.command_context import CommandContext
from okso_jupyter.results import Run
from okso_jupyter.undo.change_history import latest_to_reverse
from okso_jupyter.undo.program import Direction

if TYPE_CHECKING:
    import pandas as pd

#: The option that only shows the changes.
DRY_RUN: Final = "--dry-run"
_OFFERED: Final = KeptButtons()


def undo(asked: CommandContext) -> pd.DataFrame:
    """Take back the changes of files of the last run that made any, or of RUN; --dry-run: show."""
    return _reversed(asked, "undo")


def redo(asked: CommandContext) -> pd.DataFrame:
    """Make the changes again that undo took back last, or those of RUN; --dry-run: show them."""
    return _reversed(asked, "redo")


def _reversed(asked: CommandContext, direction: Direction) -> pd.DataFrame:
    """Show the change of each file, and make the changes unless it is a dry run."""
    run = _run(replace(asked, words=[word for word in asked.words if word != DRY_RUN]), direction)
    reverse = run.undo if direction == "undo" else run.redo
    if DRY_RUN in asked.words:
        return reverse(dry_run=True)
    with suppress(UndoError):  # `reverse` below raises it too, or finishes an interrupted undo
        asked.display(reverse(dry_run=True))
    return reverse()


def offer(run: Run) -> None:
    """Add an Undo button to a run that changed files, where the kernel can handle clicks."""
    if not run.is_undoable or not can_click():
        return
    with interrupt.deferred():
        from okso_jupyter.widgets.undo_button import UndoButton  # noqa: PLC0415  loads ipywidgets

        button = UndoButton(
            run.id, preview=lambda: _as_html(run.undo(dry_run=True)), undo=lambda: _undone(run)
        )
        _OFFERED.keep(run.id, button)


def _as_html(shown: pd.DataFrame) -> str:
    return str(shown._repr_html_() or "")  # type: ignore[operator]


def _undone(run: Run) -> str:
    """Undo a run and return a message about it."""
    words = run.changes.words
    run.undo()
    return f"Taken back: {words}. %okso redo {run.id} does it again."


def _run(asked: CommandContext, direction: Direction) -> Run:
    """Return the run named by id, else the latest one that can be undone or redone."""
    if asked.words:
        return asked.own_run()
    with asked.session() as session:
        run_id = latest_to_reverse(session.journal, session.root, direction)
        return session.load_run(run_id)
