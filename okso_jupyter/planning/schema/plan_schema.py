"""The plan schema narrowed to one request: its tools, their arguments, the values it names.

Every completion valid under it is a plan that ends with `final_answer`, and every argument is
valid under its tool's own schema. If a tool declares what kind of text an argument takes
("x-ground"), only values of that kind are offered: those that the request names, those that
exist, those in the tool's examples.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from okso_jupyter.effects.effect import Effect
from okso_jupyter.personal.mail.mail_addresses import addresses_in
from okso_jupyter.plan.plan import FINAL_TOOL
from okso_jupyter.planning.request.facts import Facts
from okso_jupyter.planning.request.file_modes import FileModes
from okso_jupyter.planning.request.one_text import needs_another_text
from okso_jupyter.planning.request.permission import Permission
from okso_jupyter.planning.request.wording import STOP_WORDS
from okso_jupyter.planning.slot_filling.argument_schema import Grounding
from okso_jupyter.planning.slot_filling.mentions import read
from okso_jupyter.planning.slot_filling.slots import parameters_of
from okso_jupyter.toolkit.tool import Tool

#: Maximum characters of a text argument if the tool's schema sets no bound.
_MAX_TEXT: Final = 200
_MAX_CODE: Final = 200
_MAX_THOUGHT: Final = 64
_MAX_ITEMS: Final = 6

_ANNOTATIONS: Final = frozenset(
    "x-ground x-omit x-fill x-empty x-choices x-column x-file-effects x-line examples "
    "description default title".split()
)
#: Words that refer to the result of an earlier step.
_REFERS = re.compile(
    r"(?i)\b(?:it|its|them|that|this|these|results?|output|answer|values?|findings?|number)\b"
)
#: Words of a request to remove a text without a replacement.
_TAKES_OUT = re.compile(r"(?i)\b(?:delete|remove|erase|strip|drop|take out|get rid of)\b")
_LITERAL = re.compile(r"'([^'\\]*)'")


@dataclass(frozen=True, slots=True, kw_only=True)
class StepOffer:
    """What the schema offers for one step of a plan.

    Attributes:
        tools: The tools to choose from.
        facts: What the request, or its part, names.
        known: The only allowed arguments of a tool, by its name, if an adapted example gives
            them.
        may_wait: Whether arguments may be left open for an earlier step's value.
        whole: The whole request, for what a part leaves unsaid.
        grounded: Whether only existing values are offered; a larger model needs no such limit and
            gets the tools' own schemas.
        has_thought: Whether the model writes why the step is there.
    """

    tools: tuple[Tool, ...]
    facts: Facts
    known: Mapping[str, Sequence[Mapping[str, Any]]] = field(default_factory=dict)
    may_wait: bool = True
    whole: str = ""
    grounded: bool = True
    has_thought: bool = False


def plan_schema(
    offers: Sequence[StepOffer], *, least_steps: int, most_steps: int
) -> dict[str, Any]:
    """Return the schema of the plans for one request.

    Args:
        offers: Offers for the first steps, one per part of the request; a later step may be any
            of them.
        least_steps: Fewest steps, the final one included.
        most_steps: Most steps, the final one included.
    """
    usable = [replace(one, tools=_usable(one)) for one in offers]
    choices = [_choice(offer) for offer in usable if offer.tools]
    steps = {f"step_{place}": choice for place, choice in enumerate(choices, start=1)}
    references: list[Any] = [{"$ref": f"#/$defs/{name}"} for name in steps]
    any_step = {"anyOf": references}
    lengths = range(max(least_steps, 1), max(most_steps, 1) + 1)
    if not choices:
        lengths = range(1, 2)
    return {
        "anyOf": [
            _array([*references, *([any_step] * length)][: length - 1]) for length in lengths
        ],
        "$defs": steps,
    }


def only_steps(schema: Mapping[str, Any]) -> tuple[Mapping[str, Any], ...] | None:
    """Return the steps before the last one if a plan schema leaves no choice of tools; else None.

    Args:
        schema: The result of `plan_schema`.
    """
    kinds = {f"#/$defs/{name}": kind["anyOf"] for name, kind in schema.get("$defs", {}).items()}
    ways = schema.get("anyOf", ())
    if len(ways) != 1 or any(len(kind) != 1 for kind in kinds.values()):
        return None
    places = [place.get("$ref") for place in ways[0]["prefixItems"][:-1]]
    return tuple(kinds[name][0] for name in places) if kinds.keys() >= set(places) else None


def _usable(offer: StepOffer) -> tuple[Tool, ...]:
    """Return the tools of an offer that can be given arguments."""
    return tuple(tool for tool in offer.tools if can_be_offered(tool, offer))


def _array(steps: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the schema of exactly these steps followed by the final one."""
    final = _object({"tool": {"const": FINAL_TOOL}, "args": _object({})})
    return {
        "type": "array",
        "prefixItems": [*steps, final],
        "items": False,
        "minItems": len(steps) + 1,
        "maxItems": len(steps) + 1,
    }


