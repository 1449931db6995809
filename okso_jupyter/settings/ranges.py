"""Type and range of a setting: declaration, check and description in words."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import Field, field
from types import MappingProxyType
from typing import Any, Final

from okso_jupyter.errors import SettingError


def setting(  # noqa: PLR0913  one argument per column of the table
    default: Any,  # noqa: ANN401  any of the kinds below
    meaning: str,
    *,
    unit: str = "",
    low: float | None = None,
    high: float | None = None,
    choices: tuple[str, ...] = (),
    files: tuple[str, ...] = (),
    aliases: tuple[str, ...] = (),
    switches: Mapping[str, tuple[str, str]] = MappingProxyType({}),
    optional: bool = False,
    unset: str = "",
    secret: bool = False,
    flaw_of: Callable[[str], str] | None = None,
) -> Any:  # noqa: ANN401  what `field` gives
    """Return a dataclass field that declares one setting; a secret one is never shown.

    `files` are words that are allowed besides `choices` if "=" and a file name follow them. An
    optional setting may be empty or the word `unset`, which both mean None. `switches` are older
    boolean names, each with the values that false and true stand for. `flaw_of` returns a hint for
    a text that is not allowed, else "".
    """
    metadata = {
        "meaning": meaning,
        "unit": unit,
        "low": low,
        "high": high,
        "choices": choices,
        "files": files,
        "aliases": (*aliases, *switches),
        "switches": switches,
        "optional": optional,
        "unset": unset,
        "secret": secret,
        "flaw_of": flaw_of,
    }
    return field(default=default, metadata=metadata, repr=not secret)


def aliases_of(spec: Field[Any]) -> tuple[str, ...]:
    """Return the older names of a setting."""
    aliases: tuple[str, ...] = spec.metadata.get("aliases", ())
    return aliases


def switched(spec: Field[Any], name: str, value: Any) -> Any:  # noqa: ANN401  any kind
    """Return the value of a setting given under a name; a switch's boolean is translated.

    Raises:
        SettingError: The name is a switch, and the value is neither true nor false.
    """
    words = spec.metadata.get("switches", {}).get(name)
    if words is None:
        return value
    on = checked(name.lower(), value, {"meaning": spec.metadata["meaning"]}, "bool")
    return words[on]


_PARSERS: Final[Mapping[str, Callable[[str], Any]]] = {
    "int": int,
    "float": float,
    "bool": lambda text: {"true": True, "1": True, "false": False, "0": False}[text.lower()],
    "str": str,
    "Mapping[str, float]": json.loads,
}
_KINDS: Final[Mapping[str, tuple[type, ...]]] = {
    "int": (int,), "float": (int, float), "bool": (bool,), "str": (str,),
}  # fmt: skip
_WORDS: Final[Mapping[str, str]] = {
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "str": "a text",
    "Mapping[str, float]": "a JSON object of rule names and numbers",
}


def checked(name: str, value: Any, metadata: Mapping[str, Any], kind: Any) -> Any:  # noqa: ANN401
    """Return a value converted to its field's type.

    Raises:
        SettingError: It has another type or is out of range; the message names the range.
    """
    optional = metadata.get("optional", False)
    if value is None or (optional and _means_none(value, metadata)):
        if optional:
            return None
        raise SettingError(_complaint(name, value, metadata, kind), hint=metadata["meaning"])
    base = str(kind).removesuffix(" | None")
    try:
        value = _PARSERS[base](value.strip()) if isinstance(value, str) else value
        if name == "planner_sample_count" and type(value) is int:
            value = max(1, value)
        fits = _fits(value, base, metadata)
    except (ValueError, KeyError, TypeError):
        fits = False
    if not fits:
        raise SettingError(_complaint(name, value, metadata, kind), hint=metadata["meaning"])
    if metadata.get("flaw_of") and (hint := metadata["flaw_of"](value)):
        msg = f"{name.upper()} is {value!r}, which does not exist"
        raise SettingError(msg, hint=hint)
    return float(value) if base == "float" else value


def _means_none(value: Any, metadata: Mapping[str, Any]) -> bool:  # noqa: ANN401  any kind
    return value == "" or (
        isinstance(value, str) and value.strip().lower() == (metadata.get("unset") or None)
    )


def _fits(value: Any, base: str, metadata: Mapping[str, Any]) -> bool:  # noqa: ANN401  any kind
    """Return whether a value has the right type and is in range."""
    if base == "Mapping[str, float]":
        return isinstance(value, Mapping) and all(
            isinstance(k, str)
            and isinstance(v, int | float)
            and not isinstance(v, bool)
            and math.isfinite(v)
            for k, v in value.items()
        )
    if not isinstance(value, _KINDS[base]) or (isinstance(value, bool) and base != "bool"):
        return False
    low, high, choices = (metadata.get(key) for key in ("low", "high", "choices"))
    if choices and value not in choices and not _names_file(value, metadata):
        return False
    return (low is None or value >= low) and (high is None or value <= high)


def _names_file(value: Any, metadata: Mapping[str, Any]) -> bool:  # noqa: ANN401  any kind
    """Return whether a value is one of the words in `files`, followed by "=" and a file name."""
    words = metadata.get("files", ())
    return any(value.startswith(f"{word}=") and value != f"{word}=" for word in words)


def _complaint(name: str, value: Any, metadata: Mapping[str, Any], kind: Any) -> str:  # noqa: ANN401
    given = "what was given" if metadata.get("secret") else repr(value)
    return f"{name.upper()} must be {describe_range(metadata, kind)}, not {given}"


def describe_range(metadata: Mapping[str, Any], kind: Any) -> str:  # noqa: ANN401  a field's type
    """Return the allowed values in words, such as "a whole number from 1 to 64"."""
    if metadata.get("choices"):
        named = (f"{word}=FILE" for word in metadata.get("files", ()))
        return " or ".join([*metadata["choices"], *named])
    base = str(kind).removesuffix(" | None")
    words = _WORDS[base]
    low, high = metadata.get("low"), metadata.get("high")
    if low is not None:
        words += f" from {low:g}" if low < 1e6 else ""  # noqa: PLR2004  where %g turns to powers
    if high is not None:
        words += (
            f"{' to' if low is not None else ' up to'} {int(high) if high == int(high) else high}"
        )
    return f"{words}, or {metadata['unset']}" if metadata.get("unset") else words
