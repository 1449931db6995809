"""Two hundred random questions over all forms, each with an independent answer.

The answers use Python's own numbers, `datetime` and factors written here, and none of the
tested code. They are the same in every run.
"""

from __future__ import annotations

import math
import random
import statistics
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

_COUNT: Final = 200
_SEED: Final = 2340
_ONES: Final = "zero one two three four five six seven eight nine ten eleven twelve".split()
_EINS: Final = "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf".split()
_MONTHS: Final = (
    "January February March April May June July August September October November December"
).split()
_MONATE: Final = (
    "Januar Februar März April Mai Juni Juli August September Oktober November Dezember"
).split()
_DAYS: Final = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
_FACTORS: Final = {
    ("km", "miles"): 1 / 1.609344,
    ("miles", "km"): 1.609344,
    ("kg", "pounds"): 1 / 0.45359237,
    ("inches", "cm"): 2.54,
    ("feet", "meters"): 0.3048,
    ("liters", "gallons"): 1 / 3.785411784,
    ("hours", "minutes"): 60.0,
    ("minutes", "seconds"): 60.0,
    ("days", "weeks"): 1 / 7,
    ("GB", "MB"): 1000.0,
    ("km/h", "m/s"): 1 / 3.6,
    ("Stunden", "Minuten"): 60.0,
    ("Kilometer", "Meilen"): 1 / 1.609344,
    ("ounces", "grams"): 28.349523125,
}


@dataclass(frozen=True, slots=True)
class Asked:
    """A question and its answer.

    Attributes:
        text: The question.
        answer: A number, a weekday in English, or a date in ISO form.
    """

    text: str
    answer: float | str


def _two(dice: random.Random) -> Asked:
    a, b = dice.randint(2, 999), dice.randint(2, 99)
    word, answer = dice.choice(
        [
            ("times", a * b),
            ("plus", a + b),
            ("minus", a - b),
            ("divided by", a / b),
            ("multiplied by", a * b),
            ("x", a * b),
        ]
    )
    frame = dice.choice(
        ["What is {}?", "{}", "what's {}", "calculate {} please", "How much is {}?", "{} ="]
    )
    return Asked(frame.format(f"{a} {word} {b}"), answer)


def _zwei(dice: random.Random) -> Asked:
    a, b = dice.randint(2, 999), dice.randint(2, 99)
    word, answer = dice.choice(
        [("mal", a * b), ("plus", a + b), ("minus", a - b), ("geteilt durch", a / b)]
    )
    frame = dice.choice(["Was ist {}?", "was ist {}", "Wie viel ist {}?", "Berechne {}"])
    return Asked(frame.format(f"{a} {word} {b}"), answer)


def _decimal_commas(dice: random.Random) -> Asked:
    a, b = dice.randint(11, 99) / 10, dice.randint(2, 9)
    return Asked(f"Was ist {str(a).replace('.', ',')} mal {b}?", round(a * 10) * b / 10)


def _thousands(dice: random.Random) -> Asked:
    a, b = dice.randint(1000, 999_999), dice.randint(2, 9)
    if dice.random() < 0.5:
        return Asked(f"What is {a:,} times {b}?", a * b)
    return Asked(f"Was ist {a:,} mal {b}?".replace(",", "."), a * b)


def _signs(dice: random.Random) -> Asked:
    a, b, c, d = (dice.randint(2, 20) for _ in range(4))
    return dice.choice(
        [
            Asked(f"({a}+{b})*{c} - {d}^2", (a + b) * c - d * d),
            Asked(f"what is {a} + {b} * {c} - {d}?", a + b * c - d),
            Asked(f"Compute ({a} - {b}) / {c}", (a - b) / c),
            Asked(f"{a}*{b}+{c}*{d}", a * b + c * d),
            Asked(f"{a} squared plus {b}", a * a + b),
        ]
    )


def _percent(dice: random.Random) -> Asked:
    p, x = dice.randint(1, 95), dice.randint(20, 5000)
    return dice.choice(
        [
            Asked(f"15 % of {x}", x * 0.15),
            Asked(f"What is {p}% of {x}?", x * p / 100),
            Asked(f"what is {p} percent of {x}", x * p / 100),
            Asked(f"{p} Prozent von {x}", x * p / 100),
            Asked(f"Wie viel sind {p} % von {x}?", x * p / 100),
            Asked(f"add {p} % VAT to {x}", x * (100 + p) / 100),
            Asked(f"{x} plus {p} %", x * (100 + p) / 100),
            Asked(f"{x} minus {p}%", x * (100 - p) / 100),
            Asked(f"Increase {x} by {p} percent", x * (100 + p) / 100),
            Asked(f"what is {x} reduced by {p}%?", x * (100 - p) / 100),
            Asked(f"what percent of {x} is {p}?", 100 * p / x),
            Asked(f"{p} is what percent of {x}", 100 * p / x),
            Asked(f"{p} % off {x}", x * (100 - p) / 100),
        ]
    )


def _functions(dice: random.Random) -> Asked:
    a, b, n = dice.randint(2, 99), dice.randint(2, 60), dice.randint(3, 12)
    return dice.choice(
        [
            Asked(f"square root of {a * a}", a),
            Asked(f"What is the square root of {a}?", math.sqrt(a)),
            Asked(f"Wurzel aus {a * a}", a),
            Asked(f"cube root of {n**3}", n),
            Asked(f"{n} factorial", math.factorial(n)),
            Asked(f"What is {n}!", math.factorial(n)),
            Asked(f"{n} to the power of 4", n**4),
            Asked(f"was ist {n} hoch 3", n**3),
            Asked(f"greatest common divisor of {a} and {b}", math.gcd(a, b)),
            Asked(f"what is the remainder of {a} divided by {n}", a % n),
            Asked(f"what's 3/4 of {4 * a}", 3 * a),
            Asked(f"half of {a}", a / 2),
            Asked(f"subtract {b} from {a}", a - b),
            Asked(f"Multiply {a} by {b}", a * b),
        ]
    )


