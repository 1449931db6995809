"""A working folder, a home for the journal, and sessions that use both."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from okso_jupyter.llm.protocol import ModelIdentity
from okso_jupyter.plan.plan import Plan
from okso_jupyter.results import Run
from okso_jupyter.session.session import Session
from okso_jupyter.session.tool_set import catalog
from okso_jupyter.testing import ScriptedModel
from okso_jupyter.toolkit.tool import Tool


class SmallModel(ScriptedModel):
    """A scripted model with the size of one too small to know facts."""

    @property
    def identity(self) -> ModelIdentity:
        """An identity with weights of 100 megabytes."""
        return ModelIdentity(spec="small", name="SmallModel", weights_bytes=100_000_000)


END: dict[str, Any] = {"tool": "final_answer", "args": {}}


@dataclass(slots=True)
class Bench:
    """A test bench that runs plans with the built-in tools and tools of the test.

    Attributes:
        root: Folder that the tools work in.
        home: Folder of journal and logs.
        extra: Tools in addition to the built-in ones.
        model: The model of the newest session.
    """

    root: Path
    home: Path
    extra: list[Tool] = field(default_factory=list)
    model: ScriptedModel = field(default_factory=lambda: ScriptedModel([]))

    @classmethod
    def within(cls, folder: Path) -> Self:
        """Return a bench with a few ordinary files in its folder and an empty home."""
        root = folder / "notebook"
        root.mkdir()
        (root / "notes.txt").write_text("buy milk\ncall Ann\n")
        (root / "sales.csv").write_text("product,price\npen,1\ncup,2\n")
        return cls(root=root, home=folder / "home")

    def session(self, *completions: object, **settings: Any) -> Session:
        """Return a session whose model returns exactly these completions."""
        self.model = ScriptedModel(completions)
        # many plans of tests are meant to fail; those that are to be refused say so
        chosen = {"OKSO_HOME": str(self.home), "PLAN_CHECKS": False, **settings}
        tools = [*catalog(None).values(), *self.extra]
        return Session(chosen, tools=tools, model=self.model, root=self.root)

    def run(
        self,
        plan: Plan | Mapping[str, Any] | list[Any],
        *completions: object,
        approve: Any = "auto",
        on_event: Callable[[Mapping[str, Any]], None] | None = None,
        may_replace: Iterable[str] | None = None,
        **settings: Any,
    ) -> Run:
        """Execute a plan and return its run; every completion must be used.

        Without `may_replace` every file of the folder may be replaced.
        """
        if may_replace is None:
            may_replace = [file.name for file in self.root.iterdir() if file.is_file()]
        with self.session(*completions, **settings) as session:
            return session.execute(
                plan, approve=approve, on_event=on_event, may_replace=may_replace
            )

    def offer(self, name: str, handler: Callable[..., Any], **parts: Any) -> None:
        """Add a tool that takes any arguments."""
        schema = parts.pop("parameters", {"type": "object"})
        self.extra.append(Tool.from_schema(name, f"{name} for tests", schema, handler, **parts))


def statuses(run: Run) -> dict[int, str]:
    """Return the last status of every step."""
    return {seen.call.step_id: seen.status for seen in run.steps_seen}


def kinds(run: Run, *wanted: str) -> list[str]:
    """Return the kinds of the run's records in order, optionally only the wanted ones."""
    return [record.kind for record in run.records if not wanted or record.kind in wanted]


def bodies(run: Run, kind: str) -> Iterable[dict[str, Any]]:
    """Return the bodies of the records of one kind, in order."""
    return [record.body for record in run.records if record.kind == kind]
