"""What is wrong with a plan before anything runs: code that is none, files that are not there.

The steps are gone through in their order: what one makes is there for those after it. The folder
is looked at for names only, and for a bounded time.
"""

from __future__ import annotations

import difflib
import posixpath
import time
from collections.abc import Collection, Iterator, Mapping
from concurrent.futures import TimeoutError as FutureTimeoutError
from dataclasses import dataclass, field
from typing import Final

from okso_jupyter.effects.effect import LASTING, UNDECLARED
from okso_jupyter.effects.named_paths import Kind, Need, Paths
from okso_jupyter.errors import ToolError, ToolFailedError, ToolNotFoundError
from okso_jupyter.legible import sentence
from okso_jupyter.plan.flaws import Flaw
from okso_jupyter.plan.plan import Condition, Plan, Step
from okso_jupyter.toolkit.handler_threads import result_within, start
from okso_jupyter.toolkit.tool import Tool
from okso_jupyter.workspace import Workspace
from okso_jupyter.workspace.names_in_folder import names_in

#: Seconds that may be spent on looking; what was not looked at counts as being there.
_LOOK_S: Final = 2.0
_MAX_LOOKS: Final = 200
_WORDS: Final[Mapping[Kind, str]] = {
    "file": "file",
    "folder": "folder",
    "place": "file or folder",
}
#: How alike two names are at least, from 0 to 1, for one to be meant by the other.
_ALIKE: Final = 0.6


@dataclass(frozen=True, slots=True)
class _Wanted:
    """A need of a step that no earlier step provides for.

    Attributes:
        step_id: The step.
        need: What it needs.
        path: Its path beneath the root.
        taken_by: The step that takes it away before; 0 where none does.
    """

    step_id: int
    need: Need
    path: str
    taken_by: int = 0


@dataclass(slots=True)
class _Folder:
    """What the steps so far would have made of the folder."""

    workspace: Workspace
    working: str = "."
    made: set[str] = field(default_factory=set)
    taken: dict[str, int] = field(default_factory=dict)
    is_open: bool = False

    def wants(self, step: Step, paths: Paths, folder: str) -> Iterator[_Wanted]:
        """Yield what a step needs that is not known to be there."""
        for need in paths.needs:
            path = self._path(need.path, folder)
            if path is None or path == "." or self.is_open or self._is_made(path):
                continue
            yield _Wanted(step.id, need, path, self.taken.get(path, 0))

    def go_on(self, step: Step, paths: Paths, folder: str) -> None:
        """Take in what a step makes and takes away."""
        self.is_open = self.is_open or paths.is_open
        for taken in filter(None, (self._path(one, folder) for one in paths.takes)):
            self.made.discard(taken)
            self.taken[taken] = step.id
        for made in filter(None, (self._path(one, folder) for one in paths.makes)):
            self.made.add(made)
            self.taken.pop(made, None)

    def _is_made(self, path: str) -> bool:
        """Say whether a path was made, lies below one that was, or above it."""
        return any(
            path == made or path.startswith(made + "/") or made.startswith(path + "/")
            for made in self.made
        )

    def _path(self, path: str, folder: str) -> str | None:
        """Return a path beneath the root; None for one that the call itself will refuse."""
        try:
            return self.workspace.relative(path, folder)
        except ToolError:
            return None


def flaws_of(
    plan: Plan,
    tools: Mapping[str, Tool],
    workspace: Workspace | None,
    *,
    folder: str = ".",
    ended: Collection[int] = (),
) -> tuple[Flaw, ...]:
    """Return what makes a plan fail whatever happens, in the order of its steps.

    Args:
        plan: The plan.
        tools: The tools by name.
        workspace: The folder; without one only arguments are looked at.
        folder: Where commands start, beneath the root.
        ended: Ids of steps that ran already.
    """
    due = [step for step in plan.steps if step.id not in ended]
    found = [flaw for step in due for flaw in _of_arguments(step, tools)]
    if workspace is not None:
        wrong = {flaw.step_id for flaw in found}
        calls = [step for step in due if step.tool in tools and step.id not in wrong]
        found += _not_there(plan, calls, tools, _Folder(workspace, folder))
    places = {step.id: place for place, step in enumerate(plan.steps)}
    return tuple(sorted(found, key=lambda flaw: places[flaw.step_id]))


def _of_arguments(step: Step, tools: Mapping[str, Tool]) -> Iterator[Flaw]:
    """Yield what is wrong with a step on its own."""
    if step.is_final:
        return
    if step.tool not in tools:
        yield Flaw(step_id=step.id, message=f"there is no tool {step.tool!r}")
        return
    for found in tools[step.tool].flaws_of(step.args, lenient=True)[:1]:
        yield Flaw(step_id=step.id, argument=found.argument, message=sentence(found.message))


