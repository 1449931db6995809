"""Reader of JSON and YAML files: limited in size and depth, without duplicate keys or aliases."""

from __future__ import annotations

import json
from collections.abc import Hashable
from pathlib import Path
from typing import Any, Final

import yaml

from okso_jupyter.errors import DocumentError

SUFFIXES: Final = (".json", ".yaml", ".yml")
MAX_BYTES: Final = 65_536
MAX_DEPTH: Final = 32
_TOO_DEEP: Final = "it is nested too deeply"
_WHAT_TO_DO: Final = "see schemas/workflow.schema.json for what a workflow holds"


def read_content(file: Path) -> bytes:
    """Return the bytes of a file.

    Raises:
        DocumentError: It cannot be read, is not a regular file or is too long; in one sentence.
    """
    try:
        # Reading a pipe or a device might never end.
        if not file.is_file():
            msg = "it is not a regular file"
            raise DocumentError(msg)
        with file.open("rb") as opened:
            content = opened.read(MAX_BYTES + 1)
    except OSError as error:
        msg = f"it cannot be read: {error.strerror}"
        raise DocumentError(msg) from error
    if len(content) > MAX_BYTES:
        msg = f"it is longer than {MAX_BYTES:,} bytes"
        raise DocumentError(msg)
    return content


def read_document(content: bytes, *, is_json: bool) -> Any:  # noqa: ANN401  any JSON value
    """Return the value of a JSON or YAML text.

    Raises:
        DocumentError: It is not UTF-8, JSON or YAML, or nested too deeply; in one sentence.
    """
    try:
        document = _parsed(content.decode("utf-8-sig"), is_json=is_json)
        # Fails for \ud800, which cannot be displayed, and for 1e999, which is infinite.
        json.dumps(document, ensure_ascii=False, allow_nan=False).encode()
    except UnicodeDecodeError as error:
        msg = "it is not UTF-8 text"
        raise DocumentError(msg) from error
    except RecursionError as error:
        raise DocumentError(_TOO_DEEP) from error
    except Exception as error:  # YAML constructors raise any exception on an unexpected value
        msg = f"it is not {'JSON' if is_json else 'YAML'}: {_reason(error)}"
        raise DocumentError(msg, hint=_WHAT_TO_DO) from error
    if not _is_shallow(document, MAX_DEPTH):
        raise DocumentError(_TOO_DEEP)
    return document


def _reason(error: Exception) -> str:
    """Return a parser's error message without the quoted text."""
    if isinstance(error, yaml.MarkedYAMLError) and error.problem:
        mark = error.problem_mark or error.context_mark
        return f"{error.problem}{f' (line {mark.line + 1})' if mark else ''}"
    if isinstance(error, ValueError | yaml.YAMLError):
        return " ".join(str(error).split())
    return "a value is not of the type that its tag names"


def _parsed(text: str, *, is_json: bool) -> Any:  # noqa: ANN401  any JSON value
    if is_json:
        return json.loads(text, object_pairs_hook=_object, parse_constant=_no_number)
    return _as_json(yaml.load(text, Loader=_Loader))  # noqa: S506  a SafeLoader that allows less


def _is_shallow(value: object, levels: int) -> bool:
    """Return whether a JSON value has at most this many levels, so that recursion is safe."""
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return not parts or (levels > 0 and all(_is_shallow(part, levels - 1) for part in parts))


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object; raise ValueError for a duplicate name, one of which would be lost."""
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            msg = f"{name!r} occurs twice in one object"
            raise ValueError(msg)
        found[name] = value
    return found


def _no_number(word: str) -> None:
    msg = f"{word} is not a number"
    raise ValueError(msg)


class _Loader(yaml.SafeLoader):
    """YAML loader without aliases (a value is no larger than its text), duplicate keys or dates."""

    yaml_implicit_resolvers = {  # noqa: RUF012  overrides a dict of the base class
        first: [(tag, pattern) for tag, pattern in rules if tag != "tag:yaml.org,2002:timestamp"]
        for first, rules in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        """Reject an alias: a few lines of aliases can expand to a billion values."""
        if self.check_event(yaml.AliasEvent):
            raise yaml.YAMLError("aliases are not allowed")  # noqa: EM101, TRY003  its own words
        return super().compose_node(parent, index)

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:  # noqa: FBT001, FBT002  the base class's signature
        """Reject a duplicate key."""
        seen: set[str] = set()
        for name in (key.value for key, _ in node.value if isinstance(key, yaml.ScalarNode)):
            if name in seen:
                msg = f"{name!r} occurs twice in one mapping"
                raise yaml.YAMLError(msg)
            seen.add(name)
        return super().construct_mapping(node, deep)


def _as_json(value: Any) -> Any:  # noqa: ANN401  any YAML value
    """Return a YAML value as JSON data; raise ValueError for a value that JSON does not have."""
    text = json.dumps(value, allow_nan=False, default=_refuse)
    again = json.loads(text)
    if again != value:
        msg = "a name in it is not text"
        raise ValueError(msg)
    return again


def _refuse(value: object) -> None:
    msg = f"a {type(value).__name__} is not a JSON value"
    raise ValueError(msg)
