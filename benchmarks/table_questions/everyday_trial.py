"""Measures recognition and ranking together: what the planner reads requests over files as.

`python -m benchmarks.table_questions.everyday_trial` takes seconds, and no model, engine or
session. `--wrong` prints what is read wrongly; of the second batch only the number is told.
"""

from __future__ import annotations

import argparse
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from benchmarks.table_questions.everyday_domain_questions import FIRST, SECOND
from benchmarks.table_questions.everyday_domains import domain_frames, write_domains
from benchmarks.table_questions.trial import Trial, report
from benchmarks.table_questions.trial_questions import Questions
from okso_jupyter.planning.environment import Environment
from okso_jupyter.planning.table_questions.answers import Answers
from okso_jupyter.planning.table_questions.table_sources import TableSources
from okso_jupyter.workspace.files import Workspace

_CHART: Final = re.compile(r"(?:(?P<chart>bar|line|scatter|histogram): )?(?P<rows>.*)")
_SHOWN: Final = 3


def everyday_trials(questions: Questions) -> Iterator[Trial]:
    """Yield the trial of each request; one that is read as another chart has no answer."""
    with tempfile.TemporaryDirectory(prefix="okso-trial-") as scratch:
        write_domains(Path(scratch))
        workspace = Workspace(Path(scratch))
        sources = TableSources(workspace)
        for file, own in questions.items():
            table = sources.sample(file)
            answers = Answers(table) if table else None
            for request, written in own.items():
                chart, expression = _wanted(written)
                wanted: list[Any] = eval(expression, {"d": domain_frames()[file]})  # noqa: S307  our own code
                found = Environment().readings(request, sources, _SHOWN)
                is_drawn = bool(found) and found[0].query.chart == chart
                answer = answers.of(found[0].query) if answers and is_drawn else []
                rows = [row if isinstance(row, tuple) else (row,) for row in wanted]
                yield Trial(request, file, rows, found, answer)
        workspace.close()


def _wanted(written: str) -> tuple[str, str]:
    """Return the chart that is wanted and the expression of the rows."""
    found = _CHART.fullmatch(written)
    return (found["chart"] or "", found["rows"]) if found else ("", written)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--wrong", action="store_true")
    asked = parser.parse_args()
    for name, questions in {"first batch": FIRST, "second batch": SECOND}.items():
        done = list(everyday_trials(questions))
        report(name, done, tells_wrong=asked.wrong and questions is FIRST)


if __name__ == "__main__":
    main()
