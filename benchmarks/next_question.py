"""What the next question about a table costs, beside one that starts a process of its own.

    python -m benchmarks.next_question --rows 2000

Both are whole questions of a session, from the words to the answer, approved automatically; closing
the session between two questions ends its processes. pandas has the code written, and reads the
file each time.
"""

from __future__ import annotations

import argparse
import random
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pandas as pd

from benchmarks.figures import paired_ratio
from benchmarks.machine import describe
from okso_jupyter import Session

_MANY: Final = 90
_REGIONS: Final = ("north", "south", "east", "west", "centre")
#: What is asked, and the same in pandas.
_QUESTIONS: Final[dict[str, Callable[[pd.DataFrame], object]]] = {
    "average amount per region": lambda rows: rows.groupby("region")["amount"].mean(),
    "how many units went to the north": lambda rows: rows[rows.region == "north"].units.sum(),
    "top 5 products by units": lambda rows: rows.groupby("product")["units"].sum().nlargest(5),
    "highest amount in the south": lambda rows: rows[rows.region == "south"].amount.max(),
    "how many rows have more than 90 units": lambda rows: (rows.units > _MANY).sum(),
}


def write(path: Path, rows: int) -> None:
    """Write what was sold."""
    chosen = random.Random(1)  # noqa: S311  rows, no secrets
    lines = (
        f"{number},{chosen.choice(_REGIONS)},product {chosen.randint(1, 40)},"
        f"2025-{chosen.randint(1, 12):02}-{chosen.randint(1, 28):02},"
        f"{chosen.uniform(1, 999):.2f},{chosen.randint(1, 99)}\n"
        for number in range(rows)
    )
    path.write_text("id,region,product,day,amount,units\n" + "".join(lines))


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
    parser.add_argument("--rows", type=int, default=2_000)
    parser.add_argument("--repeat", type=int, default=4)
    asked = parser.parse_args()
    kept, alone, by_hand = [], [], []
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder, "files")
        root.mkdir()
        path = root / "sold.csv"
        write(path, asked.rows)
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
    pairs = (("own process / next", alone, kept), ("next / pandas", kept, by_hand))
    for name, above, below in pairs:
        ratio = paired_ratio(above, below)
        print(f"{name}: {ratio.middle:.1f} ({ratio.low:.1f} to {ratio.high:.1f})")


if __name__ == "__main__":
    main()
