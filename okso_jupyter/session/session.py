"""Session: what a notebook or a program holds on to between requests."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from okso_jupyter import tools as builtin_tools
from okso_jupyter.approval.asking import check_someone
from okso_jupyter.errors import JournalError, SettingError, UsageError
from okso_jupyter.journal.recorder import RunRecorder
from okso_jupyter.journal.store import Journal
from okso_jupyter.llm.autotune import settle
from okso_jupyter.llm.protocol import LanguageModel, Role
from okso_jupyter.llm.registry import open_model
from okso_jupyter.log import set_verbosity
from okso_jupyter.plan.plan import FINAL_TOOL, Plan
from okso_jupyter.planning.planner import Planning
from okso_jupyter.redaction import Redactor
from okso_jupyter.run import Run, read_run
from okso_jupyter.session.conductor import (
    Conductor,
    OnEvent,
    OnPlanning,
    OnSampling,
)
from okso_jupyter.session.given import Approve, policy_of
from okso_jupyter.settings import Settings, environment, working_folder
from okso_jupyter.toolkit.catalog import ToolCatalog, from_entry_points, from_package
from okso_jupyter.toolkit.tool import Tool
from okso_jupyter.tools.final_answer import final_answer

_RUN_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,99}")
_RUN_ID_IN_WORDS: Final = (
    "1 to 100 letters, digits, '_', '.' and '-', beginning with a letter or digit"
)


class Session:
    """Plans and runs requests; also a context manager that closes itself.

    Args:
        settings: Names in capitals with their values, or a `Settings`; they beat the environment.
        tools: Tools in place of the built-in ones; `final_answer` is always there.
        model: A model for every role: a spec, or an object with `complete`.
        root: Folder that the tools work in; the working folder where none is given.

    Raises:
        SettingError: A setting is unknown or out of range.
        ToolDefinitionError: The tools do not make a catalogue.
    """

    def __init__(
        self,
        settings: Mapping[str, Any] | Settings | None = None,
        *,
        tools: Iterable[Tool] | None = None,
        model: str | LanguageModel | None = None,
        root: str | Path | None = None,
    ) -> None:
        self.settings = (
            settings if isinstance(settings, Settings) else Settings.load(settings or {})
        )
        self.tools = _catalog(tools)
        self.redactor = Redactor.from_environment(environment())
        set_verbosity(self.settings.verbosity, self.redactor)
        self._model = model
        self._root = root
        self._journal: Journal | None = None

    @property
    def root(self) -> Path:
        """Folder that the tools work in."""
        return Path(self._root) if self._root else working_folder()

    @property
    def journal(self) -> Journal:
        """The journal, opened when first asked for."""
        if self._journal is None:
            self._journal = Journal(self.settings.home, self.redactor)
        return self._journal

    def model(self, role: Role) -> LanguageModel:
        """Return the model of a role, loaded when first asked for.

        Args:
            role: "planner" or "executor".

        Raises:
            ModelUnavailableError: It cannot be loaded.
        """
        settings = self.settings
        if self._model is not None and not isinstance(self._model, str):
            return self._model
        spec, revision = settings.model_of(role)
        return open_model(
            settle(self._model or spec, role),
            settings.llama_default_context_size,
            settings.llama_threads,
            revision,
            settings.home,
        )

    def plan(
        self,
        request: str,
        *,
        samples: int | None = None,
        temperature: float | None = None,
        seed: int | None = None,
        on_sampling: OnSampling | None = None,
    ) -> Planning:
        """Sample plans for a request and choose one; nothing is run.

        Args:
            request: The request in plain words.
            samples: How many plans; PLANNER_SAMPLE_COUNT where none are given.
            temperature: 0 to 1; PLANNER_TEMPERATURE where none is given.
            seed: Seed of the first candidate.
            on_sampling: Told a few times a second how far sampling is.

        Raises:
            UsageError: The request is empty.
            SettingError: An argument is out of the range of its setting.
            ModelError: No model, or none of its samples is a plan.
            JournalError: The journal cannot be written.
        """
        given: dict[str, Any] = {
            "planner_sample_count": samples,
            "planner_temperature": temperature,
            "planner_seed": seed,
        }
        asked = {name: value for name, value in given.items() if value is not None}
        if temperature is not None:
            asked["llama_temperature"] = None  # who names a temperature means this one
        settings = replace(self.settings, **asked)
        with self._conductor(settings=settings, on_sampling=on_sampling) as conductor:
            return conductor.plan(request)

    def execute(  # noqa: PLR0913  who decides, and who is told of what
        self,
        plan: Plan | Planning | Mapping[str, Any] | list[Any],
        *,
        approve: Approve | None = None,
        on_event: OnEvent | None = None,
        on_planning: OnPlanning | None = None,
        on_sampling: OnSampling | None = None,
        dry_run: bool = False,
    ) -> Run:
        """Have a plan approved and run it.

        Args:
            plan: A plan, its JSON data, or what `plan` gave.
            approve: "ask", "auto", "deny", or a function that gets the plan as the form would
                show it and answers "approve", "reject" or Feedback("text"). None is what the
                settings say: ask, unless one of them says otherwise.
            on_event: Told of every change of a step.
            on_planning: Gets every new planning that feedback asks for, before it is shown.
            on_sampling: Told how far a model is that plans anew, fills arguments or answers.
            dry_run: List the approved calls and run none.

        Raises:
            PlanError: The plan breaks a rule or names an unknown tool.
            ApprovalError: Nobody can decide.
        """
        run_id, settings = "", self.settings
        if isinstance(plan, Planning):
            run_id, settings = plan.run_id, _sampled_as(plan, settings)
        with self._conductor(run_id, settings, on_sampling) as conductor:
            return conductor.execute(
                plan, approve=approve, on_event=on_event, on_planning=on_planning, dry_run=dry_run
            )

    def run(
        self,
        request: str,
        *,
        seed: int | None = None,
        approve: Approve | None = None,
        on_event: OnEvent | None = None,
    ) -> Run:
        """Plan a request, have the plan approved and run it; see `plan` and `execute`."""
        self.check_approver(approve)
        return self.execute(self.plan(request, seed=seed), approve=approve, on_event=on_event)

    def check_approver(self, approve: Approve | None = None) -> None:
        """Raise ApprovalError if nobody could decide about a plan, before one is made."""
        if policy_of(approve, self.settings) == "ask":
            check_someone()

    def load_run(self, run_id: str) -> Run:
        """Return a run from the journal.

        Raises:
            JournalError: There is no such run.
        """
        return read_run(self.journal, run_id)

    def close(self) -> None:
        """Close the journal, and the model if it was given as an object.

        A model that was loaded from a spec stays: other sessions of the process share it.
        """
        if self._journal is not None:
            self._journal.close()
            self._journal = None
        if self._model is not None and not isinstance(self._model, str):
            self._model.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def _conductor(
        self,
        run_id: str = "",
        settings: Settings | None = None,
        on_sampling: OnSampling | None = None,
    ) -> Conductor:
        """Return a conductor for a new run, or for one that was planned and not yet run."""
        return Conductor(
            settings=settings or self.settings,
            tools=self.tools,
            model=self.model,
            recorder=RunRecorder(self.journal, run_id or self._new_run_id()),
            root=self.root,
            redactor=self.redactor,
            on_sampling=on_sampling,
        )

    def _new_run_id(self) -> str:
        """Return an id for a new run.

        Raises:
            SettingError: OKSO_RUN_ID is no plain name.
            JournalError: OKSO_RUN_ID names a run that is there already.
        """
        wanted = self.settings.okso_run_id
        if wanted is None:
            return f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}-{secrets.token_hex(3)}"
        if not _RUN_ID.fullmatch(wanted):
            msg = f"OKSO_RUN_ID must be {_RUN_ID_IN_WORDS}, not {wanted!r}"
            raise SettingError(msg, hint="it also names a folder in OKSO_HOME")
        if self.journal.records(wanted):
            msg = f"OKSO_RUN_ID {wanted!r} names a run that is in the journal already"
            raise JournalError(msg, hint="choose another id, or leave it unset")
        return wanted


def _sampled_as(planning: Planning, settings: Settings) -> Settings:
    """Return the settings with which a planning was sampled, for plans that feedback asks for."""
    return replace(
        settings,
        planner_sample_count=len(planning.sampled) + len(planning.unusable),
        planner_temperature=planning.chosen.temperature,
        planner_seed=planning.seed,
        llama_temperature=None,
    )


def _catalog(tools: object) -> ToolCatalog:
    """Return the catalogue, with `final_answer` at its end."""
    if tools is not None and not isinstance(tools, Iterable):
        msg = f"tools is a {type(tools).__name__}, not an iterable of Tool"
        raise UsageError(msg, hint="write tools=[...]")
    offered = [*from_package(builtin_tools), *from_entry_points()] if tools is None else list(tools)
    others = [tool for tool in offered if getattr(tool, "name", None) != FINAL_TOOL]
    return ToolCatalog([*others, final_answer])


def load_run(run_id: str) -> Run:
    """Return a run from the journal of the current settings.

    Raises:
        JournalError: There is no such run.
    """
    with Session() as session:
        return session.load_run(run_id)
