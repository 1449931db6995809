"""Redactor: the only place where secrets are removed before text is shown, logged or sent.

It removes the values of secrets in the environment and the config, as written and as encoded; then
values whose name or form reveals a secret (`secret_forms`, `secret_names`).
"""

from __future__ import annotations

import base64
import html
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Final
from urllib.parse import quote, quote_plus

from okso_jupyter.redaction.secret_commands import Span
from okso_jupyter.redaction.secret_forms import secret_spans
from okso_jupyter.redaction.secret_names import (
    Suspicion,
    is_mixed,
    is_secret_option,
    is_secret_value,
    suspicion,
)

REDACTED: Final = "[redacted]"
#: Shorter values may be words like "true", which would be removed everywhere.
_LEAST_CHARACTERS: Final = 8
#: Each line of a key in PEM form is also a secret: diffs and greps show single lines.
_LEAST_LINE_CHARACTERS: Final = 32
#: Shorter texts are cached, since they recur: names, states, titles.
_MOST_REMEMBERED_CHARACTERS: Final = 200
#: Texts from this length are cached briefly, so that several sinks cost as much as one.
_LEAST_LONG_CHARACTERS: Final = 2000
_MOST_LONG_CHARACTERS: Final = 4_000_000
#: Ids of personal search engines, which should not be logged either.
_ALSO_SECRET: Final = re.compile(r"(?i)(?:^|_)(?:search_cx|cse_id)$")
_NUMBERS: Final = (int, float)
_LISTS: Final = (list, tuple)
#: dict comes first: an isinstance check against Mapping takes ten times as long.
_MAPPINGS: Final = (dict, Mapping)
_USER_AND_PASSWORD = re.compile(r"://[^\s/:@]*:([^\s/@\"'<>(),;&]{4,})@")
#: A text with fewer parts has no breaks.
_LEAST_PARTS: Final = 2
#: Separator when the words of a command are joined; patterns treat it as a blank.
_BETWEEN_WORDS: Final = "\x1f"
#: Matches what may separate the characters of a value that is spaced out or wrapped, as in diffs.
_BREAK: Final = r"(?:\s|\\[nrt])*[-+>|*]?(?:\s|\\[nrt])*"
_BROKEN_LINES: Final = re.compile(r"\n[-+>|*]")
_ESCAPED_BREAKS: Final = re.compile(r"\\[nrt]")


