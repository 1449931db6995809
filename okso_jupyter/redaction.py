"""Secrets are taken out here, and only here, before anything is shown, logged or asked.

First the values of the environment's own secrets, to the letter; then a few patterns of keys
that give themselves away.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import quote, quote_plus

REDACTED: Final = "[redacted]"
#: Shorter values are words like "true" that would be cut out of everything.
_LEAST_CHARACTERS: Final = 8
_SECRET_NAME = re.compile(
    r"(?i)(?:^|_)(?:api_?key|key|secret|token|password|passwd|credentials?)(?:_|$)"
)
_PATTERNS: Final = re.compile(
    r"\b(?:sk-[A-Za-z0-9_-]{16,}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}"
    r"|AKIA[0-9A-Z]{16}|AIza[0-9A-Za-z_-]{30,}|xox[abprs]-[A-Za-z0-9-]{10,}|hf_[A-Za-z0-9]{20,})\b"
    r"|(?<=Bearer )[A-Za-z0-9._~+/-]{16,}=*"
)


@dataclass(frozen=True)
class Redactor:
    """Takes known secrets out of text and JSON values."""

    secrets: tuple[str, ...] = ()

    @classmethod
    def from_environment(cls, environ: Mapping[str, str], also: Iterable[str] = ()) -> Redactor:
        """Know every value whose name says that it is a secret, as written and as encoded.

        Args:
            environ: Values by name.
            also: Secrets that are known as such.
        """
        named = [value for name, value in environ.items() if _SECRET_NAME.search(name)]
        values = [value for value in (*named, *also) if len(value) >= _LEAST_CHARACTERS]
        spellings = {spelling for value in values for spelling in _spellings(value)}
        return cls(tuple(sorted(spellings, key=len, reverse=True)))

    def text(self, text: str) -> str:
        """Return the text without secrets."""
        for secret in self.secrets:
            text = text.replace(secret, REDACTED)
        return _PATTERNS.sub(REDACTED, text)

    def json(self, value: Any) -> Any:  # noqa: ANN401  any JSON value
        """Return a JSON value without secrets, keys included."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, Mapping):
            return {self.text(str(key)): self.json(item) for key, item in value.items()}
        if isinstance(value, list | tuple):
            return [self.json(item) for item in value]
        return value


def _spellings(value: str) -> Iterator[str]:
    """Yield a secret as it is and in the ways in which it is usually encoded."""
    data = value.encode("utf-8", "surrogateescape")
    yield value
    yield quote(data, safe="")
    yield quote_plus(data)
    yield json.dumps(value)[1:-1]
    yield json.dumps(value, ensure_ascii=False)[1:-1]
    yield data.hex()
    for before in range(3):
        middle = _base64_middle(data, before)
        if len(middle) >= _LEAST_CHARACTERS:
            yield middle
            yield middle.replace("+", "-").replace("/", "_")


def _base64_middle(data: bytes, before: int) -> str:
    """Return the characters of a Base64 text that only the data decide.

    Args:
        data: What is encoded, maybe with other bytes around it.
        before: How many bytes of the first group of three come before the data.
    """
    first = -(-before * 8 // 6)
    last = (before + len(data)) * 8 // 6
    return base64.b64encode(bytes(before) + data).decode()[first:last]
