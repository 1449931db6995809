"""A calculation that a request writes out: "what is 17 plus 25?" is 17 + 25 and nothing else."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from okso_jupyter.toolkit.tool import Tool

#: What stands before a calculation and behind it.
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
    """Return what a request wants to be calculated, as Python; empty where it asks for more.

    Powers are left to a model: two digits can make a number that fills the memory.
    """
    text = _REST.sub("", _ASKED.sub("", request)).strip().lower()
    written = _WORD.sub(lambda match: f" {_SIGNS[match[0]]} ", _THOUSANDS.sub("", text))
    plain = re.sub(r"\s+", " ", written).strip()
    is_whole = _SUM.fullmatch(plain) is not None and plain.count("(") == plain.count(")")
    return plain if is_whole and "**" not in plain and not _starts_with_zero(plain) else ""


def _starts_with_zero(text: str) -> bool:
    """Say whether a number has leading zeros, which Python does not read."""
    return re.search(r"(?<![\d.])0\d", text) is not None


def calculations(asked: str, tools: Sequence[Tool]) -> dict[str, list[Mapping[str, Any]]]:
    """Return the only arguments of tools that take code, where a calculation is written out."""
    wanted = calculation(asked)
    return {
        tool.name: [{name: f"print({wanted})"}]
        for tool in tools
        for name, part in tool.properties.items()
        if wanted and part.get("x-ground") == "code" and tool.required <= {name}
    }