def _choice(offer: StepOffer) -> dict[str, Any]:
    """Return the schema of one step."""
    thought = {"thought": _thought(offer)} if offer.has_thought else {}
    return {
        "anyOf": [
            _object({"tool": {"const": tool.name}, "args": args_schema(tool, offer), **thought})
            for tool in offer.tools
        ]
    }


def _thought(offer: StepOffer) -> dict[str, Any]:
    if not offer.grounded:
        return {"type": "string", "maxLength": _MAX_TEXT}
    return {"type": "string", "pattern": _thought_pattern(offer.facts)}


def _thought_pattern(facts: Facts) -> str:
    """Return a pattern that allows a thought only those digits that the request has.

    Any other number written before a tool has run is made up and would be read as the answer.
    """
    named = [*facts.files, *facts.new_paths, *facts.quotes, *facts.numbers]
    figures = _choices(text for text in named if re.search(r"\d", text))
    allowed = rf"[^0-9\"\\\n]|{figures}" if figures else r"[^0-9\"\\\n]"
    return rf"^({allowed}){{5,{_MAX_THOUGHT}}}$"


def args_schema(tool: Tool, offer: StepOffer) -> dict[str, Any]:
    """Return a tool's argument schema narrowed to the values that this request offers.

    If one argument selects what the tool does (its schema has "x-choices"), the others get only
    values from the tool's examples of that choice: `wc` does not get the options of `grep`.
    """
    modes = FileModes.of(tool, offer.facts, offer.whole)
    if not offer.grounded:
        return _own_arguments(tool, modes)
    may_remove = Permission(offer.whole or offer.facts.request).removes_something
    known = offer.known.get(tool.name)
    if known:
        fitted = [
            args if modes is None else modes.fitted(args)
            for args in known
            if may_remove or Effect.IRREVERSIBLE not in tool.effect_of(args)
        ]
        return {"enum": [dict(args) for args in fitted if args is not None]}
    if not tool.examples:
        reading = read(offer.facts.request)
        return Grounding(reading, offer.whole).arguments(parameters_of(tool))
    chooser = next((name for name, part in tool.properties.items() if part.get("x-choices")), None)
    if chooser is None:
        return _arguments(tool, offer)
    branches = []
    for choice in tool.properties[chooser]["x-choices"]:
        examples = tuple(e for e in tool.examples if e.args.get(chooser) == choice)
        if not may_remove and any(
            Effect.IRREVERSIBLE in tool.effect_of(one.args) for one in examples
        ):
            continue
        branch = _arguments(replace(tool, examples=examples), offer)
        branch["properties"][chooser] = {"const": choice}
        chosen = modes if modes is not None and modes.name == chooser else None
        if chosen is None or _narrowed(branch["properties"], chosen, choice, tool):
            branches.append(branch)
    return {"anyOf": branches}


def _narrowed(properties: dict[str, Any], modes: FileModes, choice: str, tool: Tool) -> bool:
    """Narrow `properties` in place to the paths and texts of a mode; return whether any remain."""
    paths = modes.paths(choice)
    properties[modes.path] = {"enum": list(dict.fromkeys(paths))}
    texts = [name for name in properties if tool.properties[name].get("x-ground") == "text"]
    for name in texts:
        offered = properties[name].get("enum")
        if offered is not None:
            written = ["" for text in offered if not text][:1]
            said = modes.contents(choice, [text for text in offered if text])
            properties[name] = {"enum": [*written, *said]}
    return bool(paths) and all(properties[name].get("enum", [""]) for name in texts)


