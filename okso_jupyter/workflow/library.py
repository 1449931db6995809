"""Library: the workflows of some folders, each with its tool or the reason why it has none."""

from __future__ import annotations

import difflib
import os
import shlex
from collections.abc import Collection, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from graphlib import CycleError, TopologicalSorter
from importlib.metadata import EntryPoint
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from okso_jupyter import assets
from okso_jupyter.effects.effect import Effects
from okso_jupyter.errors import DocumentError, OksoError, ToolRefusedError, error_text
from okso_jupyter.log import LOGGER, warn_once
from okso_jupyter.plan.plan import Step
from okso_jupyter.toolkit.entry_points import entry_points
from okso_jupyter.toolkit.step_expansion import tools_behind
from okso_jupyter.toolkit.tool import Expansion, Tool
from okso_jupyter.trust import sha256_of
from okso_jupyter.workflow.file_reading import SUFFIXES, read_content
from okso_jupyter.workflow.interpolate import places_in
from okso_jupyter.workflow.spec import Workflow

#: Entry-point group under which a package offers workflows: a module in whose folder they are, or
#: the path of a folder.
ENTRY_POINT_GROUP: Final = "okso_jupyter.workflows"
#: Maximum depth to which workflows may call each other, counting the outermost.
MAX_DEPTH: Final = 5
#: Maximum number of calls that a workflow may expand to.
MAX_CALLS: Final = 64
#: Untrusted files that were logged already: every cell loads the workflows again.
_TOLD: Final[set[tuple[str, str]]] = set()


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkflowEntry:
    """A workflow file, or a place where no workflows could be read.

    Attributes:
        file: The file or place.
        workflow: The workflow read from it; None if that failed.
        problem: Why it has no tool; empty if it has one.
        is_trusted: Whether it is used: it needs no trust, or is trusted.
        sha256: Hash of its content; empty if it cannot be read as a workflow.
    """

    file: str
    workflow: Workflow | None = None
    problem: str = ""
    is_trusted: bool = True
    sha256: str = ""


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder with workflow files.

    Attributes:
        path: The folder.
        beside: Its path relative to the notebook's folder, if it came with the notebook: its files
            are used only if trusted. Empty for a folder that the user chose or installed.
    """

    path: Path
    beside: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkflowLibrary:
    """The workflows of some folders.

    Attributes:
        entries: Every file, in the order of the folders and of the names in each.
        tools: One tool per valid file.
    """

    entries: tuple[WorkflowEntry, ...]
    tools: tuple[Tool, ...]

    @classmethod
    def load(
        cls,
        places: Iterable[WorkflowEntry | Folder],
        tools: Mapping[str, Tool],
        trusted: Collection[str] = (),
        told: set[str] | None = None,
    ) -> WorkflowLibrary:
        """Read the workflows of some folders; an invalid or untrusted file is listed and skipped.

        Args:
            places: Folders, most trusted first: the first workflow of a name is used. A
                `WorkflowEntry` is listed unchanged.
            tools: The tools that their steps may call.
            trusted: Hashes of the contents that the user trusts.
            told: The warnings that were given already, which are not given again; new ones are
                added.
        """
        told = set() if told is None else told
        entries = list(_entries(places, trusted))
        _tell_of_untrusted(entries)
        first: dict[str, Workflow] = {}
        for entry in entries:
            if entry.workflow is not None and not entry.problem:
                first.setdefault(entry.workflow.tool_name, entry.workflow)
        linker = _Linker(first, dict(tools), _untrusted(entries, {*first, *tools}))
        made = linker.link()
        judged = [_judged(entry, first, linker.problems) for entry in entries]
        for entry in judged:
            if entry.problem and entry.is_trusted:
                warn_once("workflow skipped", f"{entry.file}: {entry.problem}", told)
        return cls(entries=tuple(judged), tools=tuple(made))


def shipped() -> Path:
    """Return the folder of the workflows that come with the package."""
    return assets.folder("workflows")


def offered() -> Iterator[WorkflowEntry | Folder]:
    """Yield the folders that installed packages offer, and an entry for each failing offer."""
    for point in entry_points(ENTRY_POINT_GROUP):
        try:
            yield Folder(_folder_of(point))
        except Exception as error:  # noqa: BLE001  foreign code that is imported; it must not stop the others
            yield WorkflowEntry(file=point.value, problem=f"{type(error).__name__}: {error}")


def named(path_list: str, root: Path, *, is_own: bool = True) -> Iterator[WorkflowEntry | Folder]:
    """Yield the folders of WORKFLOWS_DIR, and an entry for each folder that does not exist.

    Args:
        path_list: The value of the setting.
        root: The folder of the notebook, to which relative paths refer.
        is_own: Whether relative paths were chosen for this root, and not for any root.
    """
    for text in filter(None, path_list.split(os.pathsep)):
        try:
            path = Path(text).expanduser()
            problem = "" if (root / path).is_dir() else "there is no such folder"
        except OSError as error:
            problem = f"it cannot be read: {error.strerror}"
        except RuntimeError:
            problem = "there is no such user"
        if problem:
            yield WorkflowEntry(file=text, problem=problem)
        else:
            yield Folder(root / path, "" if is_own or path.is_absolute() else text)


def _folder_of(point: EntryPoint) -> Path:
    offer = point.load()
    if isinstance(offer, ModuleType):
        return Path(next(iter(offer.__path__)))
    if isinstance(offer, str | Path) and Path(offer).is_dir():
        return Path(offer)
    msg = f"{offer!r} is neither a package nor a folder"
    raise DocumentError(msg)


def _entries(
    places: Iterable[WorkflowEntry | Folder], trusted: Collection[str]
) -> Iterator[WorkflowEntry]:
    """Yield the entries of all places; a folder that is listed twice is read once."""
    seen = set()
    for place in places:
        if isinstance(place, WorkflowEntry):
            yield place
            continue
        # Resolved: the notebook's own folder may also be listed, and links may be broken.
        real = Path(os.path.realpath(place.path))
        if real not in seen:
            yield from _in_folder(Folder(real, place.beside), trusted)
        seen.add(real)


def _in_folder(folder: Folder, trusted: Collection[str]) -> list[WorkflowEntry]:
    """Return an entry for every workflow file of a folder, without its subfolders."""
    try:
        files = sorted(file for file in folder.path.iterdir() if file.suffix in SUFFIXES)
    except FileNotFoundError:
        return []
    except OSError as error:
        return [
            WorkflowEntry(file=str(folder.path), problem=f"it cannot be read: {error.strerror}")
        ]
    return [_read(file, folder, trusted) for file in files]


def _read(file: Path, folder: Folder, trusted: Collection[str]) -> WorkflowEntry:
    """Return the entry of a file, read once: the content that is checked is the content used."""
    try:
        content = read_content(file)
        workflow = _parsed(content, file)
    except OksoError as error:
        return WorkflowEntry(file=str(file), problem=str(error))
    except Exception as error:  # noqa: BLE001  a file from anywhere must not stop the others
        return WorkflowEntry(file=str(file), problem=error_text(error))
    entry = WorkflowEntry(file=str(file), workflow=workflow, sha256=sha256_of(content))
    if not folder.beside or entry.sha256 in trusted:
        return entry
    called = shlex.quote(f"{folder.beside}/{file.name}")
    return replace(entry, problem=f"not trusted: %okso trust {called}", is_trusted=False)


@lru_cache(maxsize=128)  # every cell loads the workflows again
def _parsed(content: bytes, file: Path) -> Workflow:
    return Workflow.parse(content, file)


def _untrusted(entries: Iterable[WorkflowEntry], known: Container[str]) -> dict[str, str]:
    """Return why each untrusted workflow cannot be called, by its tool's name."""
    return {
        entry.workflow.tool_name: entry.problem
        for entry in entries
        if entry.workflow and not entry.is_trusted and entry.workflow.tool_name not in known
    }


