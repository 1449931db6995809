"""Taking variables back from Python at the end of a run: into the run's folder, and the journal."""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from pathlib import Path

from okso_jupyter.errors import ToolError
from okso_jupyter.journal.recorder import RunRecorder
from okso_jupyter.toolkit.context import RunResources
from okso_jupyter.toolkit.sandbox.parcels import described


def take_outputs(resources: RunResources, recorder: RunRecorder) -> None:
    """Keep every variable that was asked for; what cannot be had is recorded with the reason."""
    for name in resources.parcels.data.outputs:
        try:
            body, value = resources.take(name)
        except ToolError as error:
            recorder.record("output", name=name, error=error.message)
            continue
        file = resources.scratch / "outputs" / f"{name}.json"
        _write_private(file, json.dumps(body))
        about = asdict(described(name, value, body))
        recorder.record("output", name=name, error="", file=str(file), about=about)


def _write_private(file: Path, text: str) -> None:
    """Write a new file that nobody else may read."""
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    with open(descriptor, "w", encoding="ascii") as opened:  # noqa: PTH123  a descriptor
        opened.write(text)
