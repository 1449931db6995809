"""Context of a tool call: workspace, the run's folder, time limit and stop signal."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from okso_jupyter.documents import DocumentLibrary
from okso_jupyter.errors import ToolFailedError, ToolRefusedError
from okso_jupyter.personal.mail.mail_settings import MailSettings
from okso_jupyter.personal.personal_options import PersonalOptions
from okso_jupyter.sandbox import PythonWorker
from okso_jupyter.sandbox.output_tail import Tail
from okso_jupyter.tables.database import Database
from okso_jupyter.tables.engine import TableEngine
from okso_jupyter.tables.table_processes import TableProcesses
from okso_jupyter.toolkit.notebook_variables import NotebookVariables
from okso_jupyter.toolkit.ratings import AskLine, RatingLog, no_one
from okso_jupyter.web import WebClient
from okso_jupyter.web.search import SearchOptions
from okso_jupyter.workspace import MadeFiles, Workspace


@dataclass(slots=True)
class RunResources:
    """State that the calls of one run share and change; closed when the run ends.

    Attributes:
        workspace: Files beneath the root.
        scratch: A private folder of the run, for the sandbox and for artefacts.
        folder: The terminal's working folder, relative to the root; "." at the start.
        notebook_variables: Variables passed from the notebook to Python, and returned from it.
        python_state: "persist" keeps one Python worker per run, "fresh" starts one per call.
        web: Client for the internet.
        search: The configured search engine.
        ratings: The user's ratings of steps.
        ask: Asks the user one question.
        personal: Where notes, reminders and events are.
        mail: Where mails are, and who sends them.
        table_backend: Address of a database whose tables are sources, too.
        snippets: Search snippets of this run, by address.
        documents: Documents as Markdown, each converted once.
        made: Files that the run itself created in the folder.
        table_processes: Processes of the session that have read a table; None for the run's own.
        tables: The engine for tables; its processes start with the first query.
    """

    workspace: Workspace
    scratch: Path
    folder: str = "."
    notebook_variables: NotebookVariables = field(default_factory=NotebookVariables)
    python_state: str = "persist"
    web: WebClient = field(default_factory=WebClient)
    search: SearchOptions = field(default_factory=SearchOptions)
    ratings: RatingLog = field(default_factory=lambda: RatingLog(path=Path(), enabled=False))
    ask: AskLine = no_one
    personal: PersonalOptions = field(default_factory=PersonalOptions)
    mail: MailSettings = field(default_factory=MailSettings)
    table_backend: str | None = None
    snippets: dict[str, str] = field(default_factory=dict)
    documents: DocumentLibrary = field(default_factory=DocumentLibrary)
    made: MadeFiles = field(default_factory=MadeFiles)
    table_processes: TableProcesses | None = None
    tables: TableEngine = field(init=False)
    _python: PythonWorker | None = None
    _tables: TableEngine | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        """Make the engine for tables; a copy of the resources, for a rehearsal, shares it."""
        folder, frames = self.scratch / "tables", self.notebook_variables.sources
        database = Database(self.table_backend) if self.table_backend else None
        self.tables = self._tables or TableEngine(
            self.workspace,
            folder,
            frames=frames,
            database=database,
            processes=self.table_processes,
        )
        self._tables = self.tables

    def python(self) -> PythonWorker:
        """Return the run's Python worker, started on first use.

        A worker that died stays: its next call starts another and reports the variables as lost.

        Raises:
            ToolRefusedError: A required sandbox layer is missing; the message names it.
        """
        with self._lock:
            if self._python is not None and self.python_state == "fresh":
                self._python.close()
                self._python = None
            if self._python is None:
                self._python = PythonWorker.start(
                    self.workspace, self.scratch / "python", inputs=self.notebook_variables.bodies
                )
            return self._python

    def take(self, name: str) -> tuple[dict[str, Any], object]:
        """Return a Python variable after the last call: encoded, and as a value.

        Raises:
            ToolError: No call of this run used Python, or the variable cannot be read.
        """
        with self._lock:
            if self._python is None:
                msg = "no step of this run used python_repl"
                raise ToolFailedError(msg)
            return self._python.take(name)

    def close(self) -> None:
        """End the workers and close the root."""
        self.documents.close()
        self.tables.close()
        with self._lock:
            if self._python is not None:
                self._python.close()
                self._python = None
        self.workspace.close()


#: Returns why a call must not follow a redirect to an address; empty if it may.
RedirectRefusal = Callable[[str], str]


def no_refusal(_url: str) -> str:
    """Refuse no redirect."""
    return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolContext:
    """Context of one call.

    Attributes:
        run: State shared by the calls of this run.
        timeout_s: Seconds this call may take.
        cancelled: Set when the call should stop.
        tail: The last lines of the call's output so far, for the live view.
        changed: Set when the workspace that is lent has made a change.
        refuses_redirect: What the rules of policy files say to redirects of this call.
    """

    run: RunResources
    timeout_s: float
    cancelled: threading.Event = field(default_factory=threading.Event)
    tail: Tail = field(default_factory=Tail)
    changed: threading.Event = field(default_factory=threading.Event)
    refuses_redirect: RedirectRefusal = no_refusal

    @property
    def workspace(self) -> Workspace:
        """Workspace of the run: files beneath the root. A change by it sets `changed`."""
        return self.run.workspace.watched(self.changed.set)

    def say(self, line: str) -> None:
        """Show one line to the user, such as the progress of the call.

        It is shown while the call runs and is not part of its result.
        """
        self.tail.add(" ".join(line.split()))

    def check_cancelled(self) -> None:
        """Raise ToolRefusedError if the call has been cancelled."""
        if self.cancelled.is_set():
            msg = "stopped"
            raise ToolRefusedError(msg)