def _tell_of_untrusted(entries: Iterable[WorkflowEntry]) -> None:
    """Log the untrusted files in one line; each content is logged once per process."""
    new = {(e.file, e.sha256) for e in entries if not e.is_trusted} - _TOLD
    if new:
        _TOLD.update(new)
        detail = f"{', '.join(sorted(file for file, _ in new))}: %okso trust lists them"
        LOGGER.warning("workflows are not trusted and left out", extra={"detail": detail})


def _judged(
    entry: WorkflowEntry, first: Mapping[str, Workflow], problems: Mapping[str, str]
) -> WorkflowEntry:
    """Return an entry with its problem, if it has one."""
    if entry.workflow is None or entry.problem:
        return entry
    winner = first[entry.workflow.tool_name]
    problem = problems[entry.workflow.tool_name]
    if winner is not entry.workflow:
        problem = f"the name {entry.workflow.name!r} is taken by {winner.file}"
    return replace(entry, problem=problem)


@dataclass(slots=True)
class _Linker:
    """Makes tools of workflows, callees first.

    Attributes:
        workflows: The workflows by the name of their tool.
        tools: The tools that they may call; new tools are added.
        problems: Why a workflow has no tool, by the name the tool would have; initially for the
            untrusted ones.
    """

    workflows: Mapping[str, Workflow]
    tools: dict[str, Tool]
    problems: dict[str, str] = field(default_factory=dict)
    _depths: dict[str, int] = field(default_factory=dict)
    _calls: dict[str, int] = field(default_factory=dict)

    def link(self) -> list[Tool]:
        """Return the tools, in the order of the workflows."""
        for name in self._order():
            self.problems[name] = self.problems.get(name) or self._problem(self.workflows[name])
            if not self.problems[name]:
                self.tools[name] = self._made(self.workflows[name])
        return [self.tools[name] for name in self.workflows if not self.problems[name]]

    def _order(self) -> list[str]:
        """Return the names, callees first; record a problem for each workflow in a cycle."""
        graph = {
            name: {step.tool for step in workflow.steps} & set(self.workflows)
            for name, workflow in self.workflows.items()
        }
        while True:
            try:
                return list(TopologicalSorter(graph).static_order())
            except CycleError as error:
                circle = error.args[1][::-1]
                for name in circle[1:]:
                    words = " -> ".join(circle)
                    self.problems[name] = f"workflows call each other in a circle: {words}"
                    graph[name] = set()

    def _problem(self, workflow: Workflow) -> str:
        """Return why a workflow cannot become a tool; empty if it can."""
        try:
            return self._flaw(workflow)
        except Exception as error:  # noqa: BLE001  a file from anywhere must not stop the others
            return error_text(error)

    def _flaw(self, workflow: Workflow) -> str:
        name = workflow.tool_name
        if name in self.tools:
            return f"there is a tool called {name!r} already"
        for step in workflow.steps:
            wrong = self.problems.get(step.tool) or self._misfit(step)
            if wrong:
                return f"step {step.id} ({step.tool}): {wrong}"
        self._depths[name] = 1 + max(self._depths.get(step.tool, 0) for step in workflow.steps)
        self._calls[name] = sum(self._calls.get(step.tool, 1) for step in workflow.steps)
        if self._depths[name] > MAX_DEPTH:
            return f"workflows call each other more than {MAX_DEPTH} deep"
        if self._calls[name] > MAX_CALLS:
            return f"it comes to {self._calls[name]} calls; the maximum is {MAX_CALLS}"
        return self._trial(workflow)

    def _misfit(self, step: Step) -> str:
        """Return why a step cannot fit its tool with any placeholder values; empty if it can."""
        tool = self.tools.get(step.tool)
        if tool is None:
            near = difflib.get_close_matches(step.tool, self.tools, n=1)
            return f"there is no such tool{f'; did you mean {near[0]}?' if near else ''}"
        if any(places_in(dict(step.args))):
            unknown = [name for name in step.args if name not in tool.properties]
            is_closed = tool.parameters.get("additionalProperties") is False
            return f"it takes no argument {unknown[0]!r}" if is_closed and unknown else ""
        return next(iter(tool.violations(step.args, lenient=True)), "")

    def _trial(self, workflow: Workflow) -> str:
        """Return why placeholders cannot be filled or an example does not fit; empty if all do."""
        try:
            tool = self._made(workflow)
        except OksoError as error:
            return str(error)
        return _wrong_example(tool)

    def _made(self, workflow: Workflow) -> Tool:
        return _tool(workflow, *(self.tools[step.tool] for step in workflow.steps))


