"""Edits of the user's `mcp.json`: adds and removes a server, and keeps all else in it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from filelock import FileLock, Timeout

from okso_jupyter import private_files
from okso_jupyter.errors import DocumentError, SettingError, UsageError
from okso_jupyter.mcp.config import FILE, SERVERS, ServerEntry, entry_of, user_file
from okso_jupyter.workflow.file_reading import read_content, read_document

_LOCK: Final = "mcp.lock"
_LOCK_TIMEOUT_S: Final = 10.0


def add(name: str, given: Mapping[str, Any]) -> ServerEntry:
    """Add a server to the user's file, and return it.

    Args:
        name: Its name.
        given: Its entry, as it stands in the file.

    Raises:
        UsageError: The entry cannot be used, or the name is taken.
        SettingError: The file cannot be read or written.
    """
    try:
        entry = entry_of(name, given)
    except DocumentError as error:
        msg = f"the server {name!r} cannot be added: {error.message}"
        raise UsageError(msg, hint="%okso mcp add NAME -- COMMAND ..., or add NAME URL") from error
    with _editing() as servers:
        taken = _named(servers, name)
        if taken is not None:
            msg = f"there is a server {taken!r} already"
            raise UsageError(msg, hint=f"%okso mcp remove {taken}, or choose another name")
        servers[name] = dict(given)
    return entry


def remove(name: str) -> None:
    """Remove a server from the user's file.

    Raises:
        UsageError: It is not in the file.
        SettingError: The file cannot be read or written.
    """
    with _editing() as servers:
        if name not in servers:
            near = _named(servers, name)
            msg = f"there is no server {name!r} in your own {FILE}"
            way = f"did you mean {near}?" if near else "%okso mcp lists where each server is from"
            raise UsageError(msg, hint=way)
        del servers[name]


def _named(servers: Mapping[str, Any], name: str) -> str | None:
    """Return the name in a file that differs at most in letter case; None if there is none."""
    return next((one for one in servers if one.casefold() == name.casefold()), None)


@contextmanager
def _editing() -> Iterator[dict[str, Any]]:
    """Lend the servers of the user's file, under a lock; they are written if no error is raised."""
    file = user_file()
    try:
        private_files.make_folder(file.parent)
        with FileLock(file.with_name(_LOCK), timeout=_LOCK_TIMEOUT_S, mode=0o600):
            document = _read(file)
            yield document[SERVERS]
            text = json.dumps(document, indent=2, ensure_ascii=False) + "\n"
            # a link in place of the file stays one
            private_files.replace(file.resolve(), text.encode())
    except OSError as error:
        why = f"cannot be written: {error.strerror}"
        raise _unusable(why) from error
    except Timeout as error:
        why = "is being written by another kernel"
        raise _unusable(why) from error


def _read(file: Path) -> dict[str, Any]:
    """Return the content of the file; SettingError if it is damaged."""
    if not file.exists():
        return {SERVERS: {}}
    try:
        document = read_document(read_content(file), is_json=True)
    except DocumentError as error:
        why = f"cannot be changed: {error.message}"
        raise _unusable(why) from error
    if not isinstance(document, dict) or not isinstance(document.setdefault(SERVERS, {}), dict):
        why = f"cannot be changed: it has no object {SERVERS!r}"
        raise _unusable(why)
    return document


def _unusable(why: str) -> SettingError:
    return SettingError(f"your own {str(user_file())!r} {why}", hint="repair it; it is as it was")
