"""Boundaries of a session: models by role, planning environment and tools, live or replayed."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, get_args

from okso_jupyter.approval.editing.flawed_plans import flaws_found
from okso_jupyter.approval.policy import Policy
from okso_jupyter.errors import ModelUnavailableError, UsageError
from okso_jupyter.journal.events import PromptsSent
from okso_jupyter.journal.recorder import RunRecorder
from okso_jupyter.llm.protocol import LanguageModel, Role
from okso_jupyter.llm.redacting import RedactingModel
from okso_jupyter.llm.registry import open_model
from okso_jupyter.llm.remote_host import remote_host
from okso_jupyter.llm.sending import KINDS
from okso_jupyter.llm.specs import BUNDLED
from okso_jupyter.plan.flaws import Flaw
from okso_jupyter.plan.plan import Plan
from okso_jupyter.planning.environment import Environment
from okso_jupyter.planning.file_commands.steps import Steps
from okso_jupyter.planning.personal_requests.known_titles import TitlesOf
from okso_jupyter.planning.request.facts import Facts
from okso_jupyter.planning.table_questions.query_reading import FollowUp, QueryReading
from okso_jupyter.planning.table_questions.result_file import ResultFile
from okso_jupyter.planning.table_questions.table_sources import TableSources
from okso_jupyter.redaction.redactor import Redactor
from okso_jupyter.replay.boundary import Boundary, LiveBoundary
from okso_jupyter.replay.normalization import Places
from okso_jupyter.replay.recorded_decisions import ReplayedDecisions
from okso_jupyter.replay.recorded_model import RecordedModel
from okso_jupyter.replay.recording_file import Recording
from okso_jupyter.replay.replayed_boundary import ReplayedBoundary
from okso_jupyter.settings import Settings
from okso_jupyter.tables.query import Query
from okso_jupyter.toolkit.tool import Tool
from okso_jupyter.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Models:
    """The models of one session.

    Attributes:
        settings: The settings.
        given: A model for every role, or its spec; None means the settings.
    """

    settings: Settings
    given: str | LanguageModel | None = None

    def spec_of(self, role: Role) -> str:
        """Return the spec of the model of a role.

        Raises:
            UsageError: There is no such role.
        """
        if role not in get_args(Role):
            msg = f"there is no role {role!r}"
            raise UsageError(msg, hint=f"the roles are {', '.join(get_args(Role))}")
        if self.given is None:
            return self.settings.model_of(role)[0]
        return self.given if isinstance(self.given, str) else self.given.identity.spec

    def open(self, role: Role) -> LanguageModel:
        """Return the model of a role; load it if necessary.

        Raises:
            UsageError: There is no such role.
            ModelUnavailableError: It cannot be loaded.
        """
        spec = self.spec_of(role)
        if self.settings.testing_passthrough:
            msg = "no model is asked, since TESTING_PASSTHROUGH is true"
            raise ModelUnavailableError(msg)
        if self.given is not None and not isinstance(self.given, str):
            return self.given
        return open_model(spec, self.settings, role)

    @property
    def judge(self) -> bool:
        """Whether the validator's model can judge answers: every model but the bundled one."""
        spec = self.settings.model_of("validator")[0]
        return (self.given if isinstance(self.given, str) else spec) != BUNDLED


def open_boundary(recorder: RunRecorder, settings: Settings, root: Path) -> Boundary:
    """Return the boundary of a run: it replays a recording if OKSO_REPLAY names one.

    Raises:
        UsageError: Both OKSO_RECORD and OKSO_REPLAY are set.
        RecordingError: It cannot be read.
    """
    places = Places.here(root, settings.home)
    if settings.okso_replay is None:
        return LiveBoundary(recorder, places)
    if settings.okso_record is not None:
        msg = "OKSO_RECORD and OKSO_REPLAY contradict each other: a replay is recorded already"
        raise UsageError(msg, hint="leave out --record or --replay")
    return ReplayedBoundary(recorder, places, Recording.open(settings.okso_replay))


