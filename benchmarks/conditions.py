"""What one run of the benchmark holds the same for all that it measures."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from benchmarks.vocabulary import Vocabulary
from benchmarks.workers import Worker
from okso_jupyter import Settings
from okso_jupyter.settings.sources import names_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Conditions:
    """The conditions of a run.

    Attributes:
        gguf: The model that everything runs.
        spec: The same for sessions as users have them: of the bundled weights they make a copy.
        vocabulary: Its chat template and tokens.
        threads: Threads of everything but the section that compares thread counts.
        samples: Candidates of one request.
        repeat: How often everything is measured.
        quick: Whether fewer points are measured, for a first look.
        peers: Names of the peers to measure.
        environments: Folder of the peers' environments.
        scratch: Folder for homes and files of this run.
        plots: Folder for plots and tables of growth; None makes none.
    """

    gguf: Path
    spec: str
    vocabulary: Vocabulary
    threads: int
    samples: int
    repeat: int
    quick: bool
    peers: tuple[str, ...]
    environments: Path
    scratch: Path
    plots: Path | None

    @property
    def context_tokens(self) -> int:
        """Tokens of everybody's context: this project's default."""
        return Settings().llama_default_context_size

    def own_worker(self, home: str, **settings: Any) -> Worker:  # noqa: ANN401  any setting
        """Start a worker that asks this project's model.

        Args:
            home: Name of its home; two workers with the same one share what is kept there.
            settings: Settings that are not the default.

        Raises:
            WorkerError: It could not set itself up.
        """
        chosen = {"PLANNER_MODEL_SPEC": str(self.gguf), **settings}
        return Worker(
            "benchmarks.own.run_candidates",
            {"settings": chosen},
            environment=self.own_environment(home),
        )

    def own_environment(self, home: str) -> dict[str, str]:
        """Return an environment in which every setting has its default but the home."""
        folder = self.scratch / home
        folder.mkdir(parents=True, exist_ok=True)
        return {
            **_without_settings(os.environ),
            "OKSO_HOME": str(folder),
            "XDG_CONFIG_HOME": str(self.scratch / "no-config"),
        }


def _without_settings(environment: Mapping[str, str]) -> dict[str, str]:
    """Return an environment without any of this project's settings."""
    settings = names_of(fields(Settings))
    return {name: value for name, value in environment.items() if name not in settings}
