"""The commands by name, and the effects of a call before it runs."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable
from functools import partial
from typing import Final

from okso_jupyter.effects.effect import NO_EFFECTS, Effect, Effects
from okso_jupyter.errors import ToolInputError
from okso_jupyter.terminal import change_files, echo, find, grep, list_files, open_file, read_files
from okso_jupyter.terminal.command import Command, Invocation, words_of
from okso_jupyter.workspace.protected import is_protected

_ALL: Final = (
    *list_files.COMMANDS,
    *read_files.COMMANDS,
    *find.COMMANDS,
    *grep.COMMANDS,
    *echo.COMMANDS,
    *change_files.COMMANDS,
    *open_file.COMMANDS,
)
NAMES: Final = ("status", *(command.name for command in _ALL))
_STATUS: Final = Command(
    name="status",
    usage="status",
    run=partial(list_files.run_status, names=NAMES),
    operands=(0, 0),
    effects=NO_EFFECTS,
)
_BY_NAME: Final[dict[str, Command]] = {command.name: command for command in (_STATUS, *_ALL)}


def parse(command: str, args: Iterable[str]) -> Invocation:
    """Parse a command and its arguments into a call.

    Args:
        command: A name such as "ls", or a line such as "ls -la"; empty means "status".
        args: More words.

    Raises:
        ToolInputError: The command is unknown, or its words are invalid.
        ToolRefusedError: An option is not allowed, or the line asks for a shell.
    """
    name, *words = words_of(command, args)
    if name not in _BY_NAME:
        msg = f"terminal: {name!r} is not a command"
        raise ToolInputError(msg, hint=f"the commands are {', '.join(NAMES)}")
    return _BY_NAME[name].parse(words)


def effects_of(call: Invocation) -> Effects:
    """Return the effects of a call; changing a protected name may make other programs run code."""
    effects = call.command.effects
    return effects | {Effect.RUNS_CODE} if names_protected(call) else effects


def names_protected(call: Invocation) -> bool:
    """Return whether a call that changes files names a protected one."""
    if Effect.WRITES not in call.command.effects:
        return False
    *sources, last = call.operands
    inside = [posixpath.join(last, posixpath.basename(source)) for source in sources]
    return any(is_protected(posixpath.normpath(path)) for path in [*call.operands, *inside])


def split_commands(command: str, args: Iterable[str]) -> list[list[str]]:
    """Return one command line for each path that needs a separate decision.

    These are all paths of `rm`, and of a command that names a protected one.

    Args:
        command: See `parse`.
        args: See `parse`.
    """
    name, *words = words_of(command, args)
    call = parse(name, words)
    if not effects_of(call) & {Effect.IRREVERSIBLE, Effect.RUNS_CODE}:
        return []
    options = words[: len(words) - len(call.operands)]
    *sources, last = call.operands
    if call.command.operands[0] > 1:  # the last name is the target of the others
        return [[name, *options, source, last] for source in sources]
    return [[name, *options, path] for path in call.operands]
