"""terminal: a small set of file commands, without a shell."""

from __future__ import annotations

import shlex
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from okso_jupyter.effects.effect import Effect, Effects
from okso_jupyter.effects.named_paths import Paths
from okso_jupyter.errors import ToolError
from okso_jupyter.sandbox.output_tail import LineWriter
from okso_jupyter.terminal.command import words_of
from okso_jupyter.terminal.command_run import MAX_OUTPUT_CHARS, CommandRun, OutputFullError
from okso_jupyter.terminal.commands import NAMES, effects_of, names_protected, parse, split_commands
from okso_jupyter.toolkit.context import ToolContext
from okso_jupyter.toolkit.tool import Example, ToolOutput, tool

#: Expected effects of a call whose command is not known yet. Anything beyond, such as rm,
#: needs a decision once the command is known.
_NOT_KNOWN_YET: Final[Effects] = frozenset({Effect.READS, Effect.WRITES})


def _effect(args: Mapping[str, Any]) -> Effects:
    """Return the effects of a call; one that is malformed or open counts as writing."""
    command, words = args.get("command", ""), args.get("args", ())
    is_call = isinstance(command, str) and command.strip() and isinstance(words, list | tuple)
    if not is_call or not all(isinstance(word, str) for word in words):
        return _NOT_KNOWN_YET
    try:
        return effects_of(parse(command, words))
    except ToolError:
        return _NOT_KNOWN_YET


def _lint(args: Mapping[str, Any]) -> str:
    """Return why the command line would be refused anywhere, or an empty string."""
    try:
        parse(args.get("command", ""), args.get("args", ()))
    except ToolError as error:
        return error.message
    return ""


def _paths(args: Mapping[str, Any]) -> Paths:
    """Return the files and folders that the command needs, creates and removes."""
    words = args.get("args", ())
    try:
        call = parse(args.get("command", ""), words)
    except ToolError:
        return Paths(is_open=True)
    paths = call.command.paths(call)
    needs = (replace(need, argument=_holder(args, need.path)) for need in paths.needs)
    return replace(paths, needs=tuple(needs))


def _holder(args: Mapping[str, Any], path: str) -> str:
    """Return the argument that holds a path: the words, or the command line without words."""
    words = args.get("args", ())
    is_in_line = not words or (path not in words and path in args.get("command", ""))
    return "command" if is_in_line else "args"


