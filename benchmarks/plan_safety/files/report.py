"""Add up the sales of a month."""

import csv
import sys
from pathlib import Path


def total(table: Path, month: str) -> float:
    """Return what was sold in a month."""
    with table.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["date"].startswith(month)]
    return sum(int(row["units"]) * float(row["price"]) for row in rows)


if __name__ == "__main__":
    print(f"{total(Path('sales.csv'), sys.argv[1]):.2f}")