def _not_there(
    plan: Plan, calls: list[Step], tools: Mapping[str, Tool], state: _Folder
) -> list[Flaw]:
    """Return a flaw for each path that is not there when a step needs it."""
    provided = set(_provided_for(plan))
    wanted: list[_Wanted] = []
    folders: dict[str, str] = {}
    for step in calls:
        tool, folder = tools[step.tool], folders.get(step.tool, state.working)
        closed = {n: value for n, value in step.args.items() if n not in step.open_args}
        paths = tool.paths_of(closed)
        if not step.condition and step.id not in provided:
            wanted += state.wants(step, paths, folder)
        if step.open_args:  # what else it names is not known yet
            state.is_open = state.is_open or bool(tool.effect_of(step.args) & _CHANGES)
            continue
        state.go_on(step, paths, folder)
        if paths.folder is not None:
            folders[step.tool] = posixpath.normpath(posixpath.join(folder, paths.folder))
    return _looked_up(state.workspace, wanted) if wanted else []


#: What a step may do that makes files which nobody can tell beforehand.
_CHANGES: Final = LASTING | UNDECLARED


def _provided_for(plan: Plan) -> Iterator[int]:
    """Yield the steps whose failure another step is there for."""
    for step in plan.steps:
        if step.condition:
            yield Condition.parse(step.condition, step=step.id).step_id
        if step.replaces is not None:
            yield step.replaces


def _looked_up(workspace: Workspace, wanted: list[_Wanted]) -> list[Flaw]:
    """Return what is not there; in a thread of its own, for a disk may hang."""
    try:
        return result_within(start(lambda: _looks(workspace, wanted)), 2 * _LOOK_S)
    except FutureTimeoutError:
        return []


def _looks(workspace: Workspace, wanted: list[_Wanted]) -> list[Flaw]:
    until = time.monotonic() + _LOOK_S
    found: list[Flaw] = []
    names = _Names(workspace)
    for one in wanted[:_MAX_LOOKS]:
        if time.monotonic() > until:
            break
        said = f"step {one.taken_by} takes it away" if one.taken_by else _wrong(workspace, one)
        if not said:
            continue
        if said == _NOTHING:
            said = _nothing(one, names)
        need = one.need
        found.append(Flaw(step_id=one.step_id, argument=need.argument, message=sentence(said)))
    return found


@dataclass(slots=True)
class _Names:
    """The names that could be meant, looked up when the first is needed."""

    workspace: Workspace
    _known: dict[bool, list[str]] = field(default_factory=dict)

    def suiting(self, kind: Kind) -> list[str]:
        """Return those of folders for a folder, else all."""
        files = kind != "folder"
        if files not in self._known:
            self._known[files] = list(names_in(self.workspace, files=files, folders=True))
        return self._known[files]


#: There is nothing of that name.
_NOTHING: Final = "nothing"


def _wrong(workspace: Workspace, one: _Wanted) -> str:
    """Return what is wrong with what lies at a path; an empty text where it can be used."""
    try:
        entry = workspace.stat(one.path)
    except (ToolNotFoundError, ToolFailedError):
        return _NOTHING
    except ToolError:
        return ""  # the call itself says why it is refused
    if one.need.kind == "file" and entry.is_dir:
        return f"{one.need.path!r} is a folder, not a file"
    if one.need.kind == "folder" and not entry.is_dir:
        return f"{one.need.path!r} is a file, not a folder"
    return ""


def _nothing(one: _Wanted, names: _Names) -> str:
    """Return that there is nothing of a name, and which name could be meant."""
    said = f"there is no {_WORDS[one.need.kind]} {one.need.path!r}"
    near = nearest(one.path, names.suiting(one.need.kind))
    return f"{said}; did you mean {near!r}?" if near else said


def nearest(path: str, names: list[str]) -> str:
    """Return the name that is most like a path; empty where none is.

    The same name in another folder, or in other capitals, is nearer than any other.
    """
    base = posixpath.basename(path).casefold()
    for name in names:
        if posixpath.basename(name).casefold() == base:
            return name
    by_stem = {_stem(name): name for name in reversed(names)}
    near = difflib.get_close_matches(_stem(path), by_stem, n=1, cutoff=_ALIKE)
    return by_stem[near[0]] if near else ""


def _stem(path: str) -> str:
    """Return a path without its suffix: a common one makes no two names alike."""
    return posixpath.splitext(path)[0].casefold()
