"""CallFacts: what rules are matched against: tool, effects, arguments, paths, hosts, origins."""

from __future__ import annotations

import inspect
import posixpath
import shlex
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal, get_args
from urllib.parse import urlsplit

from okso_jupyter.effects.effect import UNDECLARED, Effect, Effects
from okso_jupyter.effects.file_effects import Rehearsal
from okso_jupyter.errors import ToolError
from okso_jupyter.plan.plan import Step
from okso_jupyter.plan.run_inputs import RunInputs
from okso_jupyter.planning.slot_filling.provenance import scalars, unsaid
from okso_jupyter.policies.call_history import CallHistory
from okso_jupyter.toolkit.context import RunResources
from okso_jupyter.toolkit.steering import words_in
from okso_jupyter.toolkit.tool import Tool
from okso_jupyter.web import origin_of
from okso_jupyter.workspace import Workspace

#: Where a value comes from: the request or the form, the model, a variable of the notebook, or a
#: tool's output by what the tool does: reads files, uses the network, anything else.
Origin = Literal["typed", "model", "notebook", "file", "web", "tool"]
ORIGINS: Final[tuple[Origin, ...]] = get_args(Origin)

#: Names of arguments that name files or commands in tools that do not declare which do.
_PATH_NAMES: Final = frozenset(
    "path paths file files filename folder directory dir source destination target".split()
)
_COMMAND_NAMES: Final = ("command", "cmd")
#: With one of these a shell may run more than the command that the line begins with.
_SHELL: Final = frozenset(";&|<>$`()\n")


@dataclass(frozen=True, slots=True)
class Named:
    """The values of one kind that a call names, such as its paths.

    Attributes:
        values: The values; a path through a link stands in both spellings.
        is_complete: Whether the call can name no other.
    """

    values: tuple[str, ...] = ()
    is_complete: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class CallFacts:
    """The facts of one call.

    Attributes:
        tool: Name of the tool.
        effects: Effects of the call.
        root: The working folder, absolute.
        args: Texts of each argument, or of its default; one that is filled in later has none.
        paths: Files and folders, relative to the root.
        hosts: Hosts that it may contact first.
        commands: Command lines.
        origins: Where the values of its arguments come from, or may come from.
        is_trifecta: Whether it can send out private data after untrusted content was met.
    """

    tool: str
    effects: Effects
    root: str = "/"
    args: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    paths: Named = Named()
    hosts: Named = Named()
    commands: Named = Named()
    origins: frozenset[Origin] = frozenset()
    is_trifecta: bool = False


def led_to(facts: CallFacts, url: str) -> tuple[CallFacts, CallFacts]:
    """Return the facts of a call that a redirect leads to an address.

    Returns:
        With the other host alone; and with the address in place of those in its arguments, too.
    """
    host = _host(url)
    led = replace(facts, hosts=Named((host,) if host else (), is_complete=bool(host)))
    args = {
        name: tuple(url if "://" in text else text for text in texts)
        for name, texts in facts.args.items()
    }
    return led, replace(led, args=args)


