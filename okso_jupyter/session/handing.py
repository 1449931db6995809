"""Taking variables back from Python at the end of a run: into the run's folder, and the journal."""

from __future__ import annotations

import json
from dataclasses import asdict

from okso_jupyter import private_files
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
        private_files.replace(file, json.dumps(body).encode("ascii"))
        about = asdict(described(name, value, body))
        recorder.record("output", name=name, error="", file=str(file), about=about)
