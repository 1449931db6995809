"""The package's source files, for the tests of this folder."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path
from typing import Final

import okso_jupyter

PACKAGE: Final = Path(okso_jupyter.__file__).parent
FILES: Final = sorted(PACKAGE.rglob("*.py"))


def name_of(file: Path) -> str:
    """Return a file's path inside the package."""
    return file.relative_to(PACKAGE).as_posix()


@cache
def nodes(file: Path) -> tuple[ast.AST, ...]:
    """Return all nodes of a file's syntax tree."""
    return tuple(ast.walk(ast.parse(file.read_text("utf-8"))))
