"""date, base64, echo: commands that need no file."""

from __future__ import annotations

import base64
from datetime import UTC, datetime
from typing import Final

from okso_jupyter.effects.effect import NO_EFFECTS
from okso_jupyter.errors import ToolInputError
from okso_jupyter.terminal.command import Command, Invocation
from okso_jupyter.terminal.command_run import CommandRun

_MAX_FORMAT_CHARS: Final = 100
_FORMAT_LETTERS: Final = frozenset("aAbBcdDeFgGhHIjklmMnpPrRsSTtuUVwWxXyYzZ%")
_MODES: Final = {"encode": "encode", "decode": "decode", "-d": "decode"}


def _check_date(call: Invocation) -> None:
    for operand in call.operands:
        letters = operand.replace("%%", "").split("%")[1:]
        is_known = all(part[:1] in _FORMAT_LETTERS and part for part in letters)
        if not operand.startswith("+") or len(operand) > _MAX_FORMAT_CHARS or not is_known:
            msg = f"date: {operand!r} is not a format such as +%Y-%m-%d"
            raise ToolInputError(msg)


def _date(session: CommandRun, call: Invocation) -> None:
    now = datetime.now(UTC) if "-u" in call.flags else datetime.now().astimezone()
    if call.operands:
        session.line(now.strftime(call.operands[0].removeprefix("+")))
    elif "-I" in call.flags:
        session.line(f"{now:%Y-%m-%d}")
    else:
        session.line(f"{now:%a %b} {now.day:2} {now:%H:%M:%S %Z %Y}")


def _check_base64(call: Invocation) -> None:
    if call.operands[0] not in _MODES:
        msg = f"base64: {call.operands[0]!r} is neither encode nor decode"
        raise ToolInputError(msg, hint=f"usage: {call.command.usage}")


def _base64(session: CommandRun, call: Invocation) -> None:
    text = " ".join(call.operands[1:])
    if _MODES[call.operands[0]] == "encode":
        session.line(base64.b64encode(text.encode("utf-8", "surrogateescape")).decode("ascii"))
        return
    try:
        data = base64.b64decode("".join(text.split()), validate=True)
    except ValueError as error:
        msg = f"base64: the text is not base64: {error}"
        raise ToolInputError(msg) from error
    session.line(data.decode("utf-8", "replace"))


def _check_echo(call: Invocation) -> None:
    # printing a redirection would look as if the file had been written
    if len(call.operands) > 1 and call.operands[-2] in {">", ">>"}:
        msg = f"echo: {call.operands[-2]!r} asks for a shell, and there is none"
        raise ToolInputError(msg, hint="file_write writes files")


def _echo(session: CommandRun, call: Invocation) -> None:
    words = call.operands
    without_end = words[:1] == ("-n",)
    session.write(" ".join(words[without_end:]) + ("" if without_end else "\n"))


COMMANDS: Final = (
    Command(
        name="date",
        usage="date [-u] [-I] [+FORMAT]",
        run=_date,
        flags="uI",
        operands=(0, 1),
        effects=NO_EFFECTS,
        check=_check_date,
    ),
    Command(
        name="base64",
        usage="base64 encode|decode TEXT",
        run=_base64,
        raw=True,
        operands=(2, None),
        effects=NO_EFFECTS,
        check=_check_base64,
    ),
    Command(
        name="echo",
        usage="echo [-n] [TEXT...]",
        run=_echo,
        raw=True,
        effects=NO_EFFECTS,
        check=_check_echo,
    ),
)
