"""Measures the ranking alone: the best reading of each trial question, previewed in memory.

`python -m benchmarks.table_questions.trial` takes seconds, and no model, engine or session.
`--wrong` prints what is read wrongly; of the held-out questions only their number is told.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import pandas as pd

from benchmarks.quality.table import wilson
from benchmarks.table_questions.calibration import figures_of
from benchmarks.table_questions.trial_questions import DEVELOPMENT, HELD_OUT, Questions
from benchmarks.table_questions.trial_tables import text_of_table, trial_tables
from okso_jupyter.planning.table_questions.answers import Answers, Cell
from okso_jupyter.planning.table_questions.fitted_weights import FittedWeights, shipped_weights
from okso_jupyter.planning.table_questions.query_reading import QueryReading
from okso_jupyter.planning.table_questions.readings import readings_of
from okso_jupyter.planning.table_questions.stated_parts import LOOKED_THROUGH, as_stated
from okso_jupyter.planning.table_questions.table_sample import TableSample
from okso_jupyter.tables.log_lines import log_table

_CLOSE: Final = 1e-5
_SHOWN: Final = 3


@dataclass(frozen=True, slots=True)
class Trial:
    """A question with what its best reading gives.

    Attributes:
        question: The question.
        file: The name of the table's file.
        wanted: The rows of the right answer; of each the values that it must hold.
        readings: The best readings, best first.
        answer: What the best one gives.
    """

    question: str
    file: str
    wanted: Sequence[tuple[Any, ...]]
    readings: Sequence[QueryReading]
    answer: Sequence[tuple[Cell, ...]]

    @property
    def is_right(self) -> bool:
        """Whether the answer has the rows that are wanted, in any order."""
        left = list(self.answer)
        for row in self.wanted:
            found = next((own for own in left if all(_is_in(v, own) for v in row)), None)
            if found is None:
                return False
            left.remove(found)
        return not left


def trials(questions: Questions, weights: FittedWeights | None = None) -> Iterator[Trial]:
    """Yield the trial of each question."""
    for file, own in questions.items():
        header, *rows = trial_tables()[file]
        frame = pd.DataFrame(rows, columns=[str(name) for name in header])
        table = sample_of(file)
        answers = Answers(table)
        for question, expression in own.items():
            wanted = eval(expression, {"d": frame})  # noqa: S307  our own code
            ranked = readings_of(question, table, weights or shipped_weights(), LOOKED_THROUGH)
            found = as_stated(question, ranked, table)[:_SHOWN]
            answer = answers.of(found[0].query) if found else []
            rows_wanted = [row if isinstance(row, tuple) else (row,) for row in wanted]
            yield Trial(question, file, rows_wanted, found, answer)


def sample_of(file: str) -> TableSample:
    """Return a trial table as it is read from its file."""
    text = text_of_table(file, trial_tables()[file]).splitlines()
    if file.endswith(".log"):
        return TableSample(file, *log_table(text))
    if file.endswith(".md"):
        lines = [line for line in text if line.startswith("|") and "---" not in line]
        cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    else:
        cells = [line.split(";" if file == "kurse.csv" else ",") for line in text]
    return TableSample(file, cells[0], cells[1:])


def _is_in(value: object, row: Sequence[Cell]) -> bool:
    return any(_is_same(value, cell) for cell in row)


def _is_same(value: Any, cell: Cell) -> bool:  # noqa: ANN401  a value of pandas
    if isinstance(value, datetime):
        written = {f"{value:%Y-%m-%d}", f"{value:%d.%m.%Y}", f"{value:%Y-%m-%d %H:%M:%S}"}
        return str(cell) in written
    try:
        number = float(str(cell).replace(",", "."))
        return abs(float(value) - number) <= _CLOSE * max(1.0, abs(number))
    except (TypeError, ValueError):
        return str(value).lower() == str(cell).lower()


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--weights", type=Path, help="other weights than the shipped ones")
    parser.add_argument("--wrong", action="store_true")
    asked = parser.parse_args()
    weights = FittedWeights.read(asked.weights) if asked.weights else shipped_weights()
    for name, questions in {"development": DEVELOPMENT, "held out": HELD_OUT}.items():
        done = list(trials(questions, weights))
        report(name, done, tells_wrong=asked.wrong and questions is DEVELOPMENT)


def report(name: str, done: Sequence[Trial], *, tells_wrong: bool) -> None:
    """Print how many trials are right and how sure they were, perhaps with the wrong ones."""
    share = wilson(sum(trial.is_right for trial in done), len(done))
    unread = sum(not trial.readings for trial in done)
    print(
        f"{name}: {sum(trial.is_right for trial in done)} of {len(done)} right, "
        f"{share.middle:.0f} % ({share.low:.0f} to {share.high:.0f}), "
        f"{unread} not read as a table's"
    )
    rated = [(t.readings[0].confidence if t.readings else 0.0, t.is_right) for t in done]
    figures = figures_of(rated)
    print("  ", {name: figures[name] for name in ("error", "sure and wrong", "separation")})
    for trial in done:
        if tells_wrong and not trial.is_right:
            print(f"  {trial.file}: {trial.question}")
            print(f"    wanted {trial.wanted[:4]} got {trial.answer[:4]}")
            for reading in trial.readings:
                print(f"    {reading.confidence:.2f} {reading.query.to_json()}")


if __name__ == "__main__":
    main()
