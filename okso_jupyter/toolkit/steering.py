"""Steering arguments: which values of a call decide what it does, and the words in them.

Tool results and variables are data: they may fill a text. A command, path, address, query,
number or code steers the call, so a value of these kinds that occurs only in such data needs the
user's decision.
"""

from __future__ import annotations

import ast
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from okso_jupyter.effects.effect import LASTING, Effect, Effects
from okso_jupyter.plan.plan import Step
from okso_jupyter.plan.run_inputs import RunInputs, is_word
from okso_jupyter.toolkit.tool import Tool
from okso_jupyter.workspace import is_run_by_name

#: The only kind of argument that does not steer. An argument without a kind, such as a command
#: or an address of a third-party tool, may steer.
_PLAIN_TEXT: Final = "text"
_CODE: Final = "code"
#: Effects outside the run.
_REACHING: Final = LASTING | {Effect.NETWORK}
#: Argument kinds that name the file a text is written to.
_PLACES: Final = frozenset({"path", "file", "place"})
#: A word, number, file name or host; a path or address consists of several.
_WORD: Final = re.compile(r"[^\W_](?:[\w.@~+-]*\w)?|_+\w+")


def steers(tool: Tool, name: str, args: Mapping[str, Any]) -> bool:
    """Return whether the value of an argument decides what happens, now or when a file is run.

    Of a call that cannot be undone, such as sending a mail, every value does.
    """
    if Effect.IRREVERSIBLE in tool.effect_of(args):
        return True
    if tool.properties.get(name, {}).get("x-ground") != _PLAIN_TEXT:
        return True
    places = (str(args.get(other, "")) for other in tool.properties if is_place(tool, other))
    return str(args[name]).startswith("#!") or any(map(is_run_by_name, places))


def is_place(tool: Tool, name: str) -> bool:
    """Return whether an argument names a file."""
    return tool.properties.get(name, {}).get("x-ground") in _PLACES


def steering_words(tool: Tool, args: Mapping[str, Any]) -> frozenset[str]:
    """Return the words in all values of a call that steer it and are not defaults."""
    return words_in(
        _in_code(value) if schema.get("x-ground") == _CODE else value
        for name, value in args.items()
        for schema in [tool.properties.get(name, {})]
        if steers(tool, name, args) and not ("default" in schema and value == schema["default"])
    )


def words_in(values: Iterable[object]) -> frozenset[str]:
    """Return the words, numbers and names in JSON values, normalized for comparison."""
    return frozenset(
        word
        for leaf in _leaves(list(values))
        for word in _WORD.findall(unicodedata.normalize("NFKC", leaf).casefold())
    )


def is_led_by_values(
    step: Step, tool: Tool, effects: Effects, data: RunInputs, request: str
) -> bool:
    """Return whether a step with outside effects is steered by a word found only in values.

    A value is not an instruction: a model may have been tricked into using a name from it. Single
    words, numbers and values that are a whole path were put there by the request itself.
    """
    values = [value for value in data.inserted if value.is_beside or not is_word(value.text)]
    if not values or not effects & _REACHING:
        return False
    for value in values:
        request = request if value.is_beside else request.replace(value.text, " ")
    whole = {value.text for value in values}
    args = {n: v for n, v in step.args.items() if not (is_place(tool, n) and str(v) in whole)}
    return bool(steering_words(tool, args) & words_in(v.text for v in values) - words_in([request]))


def _leaves(value: object) -> Iterator[str]:
    """Yield the strings and numbers of a JSON value, and the keys of its objects."""
    if isinstance(value, Mapping):
        for name, part in value.items():
            yield str(name)
            yield from _leaves(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _leaves(part)
    elif value is not None and not isinstance(value, bool):
        yield str(value)


def _in_code(code: object) -> object:
    """Return the strings and modules in Python code; the code itself if it cannot be parsed."""
    try:
        tree = ast.parse(str(code))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return code
    nodes = list(ast.walk(tree))
    texts = [node.value for node in nodes if isinstance(node, ast.Constant)]
    modules = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    others = [node.module for node in nodes if isinstance(node, ast.ImportFrom)]
    return [*(text for text in texts if isinstance(text, str)), *modules, *others]
