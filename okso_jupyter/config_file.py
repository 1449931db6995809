"""The user's `config.env`: lines of `KEY=value`, quoted as a shell reads them."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from okso_jupyter.errors import SettingError

_LINE: Final = re.compile(r"\s*(?:export\s+)?([\w.-]+)\s*[=:](.*)")
_MAX_LENIENT_BYTES: Final = 1 << 20


def read_config(file: Path) -> dict[str, str]:
    """Read `KEY=value` lines with shell quoting; a missing file is read as empty.

    Raises:
        SettingError: A line is not an assignment, or the file cannot be read.
    """
    try:
        text = file.read_text("utf-8")
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as error:
        msg = f"{file} cannot be read: {error}"
        raise SettingError(msg) from error
    values = {}
    for number, line in enumerate(text.split("\n"), start=1):
        try:
            words = shlex.split(line, comments=True)
        except ValueError as error:
            msg = f"{file}, line {number}: {error}"
            raise SettingError(msg) from error
        words = words[1:] if words[:1] == ["export"] else words
        if not words:
            continue
        name, equals, value = words[0].partition("=")
        if not equals or len(words) > 1:
            msg = f"{file}, line {number}: {line.strip()!r} is not KEY=value"
            raise SettingError(msg)
        values[name] = value
    return values


def read_leniently(file: Path) -> list[tuple[str, str]]:
    """Return the names and values of all lines that look like assignments; skip the other lines.

    For uses that must not depend on every line being valid: a value in a line that a shell would
    reject is still a value. A name may occur more than once.
    """
    try:
        with file.open("rb") as opened:
            text = opened.read(_MAX_LENIENT_BYTES).decode("utf-8", "surrogateescape")
    except OSError:
        return []
    return [pair for line in text.splitlines() for pair in _pairs(line)]


def _pairs(line: str) -> Iterator[tuple[str, str]]:
    """Yield what a line may assign: the value with shell quoting, and the value as written."""
    match = _LINE.fullmatch(line)
    if match is None:
        return
    name, value = match[1], match[2].strip()
    with suppress(ValueError):
        yield name, "".join(shlex.split(value, comments=True)[:1])
    yield name, value.strip("\"'")


def append_config(file: Path, values: Mapping[str, str]) -> None:
    """Append lines to the file; create the file if it does not exist.

    Raises:
        SettingError: The file cannot be written.
    """
    lines = "".join(f"{name}={shlex.quote(value)}\n" for name, value in values.items())
    try:
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with os.fdopen(os.open(file, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600), "a+b") as out:
            os.fchmod(out.fileno(), 0o600)  # it may hold keys
            if out.tell() > 0:
                out.seek(-1, 2)
                # Complete the last line, or the first new one would extend it.
                lines = lines if out.read(1) == b"\n" else f"\n{lines}"
            out.write(lines.encode())
    except OSError as error:
        msg = f"{file} cannot be written: {error.strerror}"
        raise SettingError(msg) from error
