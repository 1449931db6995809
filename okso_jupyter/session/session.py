"""Session: plans and runs requests, with settings, tools, model and journal shared by them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from copy import copy
from dataclasses import replace
from pathlib import Path
from typing import Any, Self

from okso_jupyter.approval.person import check_someone
from okso_jupyter.audit.journal_audit import JournalAudit
from okso_jupyter.audit.planning_outcomes import planning_outcomes
from okso_jupyter.execution.pool import Pool
from okso_jupyter.journal.lease import lease
from okso_jupyter.journal.store import Journal
from okso_jupyter.llm.protocol import LanguageModel, Role
from okso_jupyter.llm.redacting import RedactingModel
from okso_jupyter.log import set_verbosity
from okso_jupyter.plan.plan import Plan
from okso_jupyter.planning.outcome import Planning
from okso_jupyter.planning.scoring.rules import best_score
from okso_jupyter.planning.scoring.scorer import check_weights
from okso_jupyter.planning.table_questions.going_on import may_follow
from okso_jupyter.policies.policy_rules import PolicyRules
from okso_jupyter.redaction.redactor import Redactor, remember
from okso_jupyter.results import Run, read_run
from okso_jupyter.resume.checks import ready_to_resume
from okso_jupyter.resume.listing import Resumable, resumable_runs
from okso_jupyter.resume.pause import ask_to_pause
from okso_jupyter.resume.uncertain import approvers
from okso_jupyter.runs.arguments import (
    Approve,
    check_no_variables,
    policy_of,
    replaceable,
    sampling_as,
)
from okso_jupyter.runs.boundaries import Models, RecordedModels, open_boundary
from okso_jupyter.runs.controller import RunController
from okso_jupyter.runs.earlier_runs import last_query
from okso_jupyter.runs.listeners import Listeners, OnEvent, OnLive, OnPlanning, OnSampling
from okso_jupyter.runs.run_context import RunContext, open_resources
from okso_jupyter.runs.run_files import open_recorder
from okso_jupyter.runs.run_ids import RequestKeys, new_run_id
from okso_jupyter.session.batch import checked_requests, checking_stop, run_all
from okso_jupyter.session.file_trust import change_trust
from okso_jupyter.session.named_frames import asked_frames, named_frames
from okso_jupyter.session.notices import notify_of_upgrade, warn_misspelt
from okso_jupyter.session.resources import SessionResources
from okso_jupyter.session.session_servers import SessionServers
from okso_jupyter.session.templating import fill_template
from okso_jupyter.session.tool_set import beside, catalog, offer
from okso_jupyter.settings import Settings, secret_sources, working_folder
from okso_jupyter.telemetry.sender import telemetry_of
from okso_jupyter.toolkit.notebook_variables import NotebookVariables, pack
from okso_jupyter.toolkit.tool import Tool


class Session:
    """Plans and runs requests; also a context manager that closes the session.

    Args:
        settings: Values by name in capitals, or a `Settings`; they override the environment.
        tools: Tools that replace all built-in ones; `final_answer` is always included.
            To add a tool: `session.use(mine)`.
        model: A model for every role: a spec, or an object with `complete`.
        root: Folder that the tools work in; None means the working folder.
        mcp: MCP servers in place of those in `mcp.json`: a mapping as in that file, or a file's
            path. They end with the session.

    Raises:
        SettingError: A setting is unknown or out of range.
        ToolDefinitionError: The tools do not form a catalogue.
        UsageError: A server in `mcp` cannot be used.
    """

    def __init__(
        self,
        settings: Mapping[str, Any] | Settings | None = None,
        *,
        tools: Iterable[Tool] | None = None,
        model: str | LanguageModel | None = None,
        root: str | Path | None = None,
        mcp: Mapping[str, Any] | str | Path | None = None,
    ) -> None:
        self._root = root
        if not isinstance(settings, Settings):
            settings = Settings.load(settings or {}, folder=self.root)
        check_weights(settings)
        self.settings = settings
        self.servers = SessionServers.of(mcp, self.settings, are_own_tools=tools is not None)
        self.redactor = Redactor.from_environment(
            *secret_sources(self.root),
            *self.servers.environments(self.root),
            also=(*self.settings.secrets, *self.servers.header_values(self.root)),
        )
        remember(self.redactor)
        set_verbosity(self.settings.verbosity, self.redactor)
        warn_misspelt()
        self._callable, self._has_own_tools = catalog(tools, self.settings), tools is not None
        self._told: set[str] = set()
        self._offer()
        notify_of_upgrade(self.settings.home, self.root, self.workflows.entries)
        self.request_keys = RequestKeys()
        self._model = model
        self._shared = SessionResources()
        self._halt: Future[None] | None = None
        self._run_id = ""

    def _offer(self, *, may_start: bool = False) -> None:
        """Collect the tools again; start MCP servers whose tools are not known yet, if allowed."""
        remote = self.servers.tools(self.root, may_start=may_start)
        callable_ = beside(self._callable, remote, self._told)
        given = (self.settings, self.root, callable_, self._told)
        self.workflows, self.tools = offer(*given, shipped_too=not self._has_own_tools)

    def use(self, *tools: Tool) -> None:
        """Offer more tools, beside those that are offered already.

        Raises:
            ToolDefinitionError: One is not a Tool, or its name is taken or reserved.
        """
        self._callable = catalog([*self._callable.values(), *tools])
        self._offer()

    @property
    def root(self) -> Path:
        """Folder that the tools work in."""
        return Path(self._root) if self._root else working_folder()

    @property
    def journal(self) -> Journal:
        """The journal, opened at the first access."""
        return self._shared.journal(self.settings.home, self.redactor)

    @property
    def pool(self) -> Pool:
        """The pool that tools run in, opened at the first access.

        Raises:
            SettingError: The cluster that the settings name cannot be used.
        """
        return self._shared.pool(self.settings)

    def model(self, role: Role) -> LanguageModel:
        """Return the model of a role, loaded at the first call.

        Args:
            role: "planner", "executor", "rephraser", "intent" or "validator".

        Raises:
            UsageError: There is no such role.
            ModelUnavailableError: It cannot be loaded.
        """
        return RedactingModel(self._models.open(role), self.redactor)

    def plan(  # noqa: PLR0913  all but the first are named at every call
        self,
        request: str,
        *,
        samples: int | None = None,
        temperature: float | None = None,
        seed: int | None = None,
        inputs: Mapping[str, object] | None = None,
        outputs: Iterable[str] = (),
        variables: Mapping[str, object] | None = None,
        on_sampling: OnSampling | None = None,
        approve: Approve | None = None,
    ) -> Planning:
        """Sample plans for a request and choose one; nothing is run.

        Args:
            request: The request in plain words.
            samples: Number of plans; None means PLANNER_SAMPLE_COUNT.
            temperature: 0 to 1; None means PLANNER_TEMPERATURE.
            seed: Seed of the first candidate.
            inputs: Values that are copied into python_repl, by variable name.
            outputs: Variables of python_repl to read back after the run: `Run.outputs`.
            variables: Values for `{{name}}` in the request; None leaves it as plain text. A
                table among them that it asks about is copied too.
            on_sampling: Called a few times a second with the progress of sampling.
            approve: The approver of a web search before planning, see `execute`.

        Raises:
            UsageError: The request is empty or names an unknown variable, or an input cannot be
                copied.
            SettingError: An argument is out of the range of its setting.
            ModelError: There is no model, or none of its samples is a plan.
            JournalError: The journal cannot be written.
        """
        settings = sampling_as(self.settings, samples, temperature, seed)
        request, notebook_variables = self._filled(request, inputs, outputs, variables)
        listeners = Listeners(on_sampling=on_sampling)
        with self._controller("", settings, notebook_variables, listeners) as controller:
            return controller.plan(request, approve=approve)

    def execute(  # noqa: PLR0913  all but the first are named at every call
        self,
        plan: Plan | Planning | Mapping[str, Any] | list[Any],
        *,
        approve: Approve | None = None,
        on_event: OnEvent | None = None,
        on_planning: OnPlanning | None = None,
        on_sampling: OnSampling | None = None,
        on_live: OnLive | None = None,
        dry_run: bool = False,
        inputs: Mapping[str, object] | None = None,
        outputs: Iterable[str] = (),
        may_replace: Iterable[str] = (),
    ) -> Run:
        """Have a plan approved and run it.

        Args:
            plan: A plan, its JSON data, or the result of `plan`.
            approve: "ask", "auto", "deny", or a function that gets the plan as the form shows it
                and returns "approve", "reject" or Feedback("text"). None means the settings.
            on_event: Called at every change of a step.
            on_planning: Called with every new planning made after feedback, before it is shown.
            on_sampling: Called with the progress of model calls: replanning, arguments, answer.
            on_live: Called with a `Live` at every change, and several times a second while steps
                run.
            dry_run: List the approved calls and run none.
            inputs: Values for python_repl, see `plan`; a planning has its own.
            outputs: Variables of python_repl to read back, see `plan`; a planning has its own.
            may_replace: Existing files, not made by the run, that "auto" may approve to replace.

        Raises:
            UsageError: An input cannot be copied, or a planning is given inputs or outputs.
            PlanError: The plan breaks a rule or names an unknown tool.
            ApprovalError: No approver is available.
        """
        run_id, notebook_variables = "", pack(inputs, outputs)
        if isinstance(plan, Planning):
            check_no_variables(notebook_variables)
            run_id, notebook_variables = plan.run_id, plan.notebook_variables
        listeners = Listeners(
            on_event=on_event, on_planning=on_planning, on_sampling=on_sampling, on_live=on_live
        )
        given = (run_id, self.settings, notebook_variables, listeners, replaceable(may_replace))
        with self._controller(*given) as controller:
            return controller.execute(plan, approve=approve, dry_run=dry_run)

    def run(  # noqa: PLR0913  all but the first are named at every call
        self,
        request: str,
        *,
        seed: int | None = None,
        approve: Approve | None = None,
        on_event: OnEvent | None = None,
        on_planning: OnPlanning | None = None,
        on_sampling: OnSampling | None = None,
        on_live: OnLive | None = None,
        dry_run: bool = False,
        inputs: Mapping[str, object] | None = None,
        outputs: Iterable[str] = (),
        variables: Mapping[str, object] | None = None,
        may_replace: Iterable[str] = (),
    ) -> Run:
        """Plan a request, have the plan approved and run it; see `plan` and `execute`.

        Here `on_planning` is called with the first planning too.
        """
        self.check_approver(approve)
        settings = sampling_as(self.settings, None, None, seed)
        request, notebook_variables = self._filled(request, inputs, outputs, variables)
        listeners = Listeners(
            on_event=on_event, on_planning=on_planning, on_sampling=on_sampling, on_live=on_live
        )
        given = ("", settings, notebook_variables, listeners, replaceable(may_replace))
        with self._controller(*given) as controller:
            planning = controller.plan(request, approve=approve)
            listeners.planned(planning)
            return controller.execute(planning, approve=approve, dry_run=dry_run)

    def _filled(
        self,
        request: str,
        inputs: Mapping[str, object] | None,
        outputs: Iterable[str],
        variables: Mapping[str, object] | None,
    ) -> tuple[str, NotebookVariables]:
        """Return a request with its variables inserted, and all variables of its run."""
        if variables is None:
            return request, pack(inputs, outputs)
        filled = fill_template(request, variables, settings=self.settings, redactor=self.redactor)
        also = asked_frames(filled.request, named_frames(request, variables))
        if may_follow(request) and (last := last_query(self.journal)):
            also |= named_frames(f"{{{{{last.source}}}}}", variables)
        notebook_variables = pack(inputs, outputs, also=also)
        return filled.request, notebook_variables.beside(filled.inserted)

    def map(self, requests: Sequence[str], *, approve: Approve | None = None) -> list[Run]:
        """Run a list of requests and return their runs in the same order.

        With a policy, PLAN_MAX_PARALLEL requests run in parallel, and decisions that need a
        person are refused. With an approver, they run one after another. All use one folder.

        Args:
            requests: Requests in plain words; all are checked before the first one is planned.
            approve: See `execute`; the same for every run.

        Raises:
            UsageError: They are not a list, or one of them is empty.
            ApprovalError: No approver is available.
        """
        checked = checked_requests(requests)
        self.check_approver(approve)
        alone = policy_of(approve, self.settings) not in {"auto", "deny"}
        most = 1 if alone else self.settings.plan_max_parallel

        def run_one(settings: Settings, request: str, halt: Future[None]) -> Run:
            return self.stopped_by(halt, settings).run(request, approve=approve)

        return run_all(checked, run_one, self.settings, self.journal, most=most)

    def stopped_by(self, halt: Future[None], settings: Settings | None = None) -> Self:
        """Return a copy of this session for another thread; its runs stop once `halt` is done."""
        own = copy(self)
        own.settings, own._halt = settings or self.settings, halt  # noqa: SLF001  of the same class
        return own

    def pause(self, run_id: str | None = None) -> str:
        """Request a run to pause and return its id: running steps finish, no other is started.

        Args:
            run_id: The run; None means the only one that is running.

        Raises:
            JournalError: There is no such run.
            UsageError: It is not running, or no id was given and not exactly one run is running.
        """
        return ask_to_pause(self.journal, run_id)

    def resume(  # noqa: PLR0913  all but the first are named at every call
        self,
        run_id: str,
        *,
        approve: Approve | None = None,
        on_event: OnEvent | None = None,
        on_planning: OnPlanning | None = None,
        on_sampling: OnSampling | None = None,
        on_live: OnLive | None = None,
        inputs: Mapping[str, object] | None = None,
        uncertain: Mapping[int, str] | None = None,
    ) -> Run:
        """Resume a run that failed or was paused, or whose process died.

        Completed steps are not repeated; an approval that no longer holds is asked for again.

        Args:
            run_id: The run.
            approve: The approver of open decisions; see `execute`.
            on_event: Called at every change of a step.
            on_planning: Called with every new planning made after feedback, before it is shown.
            on_sampling: Called with the progress of model calls.
            on_live: See `execute`.
            inputs: The values that were copied into python_repl, if there were any.
            uncertain: "done", "done: RESULT", "again" or "leave out", by id of an uncertain step.

        Raises:
            JournalError: There is no such run.
            UsageError: It has ended, is running, belongs to another folder, or lacks its inputs.
            PlanError: This session lacks a tool of its plan.
            ApprovalError: A decision is needed and no approver is available; the run stays open.
        """
        with lease(self.journal.folder_of(self.load_run(run_id).id)):
            run = self.load_run(run_id)  # again: the last holder of the lease may have changed it
            ready = ready_to_resume(run, self.root, self.settings, inputs)
            listeners = Listeners(
                on_event=on_event, on_planning=on_planning, on_sampling=on_sampling, on_live=on_live
            )
            given = (run_id, ready.settings, ready.notebook_variables, listeners)
            with self._controller(*given) as controller:
                return controller.resume(ready.found, said=approvers(uncertain), approve=approve)

    def resumable(self) -> list[Resumable]:
        """Return the runs of this folder that can be resumed, the newest first."""
        return resumable_runs(self.journal, self.root)

    def trust(self, path: str | Path, *, revoke: bool = False) -> None:
        """Trust the present content of a workflow file beside the notebook, so that it is used.

        Args:
            path: The file, relative to `root`.
            revoke: Revoke the trust; UsageError where it was not trusted.
        """
        change_trust(self.root, path, revoke=revoke)
        self._offer()

    def check_approver(self, approve: Approve | None = None) -> None:
        """Raise ApprovalError, before planning, if no approver is available and no rule allows."""
        if policy_of(approve, self.settings) == "ask" and not PolicyRules.load(self.root).can_allow:
            check_someone()

    def load_run(self, run_id: str) -> Run:
        """Return a run from the journal.

        Raises:
            JournalError: There is no such run.
        """
        return read_run(self.journal, run_id, self.tools)

    def audit(self) -> JournalAudit:
        """Return what became of the plans of all runs in the journal, by points and by rules.

        A run that cannot be read is left out, and named.
        """
        outcomes, unread = planning_outcomes(
            self.journal, lambda settings: best_score(Settings.of(settings))
        )
        return JournalAudit(outcomes=tuple(outcomes), unread=tuple(unread))

    def newest_run(self) -> Run | None:
        """Return the run that was started or resumed last, in any state; None if there is none."""
        is_begun = self._run_id and self.journal.records(self._run_id)
        return self.load_run(self._run_id) if is_begun else None

    def close(self) -> None:
        """Close the journal, the cluster and a model given as an object; loaded ones are shared."""
        self.servers.close()
        self._shared.close()
        if self._model is not None and not isinstance(self._model, str):
            self._model.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exc: object) -> None:
        self.close()

    @contextmanager
    def _controller(
        self,
        run_id: str,
        settings: Settings,
        notebook_variables: NotebookVariables,
        listeners: Listeners,
        may_replace: frozenset[str] = frozenset(),
    ) -> Iterator[RunController]:
        """Yield the controller of a new run, or of the existing run with this id."""
        self._offer(may_start=True)
        self._run_id = run_id = run_id or new_run_id(self.settings, self.journal)
        rules = PolicyRules.load(self.root)  # before anything is recorded: an error begins no run
        recorder = open_recorder(self.journal, run_id, settings, self.redactor)
        boundary = open_boundary(recorder, settings, self.root)
        pool = self.pool
        tables = self._shared.table_processes()
        given = (recorder, settings, self.root, self.redactor, notebook_variables)
        with telemetry_of(recorder), open_resources(*given, table_processes=tables) as resources:
            context = RunContext(
                settings=settings,
                tools=self.tools,
                model=RecordedModels(
                    models=self._models, boundary=boundary, redactor=self.redactor
                ),
                recorder=recorder,
                boundary=boundary,
                resources=resources,
                root=self.root,
                redactor=self.redactor,
                pool=pool,
                request_keys=self.request_keys,
                listeners=replace(
                    listeners, on_sampling=checking_stop(self._halt, listeners.on_sampling)
                ),
                halt=self._halt,
                rules=None if boundary.is_replay else rules,
                may_replace=may_replace,
                servers=() if boundary.is_replay else self.servers.offered(self.root),
            )
            yield RunController(context)

    @property
    def _models(self) -> Models:
        """The models according to the current settings."""
        return Models(self.settings, self._model)
