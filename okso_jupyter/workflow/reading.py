"""A file, read as JSON data: bounded, without doubled names, and without YAML's surprises."""

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


def read_document(file: Path) -> Any:  # noqa: ANN401  any JSON value
    """Return what a JSON or YAML file holds.

    Raises:
        DocumentError: It cannot be read, is too long, or is no JSON or YAML; in one sentence.
    """
    text = _text(file)
    try:
        document = _parsed(text, is_json=file.suffix == ".json")
        json.dumps(document, ensure_ascii=False).encode()  # \ud800 is no text that can be shown
    except (ValueError, yaml.YAMLError) as error:
        kind = "JSON" if file.suffix == ".json" else "YAML"
        msg = f"it is no {kind}: {' '.join(str(error).split())}"
        raise DocumentError(msg, hint=_WHAT_TO_DO) from error
    except RecursionError as error:
        raise DocumentError(_TOO_DEEP) from error
    if not _is_shallow(document, MAX_DEPTH):
        raise DocumentError(_TOO_DEEP)
    return document


def _parsed(text: str, *, is_json: bool) -> Any:  # noqa: ANN401  any JSON value
    if is_json:
        return json.loads(text, object_pairs_hook=_object, parse_constant=_no_number)
    return _as_json(yaml.load(text, Loader=_Loader))  # noqa: S506  a SafeLoader that allows less


def _is_shallow(value: object, levels: int) -> bool:
    """Say whether a JSON value has no more levels than that, so that all can walk through it."""
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return not parts or (levels > 0 and all(_is_shallow(part, levels - 1) for part in parts))


def _text(file: Path) -> str:
    try:
        # a pipe or a device would be read for ever
        if not file.is_file():
            msg = "it is no regular file"
            raise DocumentError(msg)
        with file.open("rb") as opened:
            data = opened.read(MAX_BYTES + 1)
    except OSError as error:
        msg = f"it cannot be read: {error.strerror}"
        raise DocumentError(msg) from error
    if len(data) > MAX_BYTES:
        msg = f"it is longer than {MAX_BYTES:,} bytes"
        raise DocumentError(msg)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        msg = "it is no UTF-8 text"
        raise DocumentError(msg) from error


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object; ValueError where a name stands twice, and one of the two would win."""
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        msg = f"{next(n for n in names if names.count(n) > 1)!r} stands twice in one object"
        raise ValueError(msg)
    return found


def _no_number(word: str) -> None:
    msg = f"{word} is no number"
    raise ValueError(msg)


class _Loader(yaml.SafeLoader):
    """YAML that stays as long as it looks: no aliases, no name twice, no dates."""

    yaml_implicit_resolvers = {  # noqa: RUF012  overrides a dict of the base class
        first: [(tag, pattern) for tag, pattern in rules if tag != "tag:yaml.org,2002:timestamp"]
        for first, rules in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        """Refuse an alias: a few lines of them stand for a billion."""
        if self.check_event(yaml.AliasEvent):
            raise yaml.YAMLError("aliases are not allowed")  # noqa: EM101, TRY003  its own words
        return super().compose_node(parent, index)

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:  # noqa: FBT001, FBT002  the base class's signature
        """Refuse a name that stands twice."""
        names = [key.value for key, _ in node.value]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            msg = f"{twice!r} stands twice in one mapping"
            raise yaml.YAMLError(msg)
        return super().construct_mapping(node, deep)


def _as_json(value: Any) -> Any:  # noqa: ANN401  any YAML value
    """Return a YAML value as JSON has it; ValueError for one that JSON does not have."""
    text = json.dumps(value, allow_nan=False, default=_refuse)
    again = json.loads(text)
    if again != value:
        msg = "a name in it is no text"
        raise ValueError(msg)
    return again


def _refuse(value: object) -> None:
    msg = f"a {type(value).__name__} is no JSON value"
    raise ValueError(msg)