@dataclass(frozen=True)
class Redactor:
    """Removes known secrets from text and JSON values."""

    secrets: tuple[str, ...] = ()

    @classmethod
    def from_environment(cls, *sources: Mapping[str, str], also: Iterable[str] = ()) -> Redactor:
        """Return a redactor for all values whose name suggests a secret, as written and as encoded.

        Args:
            sources: The environment, and files of assignments; if a name is in several of them, all
                its values are redacted.
            also: Further secrets.
        """
        values = {
            value
            for source in sources
            for name, whole in source.items()
            for value in _secret_parts(name, whole)
        }
        further = [part for whole in also for part in (whole, *_USER_AND_PASSWORD.findall(whole))]
        values |= {value for value in further if len(value) >= _LEAST_CHARACTERS}
        spellings = {spelling for value in values for spelling in _spellings(value)}
        return cls(tuple(sorted(spellings, key=lambda text: (-len(text), text))))

    def text(self, text: str) -> str:
        """Return the text without secrets."""
        if len(text) <= _MOST_REMEMBERED_CHARACTERS:
            return self._short(text)
        if _LEAST_LONG_CHARACTERS <= len(text) <= _MOST_LONG_CHARACTERS:
            return _long_text(self, text)
        return self._clean(text)

    @cached_property
    def _short(self) -> Callable[[str], str]:
        """`_clean` with a cache, for short texts."""
        return _short_texts(self)

    def _clean(self, text: str) -> str:
        if self.secrets:
            for secret in self.secrets:
                text = text.replace(secret, REDACTED)
            text = self._without_broken(text)
        return _without(text, secret_spans(text))

    def _without_broken(self, text: str) -> str:
        """Return the text without known secrets that are spaced out or broken over lines."""
        if len(text) < _LEAST_CHARACTERS:
            return text
        joined = _joined(text)
        for secret in self.secrets:
            compact = "".join(secret.split())
            if len(compact) >= _LEAST_CHARACTERS and any(compact in whole for whole in joined):
                text = re.sub(_BREAK.join(map(re.escape, compact)), REDACTED, text)
        return text

    def json(self, value: Any) -> Any:  # noqa: ANN401  any JSON value
        """Return a JSON value without secrets, also in keys and numbers."""
        if isinstance(value, str):
            return self.text(value)
        if value is None or value is True or value is False:
            return value
        if isinstance(value, _NUMBERS):
            return REDACTED if self.secrets and str(value) in self.secrets else value
        if isinstance(value, _LISTS):
            return self._list(value)
        if isinstance(value, _MAPPINGS):
            return self._object(value)
        return value

    def _object(self, members: Mapping[Any, Any]) -> dict[str, Any]:
        """Return a JSON object without secrets, in its keys and values."""
        clean: dict[str, Any] = {}
        for key, value in _as_command(members).items():
            name, is_suspicious = self._key(str(key))
            is_secret = is_suspicious and _is_told_in_full(str(key), value)
            clean[name] = REDACTED if is_secret else self.json(value)
        return clean

    @cached_property
    def _key(self) -> Callable[[str], tuple[str, bool]]:
        """Return a key without secrets, and whether it suggests that its value is one; cached."""
        return _keys(self)

    def _list(self, items: Sequence[Any]) -> list[Any]:
        """Return the items without secrets, including those after an option that takes a secret."""
        return [self.json(item) for item in _without_options(items)]


# The sessions of a process mostly know the same secrets, and so share these caches.
@lru_cache(maxsize=8)
def _short_texts(redactor: Redactor) -> Callable[[str], str]:
    return lru_cache(maxsize=4096)(redactor._clean)  # noqa: SLF001  see `Redactor.text`


@lru_cache(maxsize=8)
def _keys(redactor: Redactor) -> Callable[[str], tuple[str, bool]]:
    return lru_cache(maxsize=4096)(
        lambda key: (redactor.text(key), suspicion(key) is not Suspicion.NONE)
    )


@lru_cache(maxsize=8)
def _long_text(redactor: Redactor, text: str) -> str:
    """Return a long text without secrets; cached, as outputs go to journal, trace and page."""
    return redactor._clean(text)  # noqa: SLF001  the half of `text` that takes time


def _joined(text: str) -> list[str]:
    """Return the text without whitespace, and, if it has lines, also without diff marks."""
    flat = _ESCAPED_BREAKS.sub("\n", text) if "\\" in text else text
    parts = flat.split()
    if len(parts) < _LEAST_PARTS:
        return []
    marked = ["".join(_BROKEN_LINES.sub("\n", flat).split())] if "\n" in flat else []
    return ["".join(parts), *marked]


def _without(text: str, spans: Sequence[Span]) -> str:
    """Return a text with each span replaced by a mark."""
    if not spans:
        return text
    parts: list[str] = []
    since = 0
    for start, end in spans:
        parts += text[since:start], REDACTED
        since = end
    return "".join([*parts, text[since:]])


def _as_command(value: Mapping[Any, Any]) -> Mapping[Any, Any]:
    """Return a command call with its words redacted together: `curl` determines what `-u` means."""
    command, words = value.get("command"), value.get("args")
    if not isinstance(command, str) or not isinstance(words, list):
        return value
    _, *clean = _without_in_command([command, *words])
    return {**value, "args": clean}


def _without_options(items: Sequence[Any]) -> Sequence[Any]:
    """Return a list without the secrets after options, if it is a command."""
    if not any(isinstance(item, str) and item.startswith("-") for item in items):
        return items
    return _without_in_command(list(items))


