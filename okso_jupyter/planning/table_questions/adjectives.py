"""Words that name a column by what it measures: the oldest by age, what was spent by amount."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from okso_jupyter.planning.table_questions.table_sample import ColumnSample
from okso_jupyter.planning.table_questions.word_meanings import RATE
from okso_jupyter.planning.table_questions.words import stem

#: One of these stems is among those of every word that dates can have most of.
_OF_DATES: Final = frozenset({"date", "birth", "found"})
#: What is measured, by the words that name its columns: those of the quantity, and of its units.
_CURRENCIES: Final = "eur euro euros usd dollar dollars gbp chf"
_PRICES: Final = (
    f"price cost fare amount value fee fine preis betrag kosten miete gebuhr {_CURRENCIES}"
)
_EARNINGS: Final = (
    "salari incom wage earn pay fee revenu gehalt lohn einkommen einnahm verdienst honorar gage "
    f"{_CURRENCIES}"
)
_WEIGHTS: Final = "weight mass gewicht kg kilo kilos kilogram kilograms gram grams lb lbs pounds"
_DISTANCES: Final = (
    "distanc km kilometer kilometers kilometre kilometres mile miles strecke entfernung"
)
_DURATIONS: Final = "durat time second minut min hour day dauer"
_HEIGHTS: Final = "height grosse cm"
_TEMPERATURES: Final = "temp temperatur celsius fahrenheit"
_SPEEDS: Final = "speed veloc geschwindigkeit tempo kmh kph mph"
_RAIN: Final = "rain rainfall precipit precipitation mm regen niederschlag"
_SLOPES: Final = "slope gradient inclin steigung gefalle neigung hangneigung"
_SUN: Final = "sun sunshin sonn sonne sonnenschein sonnenstunden"
_WIND: Final = f"wind gust {_SPEEDS}"
_NOISE: Final = "nois loud decibel db larm lautstarke schallpegel"
_MOISTURE: Final = "humid moistur feuchte feuchtigkeit luftfeuchtigkeit bodenfeuchte"
_LIGHT: Final = "lux bright illumin helligkeit"
_WIDTHS: Final = "width breite"
_THICKNESSES: Final = "thick diamet dicke durchmesser"
_DEPTHS: Final = "depth tiefe"
_ACIDS: Final = "acid saure sauregehalt"
_SUGARS: Final = "sugar oechsl brix zucker restzucker mostgewicht"
_POWERS: Final = "power hp ps kw horsepow leistung"
_VISITS: Final = (
    "occup visitor guest passeng attend crowd auslastung belegung besucher gaste fahrgaste"
)
_USE: Final = "consumpt usag verbrauch"
#: Words for the largest / for the smallest -> stems of the names of columns that they mean.
_MEANT: Final = {
    "expensive dear dearer dearest pricier priciest costlier costliest / "
    "cheap cheaper cheapest": _PRICES,
    # where nothing has a price
    "priciest pricier expensive dearest dearer dear costliest costlier / cheapest cheaper cheap": (
        f"{RATE} tarif stundensatz tagessatz premium"
    ),
    "cost costs / ": _PRICES,
    "valuable precious worthiest / worthless": "valu wert worth",
    # where nothing has a value
    "valuable precious worthiest / ": _PRICES,
    "old older oldest / young younger youngest": "age alter",
    "young younger youngest / old older oldest": (
        "birth born dob birthday birthdate geburt geboren geburtstag geburtsdatum geburtsjahr"
    ),
    "young younger youngest new newer newest / old older oldest": (
        "found establish built construct gegrundet grundung grundungsjahr erbaut baujahr"
    ),
    "young younger youngest newest newer new / older oldest old": "vintage jahrgang",
    "tall taller tallest / short shorter shortest": _HEIGHTS,
    "heavy heavier heaviest / light lighter lightest": _WEIGHTS,
    "long longer longest / short shorter shortest": "page word seiten",
    "far farther farthest further furthest / near nearest closest": _DISTANCES,
    "long longer longest far farther farthest further furthest / "
    "short shorter shortest near nearest closest": f"length lange {_DURATIONS} {_DISTANCES}",
    "hot hotter hottest warm warmest / cold colder coldest cool coolest": _TEMPERATURES,
    "fast faster fastest quick quickest / slow slower slowest": _SPEEDS,
    "slow slower slowest / fast faster fastest quick quickest": (
        f"latenc elaps ms millisecond {_DURATIONS}"
    ),
    "big bigger biggest large larger largest / small smaller smallest": (
        "size area popul land flache grosse einwohner"
    ),
    # where nothing has a size
    "biggest bigger big largest larger large / smallest smaller small": (
        "amount total sum valu revenu betrag summe umsatz"
    ),
    "populous / ": "popul inhabit resid",
    "rich richest / poor poorest": "incom salari wage wealth gdp worth vermogen",
    "earns earn earned paid / ": _EARNINGS,
    "late later latest recent recently new newer newest last youngest / "
    "early earlier earliest soonest first oldest": (
        "date year time day start open found hire join publish releas creat datum jahr beginn"
    ),
    # where nothing is weighed
    "heaviest heavier heavy / lightest lighter light": "quantiti menge",
    "deep deeper deepest / shallow shallower shallowest": _DEPTHS,
    "wet wetter wettest rainy rainier rainiest / dry drier driest": _RAIN,
    "wet wetter wettest damp damper dampest humid moist moister moistest / "
    "dry drier driest": _MOISTURE,
    "strong stronger strongest windiest / weak weaker weakest": f"strength wind magnitud {_SPEEDS}",
    "powerful strong stronger strongest / weak weaker weakest": _POWERS,
    "windy windier windiest stormy stormiest / calm calmer calmest": _WIND,
    "steep steeper steepest / flat flatter flattest gentle gentlest": _SLOPES,
    "sunny sunnier sunniest / shady shadiest dull dullest": _SUN,
    "cloudy cloudier cloudiest / ": "cloud bewolkung",
    "snowy snowier snowiest / ": "snow schnee",
    "noisy noisier noisiest loud louder loudest / quiet quieter quietest": _NOISE,
    "bright brighter brightest / dark darker darkest dim dimmest": _LIGHT,
    "wide wider widest broad broader broadest / narrow narrower narrowest": _WIDTHS,
    "thick thicker thickest / thin thinner thinnest": _THICKNESSES,
    # where nothing has a thickness
    "thickest thicker thick / thinnest thinner thin": "page seiten",
    "sour sourer sourest acid acidic acidest / mild milder mildest": _ACIDS,
    "sweet sweeter sweetest / dry drier driest": _SUGARS,
    "salty saltier saltiest / ": "salt salin salz salzgehalt",
    "fat fatter fattest fatty fattiest / lean leaner leanest": "fat fett bmi fettgehalt",
    "full fuller fullest / ": "fill occup auslastung belegung fullstand",
    "busy busier busiest crowded / quiet quieter quietest": _VISITS,
    "productive fruitful / ": "yield output harvest ertrag ernte",
    "profitable / ": "profit margin gewinn marge",
    "thirsty thirstier thirstiest / economical frugal": _USE,
    "delayed / punctual": "delay verspatung",
    "populated / ": "popul inhabit resid einwohner",
    "popular best top / worst": "rate score vote view point",
}


#: Words for what a column measures that say of no row that it has most or least of it.
_MEASURED: Final = {
    "weigh weighs weighed weight weights mass kilos kilograms grams": _WEIGHTS,
    "spend spent spending spends pay pays paid payment payments": _PRICES,
    "cost costs costing charge charged price prices": _PRICES,
    "earn earns earned earning income": _EARNINGS,
    "begin begins began start starts started": "start begin date beginn datum",
    "how old": "age alter",
    "how long": f"length lange page seiten distanc {_DURATIONS}",
    "length lengths long": f"length lange {_DURATIONS} {_DISTANCES}",
    "duration durations": f"length lange {_DURATIONS}",
    "distance distances kilometers kilometres miles": _DISTANCES,
    "how tall": _HEIGHTS,
    "height heights": _HEIGHTS,
    "how heavy": _WEIGHTS,
    "how far": _DISTANCES,
    "how big": "size area popul flache grosse einwohner",
    "how large": "size area popul flache grosse einwohner",
    "how hot": _TEMPERATURES,
    "temperature temperatures": _TEMPERATURES,
    "how cold": _TEMPERATURES,
    "how warm": _TEMPERATURES,
    "how fast": _SPEEDS,
    "speed speeds": _SPEEDS,
    "rain rained rainfall precipitation": _RAIN,
    "driven drove gefahren": _DISTANCES,
    "how steep": _SLOPES,
    "how deep": _DEPTHS,
    "how wide": _WIDTHS,
    "how thick": _THICKNESSES,
    "how sunny": _SUN,
    "how windy": _WIND,
    "how wet": f"{_RAIN} {_MOISTURE}",
    "how humid": _MOISTURE,
    "how noisy": _NOISE,
    "how loud": _NOISE,
    "how sweet": _SUGARS,
    "how sour": _ACIDS,
    "how expensive": _PRICES,
    "how much": _PRICES,
}


def _rows() -> Iterator[tuple[str, bool, frozenset[str]]]:
    """Yield each word, whether it means the largest, and the stems that it means."""
    for words, stems in _MEANT.items():
        up, _, down = words.partition("/")
        for side, means_largest in ((up, True), (down, False)):
            for word in side.split():
                yield word, means_largest, _stems_of(stems)


def _stems_of(words: str) -> frozenset[str]:
    return frozenset(form for word in words.split() for form in (word, stem(word)))


def measured(words: Sequence[str]) -> dict[int, frozenset[str]]:
    """Return what words of a question may measure: the stems of columns by place of the word.

    "How old" asks for an age, and does not say that it is the highest.
    """
    found = {}
    for place, word in enumerate(words):
        led = f"how {word}" if place and words[place - 1] == "how" else word
        stems = _STEMS_MEASURED.get(led) or _STEMS_MEASURED.get(word)
        if stems:
            found[place] = stems
    return found


def means(meant: frozenset[str], column: ColumnSample) -> bool:
    """Return whether a column is one that these stems mean; dates have no length or speed.

    A telephone is no amount.
    """
    if column.is_identifier:
        return False
    if column.kind == "date" and meant.isdisjoint(_OF_DATES):
        return False
    if "date" in meant and column.kind == "date":
        return True
    if "date" in meant and column.kind == "number" and not column.is_year:
        return False  # hours a day are no days
    return not meant.isdisjoint(column.meanings)


def meaning_of(word: str, columns: Iterable[ColumnSample]) -> tuple[bool, frozenset[str]] | None:
    """Return what a word means in a table: the largest or the smallest of columns with these stems.

    The first meaning counts that a column has: the oldest is of an age, and of a date only where
    there is no age. None if no column has any.
    """
    known = list(columns)
    for means_largest, meant in ADJECTIVES.get(word, ()):
        if any(means(meant, column) for column in known):
            return means_largest, meant
    return None


def end_of(word: str, stems: Iterable[str], *, is_time: bool) -> bool | None:
    """Return whether a word means the largest of one column; None if it is no adjective.

    Args:
        word: The word.
        stems: The stems of the column's name.
        is_time: Whether the column has dates or years, of which the oldest is the smallest.
    """
    meanings = ADJECTIVES.get(word)
    if not meanings:
        return None
    own = {*stems, *(["date"] if is_time else [])}
    fitting = [means_largest for means_largest, meant in meanings if not meant.isdisjoint(own)]
    return (fitting[-1] if is_time else fitting[0]) if fitting else meanings[0][0]


_STEMS_MEASURED: Final = {
    form: _stems_of(stems)
    for words, stems in _MEASURED.items()
    for form in ([words] if words.startswith("how ") else words.split())
}
#: Stems of the names of columns of money.
PRICES: Final = _stems_of(_PRICES)
AGES: Final = frozenset({"age", "alter"})
DURATIONS: Final = _stems_of(_DURATIONS)
#: What each word means: the largest or the smallest of columns with these stems.
ADJECTIVES: Final[dict[str, list[tuple[bool, frozenset[str]]]]] = {}
for _word, _means_largest, _stems in _rows():
    ADJECTIVES.setdefault(_word, []).append((_means_largest, _stems))
