"""Environment of planning: folder listing, clock and randomness, live or replayed."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final

from okso_jupyter.plan.flaws import Flaw
from okso_jupyter.plan.plan import Plan
from okso_jupyter.planning.request.facts import Facts, gather
from okso_jupyter.toolkit.plan_check import flaws_of
from okso_jupyter.toolkit.tool import Tool
from okso_jupyter.workspace import Workspace

_MAX_SEED: Final = 2**31


class Environment:
    """The names in a folder, the clock and chance, as they are; a session may play them back."""

    def facts(
        self,
        request: str,
        workspace: Workspace | None,
        tables: Mapping[str, Sequence[str]] | None = None,
    ) -> Facts:
        """Return what a request names; see `facts.gather`."""
        return gather(request, workspace, tables)

    def flaws(
        self, plan: Plan, tools: Mapping[str, Tool], workspace: Workspace | None
    ) -> tuple[Flaw, ...]:
        """Return what makes a plan fail as the folder is; see `plan_check.flaws_of`."""
        return flaws_of(plan, tools, workspace)

    def now(self) -> datetime:
        """Return the local time."""
        return datetime.now().astimezone()

    def is_in_time(self, *, is_by_clock: bool) -> bool:
        """Say whether there is time left, given what the clock says."""
        return is_by_clock

    def seed(self) -> int:
        """Draw the seed of a first candidate."""
        return secrets.randbelow(_MAX_SEED)
