"""What the next question about a table costs, beside one that starts a process of its own.

    python -m benchmarks.next_question --rows 20000

Both are whole questions of a session, from the words to the answer, approved automatically; closing
the session between two questions ends its processes. pandas has the code written, and reads the
file each time.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pandas as pd

from benchmarks.figures import paired_ratio
from benchmarks.large_table import write
from benchmarks.machine import describe
from okso_jupyter import Session

_ROW_BYTES: Final = 70
_MANY: Final = 90
#: What is asked, and the same in pandas.
_QUESTIONS: Final[dict[str, Callable[[pd.DataFrame], object]]] = {
    "average amount per region": lambda rows: rows.groupby("region")["amount"].mean(),
    "how many units went to the north": lambda rows: rows[rows.region == "north"].units.sum(),
    "top 5 products by units": lambda rows: rows.groupby("product")["units"].sum().nlargest(5),
    "highest amount in the south": lambda rows: rows[rows.region == "south"].amount.max(),
    "how many rows have more than 90 units": lambda rows: (rows.units > _MANY).sum(),
}


def seconds_of(session: Session, question: str) -> float:
    """Return the time from the question to its answer."""
    started = time.perf_counter()
    run = session.execute(session.plan(question), approve="auto")
    if not run.answer:
        raise ValueError(question)
    return time.perf_counter() - started


def seconds_in_pandas(path: Path, work: Callable[[pd.DataFrame], object]) -> float:
    """Return the time of reading the file and computing the same."""
    started = time.perf_counter()
    work(pd.read_csv(path))
    return time.perf_counter() - started


def main() -> None:
    """Print the median times, and the ratios with their intervals."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--repeat", type=int, default=4)
    asked = parser.parse_args()
    kept, alone, by_hand = [], [], []
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder, "files")
        root.mkdir()
        path = root / "sold.csv"
        write(path, asked.rows * _ROW_BYTES)
        settings = {"VERBOSITY": 0, "OKSO_HOME": str(Path(folder, "home"))}
        with Session(settings, root=root) as session:
            for question, work in _QUESTIONS.items():  # the first one imports and starts
                seconds_of(session, question)
                for _ in range(asked.repeat):
                    session.close()
                    alone.append(seconds_of(session, question))
                    kept.append(seconds_of(session, question))
                    by_hand.append(seconds_in_pandas(path, work))
    print("\n".join(describe()))
    for name, times in (("its own process", alone), ("next", kept), ("pandas", by_hand)):
        print(f"{name}: median {statistics.median(times):.3f} s of {len(times)}")
    print(f"own process / next: {paired_ratio(alone, kept)}")
    print(f"next / pandas: {paired_ratio(kept, by_hand)}")


if __name__ == "__main__":
    main()
