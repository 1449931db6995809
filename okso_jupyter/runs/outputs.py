"""Outputs: Python variables read back at the end of a run, kept in its folder and its journal."""

from __future__ import annotations

import json
from dataclasses import asdict
from functools import partial
from typing import Any

from okso_jupyter import private_files
from okso_jupyter.errors import ToolError
from okso_jupyter.journal.events import OutputTaken
from okso_jupyter.runs.run_context import RunContext
from okso_jupyter.toolkit.context import RunResources
from okso_jupyter.toolkit.notebook_variables import described


def take_outputs(context: RunContext) -> None:
    """Save every requested variable; record the reason for each that cannot be read."""
    resources, recorder = context.resources, context.recorder
    for name in context.data.outputs:
        live = partial(_taken, resources, name)
        try:
            taken = context.boundary.take("output", {"name": name}, live)
        except ToolError as error:
            recorder.record(OutputTaken(name=name, error=error.message))
            continue
        file = resources.scratch / "outputs" / f"{name}.json"
        private_files.replace(file, json.dumps(taken["body"]).encode("ascii"))
        recorder.record(OutputTaken(name=name, error="", file=str(file), about=taken["about"]))


def _taken(resources: RunResources, name: str) -> dict[str, Any]:
    """Return an encoded variable and its description for display."""
    body, value = resources.take(name)
    return {"body": body, "about": asdict(described(name, value, body))}
