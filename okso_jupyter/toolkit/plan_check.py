"""Static plan check before execution: invalid arguments or code, and paths that do not exist.

The steps are checked in order: files that a step creates exist for the steps after it. Only names
in the folder are looked up, for a bounded time.
"""

from __future__ import annotations

import difflib
import posixpath
import time
from collections.abc import Collection, Iterable, Iterator, Mapping
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

#: Seconds for looking up paths; a path that was not checked counts as present.
_LOOK_S: Final = 2.0
_MAX_LOOKS: Final = 200
_WORDS: Final[Mapping[Kind, str]] = {
    "file": "file",
    "folder": "folder",
    "place": "file or folder",
}
#: Minimum similarity, from 0 to 1, for a name to be suggested in place of another.
_ALIKE: Final = 0.6
_MOST_NEAR: Final = 3


@dataclass(frozen=True, slots=True)
class _Wanted:
    """A path that a step needs and no earlier step creates.

    Attributes:
        step_id: The step.
        need: What it needs.
        path: Its path beneath the root.
        taken_by: The earlier step that removes it; 0 if none does.
    """

    step_id: int
    need: Need
    path: str
    taken_by: int = 0


@dataclass(slots=True)
class _Folder:
    """State of the folder after the steps so far."""

    workspace: Workspace
    working: str = "."
    made: set[str] = field(default_factory=set)
    taken: dict[str, int] = field(default_factory=dict)
    is_open: bool = False

    def wants(self, step: Step, paths: Paths, folder: str) -> Iterator[_Wanted]:
        """Yield the paths that a step needs and that are not known to exist."""
        for need in paths.needs:
            path = self._path(need.path, folder)
            if path is None or path == "." or self.is_open or self._is_made(path):
                continue
            yield _Wanted(step.id, need, path, self.taken.get(path, 0))

    def go_on(self, step: Step, paths: Paths, folder: str) -> None:
        """Record the paths that a step creates and removes."""
        self.is_open = self.is_open or paths.is_open
        for taken in filter(None, (self._path(one, folder) for one in paths.takes)):
            self.made.discard(taken)
            self.taken[taken] = step.id
        for made in filter(None, (self._path(one, folder) for one in paths.makes)):
            self.made.add(made)
            self.taken.pop(made, None)

    def _is_made(self, path: str) -> bool:
        """Return whether a path was created, or is beneath or above one that was."""
        return any(
            path == made or path.startswith(made + "/") or made.startswith(path + "/")
            for made in self.made
        )

    def _path(self, path: str, folder: str) -> str | None:
        """Return a path relative to the root; None for one that the call itself will refuse."""
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
    """Return the flaws that make a plan fail in any case, in the order of its steps.

    Args:
        plan: The plan.
        tools: The tools by name.
        workspace: The folder; if None, only arguments are checked.
        folder: Working folder of commands, relative to the root.
        ended: Ids of steps that already ran.
    """
    due = [step for step in plan.steps if step.id not in ended]
    found = [flaw for step in due for flaw in _of_arguments(step, tools)]
    if workspace is not None:
        wrong = {flaw.step_id for flaw in found}
        known = [step for step in due if step.tool in tools and not step.is_final]
        calls = [step for step in known if step.id not in wrong]
        found += _not_there(plan, calls, tools, _Folder(workspace, folder))
    places = {step.id: place for place, step in enumerate(plan.steps)}
    return tuple(sorted(found, key=lambda flaw: places[flaw.step_id]))


def _of_arguments(step: Step, tools: Mapping[str, Tool]) -> Iterator[Flaw]:
    """Yield the flaws of a step by itself."""
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
    """Return a flaw for each path that does not exist when a step needs it."""
    provided = set(_provided_for(plan))
    wanted: list[_Wanted] = []
    folders: dict[str, str] = {}
    for step in calls:
        tool, folder = tools[step.tool], folders.get(step.tool, state.working)
        closed = {n: value for n, value in step.args.items() if n not in step.open_args}
        paths = tool.paths_of(closed)
        if not step.condition and step.id not in provided:
            wanted += state.wants(step, paths, folder)
        if step.open_args:  # its other paths are not known yet
            state.is_open = state.is_open or bool(tool.effect_of(step.args) & _CHANGES)
            continue
        state.go_on(step, paths, folder)
        if paths.folder is not None:
            folders[step.tool] = posixpath.normpath(posixpath.join(folder, paths.folder))
    return _looked_up(state.workspace, wanted) if wanted else []