@dataclass(frozen=True, slots=True, kw_only=True)
class FactFinder:
    """Finds the facts of calls of one run.

    Attributes:
        resources: Files and folder of the run.
        request: The user's request.
        data: Notebook variables that are in the request or go into Python.
    """

    resources: RunResources
    request: str
    data: RunInputs = field(default_factory=RunInputs)

    def facts(
        self, step: Step, tool: Tool, rehearsal: Rehearsal | None, before: CallHistory
    ) -> CallFacts:
        """Return the facts of a step's call.

        Args:
            step: The step; its open arguments are not known yet.
            tool: Its tool.
            rehearsal: What it does to files; None if unknown.
            before: The calls of the run and of the plan before it.
        """
        effects = tool.effect_of(step.args)
        closed = {name: v for name, v in step.args.items() if name not in step.open_args}
        return CallFacts(
            tool=tool.name,
            effects=effects,
            root=str(self.resources.workspace.root),
            args={n: tuple(_texts(v)) for n, v in (_defaults(tool, step) | closed).items()},
            paths=self._paths(step, tool, closed, effects, rehearsal),
            hosts=_hosts(step, closed, effects),
            commands=_commands(step, tool, closed),
            origins=self._origins(step, tool, closed, before),
            is_trifecta=before.completes_trifecta(effects, has_inputs=bool(self.data.inputs)),
        )

    def _paths(
        self,
        step: Step,
        tool: Tool,
        closed: Mapping[str, Any],
        effects: Effects,
        rehearsal: Rehearsal | None,
    ) -> Named:
        """Return the paths that a call names or would change."""
        workspace = self.resources.workspace
        found = tool.paths_of(closed)
        # the folder of a file that is made is not used in another way
        holding = {posixpath.dirname(path) for path in found.makes}
        given = [need.path for need in found.needs if need.path not in holding]
        given += [*found.makes, *found.takes]
        parts = tool.properties.items()
        if tool.paths is None and not any("x-ground" in part for _, part in parts):
            given += [t for name in _PATH_NAMES & set(closed) for t in _texts(closed[name])]
        is_left_out = any(
            part.get("x-ground") == "place" and name not in step.args for name, part in parts
        )
        if is_left_out or found.is_open or (Effect.READS in effects and not given):
            given.append(".")  # it may use any file of the folder
        known = [_relative(workspace, path, self.resources.folder) for path in given]
        if rehearsal is not None:
            known += [*rehearsal.paths, *rehearsal.touched]
        is_complete = not (found.is_open or effects & UNDECLARED or None in known)
        is_open = any(tool.properties.get(name, {}).get("x-ground") != "text"
                      for name in step.open_args)  # fmt: skip
        real = [_without_links(workspace, path) for path in known if path is not None]
        spelt = [*(path for path in known if path is not None), *real]
        return Named(tuple(dict.fromkeys(spelt)), is_complete=is_complete and not is_open)

    def _origins(
        self, step: Step, tool: Tool, closed: Mapping[str, Any], before: CallHistory
    ) -> frozenset[Origin]:
        """Return where the values of a call come from; of open ones, where they may come from."""
        found: set[Origin] = {*before.gave(step.id)}
        if step.open_args:
            found.update(before.origins or {"model"})
        inserted = words_in(value.text for value in self.data.inserted)
        said = words_in([self._own_words()])
        for name in closed:
            kept = before.typed.kept_words(step, name)
            words = (words_in([closed[name]]) if kept is None else kept) - said
            found.update(outside := before.origins_of(words))
            if kept is not None:
                found.add("typed")
            if words & inserted:
                found.add("notebook")
            elif kept is None and not outside:
                is_said = not unsaid({name: closed[name]}, tool.parameters, self.request)
                found.add("typed" if is_said else "model")
            elif words and not outside:
                found.add("model")
        return frozenset(found)

    def _own_words(self) -> str:
        """Return the request without the values of variables that were put into it."""
        request = self.request
        for value in self.data.inserted:
            request = request.replace(value.text, " ")
        return request


def _defaults(tool: Tool, step: Step) -> dict[str, Any]:
    """Return the values of the arguments that a step leaves out, as schema or handler has them."""
    found = {name: part["default"] for name, part in tool.properties.items() if "default" in part}
    with suppress(TypeError, ValueError):  # a handler in another language tells no signature
        for name, one in inspect.signature(tool.handler).parameters.items():
            if name in tool.properties and isinstance(one.default, str | int | float):
                found.setdefault(name, one.default)
    return {name: value for name, value in found.items() if name not in step.args}


def _texts(value: object) -> Iterator[str]:
    """Return the texts in a JSON value."""
    return map(str, scalars(value))


def _relative(workspace: Workspace, path: str, folder: str) -> str | None:
    """Return a path relative to the root; None if it leads out of it."""
    try:
        return workspace.relative(path, folder)
    except ToolError:
        return None


def _without_links(workspace: Workspace, path: str) -> str:
    """Return the path that a path leads to, relative to the root."""
    real = (workspace.root / path).resolve()
    is_inside = real.is_relative_to(workspace.root)
    return real.relative_to(workspace.root).as_posix() if is_inside else str(real)


def _hosts(step: Step, closed: Mapping[str, Any], effects: Effects) -> Named:
    """Return the hosts of the addresses in the arguments of a call."""
    texts = [text for value in closed.values() for text in _texts(value) if "://" in text]
    hosts = [_host(text) for text in texts]
    known = tuple(dict.fromkeys(host for host in hosts if host))
    is_complete = not step.open_args and all(hosts) and not effects & UNDECLARED
    return Named(known, is_complete=is_complete)


def _host(address: str) -> str:
    """Return the host of an address; empty if it is not a valid one."""
    try:
        return urlsplit(origin_of(address.strip())).hostname or ""
    except (ToolError, ValueError):
        return ""


def _commands(step: Step, tool: Tool, closed: Mapping[str, Any]) -> Named:
    """Return the command line of a call, with its words quoted as a shell would need them."""
    lines = [name for name, part in tool.properties.items() if part.get("x-line")]
    name = next((name for name in (*lines, *_COMMAND_NAMES) if name in closed), "")
    if not name:
        return Named(is_complete=not step.open_args)
    command = str(closed[name])
    try:
        words = shlex.split(command)
    except ValueError:
        words = [command]
    line = shlex.join([*words, *_texts(closed.get("args", ()))])
    return Named((line,), is_complete=not step.open_args and not _SHELL & set(command))
