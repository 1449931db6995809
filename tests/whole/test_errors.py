"""Errors match the docstring of errors.py: its class tree and how errors are shown."""

from __future__ import annotations

import re

from okso_jupyter import errors
from okso_jupyter.errors import OksoError, PlanError, ToolError
from tests.each_row import each_row

_LINE = re.compile(r"^(?P<lead>[│├└─ ]*)(?P<name>[A-Z]\w+Error)\b", re.MULTILINE)


def _drawn() -> dict[str, str]:
    """Return the parent of each class as drawn in the docstring."""
    parents, path = {}, ["Exception"]
    for match in _LINE.finditer(errors.__doc__ or ""):
        depth = len(match["lead"]) // 4 + 1
        path = [*path[:depth], match["name"]]
        parents[match["name"]] = path[-2]
    return parents


def _classes() -> list[type[OksoError]]:
    return [v for v in vars(errors).values() if isinstance(v, type) and issubclass(v, OksoError)]


def test_the_docstring_tree_matches_the_classes() -> None:
    """The docstring's tree has every error class below its base, and nothing else."""
    assert _drawn() == {c.__name__: c.__bases__[0].__name__ for c in _classes()}


@each_row("kind", _classes())
def test_an_error_shows_message_and_hint(kind: type[OksoError]) -> None:
    """Text and notebook show message and hint; the notebook shows no traceback."""
    error = kind("it broke", hint="mend it")

    assert str(error) == "it broke (mend it)"
    assert str(kind("it broke")) == "it broke"
    assert error._render_traceback_() == [f"{kind.__name__}: it broke", "  hint: mend it"]
    assert kind("it broke")._render_traceback_() == [f"{kind.__name__}: it broke"]
    assert kind.__doc__


@each_row("kind", [c for c in _classes() if issubclass(c, ToolError)])
def test_a_tool_error_has_an_error_class(kind: type[ToolError]) -> None:
    """Every ToolError has an error class, which the tree in the docstring names too."""
    line = next(
        line for line in (errors.__doc__ or "").splitlines() if f" {kind.__name__} " in line
    )

    assert kind.error_class == "unknown" if kind is ToolError else f"{kind.error_class}:" in line


def test_the_stack_is_shown_when_asked_for() -> None:
    """With `show_stack` the whole traceback is shown."""
    try:
        msg = "it broke"
        raise PlanError(msg, step=2, rule="cycle")  # noqa: TRY301  a stack is what is wanted
    except PlanError as error:
        error.show_stack = True
        shown = "".join(error._render_traceback_())

    assert "Traceback (most recent call last)" in shown
    assert "test_the_stack_is_shown_when_asked_for" in shown
