"""RunContext: what all stages of one run share, from planning to the answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from okso_jupyter.approval.person import ask_line
from okso_jupyter.approval.request_builder import RequestBuilder
from okso_jupyter.execution.model_calls import ModelCalls
from okso_jupyter.execution.pool import Pool
from okso_jupyter.journal.events import Recorded
from okso_jupyter.journal.recorder import RunRecorder
from okso_jupyter.personal.mail.mail_settings import MailSettings
from okso_jupyter.personal.personal_options import PersonalOptions
from okso_jupyter.plan.run_inputs import RunInputs
from okso_jupyter.planning.table_questions.table_sources import TableSources
from okso_jupyter.policies.call_history import READS, CallHistory
from okso_jupyter.policies.policy_rules import PolicyRules
from okso_jupyter.redaction.redactor import Redactor
from okso_jupyter.replay.boundary import Boundary
from okso_jupyter.runs.boundaries import RecordedModels
from okso_jupyter.runs.listeners import Listeners
from okso_jupyter.runs.run_ids import RequestKeys
from okso_jupyter.settings import Settings
from okso_jupyter.tables.table_processes import TableProcesses
from okso_jupyter.toolkit.catalog import ToolCatalog
from okso_jupyter.toolkit.context import RunResources
from okso_jupyter.toolkit.notebook_variables import NotebookVariables
from okso_jupyter.toolkit.ratings import RatingLog
from okso_jupyter.web import FetchLimits, WebClient
from okso_jupyter.web.search import SearchOptions
from okso_jupyter.workspace import Images, Workspace

EventT = TypeVar("EventT", bound=Recorded)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunContext:
    """Dependencies of one run.

    The stages in `runs` hold the context itself; rooms below get the parts that they need.

    Attributes:
        settings: The settings.
        tools: The catalogue.
        model: Returns the model of a role.
        recorder: The run's journal.
        boundary: Records or replays everything that the run takes from outside.
        resources: What the calls of the run share: workspace, variables, web, Python.
        root: Folder that the tools work in.
        redactor: Removes secrets.
        pool: The pool that tools run in.
        request_keys: Counts the runs of one request.
        listeners: What is called while the run works.
        halt: Future that another thread sets to stop the run.
        rules: The rules of the policy files; None in a replay.
        may_replace: Paths, as the caller wrote them, whose content any policy may replace.
        servers: Definitions of the offered tools of MCP servers, as JSON data.
    """

    settings: Settings
    tools: ToolCatalog
    model: RecordedModels
    recorder: RunRecorder
    boundary: Boundary
    resources: RunResources
    root: Path
    redactor: Redactor
    pool: Pool
    request_keys: RequestKeys
    listeners: Listeners = field(default_factory=Listeners)
    halt: Future[None] | None = None
    rules: PolicyRules | None = field(default_factory=PolicyRules)
    may_replace: frozenset[str] = frozenset()
    servers: Sequence[Mapping[str, Any]] = ()

    @property
    def run_id(self) -> str:
        """Id of the run."""
        return self.recorder.run_id

    def events(self, *kinds: type[EventT]) -> list[EventT]:
        """Return the run's events of these kinds from its journal."""
        return self.recorder.journal.events(self.run_id, *kinds)

    @property
    def notebook_variables(self) -> NotebookVariables:
        """Variables copied from the notebook into Python, and back."""
        return self.resources.notebook_variables

    @property
    def data(self) -> RunInputs:
        """Descriptions of these variables."""
        return self.notebook_variables.data

    @property
    def workspace(self) -> Workspace:
        """Files beneath the root."""
        return self.resources.workspace

    def table_sources(self) -> TableSources:
        """Return the tables that a question can be about."""
        frames = self.notebook_variables.columns()
        return TableSources(self.workspace, self.resources.tables, frames)

    def request_builder(self, request: str) -> RequestBuilder:
        """Return the builder of approval requests for plans of a request."""
        return RequestBuilder(
            tools=self.tools,
            resources=self.resources,
            settings=self.settings,
            request=request,
            data=self.data,
            take=self.boundary.take,
            found=self.boundary.found,
            may_replace=frozenset(map(self.workspace.relative, self.may_replace)),
            rules=self.rules,
            history=self.call_history,
        )

    def call_history(self) -> CallHistory:
        """Return the calls of the run so far, as rules see them."""
        has_inputs = bool(self.data.inputs)
        return CallHistory.of_events(self.events(*READS), self.run_id, has_inputs=has_inputs)

    def model_calls(self, request: str) -> ModelCalls:
        """Return the calls of models that fill arguments and answer a request."""
        return ModelCalls(
            model=self.model,
            settings=self.settings,
            recorder=self.recorder,
            request=request,
            values=self.data.prompt_text(),
            on_sampling=self.listeners.on_sampling,
            redactor=self.redactor,
        )


@contextmanager
def open_resources(  # noqa: PLR0913  what they are made of
    recorder: RunRecorder,
    settings: Settings,
    root: Path,
    redactor: Redactor,
    notebook_variables: NotebookVariables,
    *,
    table_processes: TableProcesses,
) -> Iterator[RunResources]:
    """Yield what the calls of one run share; close it at the end."""
    images = Images.beneath(settings.home)
    resources = RunResources(
        workspace=Workspace(root, keep=images.keep, closed=settings.home),
        scratch=recorder.journal.folder_of(recorder.run_id),
        notebook_variables=notebook_variables,
        python_state=settings.python_state,
        web=WebClient(limits=FetchLimits.of(settings)),
        search=SearchOptions.of(settings),
        ratings=RatingLog.of(settings, redactor),
        ask=ask_line,
        personal=PersonalOptions.of(settings),
        mail=MailSettings.of(settings, root),
        table_backend=settings.table_backend,
        table_processes=table_processes,
    )
    try:
        yield resources
    finally:
        resources.close()
