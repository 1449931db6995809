"""A question of a server in the middle of a call, as it is put to a person.

The fields of a form are asked one by one. A form that asks for a secret is declined: a server may
show a link for that, and nothing opens the link.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any, Final, Literal
from urllib.parse import urlsplit

from okso_jupyter import assets
from okso_jupyter.errors import DocumentError
from okso_jupyter.legible import sentence
from okso_jupyter.mcp.definitions import plain
from okso_jupyter.toolkit.schema_types import NUMBERS, valued_types

#: Asks a person one question; "" if there is no answer.
Ask = Callable[[str], str]

_MAX_FIELDS: Final = 20
_MAX_TRIES: Final = 3
#: What no field of a form has: a schema that leads on to others, or to itself.
_NESTED: Final = frozenset({"$ref", "$dynamicRef", "properties", "allOf", "not", "if"})
_YES: Final = frozenset({"y", "yes"})
_NO: Final = frozenset({"n", "no"})
#: Words of what is never typed into a form, and those that count in a field's name alone.
_SECRET: Final = re.compile(
    r"(?i)pass[ _-]?(?:word|wort|phrase|code|wd)|kennwort|mot de passe|contraseña|secret|"
    r"credential|(?:api|access|private)[ _-]?key|token|card[ _-]?number|one[ _-]time[ _-]code"
)
_SECRET_NAME: Final = re.compile(r"(?i)(?:.*[_-])?(?:pin|cvv|cvc|otp|ssn)")


@dataclass(frozen=True, slots=True)
class PersonReply:
    """What a person answered.

    Attributes:
        action: "accept" or "decline".
        content: The values of the fields.
        reason: Why it was declined without asking; empty if a person was asked.
    """

    action: Literal["accept", "decline"]
    content: Mapping[str, Any] = field(default_factory=dict)
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerQuestion:
    """A question of a server.

    Attributes:
        message: Its words.
        schema: The fields of the answer, as a JSON Schema; empty for a link.
        url: The link; empty for a form.
        reply: The answer.
    """

    message: str
    schema: Mapping[str, Any]
    url: str
    reply: Future[PersonReply] = field(default_factory=Future)

    def ask(self, server: str, ask: Ask) -> PersonReply:
        """Ask a person, and return the reply."""
        intro = f"MCP server {server} asks: {sentence(self.message)!r}"
        if self.url:
            return self._asked_to_open(intro, ask)
        properties = self.schema.get("properties")
        if (
            not isinstance(properties, Mapping)
            or len(properties) > _MAX_FIELDS
            or not all(map(_is_plain, properties.values()))
        ):
            return PersonReply("decline", reason="its question cannot be shown")
        if _SECRET.search(_unhidden([self.message, properties])) or any(
            map(_SECRET_NAME.fullmatch, properties)
        ):
            return PersonReply("decline", reason="a form must not ask for a secret")
        return self._asked_for(intro, properties, ask)

    def _asked_to_open(self, intro: str, ask: Ask) -> PersonReply:
        """Show the link; whether it is opened is up to the person."""
        try:
            parts = urlsplit(self.url)
            host = parts.hostname if parts.scheme in {"http", "https"} else ""
        except ValueError:  # such as http://[
            host = ""
        if not host:
            return PersonReply("decline", reason="its link is no web address")
        told = f"{intro}. Its link to {host}: {sentence(self.url)}"
        said = ask(f"{told} (nothing opens it; yes if you have opened it yourself, else no): ")
        return PersonReply("accept" if said.strip().lower() in _YES else "decline")

    def _asked_for(self, intro: str, properties: Mapping[str, Any], ask: Ask) -> PersonReply:
        """Ask for each field, and once more whether to send them where nothing had to be typed."""
        given = self.schema.get("required")
        required = given if isinstance(given, list) else ()
        content = {}
        for name, schema in properties.items():
            value = _Field(name, schema, name in required).ask(intro, ask)
            intro = ""
            if value is None and name in required:
                return PersonReply("decline")
            if value is not None:
                content[name] = value
        if content:
            return PersonReply("accept", content)
        said = ask(f"{intro or 'Send this answer'} (yes or no): ")
        return PersonReply("accept" if said.strip().lower() in _YES else "decline")


def _unhidden(words: object) -> str:
    """Return the words of JSON data in plain letters, without characters that nobody sees."""
    text = unicodedata.normalize("NFKC", json.dumps(words, ensure_ascii=False))
    return "".join(char for char in text if unicodedata.category(char) != "Cf")


def _is_plain(schema: object) -> bool:
    """Return whether a field is of the few forms that the protocol has."""
    if not isinstance(schema, Mapping) or _NESTED & schema.keys():
        return False
    choices = [schema.get(key, []) for key in ("enum", "oneOf", "anyOf")]
    if not isinstance(schema.get("type", ""), str) or not all(
        isinstance(choice, list) for choice in choices
    ):
        return False
    items = [schema["items"]] if "items" in schema else []
    return all(map(_is_plain, (*choices[1], *choices[2], *items)))


@dataclass(frozen=True, slots=True)
class _Field:
    """A field of a form.

    Attributes:
        name: Its name.
        schema: Its JSON Schema.
        is_required: Whether an answer needs it.
    """

    name: str
    schema: Any
    is_required: bool

    def ask(self, intro: str, ask: Ask) -> Any:  # noqa: ANN401  a JSON value
        """Return the value that a person typed; None where nothing valid was."""
        why = ""
        for _ in range(_MAX_TRIES):
            said = ask(". ".join(part for part in (intro, why, self._words) if part)).strip()
            if not said:
                return None
            value = self._value(said)
            if self._is_valid(value):
                return value
            intro, why = "", f"{said!r} does not fit"
        return None

    @property
    def _words(self) -> str:
        """The question for it."""
        schema = self.schema if isinstance(self.schema, Mapping) else {}
        about = [str(schema[key]) for key in ("title", "description") if schema.get(key)]
        kind = " or ".join(map(str, _options(schema))) or str(schema.get("type", ""))
        leave = "leave it empty to decline" if self.is_required else "or leave it empty"
        return f"{sentence(': '.join([self.name, *about]))} ({sentence(kind)}; {leave}): "

    def _value(self, said: str) -> Any:  # noqa: ANN401  a JSON value
        """Return what was typed as a value of the type that is asked for."""
        kinds = valued_types(self.schema) if isinstance(self.schema, Mapping) else set[str]()
        if kinds == {"boolean"}:
            return {**dict.fromkeys(_YES, True), **dict.fromkeys(_NO, False)}.get(
                said.lower(), said
            )
        if kinds == {"array"}:
            return [part.strip() for part in said.split(",")]
        if kinds and kinds <= NUMBERS:
            try:
                return json.loads(said, parse_constant=str)
            except ValueError:
                return said
        return said

    def _is_valid(self, value: Any) -> bool:  # noqa: ANN401  a JSON value
        """Return whether a value is one that the server accepts; it sends no regular expression."""
        try:
            return bool(assets.validator_for(plain(self.schema)).is_valid(value))
        except (DocumentError, RecursionError):  # a schema may lead back to itself
            return False


def _options(schema: Mapping[str, Any]) -> Iterator[object]:
    """Yield the values that a field allows, if it lists them."""
    inner = schema.get("items") if isinstance(schema.get("items"), Mapping) else schema
    assert isinstance(inner, Mapping)  # noqa: S101  see above
    if isinstance(inner.get("enum"), list):
        yield from inner["enum"]
    for one in inner.get("oneOf") or inner.get("anyOf") or ():
        if isinstance(one, Mapping) and "const" in one:
            yield one["const"]
