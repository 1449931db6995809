"""Text of `%okso help`: the overview, or one subcommand, option or setting."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import fields
from typing import Final

from okso_jupyter.errors import UsageError
from okso_jupyter.magic import options
from okso_jupyter.magic.subcommands import TAKES, WORDS, usage
from okso_jupyter.settings import Settings, describe_range, names

_ELSEWHERE: Final = "%okso help lists them; %okso tools NAME explains a tool"


def overview(about: Mapping[str, str]) -> str:
    """Return the usage of a cell, and a line for every subcommand.

    Args:
        about: Description of each subcommand, by name.
    """
    lines = [f"  %okso {name:<14}{words}" for name, words in about.items()]
    return f"{usage()}\nSubcommands:\n" + "\n".join(lines)


def explained(name: str, about: Mapping[str, str]) -> str:
    """Return the help for one name; for a subcommand and an option if it names both.

    Args:
        name: A subcommand, an option of `%%okso` with or without its dashes, or a setting.
        about: Description of each subcommand, by name.

    Raises:
        UsageError: The name is none of them.
    """
    word = name.removeprefix("%okso").strip()
    option = f"--{word.lstrip('-')}"
    found = []
    if word in about:
        found.append(f"%okso {word} {WORDS[TAKES[word]]}".rstrip() + f"\n    {about[word]}")
    if option in options.known():
        found.append(_option(option))
    if word.upper() in names():
        found.append(_setting(word.upper()))
    if found:
        return "\n\n".join(found)
    known = [*about, *options.known(), *names()]
    near = difflib.get_close_matches(word, known, n=1) or difflib.get_close_matches(
        word.upper(), known, n=1
    )
    msg = f"%okso help: there is no subcommand, option or setting {name!r}"
    raise UsageError(msg, hint=f"did you mean {near[0]}?" if near else _ELSEWHERE)


def _option(option: str) -> str:
    """Return the syntax and description of an option of a cell."""
    action = options.known()[option]
    value = "" if action.nargs == 0 else action.metavar or "|".join(map(str, action.choices or ()))
    return f"%%okso {option} {value}".rstrip() + f"\n    {action.help}"


def _setting(name: str) -> str:
    """Return the allowed values of a setting, its default and its meaning."""
    field = names()[name]
    (spec,) = (spec for spec in fields(Settings) if spec.name == field)
    default = getattr(Settings(), spec.name)
    unit = f" ({spec.metadata['unit']})" if spec.metadata["unit"] else ""
    values = f"{describe_range(spec.metadata, spec.type)}{unit}"
    is_set = "not set" if default is None else default
    return f"{name}: {values}; default: {is_set}\n    {spec.metadata['meaning']}"