def _without_in_command(words: list[Any]) -> list[Any]:
    """Return the words of a command without secrets that only another word reveals."""
    if not all(isinstance(word, str) for word in words):
        return words
    line = _BETWEEN_WORDS.join(words)
    clean = _without(line, secret_spans(line)).split(_BETWEEN_WORDS)
    clean = clean if len(clean) == len(words) else words
    return [
        REDACTED if _takes_secret(option, word) else rest
        for option, word, rest in zip(["", *words], words, clean, strict=False)
    ]


def _takes_secret(option: str, word: str) -> bool:
    """Return whether a word of a command is the secret that the option before it takes."""
    if not option.startswith("-") or word.startswith("-") or REDACTED in word:
        return False
    return is_secret_option(option.lstrip("-"), word)


def _is_told_in_full(name: str, value: object) -> bool:
    """Return whether a name marks its whole value, a text, as a secret."""
    if not isinstance(value, str) or REDACTED in value:
        return False
    return is_secret_value(name, value, is_written=True)


class _Known:
    """Holder of the redactor with this process's secrets."""

    redactor = Redactor()


def remember(redactor: Redactor) -> None:
    """Set the redactor for everything that this process shows from now on.

    The environment belongs to the process, not to a session, and messages, forms and tables are
    shown from too many places to pass a redactor to each.
    """
    _Known.redactor = redactor


def remembered() -> Redactor:
    """Return the redactor of this process's secrets."""
    return _Known.redactor


def redact(text: str) -> str:
    """Return the text without the secrets of this process."""
    return _Known.redactor.text(text)


def _secret_parts(name: str, value: str) -> Iterator[str]:
    """Yield the secrets in a named value: all of it, its lines, the password in an address."""
    for match in _USER_AND_PASSWORD.finditer(value):
        yield match[1]
    if not _is_secret_name(name):
        return
    if _is_long_enough(value):
        yield value
    lines = value.splitlines()
    if len(lines) > 1:
        yield from (line for line in lines if len(line) >= _LEAST_LINE_CHARACTERS)


def is_secret(name: str, value: str) -> bool:
    """Return whether a value is a secret, judged by its name and form."""
    return _is_secret_name(name) and _is_long_enough(value)


def _is_secret_name(name: str) -> bool:
    return suspicion(name) is not Suspicion.NONE or _ALSO_SECRET.search(name) is not None


def _is_long_enough(value: str) -> bool:
    return len(value) >= _LEAST_CHARACTERS or is_mixed(value)


def _spellings(value: str) -> Iterator[str]:
    """Yield a secret as it is and in its usual encodings."""
    data = value.encode("utf-8", "surrogateescape")
    yield value
    for encoded in (quote(data, safe=""), quote(data), quote_plus(data)):
        yield encoded
        yield re.sub("%[0-9A-F]{2}", lambda match: match[0].lower(), encoded)
        yield quote(encoded, safe="")
    yield html.escape(value)
    yield json.dumps(value)[1:-1]
    yield json.dumps(value, ensure_ascii=False)[1:-1]
    yield data.hex()
    yield data.hex().upper()
    yield value[::-1]
    yield from _base32(data)
    for before in range(3):
        middle = _base64_middle(data, before)
        if len(middle) >= _LEAST_CHARACTERS:
            yield middle
            yield middle.replace("+", "-").replace("/", "_")


def _base64_middle(data: bytes, before: int) -> str:
    """Return the characters of a Base64 text that depend on the data alone.

    Args:
        data: The encoded data, which may have other bytes around it.
        before: How many bytes of the first group of three precede the data.
    """
    first = -(-before * 8 // 6)
    last = (before + len(data)) * 8 // 6
    return base64.b64encode(bytes(before) + data).decode()[first:last]


def _base32(data: bytes) -> Iterator[str]:
    """Yield the characters of Base32 texts that depend on the data alone, in both cases."""
    for before in range(5):
        first, last = -(-before * 8 // 5), (before + len(data)) * 8 // 5
        middle = base64.b32encode(bytes(before) + data).decode()[first:last]
        if len(middle) >= _LEAST_CHARACTERS:
            yield middle
            yield middle.lower()
