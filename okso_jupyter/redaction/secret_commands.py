"""Rules for secrets on command lines, and for keys that are recognized by their prefix.

In: a text and the position of an anchor in it. Out: the spans of secrets there. `secret_forms` maps
anchors to rules.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

from okso_jupyter.redaction.secret_names import NAME_CHARS

Span = tuple[int, int]

# ------------------------------------------------------------------ commands
_PAIR: Final = re.compile(
    r"-(?:u|U|-user|-proxy-user)(?:[ \t\x1f]+|=|\\*[\"']\s*,\s*)\\*[\"']?"
    r"(?P<user>[\w.@+%-]{1,100}):(?P<v>[^\s\"'\\]{2,200})"
)
_GROUPS: Final = frozenset(
    "root staff users wheel adm www-data nogroup nobody docker admin sudo daemon".split()
)
#: Commands with a password option whose name means something else for other commands.
COMMANDS: Final[dict[str, str]] = {
    "docker": r"\b(?:docker|podman)\s+login\b.{0,300}?\s-p[\s=]*",
    "podman": r"\bpodman\s+login\b.{0,300}?\s-p[\s=]*",
    "sshpass": r"\bsshpass\s+-p\s*",
    "mysql": r"\bmysql(?:dump|admin|import|show)?\b.{0,300}?\s-p(?=[^\s-])",
    "mariadb": r"\bmariadb(?:-dump|-admin)?\b.{0,300}?\s-p(?=[^\s-])",
    "redis-cli": r"\bredis-cli\b.{0,300}?\s-a\s+",
    "ldap": r"\bldap(?:search|modify|add|delete|whoami)\b.{0,300}?\s-w\s*",
    "http": r"\b(?:http|https|xh|xhs)\s.{0,300}?-a\s+[\w.@-]{1,100}:",
    "pass:": r"\bpass:",
    "zip": r"\b(?:un)?zip\b.{0,300}?\s-P\s*",
    "7z": r"\b7za?\b.{0,300}?\s-p(?=[^\s-])",
    "smbclient": r"\bsmbclient\b.{0,300}?\s-U\s*[\w.\\-]{1,100}%",
    "identified": r"(?i)\bidentified\s+(?:with\s+\S+\s+)?by\s+",
}
_COMMAND_VALUE: Final = r"(?:(?P<q>[\"'])(?P<v>(?:(?!(?P=q)).){1,400})|(?P<w>[^\s\"'\\;|&]{3,400}))"
_COMMAND_RULES: Final = {
    name: re.compile(head.replace(".{", r"[^\n|;&]{") + _COMMAND_VALUE)
    for name, head in COMMANDS.items()
}


def pair(text: str, place: int) -> Iterator[Span]:
    """Yield the password of `-u user:password`."""
    match = _PAIR.match(text, text.index("-", place))
    if match is None or match["v"].startswith("//") or match["v"].isdigit():
        return
    if match["v"] not in _GROUPS:
        yield match.span("v")


def command(name: str) -> Callable[[str, int], Iterator[Span]]:
    """Return the rule for one command."""
    pattern = _COMMAND_RULES[name]

    def spans(text: str, place: int) -> Iterator[Span]:
        start = max(0, place - 1) if name in {"zip", "http"} else place
        match = pattern.match(text, place) or pattern.match(text, start)
        if match is not None:
            yield match.span("v") if match["v"] else match.span("w")

    return spans


# ------------------------------------------------------------------ recognizable forms
_PEM: Final = re.compile(
    r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----"
    r"(?:(?:\s|\\n|[+|>])*[A-Za-z-]{1,40}: [^\n\\]{0,200})*[A-Za-z0-9+/=\s\\|>]{0,20000}"
)
_PGPASS: Final = re.compile(
    r"[\w.*-]{1,200}:(?:\d{4,5}|\*):[\w.*-]{1,100}:[\w.*@-]{1,100}:([^\s\"'\\]+)"
)
_HOST_CHARS: Final = f"{NAME_CHARS}*"
OWN_FORMS: Final[dict[str, str]] = {
    "sk-": r"sk-[A-Za-z0-9_-]{16,}",
    "sk_live_": r"sk_live_[A-Za-z0-9]{16,}",
    "rk_live_": r"rk_live_[A-Za-z0-9]{16,}",
    "sk_test_": r"sk_test_[A-Za-z0-9]{16,}",
    "whsec_": r"whsec_[A-Za-z0-9+/=]{16,}",
    **{f"gh{kind}_": rf"gh{kind}_[A-Za-z0-9]{{20,}}" for kind in "pousr"},
    "github_pat_": r"github_pat_[A-Za-z0-9_]{20,}",
    "glpat-": r"glpat-[A-Za-z0-9_-]{20,}",
    "akia": r"AKIA(?!IOSFODNN7EXAMPLE)[0-9A-Z]{16}",
    "asia": r"ASIA[0-9A-Z]{16}",
    "aiza": r"AIza[0-9A-Za-z_-]{30,}",
    "ya29.": r"ya29\.[0-9A-Za-z_-]{20,}",
    **{f"xox{kind}-": rf"xox{kind}-[A-Za-z0-9-]{{10,}}" for kind in "abeprs"},
    "hf_": r"hf_[A-Za-z0-9]{20,}",
    "npm_": r"npm_[A-Za-z0-9]{36}",
    "pypi-": r"pypi-[A-Za-z0-9_-]{40,}",
    "sg.": r"SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}",
    "dop_v1_": r"dop_v1_[a-f0-9]{32,}",
    "eyj": r"eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}",
}


def own_form(anchor: str) -> Callable[[str, int], Iterator[Span]]:
    """Return the rule for keys with a recognizable prefix."""
    pattern = re.compile(OWN_FORMS[anchor])

    def spans(text: str, place: int) -> Iterator[Span]:
        match = pattern.match(text, place)
        if match is not None and not text[place - 1 : place].isalnum():
            yield match.span()

    return spans


def private_key(text: str, place: int) -> Iterator[Span]:
    """Yield a private key in PEM form."""
    match = _PEM.match(text, place)
    if match is not None:
        yield match.span()


def password_file(text: str, place: int) -> Iterator[Span]:
    """Yield the password of a line `host:port:database:user:password`."""
    since = max(0, place - 200)
    match = _PGPASS.match(text, since + len(text[since:place].rstrip(_HOST_CHARS)))
    if match is not None and not match[1].isdigit():
        yield match.span(1)