def can_be_offered(tool: Tool, offer: StepOffer) -> bool:
    """Return whether this request allows any arguments for a tool."""
    schema = args_schema(tool, offer)
    if not schema.get("enum", [None]) or not schema.get("anyOf", [None]):
        return False
    return not (offer.grounded and needs_another_text(tool, schema))


def _own_arguments(tool: Tool, modes: FileModes | None) -> dict[str, Any]:
    """Return a tool's own argument schema, reduced to keywords that every server enforces."""
    properties = {
        name: _own_schema(part) for name, part in tool.properties.items() if not part.get("x-omit")
    }
    if modes is not None:
        # a larger model may write any text, but only the request permits replacing a file
        allowed = [v for v in modes.effects if modes.effects[v] != "replace" or modes.paths(v)]
        properties[modes.name] = {**properties[modes.name], "enum": allowed}
    return {
        "type": "object",
        "properties": properties,
        "required": [name for name in properties if name in _always_given(tool)],
        "additionalProperties": False,
    }


def _own_schema(schema: Any) -> Any:  # noqa: ANN401  any part of a JSON Schema
    """Return a schema without the annotations for planner, executor and reader."""
    if isinstance(schema, list):
        return [_own_schema(part) for part in schema]
    if not isinstance(schema, Mapping):
        return schema
    named = {
        key: {name: _own_schema(part) for name, part in schema[key].items()}
        for key in ("properties", "$defs")
        if isinstance(schema.get(key), Mapping)
    }
    rest = {
        key: part if key in ("enum", "const", "required") else _own_schema(part)
        for key, part in schema.items()
        if key not in _ANNOTATIONS and key not in named
    }
    return {**rest, **named}


def _arguments(tool: Tool, offer: StepOffer) -> dict[str, Any]:
    """Return the schema of the arguments, each narrowed independently."""
    properties = {
        name: _grounded(name, schema, tool, offer)
        for name, schema in tool.properties.items()
        if not schema.get("x-omit")
    }
    return {
        "type": "object",
        "properties": properties,
        "required": [name for name in properties if name in _always_given(tool)],
        "additionalProperties": False,
    }


def _always_given(tool: Tool) -> frozenset[str]:
    """Return the arguments that a plan must name: required ones and those of every example."""
    names = set(tool.required)
    if tool.examples:
        names |= set.intersection(*(set(example.args) for example in tool.examples))
    return frozenset(names)


def _grounded(name: str, schema: Mapping[str, Any], tool: Tool, offer: StepOffer) -> dict[str, Any]:
    """Return the schema of one argument, narrowed to the available values."""
    plain = {key: value for key, value in schema.items() if key not in _ANNOTATIONS}
    if plain.get("type") == "array":
        ground = {"x-ground": schema["x-ground"]} if "x-ground" in schema else {}
        items = _grounded(name, {**ground, **schema.get("items", {})}, tool, offer)
        bound = min(plain.get("maxItems", _MAX_ITEMS), _MAX_ITEMS)
        return {**plain, "items": items, "maxItems": max(bound, plain.get("minItems", 0))}
    if plain.get("type") != "string" or "enum" in plain or "const" in plain:
        return plain
    if schema.get("x-ground") == "code":
        return {"type": "string", "pattern": _code_pattern(tool, offer.facts)}
    values = _values(name, schema, tool, offer.facts)
    if schema.get("x-ground") in {"url", "address"} and not values:
        # any other address would be made up: only an earlier step can provide one
        return {"const": ""}
    if schema.get("x-fill") and offer.may_wait:
        refers = _REFERS.search(offer.facts.request) and not offer.facts.quotes
        values = [""] if refers else ["", *values]
    if schema.get("x-empty") and _TAKES_OUT.search(offer.facts.request):
        values = [""] if len(offer.facts.quotes) == 1 else ["", *values]
    if values:
        return {"enum": list(dict.fromkeys(values))}
    return {"maxLength": _MAX_TEXT, **plain}


