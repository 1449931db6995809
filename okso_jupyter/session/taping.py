"""What a session takes from outside, by way of a tape: models, what planning looks at, tools."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from okso_jupyter.approval.policy import Policy
from okso_jupyter.errors import UsageError
from okso_jupyter.execution.past import Past
from okso_jupyter.journal.recorder import RunRecorder
from okso_jupyter.llm.discreet import DiscreetModel
from okso_jupyter.llm.protocol import LanguageModel, Role
from okso_jupyter.plan.flaws import Flaw
from okso_jupyter.plan.plan import Plan
from okso_jupyter.plan.records import Observation, ToolCall
from okso_jupyter.planning.facts import Facts
from okso_jupyter.planning.outside import Outside
from okso_jupyter.recording.decisions import PlayedDecisions
from okso_jupyter.recording.model import TapedModel
from okso_jupyter.recording.normal import Places
from okso_jupyter.recording.recorded import Recording
from okso_jupyter.recording.tape import Playback, Tape
from okso_jupyter.redaction import Redactor
from okso_jupyter.session.flawed import flaws_found
from okso_jupyter.session.models import Models
from okso_jupyter.settings import Settings
from okso_jupyter.toolkit.tool import Tool
from okso_jupyter.toolkit.workspace import Workspace


def open_tape(recorder: RunRecorder, settings: Settings, root: Path) -> Tape:
    """Return the tape of a run: one that is played back where OKSO_REPLAY names a recording.

    Raises:
        UsageError: A recording is to be played back and made at once.
        RecordingError: It cannot be read.
    """
    places = Places.here(root, settings.home)
    if settings.okso_replay is None:
        return Tape(recorder, places)
    if settings.okso_record is not None:
        msg = "OKSO_RECORD and OKSO_REPLAY contradict each other: a replay is recorded already"
        raise UsageError(msg, hint="leave one of --record and --replay out")
    return Playback(recorder, places, Recording.open(settings.okso_replay))


def heeded(policy: Policy, tape: Tape) -> Policy:
    """Return who decides: what is played back decides itself, but never against a "deny"."""
    if isinstance(tape, Playback) and policy != "deny":
        return PlayedDecisions(tape)
    return policy


@dataclass(frozen=True, slots=True)
class Played(Past):
    """What a tape knows of a run.

    Attributes:
        tape: One that is played back, or one that knows nothing.
    """

    tape: Tape

    def observed(self, call: ToolCall) -> Observation | None:
        """Return what a call came to; see `Past.observed`."""
        return self.tape.observed(call)

    def timed(self, remark: Observation) -> Observation:
        """Return a remark with the time that it was made at; see `Past.timed`."""
        return self.tape.timed(remark)


@dataclass(slots=True, kw_only=True)
class TapedModels:
    """Gives the model of a role, each opened once in a run, none where it is played back.

    Attributes:
        models: Names and opens them.
        tape: Writes down what they say, or plays it back.
        redactor: Takes secrets out of what they are asked.
    """

    models: Models
    tape: Tape
    redactor: Redactor
    _known: dict[Role, LanguageModel] = field(default_factory=dict)

    def __call__(self, role: Role) -> LanguageModel:
        """Return the model of a role.

        Raises:
            ModelUnavailableError: It cannot be loaded.
        """
        if role not in self._known:
            spec = self.models.spec_of(role)
            model = TapedModel.open(role, spec, self.tape, lambda: self.models.open(role))
            self._known[role] = DiscreetModel(model, self.redactor)
        return self._known[role]


@dataclass(frozen=True, slots=True)
class TapedOutside(Outside):
    """What planning takes from outside, by way of a tape.

    Attributes:
        tape: Writes down or plays back.
    """

    tape: Tape
    _looks: Iterator[int] = field(default_factory=itertools.count)

    def facts(
        self,
        request: str,
        workspace: Workspace | None,
        tables: Mapping[str, Sequence[str]] | None = None,
    ) -> Facts:
        """Return what a request names; see `Outside.facts`."""
        given = {name: list(columns) for name, columns in (tables or {}).items()}
        gave = self.tape.take(
            "facts",
            {"request": request, "tables": given},
            lambda: asdict(Outside.facts(self, request, workspace, tables)),
        )
        known: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in gave.items()}
        return Facts(**known)

    def flaws(
        self, plan: Plan, tools: Mapping[str, Tool], workspace: Workspace | None
    ) -> tuple[Flaw, ...]:
        """Return what makes a plan fail as the folder is, or was; see `Outside.flaws`."""
        return flaws_found(
            plan, self.tape.found, lambda: Outside.flaws(self, plan, tools, workspace)
        )

    def now(self) -> datetime:
        """Return the local time."""
        live = Outside.now
        return datetime.fromisoformat(self.tape.take("time", {}, lambda: live(self).isoformat()))

    def is_in_time(self, *, is_by_clock: bool) -> bool:
        """Say whether there is, or was, time left."""
        place = next(self._looks)
        return not self.tape.happened("time was up", {"look": place}, live=not is_by_clock)

    def seed(self) -> int:
        """Draw the seed of a first candidate."""
        return int(self.tape.take("seed", {}, lambda: Outside.seed(self)))
