"""`{{name}}` in a workflow's steps, replaced once by the value of that parameter, as data.

What a value may do depends on where it stands. A text that is nothing but a place becomes the
value itself, whatever its type. In Python code a value is a literal, in a command line one word,
in an address an escaped part. What a value says is never read again.
"""

from __future__ import annotations

import ast
import json
import re
import shlex
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final
from urllib.parse import quote

from okso_jupyter.errors import PlanError, ToolError
from okso_jupyter.plan.holes import is_open
from okso_jupyter.terminal.command import words_of

_PLACE = re.compile(r"\{\{([^{}]*)\}\}")
_RULE: Final = "workflow"
#: What stands in for a place while its text is taken apart; no text may hold it already.
_MARK: Final = "okso_place_{}_okso"
_MARKED = re.compile(r"okso_place_(\d+)_okso")


def places_in(value: object) -> Iterator[str]:
    """Yield the names in all places of a JSON value, also in nested texts."""
    if isinstance(value, str):
        yield from (match[1].strip() for match in _PLACE.finditer(value))
    elif isinstance(value, Mapping):
        for part in (*value.keys(), *value.values()):
            yield from places_in(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from places_in(part)


def interpolate_text(template: str, values: Mapping[str, Any]) -> str:
    """Return a text for people with its places filled; what has no value is left out."""
    return _PLACE.sub(lambda match: _shown(values.get(match[1].strip())), template)


def interpolate_args(
    args: Mapping[str, Any], values: Mapping[str, Any], properties: Mapping[str, Any]
) -> dict[str, Any]:
    """Return a step's arguments with their places filled.

    An argument that is nothing but a place without a value is left out, so that the tool's own
    default holds; one whose value is open stays open.

    Args:
        args: Arguments with places in them.
        values: Values of the parameters that were given.
        properties: Schemas of the tool's arguments, which say what a text stands for.

    Raises:
        PlanError: A place is where no value can be put, or its value is missing, open or a list.
    """
    filled: dict[str, Any] = {}
    for name, value in args.items():
        lone, schema = _lone(value), properties.get(name, {})
        if lone is not None and is_open(values.get(lone)) and not _is_taken_apart(schema):
            filled |= {name: values[lone]} if lone in values else {}
        else:
            filled[name] = _filled(value, values, schema)
    return filled


def _is_taken_apart(schema: Mapping[str, Any]) -> bool:
    """Say whether a text is code or a command line, which must be whole when it is shown."""
    return schema.get("x-ground") == "code" or bool(schema.get("x-line"))


def _lone(value: object) -> str | None:
    """Return the name of a place that is all there is of a value."""
    match = _PLACE.fullmatch(value) if isinstance(value, str) else None
    return match[1].strip() if match else None


def _filled(value: Any, values: Mapping[str, Any], schema: Mapping[str, Any]) -> Any:  # noqa: ANN401  any JSON value
    """Return a JSON value with the places in its texts filled."""
    if isinstance(value, Mapping):
        return {key: _filled(part, values, schema) for key, part in value.items()}
    if isinstance(value, list | tuple):
        items = {**schema, **schema.get("items", {})}
        return [_filled(part, values, items) for part in value]
    return _filled_text(value, values, schema) if isinstance(value, str) else value


def _filled_text(template: str, values: Mapping[str, Any], schema: Mapping[str, Any]) -> Any:  # noqa: ANN401  see _filled
    """Return a text with its places filled, or the value that is all there is of it."""
    if not _PLACE.search(template):
        return template
    if schema.get("x-ground") == "code":
        return _in_code(template, values)
    if schema.get("x-line"):
        return _in_line(template, values)
    lone = _lone(template)
    if lone is not None:
        return _closed(lone, values)
    spell: Callable[[str], str] = str
    if schema.get("x-ground") == "url":
        spell = partial(quote, safe="")
    return _PLACE.sub(lambda match: spell(_text_of(match[1].strip(), values)), template)


def _text_of(name: str, values: Mapping[str, Any]) -> str:
    """Return a value as a part of a text.

    Raises:
        PlanError: There is none, it is open, or it is no text, number or truth value.
    """
    value = _closed(name, values)
    if isinstance(value, Mapping | list | tuple):
        msg = f"{name} is no single value, and {{{{{name}}}}} stands inside a text"
        raise PlanError(msg, rule=_RULE)
    return _shown(value)


def _closed(name: str, values: Mapping[str, Any]) -> Any:  # noqa: ANN401  any JSON value
    """Return a value; PlanError if it is missing or open."""
    if is_open(values.get(name)):
        msg = f"{name} has no value yet, and the step needs one"
        raise PlanError(msg, rule=_RULE)
    return values[name]


def _shown(value: object) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


# --- command lines and code ------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Marked:
    """A text with a mark in every place.

    Attributes:
        text: The text with marks.
        names: The name in each place, by the number of its mark.
    """

    text: str
    names: tuple[str, ...]

    @classmethod
    def of(cls, template: str) -> _Marked:
        """Mark the places of a text."""
        if _MARKED.search(template):
            msg = "a step holds a text that is reserved for places"
            raise PlanError(msg, rule=_RULE)
        names: list[str] = []

        def mark(match: re.Match[str]) -> str:
            names.append(match[1].strip())
            return _MARK.format(len(names) - 1)

        return cls(_PLACE.sub(mark, template), tuple(names))

    def unmark(self, text: str, values: Mapping[str, Any]) -> str:
        """Return a part of the marked text with values in place of its marks."""
        return _MARKED.sub(lambda match: _text_of(self.names[int(match[1])], values), text)


def _in_line(template: str, values: Mapping[str, Any]) -> str:
    """Return a command line whose words are those of the template, each with its values."""
    marked = _Marked.of(template)
    try:
        words = words_of(marked.text, ())
    except ToolError as error:
        raise PlanError(error.message, rule=_RULE, hint=error.hint) from error
    return shlex.join(marked.unmark(word, values) for word in words)


def _in_code(template: str, values: Mapping[str, Any]) -> str:
    """Return Python code with literals where the template has places.

    The template is parsed before any value is looked at, and the code is parsed again: it may
    differ from the template in its literals only, so that no value can become code.

    Raises:
        PlanError: The template is no Python, or a place is where no value can stand.
    """
    marked = _Marked.of(template)
    try:
        tree = _FormatCalls().visit(ast.parse(marked.text))
    except (SyntaxError, ValueError, RecursionError) as error:
        msg = f"its code is no Python: {error}"
        raise PlanError(msg, rule=_RULE) from error
    filler = _CodeFiller(marked, values)
    tree = ast.fix_missing_locations(filler.visit(tree))
    lost = set(range(len(marked.names))) - filler.seen
    if lost:
        msg = f"{{{{{marked.names[min(lost)]}}}}} stands where code can hold no value"
        raise PlanError(msg, rule=_RULE, hint="it may be a value of its own, or part of a text")
    return _written(tree)


def _written(tree: ast.AST) -> str:
    """Return the code of a syntax tree.

    Raises:
        PlanError: There is none, or it would be read as another tree.
    """
    try:
        code = ast.unparse(tree)
        is_same = ast.dump(ast.parse(code)) == ast.dump(tree)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        is_same = False
    if not is_same:
        msg = "with these values its code would not be the code of the workflow"
        raise PlanError(msg, rule=_RULE)
    return code


class _FormatCalls(ast.NodeTransformer):
    """Replaces every f-string with a place inside of braces by a call of `str.format`.

    What stands inside of the braces of an f-string is code, also behind the colon, and Python 3.11
    has no way to write every text there.
    """

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.expr:
        """Replace an f-string whose fields have places."""
        self.generic_visit(node)
        fields = [part for part in node.values if isinstance(part, ast.FormattedValue)]
        if not any(_MARKED.search(ast.dump(part)) for part in fields):
            return node
        args: list[ast.expr] = []
        text = "".join(_format_field(part, args) for part in node.values)
        called = ast.Attribute(ast.Constant(text), "format", ast.Load())
        return ast.Call(called, args, [])


def _format_field(part: ast.expr, args: list[ast.expr]) -> str:
    """Return what stands for a part of an f-string in a text to format; add its arguments."""
    if not isinstance(part, ast.FormattedValue):
        args.append(part)
        return "{}"
    args.append(part.value)
    conversion = f"!{chr(part.conversion)}" if part.conversion >= 0 else ""
    if part.format_spec is None:
        return f"{{{conversion}}}"
    args.append(part.format_spec)
    return f"{{{conversion}:{{}}}}"


@dataclass
class _CodeFiller(ast.NodeTransformer):
    """Puts literals in place of marks that are names, and values into texts."""

    marked: _Marked
    values: Mapping[str, Any]
    seen: set[int] = field(default_factory=set)

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """Replace a name that is a mark."""
        match = _MARKED.fullmatch(node.id)
        if match is None or not isinstance(node.ctx, ast.Load):
            return node
        self.seen.add(int(match[1]))
        value = _closed(self.marked.names[int(match[1])], self.values)
        return _literal(value)

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        """Replace the marks in a text."""
        if not isinstance(node.value, str):
            return node
        self.seen |= {int(match[1]) for match in _MARKED.finditer(node.value)}
        return ast.Constant(self.marked.unmark(node.value, self.values))

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.expr:
        """Fill an f-string; a part that became empty is left out, as the parser does."""
        self.generic_visit(node)
        node.values = [
            part for part in node.values if not isinstance(part, ast.Constant) or part.value
        ]
        return node


def _literal(value: object) -> ast.expr:
    """Return the expression that stands for a JSON value."""
    try:
        return ast.parse(repr(value), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        msg = "a value is nested too deeply to stand in code"
        raise PlanError(msg, rule=_RULE) from error
