"""Tables of the trial questions: made from a seed, with the values that their files hold."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

_SEED: Final = 23
Row = Sequence[object]


def write_trial_tables(folder: Path) -> None:
    """Write every table to a folder."""
    for name, rows in trial_tables().items():
        (folder / name).write_text(text_of_table(name, rows), "utf-8")


def trial_tables() -> dict[str, list[Row]]:
    """Return the rows of every table, header first, by file name."""
    chance = random.Random(_SEED)
    made = {
        "expenses.csv": _expenses,
        "loans.md": _loans,
        "kurse.csv": _courses,
        "gateway.log": _log_lines,
    }
    return {name: list(make(chance)) for name, make in made.items()}


def text_of_table(name: str, rows: Sequence[Row]) -> str:
    """Return a table as the text of its file."""
    header, *body = rows
    if name.endswith(".log"):
        lines = [" ".join(map(_plain, row)) for row in body]
    elif name.endswith(".md"):
        lines = ["# Loans", "", "As of this week.", ""]
        lines += [f"| {' | '.join(map(str, header))} |", "|" + " --- |" * len(header)]
        lines += [f"| {' | '.join(map(_plain, row))} |" for row in body]
    elif name == "kurse.csv":
        lines = [";".join(map(str, header)), *(";".join(map(_german, row)) for row in body)]
    else:
        lines = [",".join(map(str, header)), *(",".join(map(_plain, row)) for row in body)]
    return "\n".join(lines) + "\n"


def _plain(cell: object) -> str:
    if cell is None:
        return ""
    if isinstance(cell, datetime):
        return f"{cell:%Y-%m-%d %H:%M:%S}" if cell.hour or cell.minute else f"{cell:%Y-%m-%d}"
    return str(cell)


def _german(cell: object) -> str:
    if isinstance(cell, datetime):
        return f"{cell:%d.%m.%Y}"
    return str(cell).replace(".", ",") if isinstance(cell, float) else str(cell)


def _expenses(chance: random.Random) -> Iterator[Row]:
    yield "date", "category", "vendor", "amount", "paid_by", "method", "receipt_no"
    vendors = {
        "Travel": ["Railway", "Taxi Nord", "Hotel Adler"],
        "Office": ["Paper World", "Ink & Co"],
        "Meals": ["Bistro Roma", "Noodle Bar", "Canteen"],
        "Software": ["Cloudware", "Fontify"],
    }
    for number in range(130):
        kind = chance.choice(list(vendors))
        when = datetime(2024, 1, 5) + timedelta(days=chance.randrange(600))  # noqa: DTZ001  cells name no zone
        yield (
            when,
            kind,
            chance.choice(vendors[kind]),
            round(chance.uniform(3, 640), 2),
            chance.choice(["Mira", "Tom", "Yusuf", "Ana"]),
            chance.choice(["card", "cash", "invoice"]),
            None if chance.random() < 0.12 else f"B{number + 1000}",
        )


def _loans(chance: random.Random) -> Iterator[Row]:
    yield "title", "genre", "branch", "pages", "days_late", "fine", "reader_age", "renewed"
    firsts = "Silent Golden Broken Distant Hidden Burning".split()
    seconds = "River Garden Bridge Letters Winter".split()
    for first in firsts:
        for second in seconds:
            late = max(0, chance.randint(-12, 30))
            yield (
                f"{first} {second}",
                chance.choice(["Crime", "Fantasy", "Science", "Poetry"]),
                chance.choice(["Central", "Riverside", "Hillside"]),
                chance.randint(80, 900),
                late,
                round(late * 0.25, 2),
                None if chance.random() < 0.1 else chance.randint(7, 88),
                chance.choice(["yes", "no"]),
            )


def _courses(chance: random.Random) -> Iterator[Row]:
    yield "Kurs", "Dozent", "Ort", "Teilnehmer", "Preis", "Beginn", "Online"
    kinds = ["Spanisch", "Yoga", "Malen", "Excel", "Kochen"]
    for number in range(45):
        beginn = datetime(2025, 1, 8) + timedelta(days=chance.randrange(500))  # noqa: DTZ001  see above
        yield (
            f"{kinds[number % 5]} {number // 5 + 1}",
            chance.choice(["Weber", "Schulz", "Aydin", "Horvat"]),
            chance.choice(["Altstadt", "Nordend", "Hafen"]),
            chance.randint(3, 28),
            round(chance.uniform(25, 320), 2),
            beginn,
            chance.choice(["ja", "nein"]),
        )


def _log_lines(chance: random.Random) -> Iterator[Row]:
    yield "time", "level", "service", "message"
    messages = {
        "INFO": ["request served", "cache warmed", "session opened"],
        "WARNING": ["slow response after 900 ms", "retrying upload"],
        "ERROR": ["timeout after 30 s", "connection refused", "disk full"],
        "DEBUG": ["token refreshed"],
    }
    when = datetime(2026, 3, 2, 6, 4, 11)  # noqa: DTZ001  see above
    for _ in range(140):
        when += timedelta(seconds=chance.randint(20, 1900))
        level = chance.choices(list(messages), [8, 3, 3, 1])[0]
        service = chance.choice(["payments", "search", "mailer", "auth"])
        yield when, level, service, chance.choice(messages[level])
