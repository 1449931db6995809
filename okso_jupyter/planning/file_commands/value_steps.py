"""Value steps: reads questions for a value of a file of settings, as the lines that print it.

The key is looked for in the file while planning, so that the code names where the value stands.
"""

from __future__ import annotations

import json
import posixpath
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from okso_jupyter.planning.file_commands.clause import CommandClause, Found
from okso_jupyter.planning.file_commands.folder_view import FolderView
from okso_jupyter.planning.file_commands.steps import Steps
from okso_jupyter.planning.request.wording import stem

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
_ASKED: Final = re.compile(
    r"(?i)^\W*(?:(?P<count>how many)|(?:what|which)(?:['’]?s\b)?|"
    r"how (?:much|high|big|large|long)(?= (?:is|are)\b)|wie (?:ist|heißt|lautet))\b"
    r"(?P<about>[^,;]{3,80}?)\W*$"
)
_WORD: Final = re.compile(r"[^\W\d_]{2,}")
#: Words of such questions that name neither a key nor what is set.
_NO_TOPIC: Final = frozenset(
    map(
        stem,
        (
            "is are was the of for does do did has have use used using uses set to in on it at we "
            "our my there this that value configured setting run by an and called listed"
        ).split(),
    )
)
_YAML: Final = (".yaml", ".yml")
#: A key with a value in the same line.
_YAML_LINE: Final = re.compile(r"(?m)^\s*(?:- )?(?P<key>[\w-]+):[ \t]+(?P<value>\S)")
#: Units at the end of a key: `interval_s` is the interval.
KEY_UNITS: Final = frozenset(
    "s ms min h kb mb gb bytes seconds minutes hours days px pct eur usd gbp chf km m cm mm kg g c "
    "percent".split()
)
_MOST_FILES: Final = 60
_MOST_DEPTH: Final = 50
_PARSERS: Final[Mapping[str, tuple[str, Callable[[str], Any]]]] = {
    ".json": ("json", json.loads),
    ".toml": ("tomllib", tomllib.loads),
}


def _value(clause: CommandClause) -> Found:
    """Read "what is the port in config.json?" and "how many users are in config.json?"."""
    files, before = clause.files(), clause.before
    if len(files) != 1 or before.taken or not before.have(files):
        return None
    (file,) = files
    key = clause.text("key").strip()
    known = _values(_content(file, before.folder))
    found = [(route, value) for route, value in known if _is_called(route[-1], key)]
    if len(found) != 1:
        return None
    ((route, value),) = found
    is_counted = clause.said("count") != ""
    if is_counted and not isinstance(value, list | dict):
        return None
    return (_step(file, route, key, is_counted=is_counted),), before


def _step(file: str, route: Route, key: str, *, is_counted: bool) -> Mapping[str, Any]:
    """Return the step that prints a value, or how much it holds."""
    (module, _) = _PARSERS[_ending(file)]
    code = _READ.format(module=module, file=file, route="".join(f"[{part!r}]" for part in route))
    title = f"{'Count' if is_counted else 'Show'} {key} of {file}"
    args = {"input": code + ("print(len(value))\n" if is_counted else _SHOWN)}
    return {"tool": "python_repl", "args": args, "title": title}


def _ending(file: str) -> str:
    return posixpath.splitext(file)[1].lower()


def value_asked(request: str, folder: FolderView) -> Steps:
    """Return the step for a value of a file of settings that a question does not name.

    "What port does the server use?" is answered by the one key called port of the folder's JSON,
    TOML and YAML files where every other word of the question is written in that file too.

    Args:
        request: The question in plain words.
        folder: The folder.
    """
    asked = _ASKED.match(request)
    if asked is None:
        return ()
    words = [stem(word) for word in _WORD.findall(asked["about"].lower())]
    topic = [word for word in words if word not in _NO_TOPIC]
    found = [
        (file, route, value)
        for file in folder.files_with(tuple(_PARSERS))[:_MOST_FILES]
        for route, value in _values(_content(file, folder))
        if isinstance(route[-1], str) and _are_of(topic, route[-1], file, folder)
    ]
    # "the port of the server" is no group of settings that is called server
    found = [one for one in found if not isinstance(one[-1], dict)] or found
    is_counted = asked["count"] is not None
    if not found:
        return _line_asked(topic, folder, is_counted=is_counted)
    if len(found) > 1:
        return ()
    ((file, route, value),) = found
    holds_several = isinstance(value, list | dict)
    if is_counted and not (holds_several or _is_count(str(route[-1]), value)):
        return ()
    return (_step(file, route, str(route[-1]), is_counted=is_counted and holds_several),)


def _is_count(key: str, value: object) -> bool:
    """Return whether a value says how many there are: of retries, but not of channel 16."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return is_number and key.lower().endswith("s") and key.lower() not in KEY_UNITS


def _line_asked(topic: Sequence[str], folder: FolderView, *, is_counted: bool) -> Steps:
    """Return the step that finds the lines of a key that one of the folder's YAML files has.

    "How many beds are there?" is answered by a key with a number.
    """
    found = {
        (file, line["key"])
        for file in folder.files_with(_YAML)[:_MOST_FILES]
        for line in _YAML_LINE.finditer(folder.text(file) or "")
        if _are_of(topic, line["key"], file, folder)
        and (not is_counted or line["value"][0].isdigit())
    }
    if len(found) != 1:
        return ()
    ((file, key),) = found
    args = {"query": f"{key}:", "paths": [file]}
    return ({"tool": "file_search", "args": args, "title": f"Show {key} of {file}"},)


def _are_of(topic: Sequence[str], key: str, file: str, folder: FolderView) -> bool:
    """Return whether words name a key, and all the others stand in its file or its path."""
    words = _plain(key).split()
    words = words[:-1] if len(words) > 1 and words[-1] in KEY_UNITS else words
    own = [stem(word) for word in words]
    if not own or not set(own) <= set(topic):
        return False
    text = f"{file} {folder.text(file) or ''}"
    there = {stem(word) for word in _WORD.findall(_SEPARATORS.sub(" ", text).lower())}
    return set(topic) <= there


def _content(file: str, folder: FolderView) -> object:
    """Return the content of a JSON or TOML file; None of any other, or where it is broken."""
    parser = _PARSERS.get(_ending(file))
    text = folder.text(file) if parser else None
    if parser is None or text is None:
        return None
    (_, parse) = parser
    try:
        return parse(text)
    except (ValueError, RecursionError):  # of both parsers; nested too deeply
        return None


def _values(content: object, route: Route = ()) -> Iterator[tuple[Route, object]]:
    """Yield every value with a key, and its route, down to a depth that no settings have."""
    if len(route) >= _MOST_DEPTH:
        return
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
