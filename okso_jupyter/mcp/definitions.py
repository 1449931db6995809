"""ToolDefinition: what a server says about one tool, bounded, legible and comparable."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Self

from okso_jupyter.amounts import cut
from okso_jupyter.legible import sentence, visible
from okso_jupyter.trust import sha256_of

_MAX_DESCRIPTION_CHARS: Final = 600
MAX_SCHEMA_BYTES: Final = 32_768
MAX_TOOLS: Final = 200
#: Members of a schema that map names to schemas.
_BY_NAME: Final = frozenset({"properties", "$defs", "definitions", "dependentSchemas"})
#: Members whose values are data.
_DATA: Final = frozenset({"const", "default", "enum", "examples", "required", "type"})
#: Keywords that are left out: a regular expression of a stranger may run for ever.
_LEFT_OUT: Final = frozenset({"pattern", "patternProperties", "$schema", "$id", "title"})
#: The hints that are shown, by their name in the protocol, and their words if true and if false.
_HINTS: Final[Mapping[str, tuple[str, str]]] = {
    "readOnlyHint": ("it only reads", "it changes things"),
    "destructiveHint": ("it may destroy", "it destroys nothing"),
    "idempotentHint": ("repeating it changes nothing more", ""),
    "openWorldHint": ("it reaches outside", "it reaches nothing outside"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolDefinition:
    """One tool as its server describes it.

    Attributes:
        name: Its name at the server.
        description: What it does, in the server's words.
        schema: JSON Schema of its arguments, as the server gave it.
        hints: The server's own hints about effects, by their name in the protocol.
    """

    name: str
    description: str
    schema: Mapping[str, Any]
    hints: Mapping[str, bool]

    @classmethod
    def of_json(cls, data: Mapping[str, Any]) -> Self:
        """Read a definition from JSON data, such as a stored one; KeyError or TypeError if none."""
        given = (data["name"], data["description"])
        if not all(isinstance(text, str) for text in given):
            raise TypeError("a definition has a name and a description")  # noqa: EM101, TRY003  the reader has its own words
        schema, hints = dict(data["schema"]), dict(data["hints"])
        return cls(name=given[0], description=given[1], schema=schema, hints=hints)

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON data."""
        return {
            "name": self.name,
            "description": self.description,
            "schema": dict(self.schema),
            "hints": dict(self.hints),
        }

    @property
    def fingerprint(self) -> str:
        """Hash of all that the server says about the tool."""
        return sha256_of(json.dumps(self.to_json(), sort_keys=True).encode())

    @property
    def shown_description(self) -> str:
        """The description as one legible line of bounded length."""
        return cut(visible(" ".join(self.description.split())), _MAX_DESCRIPTION_CHARS)

    @property
    def hint_words(self) -> str:
        """The server's hints in words; empty if it gives none."""
        said = (_HINTS[name][0 if value else 1] for name, value in self.hints.items())
        return ", ".join(words for words in said if words)

    @property
    def parameters(self) -> dict[str, Any]:
        """The schema without what a stranger must not decide: own keywords, regular expressions."""
        return {**plain(self.schema), "type": "object"}

    @property
    def fault(self) -> str:
        """Why it cannot be offered; empty if it can, as far as its size shows."""
        size = len(json.dumps(dict(self.schema)).encode())
        if size > MAX_SCHEMA_BYTES:
            return f"its schema has {size:,} bytes; the maximum is {MAX_SCHEMA_BYTES:,}"
        return ""


def hints_of(annotations: Mapping[str, Any]) -> dict[str, bool]:
    """Return the known hints among a tool's annotations."""
    return {name: annotations[name] for name in _HINTS if isinstance(annotations.get(name), bool)}


def plain(schema: Any) -> Any:  # noqa: ANN401  any part of a JSON Schema
    """Return a schema without what a stranger must not decide, such as regular expressions."""
    if isinstance(schema, list):
        return [plain(part) for part in schema]
    if not isinstance(schema, Mapping):
        return schema
    found = {}
    for key, part in schema.items():
        if key in _DATA:
            found[key] = part
        elif key in _BY_NAME and isinstance(part, Mapping):
            found[key] = {name: plain(one) for name, one in part.items()}
        elif key == "description":
            found[key] = sentence(str(part))
        elif key not in _LEFT_OUT and not key.startswith("x-"):
            found[key] = plain(part)
    return found


def differences(
    approved: Iterable[ToolDefinition], present: Iterable[ToolDefinition]
) -> dict[str, str]:
    """Return what changed, by the name of the tool; empty if nothing did.

    Args:
        approved: The definitions that the user approved.
        present: The definitions that the server has now.
    """
    old = {definition.name: definition for definition in approved}
    new = {definition.name: definition for definition in present}
    return {
        name: "; ".join(_difference(old.get(name), new.get(name)))
        for name in [*old, *(name for name in new if name not in old)]
        if old.get(name) != new.get(name)
    }


def _difference(old: ToolDefinition | None, new: ToolDefinition | None) -> Iterator[str]:
    """Yield the differences of two definitions of one tool."""
    if old is None:
        yield f"new: {new.shown_description if new else ''}"
        return
    if new is None:
        yield "no longer there"
        return
    if old.description != new.description:
        yield f"description: {old.shown_description!r} became {new.shown_description!r}"
    if old.hints != new.hints:
        yield f"hints: {old.hint_words or 'none'} became {new.hint_words or 'none'}"
    if old.schema != new.schema:
        yield f"arguments: {_changed_lines(old.schema, new.schema)}"


def _changed_lines(old: Mapping[str, Any], new: Mapping[str, Any]) -> str:
    """Return the changed lines of two schemas, on one line."""
    before, after = (
        json.dumps(dict(one), indent=0, sort_keys=True, ensure_ascii=False).splitlines()
        for one in (old, new)
    )
    lines = [line for line in difflib.ndiff(before, after) if line[0] in "+-"]
    return cut(visible(" ".join(" ".join(lines).split())), _MAX_DESCRIPTION_CHARS)
