"""No function grows beyond what one can take in."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.whole.code import FILES, name_of, tree

MOST_FUNCTION_LINES = 60


@pytest.mark.parametrize("file", FILES, ids=name_of)
def test_functions_are_short(file: Path) -> None:
    """No function has more than 60 lines."""
    functions = {
        node.name: (node.end_lineno or 0) - node.lineno + 1
        for node in ast.walk(tree(file))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }

    assert {name: n for name, n in functions.items() if n > MOST_FUNCTION_LINES} == {}