def recorded_policy(policy: Policy, boundary: Boundary) -> Policy:
    """Return the policy: in a replay the recorded decisions, unless the policy is "deny"."""
    if isinstance(boundary, ReplayedBoundary) and policy != "deny":
        return ReplayedDecisions(boundary)
    return policy


@dataclass(slots=True, kw_only=True)
class RecordedModels:
    """Returns the model of a role; opens each once per run, and none in a replay.

    Attributes:
        models: Opens the models.
        boundary: Records their completions, or replays them.
        redactor: Removes secrets from their prompts.
    """

    models: Models
    boundary: Boundary
    redactor: Redactor
    _known: dict[Role, LanguageModel] = field(default_factory=dict)
    _hosts: set[str] = field(default_factory=set)

    def __call__(self, role: Role) -> LanguageModel:
        """Return the model of a role.

        Raises:
            ModelUnavailableError: It cannot be loaded.
        """
        if role not in self._known:
            spec = self.models.spec_of(role)
            model = RecordedModel.open(role, spec, self.boundary, lambda: self.models.open(role))
            self._known[role] = RedactingModel(model, self.redactor)
            self._note(role, model.identity.spec)
        return self._known[role]

    def _note(self, role: Role, spec: str) -> None:
        """Record once per run and host that prompts go to another machine."""
        host = remote_host(spec)
        if host and host not in self._hosts and not self.boundary.is_replay:
            self._hosts.add(host)
            sent = PromptsSent(host=host, role=role, what=KINDS[self.models.settings.send])
            self.boundary.recorder.record(sent)


