"""Tables of the everyday requests: made from a seed, the same on every machine."""

from __future__ import annotations

import csv
import io
import random
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import Final

_SEED: Final = 7
_FIRST_DAY: Final = date(2023, 1, 3)


def write_tables(folder: Path) -> None:
    """Write every table to a folder."""
    for name, rows in tables().items():
        (folder / name).write_text(_as_text(rows, "\t" if name.endswith(".tsv") else ","))


def tables() -> dict[str, list[Sequence[object]]]:
    """Return the rows of every table, header first, by file name."""
    made = {
        "sales.csv": _sales,
        "employees.csv": _employees,
        "weather.tsv": _weather,
        "students.csv": _students,
        "orders.csv": _orders,
        "flights.csv": _flights,
        "bike_rides.csv": _bike_rides,
        "Inventory.csv": _inventory,
        "wohnungen.csv": _flats,
    }
    chance = random.Random(_SEED)
    return {name: list(make(chance)) for name, make in made.items()}


def _as_text(rows: Sequence[Sequence[object]], separator: str) -> str:
    text = io.StringIO()
    csv.writer(text, delimiter=separator, lineterminator="\n").writerows(rows)
    return text.getvalue()


def _day(chance: random.Random, days: int = 700) -> str:
    return (_FIRST_DAY + timedelta(days=chance.randrange(days))).isoformat()


def _sales(chance: random.Random) -> Iterator[Sequence[object]]:
    yield "date", "region", "product", "units", "price"
    for _ in range(120):
        region = chance.choice(["North", "South", "East", "West"])
        product = chance.choice(["Lamp", "Desk", "Chair", "Shelf", "Office Chair"])
        yield _day(chance), region, product, chance.randint(1, 40), round(chance.uniform(5, 400), 2)


def _employees(chance: random.Random) -> Iterator[Sequence[object]]:
    yield "name", "department", "city", "salary", "hire_date", "age"
    firsts = "Ada Ben Carla Dev Elif Finn Greta Hugo Ines Jan Kim Lena Max Nora Otto Pia".split()
    for place, name in enumerate(firsts * 2):
        full = f"{name} {'Meyer' if place < len(firsts) else 'Novak'}"
        department = chance.choice(["Engineering", "Marketing", "Finance", "Support"])
        city = chance.choice(["Berlin", "Vienna", "Zurich"])
        age = "" if chance.random() < 0.1 else chance.randint(21, 64)
        yield full, department, city, chance.randrange(38, 120) * 1000, _day(chance, 2500), age


def _weather(chance: random.Random) -> Iterator[Sequence[object]]:
    yield "date", "station", "temp_max", "temp_min", "rain_mm"
    for day in range(200):
        low = chance.randint(-8, 18)
        rain = "" if chance.random() < 0.08 else round(max(0.0, chance.gauss(1, 4)), 1)
        station = ["Harbour", "Airport", "Old Town"][day % 3]
        when = (_FIRST_DAY + timedelta(days=day)).isoformat()
        yield when, station, low + chance.randint(2, 15), low, rain


def _students(chance: random.Random) -> Iterator[Sequence[object]]:
    yield "student", "class", "math", "physics", "passed"
    for number in range(60):
        math, physics = chance.randint(20, 100), chance.randint(20, 100)
        passed = "yes" if math + physics > 100 else "no"
        yield f"S{number + 101}", chance.choice(["10a", "10b", "11a"]), math, physics, passed


def _orders(chance: random.Random) -> Iterator[Sequence[object]]:
    yield "OrderID", "CustomerName", "Country", "Status", "TotalEUR", "ShippedAt"
    names = ["Acme", "Globex", "Initech", "Umbrella", "Hooli", "Stark Industries"]
    for number in range(90):
        status = chance.choice(["shipped", "pending", "cancelled", "returned"])
        when = _day(chance) if status in {"shipped", "returned"} else ""
        country = chance.choice(["Germany", "France", "Italy", "Spain", "Poland"])
        yield 5001 + number, chance.choice(names), country, status, chance.randint(10, 900), when


def _flights(chance: random.Random) -> Iterator[Sequence[object]]:
    yield "Flight No", "Origin", "Destination", "Airline", "Delay (min)", "Distance (km)"
    for number in range(80):
        origin, goal = chance.sample(["Berlin", "Paris", "Rome", "Madrid", "Oslo"], 2)
        airline = chance.choice(["SkyJet", "AirNova", "BlueWing"])
        late = "" if chance.random() < 0.05 else max(0, round(chance.gauss(12, 20)))
        yield f"FN{number + 200}", origin, goal, airline, late, chance.randint(300, 2400)


def _bike_rides(chance: random.Random) -> Iterator[Sequence[object]]:
    yield (
        "ride_id",
        "start_time",
        "start_station",
        "end_station",
        "member_type",
        "duration_min",
        "distance_km",
    )
    stations = ["Main Square", "Riverside", "University", "Stadium", "Harbor Gate"]
    for number in range(140):
        start, end = chance.sample(stations, 2)
        when = f"{_day(chance, 360)} {chance.randrange(6, 23):02}:{chance.randrange(60):02}:00"
        member = chance.choice(["subscriber", "subscriber", "casual"])
        length = "" if chance.random() < 0.06 else round(chance.uniform(0.4, 14), 2)
        yield f"R{number + 4001}", when, start, end, member, chance.randint(3, 95), length


def _inventory(chance: random.Random) -> Iterator[Sequence[object]]:
    yield (
        "ItemName",
        "Category",
        "Warehouse",
        "StockQty",
        "UnitPriceEUR",
        "Supplier",
        "LastRestocked",
    )
    things = {
        "Tools": ["Hammer", "Cordless Drill", "Wrench", "Hand Saw"],
        "Garden": ["Rake", "Hose", "Shovel", "Planter"],
        "Paint": ["Wall Paint", "Roller", "Primer"],
        "Lighting": ["Floodlight", "Bulb", "Lantern"],
    }
    for kind, names in things.items():
        for name in names:
            for city in chance.sample(["Lyon", "Hamburg", "Gdansk", "Porto"], 3):
                supplier = chance.choice(["Nordwerk", "Castellan", "Brightline", "Ozeki"])
                price = round(chance.uniform(2, 180), 2)
                yield name, kind, city, chance.randint(0, 400), price, supplier, _day(chance)


def _flats(chance: random.Random) -> Iterator[Sequence[object]]:
    yield "Stadt", "Stadtteil", "Zimmer", "Flaeche_qm", "Miete_EUR", "Baujahr", "Balkon"
    places = {
        "Leipzig": ["Plagwitz", "Connewitz", "Gohlis"],
        "Bremen": ["Neustadt", "Viertel"],
        "Freiburg": ["Wiehre", "Vauban", "Herdern"],
    }
    for _ in range(75):
        city = chance.choice(list(places))
        rooms = chance.randint(1, 5)
        area = rooms * chance.randint(17, 27) + chance.randint(5, 12)
        rent = round(area * chance.uniform(7.5, 16))
        balcony = chance.choice(["ja", "nein"])
        yield (
            city,
            chance.choice(places[city]),
            rooms,
            area,
            rent,
            chance.randint(1900, 2023),
            balcony,
        )
