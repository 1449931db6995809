"""Secrets are taken out here, and only here, before anything is shown, logged or asked.

First the values of the environment's and the config's own secrets, to the letter; then a few
patterns of keys that give themselves away.
"""

from __future__ import annotations

import base64
import html
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final
from urllib.parse import quote, quote_plus

REDACTED: Final = "[redacted]"
#: Shorter values are words like "true" that would be cut out of everything.
_LEAST_CHARACTERS: Final = 8
#: A value that mixes letters with digits or signs is no word, so it may be shorter.
_LEAST_MIXED_CHARACTERS: Final = 6
#: A line of a key in PEM form is a secret on its own: lines are what diffs and greps show.
_LEAST_LINE_CHARACTERS: Final = 32
_SECRET_NAME = re.compile(
    r"(?i)(?:^|_)(?:key|keys|pat|pass|pwd|credentials?|authorization|search_cx|cse_id)(?:_|$)"
    r"|api_?key|secret|token(?:_|$)|passw(?:or)?d|passphrase"
)
#: Names of folders, which would be cut out of every path.
_NO_SECRET_NAMES: Final = frozenset({"PWD", "OLDPWD"})
_NUMBERS: Final = (int, float)
_LISTS: Final = (list, tuple)
#: A dict comes first: to ask whether something is a Mapping takes ten times as long.
_MAPPINGS: Final = (dict, Mapping)
_USER_AND_PASSWORD = re.compile(r"://[^\s/:@]*:([^\s/@\"'<>(),;&]{4,})@")
_PATTERNS: Final = re.compile(
    r"\b(?:sk-[A-Za-z0-9_-]{16,}|[sr]k_live_[A-Za-z0-9]{16,}|gh[pousr]_[A-Za-z0-9]{20,}"
    r"|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{20,}|(?:AKIA|ASIA)[0-9A-Z]{16}"
    r"|AIza[0-9A-Za-z_-]{30,}|ya29\.[0-9A-Za-z_-]{20,}|xox[abprs]-[A-Za-z0-9-]{10,}"
    r"|hf_[A-Za-z0-9]{20,}|npm_[A-Za-z0-9]{36}|pypi-[A-Za-z0-9_-]{40,}"
    r"|eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,})"
    r"|(?<=Bearer )[A-Za-z0-9._~+/-]{16,}=*"
    r"|(?<=Basic )[A-Za-z0-9+/]{16,}=*"
    r"|-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----[A-Za-z0-9+/=\s\\]{0,20000}"
)
_IN_ADDRESS = re.compile(
    r"(?i)(?<=://)[^\s/:@\"'<>(),;&]{0,100}:[^\s/@\"'<>(),;&]{4,200}(?=@)"
    r"|(?<=[?&](?:key|sig)=)[^\s&#\"']{8,}"
    r"|(?<=[?&]token=)[^\s&#\"']{8,}"
    r"|(?<=[?&]api_key=)[^\s&#\"']{8,}"
    r"|(?<=[?&]access_token=)[^\s&#\"']{8,}"
)


@dataclass(frozen=True)
class Redactor:
    """Takes known secrets out of text and JSON values."""

    secrets: tuple[str, ...] = ()

    @classmethod
    def from_environment(cls, *sources: Mapping[str, str], also: Iterable[str] = ()) -> Redactor:
        """Know every value whose name says that it is a secret, as written and as encoded.

        Args:
            sources: The environment, and files of assignments: what one of them hides from
                another is a secret all the same.
            also: Secrets that are known as such.
        """
        values = {
            value
            for source in sources
            for name, whole in source.items()
            for value in _secret_parts(name, whole)
        }
        values |= {value for value in also if len(value) >= _LEAST_CHARACTERS}
        spellings = {spelling for value in values for spelling in _spellings(value)}
        return cls(tuple(sorted(spellings, key=lambda text: (-len(text), text))))

    def text(self, text: str) -> str:
        """Return the text without secrets."""
        for secret in self.secrets:
            text = text.replace(secret, REDACTED)
        if len(text) < _LEAST_CHARACTERS:
            return text  # no pattern matches so little
        return _IN_ADDRESS.sub(REDACTED, _PATTERNS.sub(REDACTED, text))

    def json(self, value: Any) -> Any:  # noqa: ANN401  any JSON value
        """Return a JSON value without secrets, keys and numbers included."""
        if isinstance(value, str):
            return self.text(value)
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, _NUMBERS):
            return REDACTED if self.secrets and str(value) in self.secrets else value
        if isinstance(value, _LISTS):
            return [self.json(item) for item in value]
        if isinstance(value, _MAPPINGS):
            secrets = self.secrets
            return {_name(secrets, str(key)): self.json(item) for key, item in value.items()}
        return value


@lru_cache(maxsize=1024)
def _name(secrets: tuple[str, ...], key: str) -> str:
    """Return a key without secrets; records have the same few keys again and again."""
    return Redactor(secrets).text(key)


class _Known:
    """What this process knows to be secret."""

    redactor = Redactor()


def remember(redactor: Redactor) -> None:
    """Let everything that this process shows from now on be without these secrets.

    The environment belongs to the process and not to a session, and what is shown (messages,
    forms, tables) comes from too many places to hand a redactor to each of them.
    """
    _Known.redactor = redactor


def remembered() -> Redactor:
    """Return what takes out the secrets of this process."""
    return _Known.redactor


def redact(text: str) -> str:
    """Return the text without the secrets of this process."""
    return _Known.redactor.text(text)


def _secret_parts(name: str, value: str) -> Iterator[str]:
    """Yield what is secret in a named value: all of it, its lines, the password in an address."""
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
    """Say whether a value is a secret as far as its name tells."""
    return _is_secret_name(name) and _is_long_enough(value)


def _is_secret_name(name: str) -> bool:
    return name.upper() not in _NO_SECRET_NAMES and _SECRET_NAME.search(name) is not None


def _is_long_enough(value: str) -> bool:
    return len(value) >= _LEAST_CHARACTERS or _is_mixed(value)


def _is_mixed(value: str) -> bool:
    return len(value) >= _LEAST_MIXED_CHARACTERS and not value.isalpha() and not value.isdigit()


def _spellings(value: str) -> Iterator[str]:
    """Yield a secret as it is and in the ways in which it is usually encoded."""
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
