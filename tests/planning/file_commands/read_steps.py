"""What a request about the files of a folder is read as."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from okso_jupyter.planning.environment import Environment
from okso_jupyter.workspace import Workspace


def filled(folder: Path, files: Mapping[str, str]) -> Path:
    """Return a folder after files were written into it, by name."""
    for name, content in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(content, "utf-8")
    return folder


def steps_of(folder: Path, request: str) -> list[Any]:
    """Return the steps that a request is read as; [] where it is left to the model."""
    return list(Environment().file_commands(request, Workspace(folder)))


def values_of(folder: Path, request: str) -> list[Any]:
    """Return the values of each step's arguments."""
    return [[*step["args"].values()] for step in steps_of(folder, request)]


def args_of(folder: Path, request: str) -> dict[str, Any]:
    """Return the arguments of the only step."""
    (step,) = steps_of(folder, request)
    return dict(step["args"])
