"""The user's `config.env`: lines of `KEY=value`, quoted as a shell reads them."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from pathlib import Path

from okso_jupyter.errors import SettingError


def read_config(file: Path) -> dict[str, str]:
    """Read `KEY=value` lines, shell-quoted; a file that is not there is empty.

    Raises:
        SettingError: A line is no assignment, or the file cannot be read.
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


def append_config(file: Path, values: Mapping[str, str]) -> None:
    """Add lines to the end of the file, which is made if it is not there.

    Raises:
        SettingError: The file cannot be written.
    """
    lines = "".join(f"{name}={shlex.quote(value)}\n" for name, value in values.items())
    try:
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with file.open("a+b") as out:
            if out.tell() > 0:
                out.seek(-1, 2)
                # A last line without an end would swallow the first new one.
                lines = lines if out.read(1) == b"\n" else f"\n{lines}"
            out.write(lines.encode())
    except OSError as error:
        msg = f"{file} cannot be written: {error.strerror}"
        raise SettingError(msg) from error
