"""The subcommand of `%okso` that writes a run into a file of a format that other programs read."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from okso_jupyter import private_files
from okso_jupyter.errors import UsageError
from okso_jupyter.legible import visible
from okso_jupyter.magic.command_context import CommandContext
from okso_jupyter.magic.subcommands import EXPORT_FORMATS, FORMAT
from okso_jupyter.results import Run
from okso_jupyter.settings import working_folder

_USAGE: Final = f"%okso export [RUN] {FORMAT} {'|'.join(EXPORT_FORMATS)}"


@dataclass(frozen=True, slots=True)
class _ExportFormat:
    """A format: the ending of its files, and what is in them."""

    ending: str
    text: Callable[[Run], str]


_FORMATS: Final[Mapping[str, _ExportFormat]] = {
    "otlp": _ExportFormat(".otlp.json", lambda run: json.dumps(run.to_otlp(), ensure_ascii=False)),
    "jsonl": _ExportFormat(".jsonl", lambda run: run.export()),
    "atif": _ExportFormat(".atif.json", lambda run: json.dumps(run.to_atif(), ensure_ascii=False)),
}


def run(asked: CommandContext) -> str:
    """Write the last run, or RUN, into a new file: --format otlp, jsonl (every record) or atif."""
    words, chosen = _read(asked.words)
    found = replace(asked, words=words).run()
    file = working_folder() / f"{found.id}{chosen.ending}"
    _write(file, chosen.text(found))
    return visible(f"{file.name}: run {found.id}, its texts included")


def _read(words: list[str]) -> tuple[list[str], _ExportFormat]:
    """Return the words besides the format, and the format.

    Raises:
        UsageError: There is no such format, or more than one run.
    """
    place = words.index(FORMAT) if FORMAT in words else len(words)
    name = next(iter(words[place + 1 :]), "")
    others = words[:place] + words[place + 2 :]
    if name not in _FORMATS:
        msg = f"%okso export: {name!r} is not a format" if name else "%okso export: which format?"
        raise UsageError(msg, hint=_USAGE)
    if len(others) > 1:
        msg = f"%okso export takes one run at most, and was given {' '.join(others)!r}"
        raise UsageError(msg, hint=_USAGE)
    return others, _FORMATS[name]


def _write(file: Path, text: str) -> None:
    """Write a new file that only the user can read.

    Raises:
        UsageError: It exists already, or cannot be written.
    """
    try:
        private_files.create(file, f"{text}\n".encode("utf-8", "replace"))
    except OSError as error:
        why = "exists already" if isinstance(error, FileExistsError) else str(error.strerror)
        msg = f"%okso export: {file.name} {why}"
        raise UsageError(msg, hint="move it away, or work in another folder") from error
