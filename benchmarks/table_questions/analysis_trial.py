"""Measures requests for analyses: read as the planner reads them, answered by the engine.

`python -m benchmarks.table_questions.analysis_trial` takes seconds, and no model or session.
`--wrong` prints what is answered wrongly; of the held-out requests only the number is told.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
from scipy import stats

from benchmarks.quality.table import wilson
from benchmarks.table_questions.analysis_questions import DEVELOPMENT, FILE, HELD_OUT, write_flats
from benchmarks.table_questions.cases import holds
from okso_jupyter.errors import OksoError
from okso_jupyter.planning.environment import Environment
from okso_jupyter.planning.table_questions.table_sources import TableSources
from okso_jupyter.tables.engine import TableEngine
from okso_jupyter.tables.query_wording import answer, heading
from okso_jupyter.workspace import Workspace


@dataclass(frozen=True, slots=True)
class AnalysisTrial:
    """A request with its answer.

    Attributes:
        request: The request.
        wanted: The values that the answer must hold.
        answer: The answer, without the question that it repeats; "" where there is none.
    """

    request: str
    wanted: tuple[str, ...]
    answer: str

    @property
    def is_right(self) -> bool:
        """Whether the answer holds the values."""
        return holds(self.wanted, self.answer)


def analysis_trials(questions: Mapping[str, str]) -> Iterator[AnalysisTrial]:
    """Yield the trial of each request."""
    with tempfile.TemporaryDirectory(prefix="okso-trial-") as scratch:
        root = Path(scratch, "flats")
        root.mkdir()
        write_flats(root)
        names = {"d": pd.read_csv(root / FILE), "stats": stats}
        workspace = Workspace(root)
        sources = TableSources(workspace)
        with TableEngine(workspace, Path(scratch, "engine")) as engine:
            for question, expression in questions.items():
                wanted: list[Any] = eval(expression, names)  # noqa: S307  our own code
                request = question.format(t=FILE)
                found = _answer(request, sources, engine)
                yield AnalysisTrial(request, tuple(map(str, wanted)), found)
        workspace.close()


def _answer(request: str, sources: TableSources, engine: TableEngine) -> str:
    readings = Environment().readings(request, sources, 1)
    if not readings:
        return ""
    query = readings[0].query
    try:
        return answer(query, engine.run(query)).removeprefix(heading(query))
    except OksoError as error:
        return str(error)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--wrong", action="store_true")
    asked = parser.parse_args()
    for name, questions in {"development": DEVELOPMENT, "held out": HELD_OUT}.items():
        done = list(analysis_trials(questions))
        right = sum(trial.is_right for trial in done)
        share = wilson(right, len(done))
        print(f"{name}: {right} of {len(done)} right ({share.low:.0f} to {share.high:.0f} %)")
        for trial in done:
            if asked.wrong and questions is DEVELOPMENT and not trial.is_right:
                print(f"  {trial.request}\n    wanted {trial.wanted} got {trial.answer[:200]}")


if __name__ == "__main__":
    main()
