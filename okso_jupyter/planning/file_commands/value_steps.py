"""Value steps: reads questions for a value of a JSON or TOML file, as the lines that print it.

The key is looked for in the file while planning, so that the code names where the value stands.
"""

from __future__ import annotations

import json
import posixpath
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from okso_jupyter.planning.file_commands.clause import CommandClause, Found

#: Keys and places in lists on the way to a value.
Route = tuple[str | int, ...]

_SEPARATORS: Final = re.compile(r"[\s_.-]+|(?<=[a-z])(?=[A-Z])")
_READ: Final = """\
import {module}
from pathlib import Path

content = {module}.loads(Path({file!r}).read_text("utf-8"))
value = content{route}
"""
_SHOWN: Final = """\
print("\\n".join(map(str, value)) if isinstance(value, list) else value)
"""
_PARSERS: Final[Mapping[str, tuple[str, Callable[[str], Any]]]] = {
    ".json": ("json", json.loads),
    ".toml": ("tomllib", tomllib.loads),
}


def _value(clause: CommandClause) -> Found:
    """Read "what is the port in config.json?" and "how many users are in config.json?"."""
    files, before = clause.files(), clause.before
    parser = _PARSERS.get(posixpath.splitext(files[0])[1].lower()) if len(files) == 1 else None
    if parser is None or before.taken or not before.have(files):
        return None
    (module, parse), (file,) = parser, files
    key = clause.text("key").strip()
    try:
        content = parse(before.folder.text(file) or "")
    except ValueError:  # of both parsers
        return None
    found = [(route, value) for route, value in _values(content) if _is_called(route[-1], key)]
    if len(found) != 1:
        return None
    route, value = found[0]
    is_counted = clause.said("count") != ""
    if is_counted and not isinstance(value, list | dict):
        return None
    code = _READ.format(module=module, file=file, route="".join(f"[{part!r}]" for part in route))
    title = f"{'Count' if is_counted else 'Show'} {key} of {file}"
    args = {"input": code + ("print(len(value))\n" if is_counted else _SHOWN)}
    return ({"tool": "python_repl", "args": args, "title": title},), before


def _values(content: object, route: Route = ()) -> Iterator[tuple[Route, object]]:
    """Yield every value with a key, and its route."""
    if isinstance(content, Mapping):
        for key, value in content.items():
            yield (*route, key), value
            yield from _values(value, (*route, key))
    elif isinstance(content, list):
        for place, value in enumerate(content):
            yield from _values(value, (*route, place))


def _is_called(part: str | int, key: str) -> bool:
    """Return whether a key has a name; "max retries" is `max_retries` and `maxRetries`."""
    return isinstance(part, str) and _plain(part) == _plain(key)


def _plain(name: str) -> str:
    return " ".join(_SEPARATORS.split(name)).lower().strip()


#: The reader of each kind of clause.
READERS: Final[Mapping[str, Callable[[CommandClause], Found]]] = {"value": _value}
