"""What a running tool is lent: files beneath the root, the run's folder, time, a stop signal."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from okso_jupyter.documents import DocumentLibrary
from okso_jupyter.errors import ToolFailedError, ToolRefusedError
from okso_jupyter.sandbox import PythonWorker
from okso_jupyter.sandbox.output_tail import Tail
from okso_jupyter.toolkit.notebook_variables import NotebookVariables
from okso_jupyter.toolkit.ratings import AskLine, RatingLog, no_one
from okso_jupyter.web import WebClient
from okso_jupyter.web.search import SearchOptions
from okso_jupyter.workspace import MadeFiles, Workspace


@dataclass(slots=True)
class RunResources:
    """What the calls of one run share and change: closed when the run ends.

    Attributes:
        workspace: Files beneath the root.
        scratch: A private folder of the run, for the sandbox and for artefacts.
        folder: The terminal's working folder, relative to the root; "." at the start.
        notebook_variables: What the notebook hands to Python, and takes back.
        python_state: "persist" keeps one Python worker for the run, "fresh" starts one a call.
        web: The way out to the internet.
        search: Which search engine is asked.
        ratings: What people thought of steps.
        ask: Asks a person one question.
        snippets: What searches of this run said of the addresses they found, by address.
        documents: Documents as Markdown, each converted once.
        made: What the run itself has left in the folder.
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
    snippets: dict[str, str] = field(default_factory=dict)
    documents: DocumentLibrary = field(default_factory=DocumentLibrary)
    made: MadeFiles = field(default_factory=MadeFiles)
    _python: PythonWorker | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def python(self) -> PythonWorker:
        """Return the run's Python worker, started when first asked for.

        One that died stays: its next call starts another and says that the variables are lost.

        Raises:
            ToolRefusedError: The machine lacks a layer that the sandbox needs; named in the text.
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
        """Return a variable of Python as the last call left it: encoded, and as a value.

        Raises:
            ToolError: No call of this run used Python, or the variable cannot be had.
        """
        with self._lock:
            if self._python is None:
                msg = "no step of this run used python_repl"
                raise ToolFailedError(msg)
            return self._python.take(name)

    def close(self) -> None:
        """End the workers and let go of the root."""
        self.documents.close()
        with self._lock:
            if self._python is not None:
                self._python.close()
                self._python = None
        self.workspace.close()


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolContext:
    """What one call is lent.

    Attributes:
        run: What the calls of this run share.
        timeout_s: Seconds this call may take.
        cancelled: Set when the call should stop.
        tail: The end of what it has put out so far, for whoever watches.
    """

    run: RunResources
    timeout_s: float
    cancelled: threading.Event = field(default_factory=threading.Event)
    tail: Tail = field(default_factory=Tail)

    @property
    def workspace(self) -> Workspace:
        """Files beneath the root."""
        return self.run.workspace

    def say(self, line: str) -> None:
        """Let whoever watches the run read one line, such as how far the call is.

        It is shown while the call runs, and is no part of what it gives back.
        """
        self.tail.add(" ".join(line.split()))

    def check_cancelled(self) -> None:
        """Raise ToolRefusedError if the call was asked to stop."""
        if self.cancelled.is_set():
            msg = "stopped"
            raise ToolRefusedError(msg)
