"""Unused variables: values handed in that a request names, and that a plan does not use."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from okso_jupyter.plan.holes import is_open
from okso_jupyter.plan.plan import Plan
from okso_jupyter.plan.run_inputs import RunInputs
from okso_jupyter.planning.request.wording import STOP_WORDS, paths


def unused_variables(plan: Plan, request: str, data: RunInputs) -> tuple[str, ...]:
    """Return the variables that a request names and that a plan with calls does not use.

    A plan uses one that an argument names, or whose value stands in an argument. Code that is
    written only when it runs may use all of them.

    Args:
        plan: The plan.
        request: The request, with feedback on an earlier plan.
        data: What is handed in.
    """
    args = [step.args for step in plan.steps if not step.is_final]
    if not args or any(is_open(value) for own in args for value in own.values()):
        return ()
    said = "\n".join(_texts(args))
    packed = _packed(said)
    values = {value.name: _packed(value.text) for value in data.inserted}
    return tuple(
        name
        for name in _named(request, data)
        if not re.search(rf"(?<![\w.]){name}(?!\w)", said)
        and not (values.get(name) and values[name] in packed)
    )


def unused_words(names: tuple[str, ...]) -> str:
    """Return why a plan that does not use these variables is none of the request; "" without."""
    return f"it does not use {' or '.join(names)}, which the request names" if names else ""


def _named(request: str, data: RunInputs) -> Iterator[str]:
    """Yield the variables that a request names; beside a path, a word may be about its file."""
    inserted = {value.name for value in data.inserted}
    has_path = bool(paths(request))
    for name in (value.name for value in data.inputs):
        is_word = name.lower() in STOP_WORDS or has_path
        if (name in inserted or not is_word) and _is_word(name, request):
            yield name


def _is_word(name: str, request: str) -> bool:
    """Return whether a name is a word of a request, and not a part of a path or a call."""
    return re.search(rf"(?<![\w./-]){name}(?![\w/(-]|\.\w)", request) is not None


def _texts(value: object) -> Iterator[str]:
    """Yield the values in arguments as texts, and the keys of objects."""
    if isinstance(value, Mapping):
        yield from map(str, value)
        value = [*value.values()]
    if isinstance(value, list | tuple):
        for part in value:
            yield from _texts(part)
    else:
        yield str(value)


def _packed(text: str) -> str:
    """Return a text without blanks and quotes, which code may write otherwise."""
    return re.sub(r"[\s\"'\\]+", "", text)
