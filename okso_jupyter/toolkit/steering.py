"""Which values of a call decide what it does, and the words in them.

What a tool gave and what a variable holds is data: it may fill a text. A command, path, address,
query, number or code steers the call, so a value of these kinds that only such data holds is for
a person to decide about.
"""

from __future__ import annotations

import ast
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from okso_jupyter.effects.effect import LASTING, Effect
from okso_jupyter.plan.plan import Step
from okso_jupyter.plan.run_inputs import RunInputs, is_word
from okso_jupyter.toolkit.tool import Tool
from okso_jupyter.workspace import is_run_by_name

#: The one kind of argument that steers nothing. What says nothing of its kind, such as a command
#: or an address of somebody's own tool, may steer.
_PLAIN_TEXT: Final = "text"
_CODE: Final = "code"
#: Effects outside of the run.
_REACHING: Final = LASTING | {Effect.NETWORK}
#: The kinds of argument that name the file which a text goes into.
_PLACES: Final = frozenset({"path", "file", "place"})
#: A word, number, file name or host; a path or address is several.
_WORD: Final = re.compile(r"[^\W_](?:[\w.@~+-]*\w)?|_+\w+")


def steers(tool: Tool, name: str, args: Mapping[str, Any]) -> bool:
    """Say whether the value of an argument decides what happens, now or when a file is run."""
    if tool.properties.get(name, {}).get("x-ground") != _PLAIN_TEXT:
        return True
    places = (str(args.get(other, "")) for other in tool.properties if is_place(tool, other))
    return str(args[name]).startswith("#!") or any(map(is_run_by_name, places))


def is_place(tool: Tool, name: str) -> bool:
    """Say whether an argument names a file."""
    return tool.properties.get(name, {}).get("x-ground") in _PLACES


def steering_words(tool: Tool, args: Mapping[str, Any]) -> frozenset[str]:
    """Return the words in all values of a call that steer it and are not their defaults."""
    return words_in(
        _in_code(value) if schema.get("x-ground") == _CODE else value
        for name, value in args.items()
        for schema in [tool.properties.get(name, {})]
        if steers(tool, name, args) and not ("default" in schema and value == schema["default"])
    )


def words_in(values: Iterable[object]) -> frozenset[str]:
    """Return the words, numbers and names in JSON values, alike where they look alike."""
    return frozenset(
        word
        for leaf in _leaves(list(values))
        for word in _WORD.findall(unicodedata.normalize("NFKC", leaf).casefold())
    )


def is_led_by_values(step: Step, tool: Tool, data: RunInputs, request: str) -> bool:
    """Say whether a step changes or sends something under a word that only values have.

    What a value says is no instruction: what it names, a model may have been told to name. The
    request itself put there a single word or number, and a value that is all of a path.
    """
    values = [value for value in data.inserted if value.is_beside or not is_word(value.text)]
    if not values or not tool.effect_of(step.args) & _REACHING:
        return False
    for value in values:
        request = request if value.is_beside else request.replace(value.text, " ")
    whole = {value.text for value in values}
    args = {n: v for n, v in step.args.items() if not (is_place(tool, n) and str(v) in whole)}
    return bool(steering_words(tool, args) & words_in(v.text for v in values) - words_in([request]))


def _leaves(value: object) -> Iterator[str]:
    """Yield texts and numbers of a JSON value, and the names in its objects."""
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
    """Return the texts and modules that Python code names; all of it where it is no Python."""
    try:
        tree = ast.parse(str(code))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return code
    nodes = list(ast.walk(tree))
    texts = [node.value for node in nodes if isinstance(node, ast.Constant)]
    modules = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    others = [node.module for node in nodes if isinstance(node, ast.ImportFrom)]
    return [*(text for text in texts if isinstance(text, str)), *modules, *others]
