"""Session: what a notebook or a program holds on to between requests."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, Self, get_args

from okso_jupyter import tools as builtin_tools
from okso_jupyter.approval.asking import check_someone
from okso_jupyter.errors import (
    JournalError,
    ModelUnavailableError,
    SettingError,
    UsageError,
)
from okso_jupyter.journal.lease import lease
from okso_jupyter.journal.recorder import RunRecorder
from okso_jupyter.journal.store import Journal
from okso_jupyter.legible import sentence
from okso_jupyter.llm.discreet import DiscreetModel
from okso_jupyter.llm.protocol import LanguageModel, Role
from okso_jupyter.llm.registry import open_model
from okso_jupyter.llm.specs import BUNDLED
from okso_jupyter.log import LOGGER, set_verbosity
from okso_jupyter.plan.plan import FINAL_TOOL, Plan
from okso_jupyter.planning.planner import Planning
from okso_jupyter.redaction import Redactor, remember
from okso_jupyter.run import Run, read_run
from okso_jupyter.session.conductor import (
    Conductor,
    OnEvent,
    OnPlanning,
    OnSampling,
)
from okso_jupyter.session.given import Approve, policy_of
from okso_jupyter.session.pausing import ask_to_pause
from okso_jupyter.session.plan_output import PlanOutput
from okso_jupyter.session.tracing import TraceFolder
from okso_jupyter.settings import Settings, secret_sources, working_folder
from okso_jupyter.toolkit.catalog import ToolCatalog, from_entry_points, from_package
from okso_jupyter.toolkit.sandbox.parcels import Parcels, pack
from okso_jupyter.toolkit.tool import Tool
from okso_jupyter.tools.final_answer import final_answer
from okso_jupyter.workflow.library import Entry, Library, named, offered, shipped

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
        self._root = root
        self.settings = (
            settings
            if isinstance(settings, Settings)
            else Settings.load(settings or {}, folder=self.root)
        )
        self.redactor = Redactor.from_environment(*secret_sources(), also=self.settings.secrets)
        remember(self.redactor)
        set_verbosity(self.settings.verbosity, self.redactor)
        callable_ones = _catalog(tools)
        places = self._workflow_places(shipped_too=tools is None)
        self.workflows = Library.load(places, callable_ones)
        self.tools = ToolCatalog([*callable_ones.values(), *self.workflows.tools, final_answer])
        self._model = model
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
            role: "planner", "executor", "rephraser", "intent" or "validator".

        Raises:
            UsageError: There is no such role.
            ModelUnavailableError: It cannot be loaded.
        """
        if role not in get_args(Role):
            msg = f"there is no role {role!r}"
            raise UsageError(msg, hint=f"the roles are {', '.join(get_args(Role))}")
        if self.settings.testing_passthrough:
            msg = "no model is asked, since TESTING_PASSTHROUGH is true"
            raise ModelUnavailableError(msg)
        if self._model is not None and not isinstance(self._model, str):
            return DiscreetModel(self._model, self.redactor)
        model = open_model(self._model or self.settings.model_of(role)[0], self.settings, role)
        return DiscreetModel(model, self.redactor)

    def plan(  # noqa: PLR0913  all but the first are named at every call
        self,
        request: str,
        *,
        samples: int | None = None,
        temperature: float | None = None,
        seed: int | None = None,
        inputs: Mapping[str, object] | None = None,
        outputs: Iterable[str] = (),
        on_sampling: OnSampling | None = None,
        approve: Approve | None = None,
    ) -> Planning:
        """Sample plans for a request and choose one; nothing is run.

        Args:
            request: The request in plain words.
            samples: How many plans; PLANNER_SAMPLE_COUNT where none are given.
            temperature: 0 to 1; PLANNER_TEMPERATURE where none is given.
            seed: Seed of the first candidate.
            inputs: Values that python_repl gets a copy of, by the name of their variable.
            outputs: Variables of python_repl to take back after the run: `Run.outputs`.
            on_sampling: Told a few times a second how far sampling is.
            approve: Who consents to a search of the web before planning, see `execute`.

        Raises:
            UsageError: The request is empty, or an input cannot go.
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
        settings, parcels = replace(self.settings, **asked), pack(inputs, outputs)
        with self._conductor(
            settings=settings, parcels=parcels, on_sampling=on_sampling
        ) as conductor:
            return conductor.plan(request, approve=approve)

    def execute(  # noqa: PLR0913  all but the first are named at every call
        self,
        plan: Plan | Planning | Mapping[str, Any] | list[Any],
        *,
        approve: Approve | None = None,
        on_event: OnEvent | None = None,
        on_planning: OnPlanning | None = None,
        on_sampling: OnSampling | None = None,
        dry_run: bool = False,
        inputs: Mapping[str, object] | None = None,
        outputs: Iterable[str] = (),
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
            inputs: Values for python_repl, see `plan`; a planning has its own.
            outputs: Variables of python_repl to take back, see `plan`; a planning has its own.

        Raises:
            UsageError: An input cannot go, or a planning is given others than its own.
            PlanError: The plan breaks a rule or names an unknown tool.
            ApprovalError: Nobody can decide.
        """
        run_id, settings, parcels = "", self.settings, pack(inputs, outputs)
        if isinstance(plan, Planning):
            if parcels.bodies or parcels.data.outputs:
                msg = "the plan was made for inputs and outputs of its own"
                raise UsageError(msg, hint="name them when planning: session.plan(..., inputs=...)")
            run_id, settings, parcels = plan.run_id, _sampled_as(plan, settings), plan.parcels
        with (
            self._conductor(run_id, settings, parcels, on_sampling) as conductor,
            lease(self.journal.folder_of(conductor.recorder.run_id)),
        ):
            return conductor.execute(
                plan, approve=approve, on_event=on_event, on_planning=on_planning, dry_run=dry_run
            )

    def run(  # noqa: PLR0913  all but the first are named at every call
        self,
        request: str,
        *,
        seed: int | None = None,
        approve: Approve | None = None,
        on_event: OnEvent | None = None,
        inputs: Mapping[str, object] | None = None,
        outputs: Iterable[str] = (),
    ) -> Run:
        """Plan a request, have the plan approved and run it; see `plan` and `execute`."""
        self.check_approver(approve)
        planning = self.plan(request, seed=seed, inputs=inputs, outputs=outputs, approve=approve)
        return self.execute(planning, approve=approve, on_event=on_event)

    def pause(self, run_id: str | None = None) -> str:
        """Ask a run to pause: running steps finish, no other is started, `resume` goes on.

        May be called from another thread, kernel or terminal, or by the run's own `on_event`.

        Args:
            run_id: The run; None means the only one that is running.

        Returns:
            The id of the run.

        Raises:
            JournalError: There is no such run.
            UsageError: It is not running, or none or several are and none was named.
        """
        return ask_to_pause(self.journal, run_id)

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

    def __exit__(self, *_exc: object) -> None:
        self.close()

    def _workflow_places(self, *, shipped_too: bool) -> Iterator[Entry | Path]:
        """Yield where workflows are: a file beside the notebook takes no known name for itself.

        Args:
            shipped_too: Whether those count that come with the package or with others; not where
                the tools that they call were replaced.
        """
        folders = self.settings.workflows_dir
        if shipped_too:
            yield shipped()
            yield from offered()
        if folders is not None:
            yield from named(folders, self.root)
        elif shipped_too:
            yield self.root / "workflows"

    def _conductor(
        self,
        run_id: str = "",
        settings: Settings | None = None,
        parcels: Parcels | None = None,
        on_sampling: OnSampling | None = None,
    ) -> Conductor:
        """Return a conductor for a new run, or for one that was planned and not yet run."""
        return Conductor(
            settings=settings or self.settings,
            tools=self.tools,
            model=self.model,
            recorder=self._recorder(run_id or self._new_run_id(), settings or self.settings),
            root=self.root,
            redactor=self.redactor,
            parcels=parcels or Parcels(),
            on_sampling=on_sampling,
            judges=self._judges(settings or self.settings),
        )

    def _judges(self, settings: Settings) -> bool:
        """Say whether a model was chosen that can judge answers: the bundled one cannot."""
        spec = settings.model_of("validator")[0]
        return (self._model if isinstance(self._model, str) else spec) != BUNDLED

    def _recorder(self, run_id: str, settings: Settings) -> RunRecorder:
        """Return a recorder that also writes the files that the settings name.

        Raises:
            SettingError: One of them cannot be written.
        """
        recorder = RunRecorder(self.journal, run_id)
        if settings.okso_trace_dir:
            trace = TraceFolder.open(settings.okso_trace_dir, recorder, self.redactor)
            recorder.listeners.append(trace)
        if settings.okso_plan_output:
            output = PlanOutput.open(settings.okso_plan_output, run_id, self.redactor)
            recorder.listeners.append(output)
        return recorder

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
    """Return the tools that can be called, `final_answer` left out."""
    if tools is not None and not isinstance(tools, Iterable):
        msg = f"tools is a {type(tools).__name__}, not an iterable of Tool"
        raise UsageError(msg, hint="write tools=[...]")
    offered = _every_tool() if tools is None else list(tools)
    return ToolCatalog(tool for tool in offered if getattr(tool, "name", None) != FINAL_TOOL)


def _every_tool() -> list[Tool]:
    """Return the built-in tools and those of installed packages; a broken one is named."""
    built_in = from_package(builtin_tools)
    offered, problems = from_entry_points({tool.name for tool in built_in})
    for problem in problems:
        LOGGER.warning("tools were left out", extra={"detail": sentence(problem)})
    return [*built_in, *offered]


def load_run(run_id: str) -> Run:
    """Return a run from the journal of the current settings.

    Raises:
        JournalError: There is no such run.
    """
    with Session() as session:
        return session.load_run(run_id)