@lru_cache(maxsize=128)  # the tool is the same at every cell, see below
def _wrong_example(tool: Tool) -> str:
    """Return why an example does not fit the tool that it is of; empty if all do."""
    wrong = next((w for example in tool.examples for w in tool.violations(example.args)), "")
    return f"examples: {wrong}" if wrong else ""


@lru_cache(maxsize=128)  # every cell links the workflows again, to the same tools
def _tool(workflow: Workflow, *tools: Tool) -> Tool:
    """Return the tool that expands to a workflow's steps, after a trial of its placeholders.

    Args:
        workflow: A workflow.
        tools: The tools of its steps, one for each.

    Raises:
        PlanError: See `Workflow.try_steps`.
        ToolDefinitionError: Its parameters are not those of a tool.
    """
    called = {tool.name: tool for tool in tools}
    schemas = {name: tool.properties for name, tool in called.items()}
    workflow.try_steps(schemas)

    def effect(args: Mapping[str, Any]) -> Effects:
        steps = workflow.steps_for(args, schemas)
        return frozenset().union(*(called[step.tool].effect_of(step.args) for step in steps))

    return Tool(
        name=workflow.tool_name,
        description=workflow.description,
        parameters=workflow.parameters,
        handler=_never_called,
        effect=effect,
        examples=workflow.examples,
        groups=workflow.intents,
        expansion=Expansion(
            steps=lambda args: workflow.steps_for(args, schemas),
            tools=frozenset().union(*(tools_behind(tool) for tool in called.values())),
            most_steps=sum(_most_steps(called[step.tool]) for step in workflow.steps),
        ),
    )


def _most_steps(tool: Tool) -> int:
    """Return the maximum number of steps that a step of a tool expands to."""
    return tool.expansion.most_steps if tool.expansion else 1


def _never_called(**_: object) -> None:
    """Refuse to be called: a workflow step is expanded to the workflow's steps before execution.

    Raises:
        ToolRefusedError: Always.
    """
    msg = "a workflow is expanded into its steps, and is not called itself"
    raise ToolRefusedError(msg)
