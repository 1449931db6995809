"""terminal: a small set of file commands, without a shell."""

from __future__ import annotations

import shlex
import time
from collections.abc import Mapping, Sequence
from typing import Any

from okso_jupyter.errors import ToolError
from okso_jupyter.plan.effects import UNDECLARED, Effects
from okso_jupyter.toolkit.commands.registry import NAMES, effects_of, names_protected, parse
from okso_jupyter.toolkit.commands.session import MAX_OUTPUT_CHARS, OutputFullError, Session
from okso_jupyter.toolkit.commands.spec import words_of
from okso_jupyter.toolkit.context import ToolContext
from okso_jupyter.toolkit.tool import Example, ToolOutput, tool


def _effect(args: Mapping[str, Any]) -> Effects:
    """Return what a call does to the world; a malformed one may do anything."""
    command, words = args.get("command", ""), args.get("args", ())
    is_text = isinstance(command, str) and isinstance(words, list | tuple)
    if not is_text or not all(isinstance(word, str) for word in words):
        return UNDECLARED
    try:
        return effects_of(parse(command, words))
    except ToolError:
        return UNDECLARED


def _preview(context: ToolContext, command: str = "", args: Sequence[str] = ()) -> str:
    """Return one line for every path that the call would change."""
    session = _session(context)
    try:
        call = parse(command, args)
        return "\n".join(call.command.touches(session, call))
    except ToolError as error:
        return str(error)


def _call(name: str, *args: str) -> dict[str, Any]:
    return {"command": name, "args": list(args)}


_EXAMPLES = (
    Example("How many lines has sales.csv?", _call("wc", "-l", "sales.csv")),
    Example("Count the words in essay.txt", _call("wc", "-w", "essay.txt")),
    Example("How many characters are in notes.md?", _call("wc", "-m", "notes.md")),
    Example("List the files in this folder", _call("ls", "-la")),
    Example("Which are the biggest files in data?", _call("ls", "-lhS", "data")),
    Example("Show the first 5 lines of data.csv", _call("head", "-n", "5", "data.csv")),
    Example("Print the last 20 lines of server.log", _call("tail", "-n", "20", "server.log")),
    Example("Find all files called *.csv", _call("find", ".", "-name", "*.csv")),
    Example("How big is report.pdf?", _call("ls", "-lh", "report.pdf")),
    Example("What is today's date?", _call("date")),
    Example("Make a folder called backup", _call("mkdir", "backup")),
    Example("Copy data.csv to data_old.csv", _call("cp", "data.csv", "data_old.csv")),
    Example("Rename draft.txt to final.txt", _call("mv", "draft.txt", "final.txt")),
    Example("Delete the file old.txt", _call("rm", "old.txt")),
)


@tool(
    parameters={
        "properties": {
            "command": {
                "type": "string",
                "description": f"One of {', '.join(NAMES)}",
                "examples": list(NAMES),
            },
            "args": {
                "type": "array",
                "items": {"type": "string", "x-ground": "words"},
                "description": "Options first, then names; taken as they stand",
                "x-ground": "words",
            },
        },
    },
    effect=_effect,
    safety="No shell, no pipes. rm cannot be undone.",
    examples=_EXAMPLES,
    preview=_preview,
    groups=("filesystem",),
    # commands share the working folder
    exclusive="terminal",
)
def terminal(context: ToolContext, command: str = "", args: Sequence[str] = ()) -> ToolOutput:
    """Run one file command: list, count, show, find, search, copy, move or remove files."""
    call = parse(command, args)
    session = _session(context)
    session.may_protect = names_protected(call)
    try:
        call.command.run(session, call)
    except OutputFullError:
        session.remark = f"(the output was cut at {MAX_OUTPUT_CHARS:,} characters)"
        session.notes.append(session.remark)
    except ToolError as error:
        # what has changed by now must reach the ledger, so the failure is an output
        if not session.has_changed_files:
            raise
        session.fail(str(error))
    context.run.folder = session.folder
    return _output(session, shlex.join(words_of(command, args)))


def _session(context: ToolContext) -> Session:
    return Session(
        workspace=context.workspace,
        folder=context.run.folder,
        name=context.run.scratch.name,
        deadline=time.monotonic() + context.timeout_s,
        cancelled=context.cancelled,
    )


def _output(session: Session, line: str) -> ToolOutput:
    stderr = "\n".join(session.notes)
    is_cut = session.remark in session.notes
    text = f"{session.stdout}\n{session.remark}" if is_cut else session.stdout or session.remark
    return ToolOutput(
        value={
            "stdout": session.stdout,
            "stderr": stderr,
            "exit_code": session.exit_code,
            "cwd": session.shown(),
        },
        text=text,
        exit_code=session.exit_code if session.has_failed else 0,
        error=session.notes[0] if session.has_failed else "",
        changes=session.changes(line),
    )
