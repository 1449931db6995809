"""Speeds, distances and areas of stated lengths and times, as a calculation of plain numbers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from okso_jupyter.planning.calculations.spoken_numbers import NUMBER

_LENGTHS: Final[Mapping[str, str]] = {
    word: unit
    for unit, words in {
        "mm": "mm millimetre millimeter",
        "cm": "cm centimetre centimeter zentimeter",
        "m": "m metre meter",
        "km": "km kilometre kilometer",
        "mile": "mi mile meile",
        "foot": "ft foot feet fuß",
        "inch": "in inch inche zoll",
    }.items()
    for word in words.split()
}
_LENGTH: Final = rf"(?:{'|'.join(sorted(_LENGTHS, key=len, reverse=True))})(?:s|n|es)?(?!\w)"
_FAR: Final = rf"(?P<far>{NUMBER}) ?(?P<length>kms?|kilomet(?:re|er)[sn]?|miles?|meilen?)"
#: Minutes of a word for hours or minutes.
_TIME: Final = (
    rf"(?P<time>{NUMBER}) ?(?:(?P<hours>h|hrs?|hours?|stunden?)|(?P<minutes>min|mins|minutes?|"
    r"minuten?))"
)
_HOW_FAST: Final = (
    r"(?:how fast|wie schnell|(?:at )?(?:what|which) (?:is (?:my|the|our) )?(?:average )?speed|"
    r"(?:what(?:'s| is) )?(?:my|the|our) (?:average )?speed)"
)
_GOING: Final = (
    r"(?: (?:am|is|was|are|were|do|does|did|bin|ist|war|fahre|fährt|sind|need|have|to|must) ?|"
    r" (?:i|we|it|he|she|that|you|ich|wir|er|sie|man|das)|"
    r" (?:going|driving|cycling|running|drive|go|travel|travelling|traveling|gefahren|on average))*"
)
_TRAVEL: Final = (
    r"(?:i|we|he|she|it|a car|a train|the train|the car|someone|ich|wir|er|sie|man|ein auto|"
    r"ein zug|der zug)"
)
_DRIVE: Final = (
    r"(?:drive|drives|drove|travels?|travelled|traveled|go|goes|went|runs?|ran|cycles?|cycled|"
    r"walks?|walked|rides?|rode|covers?|covered|do|did|fahre|fährt|fahren|fuhr|laufe|läuft|lief)"
)
_SPEEDS: Final = tuple(
    re.compile(pattern)
    for pattern in (
        rf"{_HOW_FAST}{_GOING}(?: for|,? (?:if|when) {_TRAVEL} {_DRIVE})? {_FAR} in {_TIME}",
        rf"{_HOW_FAST}{_GOING},? wenn {_TRAVEL} {_FAR} in {_TIME} {_DRIVE}",
        (
            rf"(?:if |wenn )?{_TRAVEL} (?:{_DRIVE} )?{_FAR} in {_TIME}(?: {_DRIVE})?[,.:]? "
            rf"{_HOW_FAST}{_GOING}"
        ),
    )
)
_REACHES: Final = re.compile(
    rf"(?:how far (?:do|does|can|will|would|did) {_TRAVEL} (?:get|go|drive|travel|come)|"
    rf"how (?:many (?:km|miles|kilomet(?:re|er)s)|far) is (?:it|that)|"
    rf"wie weit (?:komme ich|kommt man|fahre ich|fährt man)) "
    rf"(?:in|for) {_TIME} (?:at|with|mit|bei) (?P<speed>{NUMBER}) ?(?:km/h|kmh|kph|mph)"
)
_BY: Final = r"(?:by|x|×|\*|mal|auf)"  # noqa: RUF001  as people write
_SIDES: Final = (
    rf"(?P<one>{NUMBER})(?: ?(?P<unit_1>{_LENGTH}))? ?{_BY} ?"
    rf"(?P<other>{NUMBER})(?: ?(?P<unit_2>{_LENGTH}))?"
)
#: What is a rectangle, where nothing else is said of its shape.
_RECTANGLE: Final = (
    r"(?:(?:rectangular|small|large|big|new|old|living|dining|guest|meeting|vegetable|"
    r"rechteckige[rsnm]?|kleine[rsnm]?|große[rsnm]?|neue[rsnm]?) )*"
    r"(?:rectangle|room|bedroom|bathroom|classroom|kitchen|office|garden|wall|floor|field|carpet|"
    r"rug|lawn|patio|terrace|table|poster|sheet|screen|football field|plot|rechtecks?|"
    r"[^\W\d]*zimmers?|küche|büros?|raume?s|raum|[^\W\d]*gartens?|wand|bodens?|felde?s|feld|"
    r"[^\W\d]*teppichs?|rasens?|terrasse|tische?s|tisch|grundstücks?)"
)
_THING: Final = rf"(?:(?:a|an|the|my|our|des|der|das|eines|einer|ein|eine|meines) )?{_RECTANGLE} "
_AREA_WORD: Final = (
    r"(?:(?:what|how (?:big|large)|was|wie groß) (?:is|ist) )?(?:the |die )?(?:floor )?"
    r"(?:area|fläche|grundfläche)"
)
_AREAS: Final = tuple(
    re.compile(pattern)
    for pattern in (
        (
            rf"{_AREA_WORD} (?:of|von|in) (?:{_THING})?(?:(?:of|with|that is|measuring|von|mit) "
            rf")?{_SIDES}"
        ),
        rf"{_AREA_WORD} (?:of|von) (?:an? )?{_SIDES}(?: {_RECTANGLE})?",
        rf"{_AREA_WORD} {_THING}(?:von|mit) {_SIDES}",
        (
            rf"(?:how (?:big|large) is|wie groß ist) {_THING}(?:of |von |mit |with |measuring "
            rf")?{_SIDES}"
        ),
    )
)
_TRIANGLE: Final = re.compile(
    rf"{_AREA_WORD} of (?:a|the) triangle with (?:a )?(?:base|height)(?: of)? (?P<one>{NUMBER})"
    rf"(?: ?(?P<unit_1>{_LENGTH}))? and (?:a )?(?:height|base)(?: of)? (?P<other>{NUMBER})"
    rf"(?: ?(?P<unit_2>{_LENGTH}))?"
)
_MINUTES: Final = 60


def motion_or_area(text: str) -> str:
    """Return the calculation of a text in small letters that asks such a thing alone; else ""."""
    for pattern in _SPEEDS:
        driven = pattern.fullmatch(text)
        if driven and float(driven["time"]):
            return f"{driven['far']} / {_hours(driven)}"
    reached = _REACHES.fullmatch(text)
    if reached:
        return f"{_hours(reached)} * {reached['speed']}"
    return _area(text)


def _hours(found: re.Match[str]) -> str:
    return found["time"] if found["hours"] else f"({found['time']} / {_MINUTES})"


def _area(text: str) -> str:
    """Return the area of a rectangle or triangle, in the square of the unit of its sides."""
    triangle = _TRIANGLE.fullmatch(text)
    if triangle and _is_one_unit(triangle):
        return f"{triangle['one']} * {triangle['other']} / 2"
    for pattern in _AREAS:
        found = pattern.fullmatch(text)
        if found and _is_one_unit(found):
            return f"{found['one']} * {found['other']}"
    return ""


def _is_one_unit(sides: re.Match[str]) -> bool:
    """Return whether both sides are in one unit; a unit that is said once is of both."""
    said = {_unit(word) for word in sides.group("unit_1", "unit_2") if word}
    return len(said) <= 1


def _unit(word: str) -> str:
    return _LENGTHS.get(word) or _LENGTHS[re.sub(r"(?:es|[sn])$", "", word)]