def _apart(args: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return one call per removed path, or per path of a call on a protected name."""
    lines = split_commands(args.get("command", ""), args.get("args", ()))
    return [_call(name, *words) for name, *words in lines]


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


# Varied wording on purpose: a small model follows the most similar example.
_EXAMPLES = (
    Example("How many lines has sales.csv?", _call("wc", "-l", "sales.csv")),
    Example("How many lines has notes.txt?", _call("wc", "-l", "notes.txt")),
    Example("How many lines does letter.txt have?", _call("wc", "-l", "letter.txt")),
    Example("How many lines does data.csv have?", _call("wc", "-l", "data.csv")),
    Example("How many lines are in notes.txt?", _call("wc", "-l", "notes.txt")),
    Example("Count the lines in server.log", _call("wc", "-l", "server.log")),
    Example("What is the number of lines of report.md?", _call("wc", "-l", "report.md")),
    Example("What is the line count of story.txt?", _call("wc", "-l", "story.txt")),
    Example("Line count of data.csv", _call("wc", "-l", "data.csv")),
    Example("How many words are in essay.txt?", _call("wc", "-w", "essay.txt")),
    Example("Count the words of story.md", _call("wc", "-w", "story.md")),
    Example("Number of words in diary.txt", _call("wc", "-w", "diary.txt")),
    Example("Number of lines in diary.txt", _call("wc", "-l", "diary.txt")),
    Example("Word count of letter.txt", _call("wc", "-w", "letter.txt")),
    Example("How many words does report.txt have?", _call("wc", "-w", "report.txt")),
    Example("How many characters does a.txt have?", _call("wc", "-m", "a.txt")),
    Example("How many characters are in notes.md?", _call("wc", "-m", "notes.md")),
    Example("How many bytes is photo.png?", _call("wc", "-c", "photo.png")),
    Example("How long is story.txt in lines?", _call("wc", "-l", "story.txt")),
    Example("List the files in this folder", _call("ls", "-la")),
    Example("Which files are here?", _call("ls", "-la")),
    Example("What is in this folder?", _call("ls", "-la")),
    Example("Show the files in reports", _call("ls", "-la", "reports")),
    Example("Which files are in images?", _call("ls", "-la", "images")),
    Example("Which files are in the folder images?", _call("ls", "-la", "images")),
    Example("Which are the biggest files in this folder?", _call("ls", "-lhS")),
    Example("Show the first 5 lines of data.csv", _call("head", "-n", "5", "data.csv")),
    Example("Print the top 10 lines of app.log", _call("head", "-n", "10", "app.log")),
    Example("What is the first line of notes.txt?", _call("head", "-n", "1", "notes.txt")),
    Example("Print the last 20 lines of server.log", _call("tail", "-n", "20", "server.log")),
    Example("Show the last line of todo.txt", _call("tail", "-n", "1", "todo.txt")),
    Example("What is the last line of diary.md?", _call("tail", "-n", "1", "diary.md")),
    Example("Find all csv files", _call("find", ".", "-name", "*.csv")),
    Example("Which markdown files are there?", _call("find", ".", "-name", "*.md")),
    Example("Where is the file report.pdf?", _call("find", ".", "-name", "report.pdf")),
    Example("How many lines of app.log contain ERROR?", _call("grep", "-c", "ERROR", "app.log")),
    Example("Count the lines with warning in web.log", _call("grep", "-c", "warning", "web.log")),
    Example("Show the lines with ERROR in app.log", _call("grep", "ERROR", "app.log")),
    Example("Print all lines of b.txt that contain sun", _call("grep", "sun", "b.txt")),
    Example("How many errors are in app.log?", _call("grep", "-c", "-i", "error", "app.log")),
    Example("How many warnings has job.log?", _call("grep", "-c", "-i", "warning", "job.log")),
    Example("In how many lines of a.txt is 'ok'?", _call("grep", "-c", "ok", "a.txt")),
    Example("How big is report.pdf?", _call("ls", "-lh", "report.pdf")),
    Example("What is the size of data.csv?", _call("ls", "-lh", "data.csv")),
    Example("When was report.txt last changed?", _call("stat", "report.txt")),
    Example("What is today's date?", _call("date")),
    Example("Which folder am I in?", _call("pwd")),
    Example("Make a folder called backup", _call("mkdir", "backup")),
    Example("Create a directory named archive", _call("mkdir", "archive")),
    Example("Copy notes.txt to notes_old.txt", _call("cp", "notes.txt", "notes_old.txt")),
    Example("Make a copy of a.csv called b.csv", _call("cp", "a.csv", "b.csv")),
    Example("Rename draft.txt to final.txt", _call("mv", "draft.txt", "final.txt")),
    Example("Move report.txt into archive", _call("mv", "report.txt", "archive")),
    Example("Delete the file old.txt", _call("rm", "old.txt")),
    Example("Remove the file temp.txt", _call("rm", "temp.txt")),
    Example("rm junk.txt", _call("rm", "junk.txt")),
)


@tool(
    parameters={
        "properties": {
            "command": {
                "type": "string",
                "description": f"One of {', '.join(NAMES)}",
                "x-choices": list(NAMES),
                "x-line": True,
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
    rehearses=True,
    apart=_apart,
    lint=_lint,
    paths=_paths,
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
        # changes made so far must reach the ledger, so the failure is returned as an output
        if not session.has_changed_files:
            raise
        session.fail(str(error))
    context.run.folder = session.folder
    return _output(session, shlex.join(words_of(command, args)))


def _session(context: ToolContext) -> CommandRun:
    return CommandRun(
        workspace=context.workspace,
        folder=context.run.folder,
        name=context.run.scratch.name,
        deadline=time.monotonic() + context.timeout_s,
        cancelled=context.cancelled,
        on_write=LineWriter(context.tail).write,
    )


def _output(session: CommandRun, line: str) -> ToolOutput:
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
