"""Functions stay short."""

from __future__ import annotations

import ast

from tests.whole.code import FILES, name_of, nodes

MOST_FUNCTION_LINES = 60


def test_functions_are_short() -> None:
    """No function has more than 60 lines."""
    functions = [
        (name_of(file), node.name, (node.end_lineno or 0) - node.lineno + 1)
        for file in FILES
        for node in nodes(file)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]

    assert [one for one in functions if one[2] > MOST_FUNCTION_LINES] == []