def _values(name: str, schema: Mapping[str, Any], tool: Tool, facts: Facts) -> list[str]:
    """Return the texts that an argument may take; empty if any text is allowed."""
    names = [*facts.files, *facts.new_paths]
    words = [*facts.quotes, *facts.words]
    by_kind: Mapping[str, list[str]] = {
        "file": names or [*facts.nearby],
        "place": [*names, *facts.folders] or [*facts.nearby],
        "folder": [*facts.folders, "."],
        "path": [*facts.new_paths, *facts.files, *facts.folders, *words],
        "url": [*facts.urls],
        "address": [*addresses_in(facts.request)],
        "text": _texts(name, tool, facts),
        "pattern": [*facts.quotes, *_phrases(facts)],
        "query": [*facts.quotes] or [*facts.spans],
        "words": [
            *names, *facts.folders, *facts.quotes, *facts.numbers,
            *_constants(name, tool), *_globs(facts), *facts.things, *_singulars(facts.things),
        ],
    }  # fmt: skip
    return by_kind.get(str(schema.get("x-ground")), [])


def _texts(name: str, tool: Tool, facts: Facts) -> list[str]:
    """Return the texts to write: quotes, else runs of words; also as lines if examples do so."""
    texts = [*facts.quotes] or [*facts.spans]
    as_line = any(str(e.args.get(name, "")).endswith("\n") for e in tool.examples)
    return [*texts, *(f"{text}\n" for text in texts)] if as_line else texts


def _phrases(facts: Facts) -> list[str]:
    """Return search patterns: single words and runs of up to three, longest first."""
    short = [span for span in facts.spans if len(span.split()) <= 3]  # noqa: PLR2004  longer is prose
    names = {name.lower() for name in (*facts.files, *facts.new_paths)}
    return [
        span
        for span in short
        if not {word.lower().strip("?.,") for word in span.split()} & (STOP_WORDS | names)
    ]


def _constants(name: str, tool: Tool) -> list[str]:
    """Return the texts in example arguments that their request lacks, such as "-l"."""
    found = []
    for example in tool.examples:
        value = example.args.get(name, ())
        found += [
            item for item in ([value] if isinstance(value, str) else value)
            if isinstance(item, str) and item and "*" not in item
            and item.lower() not in example.request.lower()
        ]  # fmt: skip
    return list(dict.fromkeys(found))


def _singulars(words: Iterable[str]) -> list[str]:
    """Return plurals without their s: to count errors is to look for "error"."""
    return [word[:-1] for word in words if word.endswith("s")]


def _globs(facts: Facts) -> list[str]:
    """Return patterns such as "*.csv" for the file types in the request or folder."""
    names = (*facts.files, *facts.nearby, *facts.new_paths)
    kinds = {name.rpartition(".")[2].lower() for name in names if "." in name}
    kinds |= {
        word.lower().rstrip("s") for word in facts.words if word.lower().rstrip("s") in _KINDS
    }
    return [f"*.{kind}" for kind in sorted(kinds)]


_KINDS: Final = frozenset("csv txt md json py log yaml toml html tsv ipynb pdf png".split())


def _code_pattern(tool: Tool, facts: Facts) -> str:
    """Return a pattern of one-line code whose string literals are limited to known texts.

    A small model misspells file names and columns but copies the rest of a line well. A literal
    right after "(" is a file or column, one right after "[" a column.
    """
    names = {*facts.files, *facts.new_paths}
    texts = [*facts.quotes, *facts.words, *facts.spans, *_code_constants(tool)]
    plain = [text for text in texts if not names & set(text.split())]
    columns = facts.columns or tuple(plain)
    file = rf"\('({_choices([*facts.files, *facts.nearby, *columns])})'"
    column = rf"\['({_choices(columns)})'"
    text = rf"[^(\['\"\\\n]'({_choices([*columns, *plain])})'"
    return rf"^([^'\"\\\n]|{file}|{column}|{text}){{1,{_MAX_CODE}}}$"


def _choices(texts: Iterable[str]) -> str:
    """Return texts as alternatives of a pattern, without those that code would have to escape."""
    usable = dict.fromkeys(text for text in texts if not set(text) & set("'\"\\\n"))
    return "|".join(re.escape(text) for text in usable)


def _code_constants(tool: Tool) -> Iterable[str]:
    """Yield the string literals in example code that are not in the request, such as "%Y"."""
    for example in tool.examples:
        for value in example.args.values():
            for text in _LITERAL.findall(value if isinstance(value, str) else ""):
                if text.lower() not in example.request.lower():
                    yield text


def _object(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }
