"""What the planner's prompt may hold for a server on another machine, as SEND says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from okso_jupyter.plan.run_inputs import RunInputs
from okso_jupyter.planning.environment import Environment
from okso_jupyter.planning.request.facts import Facts
from okso_jupyter.workspace import Workspace


def without_values(data: RunInputs) -> RunInputs:
    """Return notebook variables without the values that stand beside the request."""
    return replace(data, inserted=())


def without_headers(data: RunInputs) -> RunInputs:
    """Return notebook variables without the columns of tables."""
    return replace(data, inputs=tuple(replace(value, columns=()) for value in data.inputs))


@dataclass(frozen=True, slots=True)
class HeaderlessEnvironment(Environment):
    """An environment that knows no table headers.

    Attributes:
        environment: The environment that does.
    """

    environment: Environment

    def facts(
        self,
        request: str,
        workspace: Workspace | None,
        tables: Mapping[str, Sequence[str]] | None = None,
    ) -> Facts:
        """Return what a request names, without columns; see `Environment.facts`."""
        facts = self.environment.facts(request, workspace, tables)
        return replace(facts, columns=(), named_columns=())

    def now(self) -> datetime:
        """Return the local time."""
        return self.environment.now()
