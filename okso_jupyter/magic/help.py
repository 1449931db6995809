"""Text of `%okso help`: the overview, or one subcommand, option, setting, tool or rule."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import fields
from typing import Final

from okso_jupyter.errors import UsageError
from okso_jupyter.magic import options
from okso_jupyter.magic.subcommands import TAKES, WORDS, usage
from okso_jupyter.magic.tables import effects_in_words
from okso_jupyter.planning.scoring.query_rules import QUERY_RULES
from okso_jupyter.planning.scoring.rules import DEFAULT, OKSO, Rule
from okso_jupyter.settings import Settings, describe_range, names
from okso_jupyter.toolkit.tool import Tool

#: Rules of both presets, each once: some belong to both.
_RULES: Final = tuple(dict.fromkeys((*OKSO, *DEFAULT, *QUERY_RULES)))
_ELSEWHERE: Final = "%okso help lists the subcommands, %okso tools the tools"


def overview(about: Mapping[str, str]) -> str:
    """Return the usage of a cell, and a line for every subcommand.

    Args:
        about: Description of each subcommand, by name.
    """
    lines = [f"  %okso {name:<14}{words}" for name, words in about.items()]
    return f"{usage()}\nSubcommands:\n" + "\n".join(lines)


def explained(name: str, about: Mapping[str, str], tools: Mapping[str, Tool]) -> str:
    """Return the help for one name; for a subcommand and an option if it names both.

    Args:
        name: A subcommand, an option of `%%okso` with or without its dashes, a setting, a tool, or
            a rule of the score by its code or name.
        about: Description of each subcommand, by name.
        tools: The tools, by name.

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
    if word in tools:
        found.append(_tool(tools[word]))
    found += [_rule(rule) for rule in _RULES if word in {rule.code, rule.name}]
    if not found:
        msg = f"%okso help: there is no subcommand, option, setting, tool or rule {name!r}"
        raise UsageError(msg, hint=_nearest(word, [*about, *options.known(), *names(), *tools]))
    return "\n\n".join(found)


def _nearest(word: str, known: Iterable[str]) -> str:
    """Return which known name was probably meant, or where the names are listed."""
    candidates = [*known, *(rule.name for rule in _RULES)]
    near = difflib.get_close_matches(word, candidates, n=1) or difflib.get_close_matches(
        word.upper(), candidates, n=1
    )
    return f"did you mean {near[0]}?" if near else _ELSEWHERE


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


def _tool(tool: Tool) -> str:
    """Return what a tool does, its arguments, and what its calls have an effect on."""
    facts = {
        "arguments": ", ".join(tool.properties),
        "effect": effects_in_words(tool),
        "safety": tool.safety,
    }
    lines = [f"    {word}: {fact}" for word, fact in facts.items() if fact]
    return "\n".join([tool.name, f"    {tool.description}", *lines])


def _rule(rule: Rule) -> str:
    """Return what a rule of the score gives points for."""
    return f"{rule.code} {rule.name}, a rule of the score\n    {rule.meaning}"
