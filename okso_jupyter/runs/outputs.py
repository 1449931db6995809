"""Outputs: variables read back at the end of a run, kept in its folder and its journal.

They are variables of Python. Where no step used Python, the only variable that is asked for is
what a query or a calculation gave: its one value, or its table.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from typing import Any, Final

from okso_jupyter import private_files
from okso_jupyter.errors import ToolError
from okso_jupyter.journal.events import OutputTaken
from okso_jupyter.plan.records import Observation
from okso_jupyter.runs.run_context import RunContext
from okso_jupyter.sandbox import value_codec
from okso_jupyter.toolkit.context import RunResources
from okso_jupyter.toolkit.notebook_variables import described

_PYTHON: Final = "python_repl"


def take_outputs(context: RunContext, observations: Sequence[Observation]) -> None:
    """Save every requested variable; record the reason for each that cannot be read.

    Args:
        context: The run.
        observations: What its steps gave.
    """
    resources, recorder = context.resources, context.recorder
    result = None if len(context.data.outputs) > 1 else _result(observations)
    for name in context.data.outputs:
        live = partial(_taken, resources, name, result)
        try:
            taken = context.boundary.take("output", {"name": name}, live)
        except ToolError as error:
            recorder.record(OutputTaken(name=name, error=error.message))
            continue
        file = resources.scratch / "outputs" / f"{name}.json"
        private_files.replace(file, json.dumps(taken["body"]).encode("ascii"))
        recorder.record(OutputTaken(name=name, error="", file=str(file), about=taken["about"]))


def _result(observations: Sequence[Observation]) -> object:
    """Return what the latest query or calculation gave; None if there is none, or Python ran."""
    if any(seen.call.tool == _PYTHON for seen in observations):
        return None
    from okso_jupyter.frames.result_table import latest_table, latest_value  # noqa: PLC0415  pandas is slow

    value = latest_value(observations)
    return latest_table(observations) if value is None else value


def _taken(resources: RunResources, name: str, result: object) -> dict[str, Any]:
    """Return an encoded variable and its description for display."""
    if result is None:
        body, value = resources.take(name)
    else:
        body, value = value_codec.encode(result), result
    return {"body": body, "about": asdict(described(name, value, body))}