def _lists(dice: random.Random) -> Asked:
    numbers = [dice.randint(1, 60) for _ in range(dice.randint(3, 5))]
    *most, last = map(str, numbers)
    listed = f"{', '.join(most)}{dice.choice([' and ', ', and '])}{last}"
    return dice.choice(
        [
            Asked(f"average of {listed}", statistics.fmean(numbers)),
            Asked(f"What is the mean of {listed}?", statistics.fmean(numbers)),
            Asked(f"what is the sum of {listed}", sum(numbers)),
            Asked(f"median of {', '.join(map(str, numbers))}", statistics.median(numbers)),
            Asked(f"Durchschnitt von {', '.join(most)} und {last}", statistics.fmean(numbers)),
        ]
    )


def _words(dice: random.Random) -> Asked:
    a, b = dice.randint(2, 12), dice.randint(2, 12)
    return dice.choice(
        [
            Asked(f"{_ONES[a]} times {_ONES[b]}", a * b),
            Asked(f"What is twenty-{_ONES[a % 8 + 1]} plus {_ONES[b]}?", 21 + a % 8 + b),
            Asked(f"two hundred and {_ONES[a]} minus {_ONES[b]}", 200 + a - b),
            Asked(f"was ist {_EINS[a]} mal {_EINS[b]}", a * b),
            Asked(f"was ist {_EINS[a % 7 + 2]}undvierzig plus {_EINS[b]}", 42 + a % 7 + b),
        ]
    )


def _units(dice: random.Random) -> Asked:
    (unit, other), factor = dice.choice(sorted(_FACTORS.items()))
    x = dice.randint(2, 400)
    if unit[0].isupper() and len(unit) > 2:
        text = dice.choice(["wie viele {1} sind {2} {0}", "was sind {2} {0} in {1}"])
    else:
        text = dice.choice(
            [
                "what is {2} {0} in {1}",
                "convert {2} {0} to {1}",
                "{2} {0} in {1}",
                "how many {1} are {2} {0}?",
            ]
        )
    return Asked(text.format(unit, other, x), x * factor)


def _more_units(dice: random.Random) -> Asked:
    f, h, m = dice.randint(-20, 120), dice.randint(1, 9), dice.randint(1, 59)
    return dice.choice(
        [
            Asked(f"convert {abs(f)} F to Celsius", (abs(f) - 32) / 1.8),
            Asked(f"what is {f} °C in Fahrenheit?", f * 1.8 + 32),
            Asked(f"{h + 1} hours {m} minutes in minutes", 60 * (h + 1) + m),
            Asked(f"how many minutes are {h} hours and {m} minutes", 60 * h + m),
        ]
    )


def _day(dice: random.Random) -> date:
    return date(1950, 1, 1) + timedelta(days=dice.randint(0, 30_000))


def _written(day: date, dice: random.Random) -> str:
    month = _MONTHS[day.month - 1]
    return dice.choice(
        [
            day.isoformat(),
            f"{day.day} {month} {day.year}",
            f"{month} {day.day}, {day.year}",
            f"{day.day} {month[:3]} {day.year}",
        ]
    )


def _geschrieben(day: date, dice: random.Random) -> str:
    return dice.choice(
        [f"{day.day}.{day.month}.{day.year}", f"{day.day}. {_MONATE[day.month - 1]} {day.year}"]
    )


def _dates(dice: random.Random) -> Asked:
    first, second = sorted((_day(dice), _day(dice)))
    a, b = _written(first, dice), _written(second, dice)
    von, bis = _geschrieben(first, dice), _geschrieben(second, dice)
    count, n = (second - first).days, dice.randint(2, 400)
    return dice.choice(
        [
            Asked(f"days between {a} and {b}", count),
            Asked(f"How many days are between {a} and {b}?", count),
            Asked(f"how many days from {a} to {b}", count),
            Asked(f"wie viele Tage sind es vom {von} bis {bis}", count),
            Asked(f"Wie viele Tage liegen zwischen dem {von} und dem {bis}?", count),
            Asked(f"what date is {n} days after {a}", str(first + timedelta(days=n))),
            Asked(f"What is the date {n} days before {a}?", str(first - timedelta(days=n))),
            Asked(f"{n} weeks after {a}", str(first + timedelta(weeks=n))),
            Asked(f"welches Datum ist {n} Tage nach dem {von}", str(first + timedelta(days=n))),
            Asked(f"which weekday was {a}", _DAYS[first.weekday()]),
            Asked(f"What day of the week is {a}?", _DAYS[first.weekday()]),
            Asked(f"Welcher Wochentag war der {von}?", _DAYS[first.weekday()]),
            Asked(f"What is {a}, which weekday?", _DAYS[first.weekday()]),
            Asked(f"{a} is what day of the week?", _DAYS[first.weekday()]),
            Asked(f"{von}, welcher Wochentag ist das?", _DAYS[first.weekday()]),
        ]
    )


_FORMS: Final[tuple[Callable[[random.Random], Asked], ...]] = (
    _two,
    _zwei,
    _decimal_commas,
    _thousands,
    _signs,
    _percent,
    _percent,
    _functions,
    _functions,
    _lists,
    _words,
    _units,
    _more_units,
    _dates,
    _dates,
)


def questions() -> Iterator[Asked]:
    """Yield the questions, cycling through the forms."""
    dice = random.Random(_SEED)  # noqa: S311  the same for every run
    for place in range(_COUNT):
        yield _FORMS[place % len(_FORMS)](dice)