#: Effects of a step that may create files with unpredictable names.
_CHANGES: Final = LASTING | UNDECLARED


def _provided_for(plan: Plan) -> Iterator[int]:
    """Yield the steps whose failure another step handles."""
    for step in plan.steps:
        if step.condition:
            yield Condition.parse(step.condition, step=step.id).step_id
        if step.replaces is not None:
            yield step.replaces


def _looked_up(workspace: Workspace, wanted: list[_Wanted]) -> list[Flaw]:
    """Return flaws for missing paths; checked in another thread, because a disk may hang."""
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
            said = _dangling(workspace, one) or _nothing(one, names)
        need = one.need
        found.append(Flaw(step_id=one.step_id, argument=need.argument, message=sentence(said)))
    return found


@dataclass(slots=True)
class _Names:
    """Candidate names for suggestions, listed on first use."""

    workspace: Workspace
    _known: dict[bool, list[str]] = field(default_factory=dict)

    def suiting(self, kind: Kind) -> list[str]:
        """Return the folders if a folder is needed, else all names."""
        files = kind != "folder"
        if files not in self._known:
            self._known[files] = list(names_in(self.workspace, files=files, folders=True))
        return self._known[files]


#: Result of `_wrong` for a path that does not exist.
_NOTHING: Final = "nothing"


def _wrong(workspace: Workspace, one: _Wanted) -> str:
    """Return what is wrong with the entry at a path; an empty string if it is usable."""
    try:
        entry = workspace.stat(one.path)
    except (ToolNotFoundError, ToolFailedError):
        return _NOTHING
    except ToolError:
        return ""  # the call itself reports why it is refused
    if one.need.kind == "file" and entry.is_dir:
        return f"{one.need.path!r} is a folder, not a file"
    if one.need.kind == "folder" and not entry.is_dir:
        return f"{one.need.path!r} is a file, not a folder"
    return ""


def _dangling(workspace: Workspace, one: _Wanted) -> str:
    """Return the message for a link that leads to nothing; an empty string for any other path."""
    try:
        state = workspace.state(one.path)
    except ToolError:
        return ""
    if state is None or state.what != "link":
        return ""
    return f"{one.need.path!r} is a link to {state.target!r}, which is not there"


def _nothing(one: _Wanted, names: _Names) -> str:
    """Return the message for a missing path, with a suggested name if there is one."""
    said = f"there is no {_WORDS[one.need.kind]} {one.need.path!r}"
    known = names.suiting(one.need.kind)
    near = of_same_name(one.path, known)[:_MOST_NEAR] or [nearest(one.path, known)]
    listed = " or ".join(map(repr, filter(None, near)))
    return f"{said}; did you mean {listed}?" if listed else said


def of_same_name(path: str, names: Iterable[str]) -> list[str]:
    """Return the names with the last part of a path, whatever the case, the next to the root first.

    The name itself is none of them.
    """
    base = posixpath.basename(path).casefold()
    found = [name for name in names if posixpath.basename(name).casefold() == base]
    return sorted((name for name in found if name != path), key=lambda name: name.count("/"))


def nearest(path: str, names: list[str]) -> str:
    """Return the name most similar to a path, or an empty string.

    The same file name in another folder or another letter case takes precedence, if one has it.
    """
    same = of_same_name(path, names)
    if same:
        return same[0] if len(same) == 1 else ""
    names = [name for name in names if name != path]
    by_stem = {_stem(name): name for name in reversed(names)}
    near = difflib.get_close_matches(_stem(path), by_stem, n=1, cutoff=_ALIKE)
    return by_stem[near[0]] if near else ""


def _stem(path: str) -> str:
    """Return a path without its suffix: a shared suffix does not make names similar."""
    return posixpath.splitext(path)[0].casefold()
