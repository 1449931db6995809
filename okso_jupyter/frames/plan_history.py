"""Table of the versions of a plan: how each step changed from one version to the next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from okso_jupyter.frames.columns import Column, frame
from okso_jupyter.plan.revision import Revision, StepChange
from okso_jupyter.views.call_sentence import call_sentence


@dataclass(frozen=True, slots=True)
class _Row:
    """How one version changed one step."""

    revision: Revision
    change: StepChange


_HISTORY: tuple[Column[_Row], ...] = (
    Column("plan_version", "int64", "from 1", lambda r: r.revision.newer.version),
    Column("step_id", "int64", "from 1", lambda r: r.change.step.id),
    Column("change", "object", "", lambda r: r.change.change),
    Column("fields", "object", "", lambda r: list(r.change.fields)),
    Column("cause", "object", "", lambda r: r.revision.cause),
    Column("reason", "object", "", lambda r: r.revision.reason),
    Column("decision", "object", "", lambda r: r.revision.decision),
    Column("replaces", "Int64", "from 1", lambda r: r.change.step.replaces),
    Column("tool", "object", "", lambda r: r.change.step.tool),
    Column("args", "object", "", lambda r: dict(r.change.step.args)),
    Column("title", "object", "", lambda r: call_sentence(r.change.step)),
)


def history_frame(revisions: Sequence[Revision]) -> pd.DataFrame:
    """Return one row per step and version, in the order of the versions.

    Args:
        revisions: Every version, paired with the one that it was to replace.
    """
    rows = [_Row(revision, change) for revision in revisions for change in revision.changes]
    return frame(rows, _HISTORY, nothing="No plan was shown.")
