"""Tables of the docs, made from the code: `make docs` writes, `make test` checks them."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, Field, fields, is_dataclass
from enum import Enum
from types import NoneType, UnionType
from typing import Any, Final, Literal, Union, get_args, get_origin, get_type_hints

from okso_jupyter import errors
from okso_jupyter.effects.effect import in_words
from okso_jupyter.journal.events import EVENTS, Recorded
from okso_jupyter.magic import options
from okso_jupyter.plan.states import RUN_TRANSITIONS, STEP_TRANSITIONS, as_mermaid
from okso_jupyter.planning.scoring.query_rules import QUERY_RULES
from okso_jupyter.planning.scoring.rules import PRESETS
from okso_jupyter.session.session import Session
from okso_jupyter.settings import Settings, describe_range
from okso_jupyter.toolkit.tool import Tool

#: What stands in JSON for a value of a type; for all others an object.
_JSON_TYPES: Final[Mapping[object, str]] = {
    str: "string",
    int: "integer",
    float: "number",
    bool: "boolean",
    NoneType: "null",
    Any: "any",
}


def settings() -> str:
    """Return every setting with its default, range, unit and meaning."""
    rows = []
    for spec in fields(Settings):
        names = [spec.name.upper(), *spec.metadata.get("aliases", ())]
        default = spec.default if spec.default is not MISSING else {}
        unit = spec.metadata.get("unit", "")
        allowed = describe_range(spec.metadata, spec.type)
        rows.append(
            [
                " or ".join(f"`{name}`" for name in names),
                _default(default),
                f"{allowed} ({unit})" if unit else allowed,
                spec.metadata["meaning"],
            ]
        )
    return _table(["name", "default", "what it may be", "meaning"], rows)


def tools() -> str:
    """Return the built-in tools with their arguments and effects."""
    with Session({}) as session:
        rows = [
            [f"`{tool.name}`", tool.description, _arguments(tool), _effects(tool)]
            for tool in session.tools.values()
        ]
    return _table(["tool", "what it does", "arguments", "what it can do to the world"], rows)


def rules() -> str:
    """Return the scoring rules of both presets, and those of questions about tables."""
    rows = []
    for rule in dict.fromkeys(rule for preset in PRESETS.values() for rule in preset):
        where = [name for name, preset in PRESETS.items() if rule in preset]
        rows.append([rule.code, f"`{rule.name}`", ", ".join(where), rule.meaning])
    of_questions = "both, for table questions"
    rows += [[r.code, f"`{r.name}`", of_questions, r.meaning] for r in QUERY_RULES]
    return _table(["code", "rule", "in preset", "points"], sorted(rows))


def run_states() -> str:
    """Return the lifecycle of a run as a diagram."""
    return f"```mermaid\n{as_mermaid(RUN_TRANSITIONS)}\n```"


def step_states() -> str:
    """Return the lifecycle of a step as a diagram."""
    return f"```mermaid\n{as_mermaid(STEP_TRANSITIONS)}\n```"


def error_tree() -> str:
    """Return the tree of errors with what to do about each."""
    tree = inspect.cleandoc(errors.__doc__ or "").split("\n\n", 1)[1]
    return f"```text\n{tree}\n```"


def events() -> str:
    """Return every kind of record of the journal with the keys of its body."""
    return "\n\n".join(_event(event) for event in EVENTS.values())


def _event(event: type[Recorded]) -> str:
    """Return one kind of record: its class, when it is written, and what is in its body."""
    when = inspect.cleandoc(event.__doc__ or "").split("\n\n", 1)[0]
    rows = [[f"`{key}`", type_of, meaning] for key, type_of, meaning in _keys(event)]
    table = _table(["key", "type", "meaning"], rows)
    return f"### `{event.kind}`\n\n`{event.__name__}`: {when}\n\n{table}"


def _keys(of: Any) -> Iterator[tuple[str, str, str]]:  # noqa: ANN401  any dataclass
    """Yield each key of a body with its type and its meaning, as the class documents them."""
    told = inspect.cleandoc(of.__doc__ or "").partition("Attributes:\n")[2]
    meanings = dict(re.findall(r"^    (\w+): (.*(?:\n {8}.*)*)", told, re.MULTILINE))
    hints = get_type_hints(of)
    for spec in fields(of):
        if "flat" in spec.metadata:
            yield from _keys(hints[spec.name])
            continue
        meaning = " ".join([*meanings[spec.name].split(), *_when_left_out(spec)])
        yield spec.name, _json_type(hints[spec.name]), meaning


def _when_left_out(spec: Field[Any]) -> Iterator[str]:
    """Yield what it means that a body lacks a key; nothing for one that is always there."""
    if spec.default is MISSING and spec.default_factory is MISSING:
        return
    makes_default = spec.default_factory
    default = spec.default if makes_default is MISSING else makes_default()
    if "omit_default" in spec.metadata:
        yield (
            "Left out where there is none."
            if default is None
            else f"Left out for {_json(default)}."
        )
    else:
        yield f"Missing in older records, which means {_json(default)}."


def _json(value: object) -> str:
    """Return a default as JSON; of a part that has keys of its own, all of them are missing."""
    return f"`{json.dumps({} if is_dataclass(value) else value)}`"


def _json_type(of: Any) -> str:  # noqa: ANN401  types are values here
    """Return what stands in JSON for a value of a type, in words."""
    origin, inner = get_origin(of), get_args(of)
    if origin is Literal:
        return " or ".join(f"`{json.dumps(one)}`" for one in inner)
    if origin in {Union, UnionType}:
        return " or ".join(_json_type(one) for one in inner)
    if origin in {tuple, frozenset}:
        return f"array of {_json_type(inner[0])}"
    if origin is Mapping and inner[1] is not Any:
        return f"object of {_json_type(inner[1])}"
    if isinstance(of, type) and issubclass(of, Enum):
        return "string"
    return _JSON_TYPES.get(origin or of, "object")


def cell_options() -> str:
    """Return the help of the cell magic."""
    return f"```text\n{options.parser().format_help().rstrip()}\n```"


def _arguments(tool: Tool) -> str:
    """Return the arguments, optional ones in brackets."""
    names = [f"`{name}`" if name in tool.required else f"[`{name}`]" for name in tool.properties]
    return ", ".join(names) or "none"


def _effects(tool: Tool) -> str:
    """Return all effects that the tool's own examples have; without any, those of a bare call."""
    calls = [example.args for example in tool.examples] or [{}]
    found = frozenset().union(*map(tool.effect_of, calls))
    return in_words(found)


def _default(value: object) -> str:
    if value is None:
        return "not set"
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    return "`{}`" if value == {} else f"`{value}`"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    return "\n".join(_row(cells) for cells in (head, ["---"] * len(head), *rows))


def _row(cells: Sequence[str]) -> str:
    text = " | ".join(cell.replace("|", "\\|") for cell in cells)
    return f"| {text} |"