@dataclass(frozen=True, slots=True)
class RecordedEnvironment(Environment):
    """Planning's environment behind a boundary.

    Attributes:
        boundary: Records the answers, or replays them.
    """

    boundary: Boundary
    _looks: Iterator[int] = field(default_factory=itertools.count)

    def facts(
        self,
        request: str,
        workspace: Workspace | None,
        tables: Mapping[str, Sequence[str]] | None = None,
    ) -> Facts:
        """Return the facts about what a request names; see `Environment.facts`."""
        given = {name: list(columns) for name, columns in (tables or {}).items()}
        gave = self.boundary.take(
            "facts",
            {"request": request, "tables": given},
            lambda: asdict(Environment.facts(self, request, workspace, tables)),
        )
        known: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in gave.items()}
        return Facts(**known)

    def readings(
        self, request: str, sources: TableSources, most: int, *, is_named: bool = False
    ) -> tuple[QueryReading, ...]:
        """Return the readings of a request, present or recorded; see `Environment.readings`."""
        gave = self.boundary.found(
            "readings",
            {"request": request, "most": most},
            lambda: (
                [
                    reading.to_json()
                    for reading in Environment.readings(
                        self, request, sources, most, is_named=is_named
                    )
                ]
                or None
            ),
        )
        return tuple(QueryReading.from_json(each) for each in gave or ())

    def follow_up(
        self, request: str, sources: TableSources, last: Callable[[], Query | None]
    ) -> FollowUp | None:
        """Return the changed query, present or recorded; see `Environment.follow_up`."""

        def live() -> dict[str, Any] | None:
            found = Environment.follow_up(self, request, sources, last)
            return found.to_json() if found else None

        gave = self.boundary.found("follow up", {"request": request}, live)
        return FollowUp.from_json(gave) if gave else None

    def after_feedback(self, feedback: str, sources: TableSources, shown: Query) -> FollowUp | None:
        """Return the changed query, present or recorded; see `Environment.after_feedback`."""

        def live() -> dict[str, Any] | None:
            found = Environment.after_feedback(self, feedback, sources, shown)
            return found.to_json() if found else None

        gave = self.boundary.found("follow up", {"request": feedback}, live)
        return FollowUp.from_json(gave) if gave else None

    def result_file(self, request: str, workspace: Workspace) -> ResultFile | None:
        """Return question and file, present or recorded; see `Environment.result_file`."""

        def live() -> dict[str, str] | None:
            found = Environment.result_file(self, request, workspace)
            return asdict(found) if found else None

        gave = self.boundary.found("result file", {"request": request}, live)
        return ResultFile(**gave) if gave else None

    def file_commands(self, request: str, workspace: Workspace) -> Steps:
        """Return the steps, present or recorded; see `Environment.file_commands`."""

        def live() -> list[Mapping[str, Any]] | None:
            return [*Environment.file_commands(self, request, workspace)] or None

        return tuple(self.boundary.found("file commands", {"request": request}, live) or ())

    def times_of_rate(self, request: str, sources: TableSources) -> Steps:
        """Return the step, present or recorded; see `Environment.times_of_rate`."""

        def live() -> list[Mapping[str, Any]] | None:
            return [*Environment.times_of_rate(self, request, sources)] or None

        return tuple(self.boundary.found("times of rate", {"request": request}, live) or ())

    def rows_without(self, request: str, sources: TableSources) -> Steps:
        """Return the step, present or recorded; see `Environment.rows_without`."""

        def live() -> list[Mapping[str, Any]] | None:
            return [*Environment.rows_without(self, request, sources)] or None

        return tuple(self.boundary.found("rows without", {"request": request}, live) or ())

    def mail_request(self, request: str, workspace: Workspace) -> Steps:
        """Return the steps, present or recorded; see `Environment.mail_request`."""

        def live() -> list[Mapping[str, Any]] | None:
            return [*Environment.mail_request(self, request, workspace)] or None

        return tuple(self.boundary.found("mail request", {"request": request}, live) or ())

    def is_told_by_text(self, request: str, sources: TableSources, query: Query) -> bool:
        """Return whether it is, at present or as recorded; see `Environment.is_told_by_text`."""

        def live() -> bool | None:
            return Environment.is_told_by_text(self, request, sources, query) or None

        return bool(self.boundary.found("told by text", {"request": request}, live))

    def text_question(self, request: str, workspace: Workspace) -> Steps:
        """Return the step, present or recorded; see `Environment.text_question`."""

        def live() -> list[Mapping[str, Any]] | None:
            return [*Environment.text_question(self, request, workspace)] or None

        return tuple(self.boundary.found("text question", {"request": request}, live) or ())

    def personal_request(self, request: str, time_zone: str | None, titles: TitlesOf) -> Steps:
        """Return the steps, present or recorded; see `Environment.personal_request`."""

        def live() -> list[Mapping[str, Any]] | None:
            return [*Environment.personal_request(self, request, time_zone, titles)] or None

        return tuple(self.boundary.found("personal request", {"request": request}, live) or ())

    def dated_calculation(self, request: str) -> Mapping[str, Any] | None:
        """Return the arguments, present or recorded; see `Environment.dated_calculation`."""

        def live() -> dict[str, Any] | None:
            args = Environment.dated_calculation(self, request)
            return dict(args) if args else None

        gave: dict[str, Any] | None = self.boundary.found(
            "dated calculation", {"request": request}, live
        )
        return gave

    def flaws(
        self, plan: Plan, tools: Mapping[str, Tool], workspace: Workspace | None
    ) -> tuple[Flaw, ...]:
        """Return the flaws of a plan in the present or recorded folder; see `Environment.flaws`."""
        return flaws_found(
            plan, self.boundary.found, lambda: Environment.flaws(self, plan, tools, workspace)
        )

    def now(self) -> datetime:
        """Return the local time."""
        live = Environment.now
        return datetime.fromisoformat(
            self.boundary.take("time", {}, lambda: live(self).isoformat())
        )

    def is_in_time(self, *, is_by_clock: bool) -> bool:
        """Return whether time is left, or was left in the recording."""
        place = next(self._looks)
        return not self.boundary.happened("time was up", {"look": place}, live=not is_by_clock)

    def leaves_thoughts_out(self, *, is_wanted: bool) -> bool:
        """Return whether steps have no thoughts; in recordings of earlier versions they have."""
        return self.boundary.happened("no thoughts", {}, live=not is_wanted)

    def seed(self) -> int:
        """Return a random seed for the first candidate."""
        return int(self.boundary.take("seed", {}, lambda: Environment.seed(self)))
