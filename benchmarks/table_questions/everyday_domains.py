"""Tables of the everyday trial: nine domains, made from a seed, with the values of their files."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Final

import pandas as pd

from benchmarks.table_questions.trial_tables import Row

_SEED: Final = 41
#: Files of another form than commas and points: by name, the separator, and German numbers.
_GERMAN: Final = frozenset({"lager.csv", "mieten.csv"})


@cache
def domain_frames() -> Mapping[str, pd.DataFrame]:
    """Return every table by the name of its file."""
    chance = random.Random(_SEED)
    made: dict[str, list[Row]] = {name: list(make(chance)) for name, make in _TABLES.items()}
    return {name: pd.DataFrame(rows[1:], columns=list(rows[0])) for name, rows in made.items()}


def write_domains(folder: Path) -> None:
    """Write every table to a folder."""
    for name, frame in domain_frames().items():
        own = frame.copy()
        for column in own.columns[[pd.api.types.is_datetime64_any_dtype(t) for t in own.dtypes]]:
            has_time = bool((own[column].dt.hour != 0).any())
            day = "%d.%m.%Y" if name in _GERMAN else "%Y-%m-%d"
            own[column] = own[column].dt.strftime(f"{day} %H:%M:%S" if has_time else day)
        separator = ";" if name in _GERMAN else "\t" if name.endswith(".tsv") else ","
        own.to_csv(
            folder / name, sep=separator, decimal="," if name in _GERMAN else ".", index=False
        )


def _day(year: int, days: int, **more: int) -> datetime:
    return datetime(year, 1, 1) + timedelta(days=days, **more)  # noqa: DTZ001  cells name no zone


def _sensors(chance: random.Random) -> Iterator[Row]:
    yield (
        "timestamp",
        "sensor_id",
        "location",
        "temperature_c",
        "humidity",
        "battery_pct",
        "status",
    )
    places = {"S1": "kitchen", "S2": "attic", "S3": "cellar", "S4": "garage", "S5": "attic"}
    for number in range(240):
        own = chance.choice(list(places))
        yield (
            _day(2026, 0, hours=9 * number, minutes=chance.randrange(60)),
            own,
            places[own],
            round(chance.gauss(17, 6), 1),
            None if chance.random() < 0.07 else chance.randint(25, 90),
            chance.randint(4, 100),
            chance.choices(["ok", "warn", "offline"], [8, 3, 1])[0],
        )


def _invoices(chance: random.Random) -> Iterator[Row]:
    yield "invoice_no", "customer", "country", "ordered", "due", "amount", "items", "paid"
    firms = {"Acme": "USA", "Borealis": "Norway", "Cobalt GmbH": "Germany", "Delfin": "Spain"}
    firms |= {"Evergreen": "Canada", "Fjord AS": "Norway"}
    for number in range(150):
        own, when = chance.choice(list(firms)), _day(2025, chance.randrange(500))
        yield (
            f"R-{number + 200}",
            own,
            firms[own],
            when,
            when + timedelta(days=chance.choice([14, 30])),
            round(chance.uniform(20, 4800), 2),
            chance.randint(1, 24),
            chance.choices(["yes", "no"], [4, 1])[0],
        )


def _students(chance: random.Random) -> Iterator[Row]:
    yield "student", "class", "gender", "math", "reading", "absences", "birthday", "scholarship"
    firsts = "Ada Ben Carla Dario Elif Finn Grace Hugo Ines Jonas Kira Leo".split()
    for place, first in enumerate([f"{a} {b}." for a in firsts for b in "KLMPR"]):
        yield (
            first,
            f"{7 + place % 3}{chance.choice('ab')}",
            chance.choice(["female", "male"]),
            None if chance.random() < 0.08 else chance.randint(20, 100),
            chance.randint(25, 100),
            chance.randint(0, 22),
            _day(2012, chance.randrange(1100)),
            chance.random() < 0.2,
        )


def _stock(chance: random.Random) -> Iterator[Row]:
    yield (
        "Artikel",
        "Gruppe",
        "Lagerort",
        "Bestand",
        "Stückpreis",
        "Lieferant",
        "Letzter Eingang",
    )
    groups = {"Werkzeug": ["Hammer", "Zange", "Säge"], "Farbe": ["Lack", "Grundierung", "Lasur"]}
    groups |= {"Elektro": ["Kabel", "Stecker", "Lampe"]}
    articles = [
        (group, f"{name} {size}") for group in groups for name in groups[group] for size in "SML"
    ]
    for group, article in articles:
        yield (
            article,
            group,
            chance.choice(["Halle A", "Halle B", "Außenlager"]),
            chance.randint(0, 400),
            round(chance.uniform(1, 90), 2),
            chance.choice(["Meyer", "Nowak", "Petersen"]),
            _day(2025, chance.randrange(480)),
        )


def _survey(chance: random.Random) -> Iterator[Row]:
    yield (
        "respondent",
        "age",
        "region",
        "satisfaction",
        "recommend",
        "hours_per_week",
        "income",
        "comment",
    )
    for number in range(180):
        age = chance.randint(18, 79)
        yield (
            1000 + number,
            age,
            chance.choice(["Midlands", "Wales", "Scotland", "London"]),
            chance.randint(1, 5),
            chance.choice(["yes", "no", "unsure"]),
            round(chance.uniform(0, 60) - age / 4 + 15, 1),
            None if chance.random() < 0.15 else 500 * chance.randint(20, 160),
            None if chance.random() < 0.5 else chance.choice(["fine", "too slow", "love it"]),
        )


def _visits(chance: random.Random) -> Iterator[Row]:
    yield "time", "path", "status", "bytes", "duration_ms", "browser", "country"
    for number in range(220):
        yield (
            _day(2026, 60, minutes=47 * number, seconds=chance.randrange(60)),
            chance.choice(["/home", "/login", "/search", "/cart", "/help"]),
            chance.choices([200, 301, 404, 500], [12, 2, 3, 1])[0],
            chance.randint(150, 90000),
            chance.randint(3, 2600),
            chance.choice(["Firefox", "Chrome", "Safari", "Edge"]),
            chance.choice(["FR", "DE", "PL", "US"]),
        )


def _flights(chance: random.Random) -> Iterator[Row]:
    yield (
        "flight",
        "airline",
        "origin",
        "destination",
        "departure",
        "delay_min",
        "seats",
        "distance_km",
        "cancelled",
    )
    cities = ["Lisbon", "Vienna", "Athens", "Dublin", "Tallinn"]
    for number in range(160):
        origin, destination = chance.sample(cities, 2)
        yield (
            f"FX{number + 100}",
            chance.choice(["Skyline", "Aeris", "Nimbus"]),
            origin,
            destination,
            _day(2025, chance.randrange(365), hours=chance.randint(5, 22)),
            max(0, round(chance.gauss(14, 25))),
            chance.choice([90, 150, 180, 220]),
            chance.randint(600, 3900),
            chance.choices(["no", "yes"], [12, 1])[0],
        )


def _recipes(chance: random.Random) -> Iterator[Row]:
    yield (
        "recipe",
        "cuisine",
        "minutes",
        "calories",
        "rating",
        "servings",
        "vegetarian",
        "added",
    )
    firsts = "Spicy Creamy Roasted Quick Smoky".split()
    seconds = "Noodles Stew Salad Dumplings Curry Pie Soup".split()
    for name in [f"{a} {b}" for a in firsts for b in seconds]:
        yield (
            name,
            chance.choice(["Italian", "Thai", "Mexican", "Polish"]),
            chance.randint(8, 150),
            None if chance.random() < 0.15 else chance.randint(120, 980),
            round(chance.uniform(2, 5), 1),
            chance.randint(1, 8),
            chance.choice(["yes", "no"]),
            _day(2024, chance.randrange(700)),
        )


def _flats(chance: random.Random) -> Iterator[Row]:
    yield (
        "Adresse",
        "Stadtteil",
        "Zimmer",
        "Flaeche_qm",
        "Kaltmiete",
        "Baujahr",
        "Balkon",
        "Frei ab",
    )
    for number in range(70):
        size = round(chance.uniform(22, 140), 1)
        yield (
            f"{chance.choice(['Lindenweg', 'Marktgasse', 'Ahornallee'])} {number + 1}",
            chance.choice(["Altona", "Barmbek", "Eimsbüttel", "Wandsbek"]),
            chance.randint(1, 5),
            size,
            round(size * chance.uniform(9, 19), 2),
            chance.randint(1905, 2024),
            chance.choice(["ja", "nein"]),
            _day(2026, chance.randrange(300)),
        )


_TABLES: Final[Mapping[str, Callable[[random.Random], Iterator[Row]]]] = {
    "sensors.csv": _sensors,
    "invoices.csv": _invoices,
    "students.csv": _students,
    "lager.csv": _stock,
    "survey.tsv": _survey,
    "visits.csv": _visits,
    "flights.csv": _flights,
    "recipes.csv": _recipes,
    "mieten.csv": _flats,
}
