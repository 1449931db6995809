"""Parses a request that is only a calculation: "what is 17 plus 25?" is 17 + 25."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from okso_jupyter.toolkit.tool import Tool

#: Phrases before and after a calculation.
_ASKED: Final = re.compile(
    r"""(?ix)
    ^\W*(?:(?:please|pls|so|hey|hi|okso|bitte|can\ you|could\ you|tell\ me|wie)\b\W*)*
    (?:(?:what(?:'s|s|\ is|\ are)|how\ much\ (?:is|are|makes?)|calculate|compute|evaluate|solve|
        work\ out|was\ ist|wieviel\ ist|viel\ ist|viel\ sind|berechne|rechne)\b)?
    (?:\ the\ (?:value|result)\ of\b)?
    """
)
_REST: Final = re.compile(r"(?i)(?:\s*(?:please|pls|bitte|=|\?|\.(?=\s*$)|!))*\s*$")
_SIGNS: Final[Mapping[str, str]] = {
    "plus": "+",
    "added to": "+",
    "minus": "-",
    "less": "-",
    "times": "*",
    "multiplied by": "*",
    "mal": "*",
    "x": "*",
    "×": "*",  # noqa: RUF001  as people write
    "·": "*",
    "divided by": "/",
    "over": "/",
    "geteilt durch": "/",
    "÷": "/",
    "to the power of": "**",
    "hoch": "**",
    "^": "**",
    "modulo": "%",
    "mod": "%",
}
_WORD: Final = re.compile("|".join(re.escape(s) for s in sorted(_SIGNS, key=len, reverse=True)))
_NUMBER: Final = r"-?\d+(?:\.\d+)?"
_OPEN: Final = r"(?:\(\s*)*"
_CLOSE: Final = r"(?:\s*\))*"
_SUM: Final = re.compile(
    rf"{_OPEN}{_NUMBER}{_CLOSE}(?:\s*(?:\*\*|[-+*/%])\s*{_OPEN}{_NUMBER}{_CLOSE})+"
)
_THOUSANDS: Final = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")


def calculation(request: str) -> str:
    """Return a request's calculation as a Python expression; empty if it asks for more.

    Powers are left to a model: an exponent of two digits can exhaust the memory.
    """
    text = _REST.sub("", _ASKED.sub("", request)).strip().lower()
    written = _WORD.sub(lambda match: f" {_SIGNS[match[0]]} ", _THOUSANDS.sub("", text))
    plain = re.sub(r"\s+", " ", written).strip()
    is_whole = _SUM.fullmatch(plain) is not None and plain.count("(") == plain.count(")")
    return plain if is_whole and "**" not in plain and not _starts_with_zero(plain) else ""


def _starts_with_zero(text: str) -> bool:
    """Return whether a number has leading zeros, which are a syntax error in Python."""
    return re.search(r"(?<![\d.])0\d", text) is not None


def calculations(asked: str, tools: Sequence[Tool]) -> dict[str, list[Mapping[str, Any]]]:
    """Return the only allowed arguments of code tools, by name, if a request is a calculation."""
    wanted = calculation(asked)
    return {
        tool.name: [{name: f"print({wanted})"}]
        for tool in tools
        for name, part in tool.properties.items()
        if wanted and part.get("x-ground") == "code" and tool.required <= {name}
    }
