"""Interpolation: replaces each `{{name}}` in a workflow's steps once by that parameter's value.

How a value is inserted depends on its place. A text that is only a placeholder becomes the value
itself, of any type. In Python code a value becomes a literal, in a command line one word, in an
address an escaped part. Inserted values are never interpreted again.
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
#: Mark for a placeholder while its text is parsed; a template must not contain it.
_MARK: Final = "okso_place_{}_okso"
_MARKED = re.compile(r"okso_place_(\d+)_okso")


def places_in(value: object) -> Iterator[str]:
    """Yield the names of all placeholders in a JSON value, also in nested texts."""
    if isinstance(value, str):
        yield from (match[1].strip() for match in _PLACE.finditer(value))
    elif isinstance(value, Mapping):
        for part in (*value.keys(), *value.values()):
            yield from places_in(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from places_in(part)


def interpolate_text(template: str, values: Mapping[str, Any]) -> str:
    """Return a text for display with its placeholders filled; missing values become empty."""
    return _PLACE.sub(lambda match: _shown(values.get(match[1].strip())), template)


def interpolate_args(
    args: Mapping[str, Any], values: Mapping[str, Any], properties: Mapping[str, Any]
) -> dict[str, Any]:
    """Return a step's arguments with their placeholders filled.

    An argument that is only a placeholder without a value is left out, so that the tool's default
    applies; one whose value is open stays open.

    Args:
        args: Arguments with placeholders.
        values: Values of the given parameters.
        properties: Schemas of the tool's arguments, which say what kind of text each one is.

    Raises:
        PlanError: A placeholder is where no value can be inserted, or its value is missing, open
            or a list.
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
    """Return whether a text is code or a command line, which must be complete when shown."""
    return schema.get("x-ground") == "code" or bool(schema.get("x-line"))


def _lone(value: object) -> str | None:
    """Return the name in a text that is only one placeholder, or None."""
    match = _PLACE.fullmatch(value) if isinstance(value, str) else None
    return match[1].strip() if match else None


def _filled(value: Any, values: Mapping[str, Any], schema: Mapping[str, Any]) -> Any:  # noqa: ANN401  any JSON value
    """Return a JSON value with the placeholders in its texts filled."""
    if isinstance(value, Mapping):
        return {key: _filled(part, values, schema) for key, part in value.items()}
    if isinstance(value, list | tuple):
        items = {**schema, **schema.get("items", {})}
        return [_filled(part, values, items) for part in value]
    return _filled_text(value, values, schema) if isinstance(value, str) else value


def _filled_text(template: str, values: Mapping[str, Any], schema: Mapping[str, Any]) -> Any:  # noqa: ANN401  see _filled
    """Return a text with its placeholders filled, or the value if it is only a placeholder."""
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
    """Return a value as part of a text.

    Raises:
        PlanError: It is missing or open, or not a text, number or truth value.
    """
    value = _closed(name, values)
    if isinstance(value, Mapping | list | tuple):
        msg = f"{name} is not a single value, and {{{{{name}}}}} stands inside a text"
        raise PlanError(msg, rule=_RULE)
    return _shown(value)


def _closed(name: str, values: Mapping[str, Any]) -> Any:  # noqa: ANN401  any JSON value
    """Return a value; raise PlanError if it is missing or open."""
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
    """A text with a mark for each placeholder.

    Attributes:
        text: The text with marks.
        names: The name of each placeholder, by the number of its mark.
    """

    text: str
    names: tuple[str, ...]

    @classmethod
    def of(cls, template: str) -> _Marked:
        """Replace the placeholders of a text by marks."""
        if _MARKED.search(template):
            msg = "a step holds a text that is reserved for placeholders"
            raise PlanError(msg, rule=_RULE)
        names: list[str] = []

        def mark(match: re.Match[str]) -> str:
            names.append(match[1].strip())
            return _MARK.format(len(names) - 1)

        return cls(_PLACE.sub(mark, template), tuple(names))

    def unmark(self, text: str, values: Mapping[str, Any]) -> str:
        """Return a part of the marked text with its marks replaced by values."""
        return _MARKED.sub(lambda match: _text_of(self.names[int(match[1])], values), text)


def _in_line(template: str, values: Mapping[str, Any]) -> str:
    """Return a command line with the words of the template, each with its values."""
    marked = _Marked.of(template)
    try:
        words = words_of(marked.text, ())
    except ToolError as error:
        raise PlanError(error.message, rule=_RULE, hint=error.hint) from error
    return shlex.join(marked.unmark(word, values) for word in words)


def _in_code(template: str, values: Mapping[str, Any]) -> str:
    """Return Python code with literals for the placeholders of the template.

    The template is parsed before any value is inserted, and the result is parsed again: it may
    differ from the template only in literals, so that no value can become code.

    Raises:
        PlanError: The template is not valid Python, or a placeholder is where no value can be.
    """
    marked = _Marked.of(template)
    try:
        tree = _FormatCalls().visit(ast.parse(marked.text))
    except (SyntaxError, ValueError, RecursionError) as error:
        msg = f"its code is not valid Python: {error}"
        raise PlanError(msg, rule=_RULE) from error
    filler = _CodeFiller(marked, values)
    tree = ast.fix_missing_locations(filler.visit(tree))
    lost = set(range(len(marked.names))) - filler.seen
    if lost:
        msg = f"{{{{{marked.names[min(lost)]}}}}} stands where code cannot hold a value"
        raise PlanError(msg, rule=_RULE, hint="it may be a value of its own, or part of a text")
    return _written(tree)


def _written(tree: ast.AST) -> str:
    """Return the code of a syntax tree.

    Raises:
        PlanError: The tree has no code, or its code would be parsed to another tree.
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
    """Replaces every f-string with a placeholder inside its braces by a call of `str.format`.

    Everything inside the braces of an f-string is code, also after the colon, and Python 3.11
    cannot express every text there.
    """

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.expr:
        """Replace an f-string whose fields contain placeholders."""
        self.generic_visit(node)
        fields = [part for part in node.values if isinstance(part, ast.FormattedValue)]
        if not any(_MARKED.search(ast.dump(part)) for part in fields):
            return node
        args: list[ast.expr] = []
        text = "".join(_format_field(part, args) for part in node.values)
        called = ast.Attribute(ast.Constant(text), "format", ast.Load())
        return ast.Call(called, args, [])


def _format_field(part: ast.expr, args: list[ast.expr]) -> str:
    """Return the format field for a part of an f-string, and append its arguments to `args`."""
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
    """Replaces marks that are names by literals, and marks in texts by values."""

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
        """Fill an f-string; a part that became empty is removed, as the parser does."""
        self.generic_visit(node)
        node.values = [
            part for part in node.values if not isinstance(part, ast.Constant) or part.value
        ]
        return node


def _literal(value: object) -> ast.expr:
    """Return the expression of a JSON value."""
    try:
        return ast.parse(repr(value), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        msg = "a value is nested too deeply to stand in code"
        raise PlanError(msg, rule=_RULE) from error
