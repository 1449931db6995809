"""Names of units as people write them, in English and German, with their names in pint.

Words that stand for several units are left out: a "ton" is three of them, months and years differ
in length.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_WORDS: Final[Mapping[str, str]] = {
    "nanometer": "nm nanometer nanometers nanometre nanometres nanometern",
    "micrometer": "µm μm micrometer micrometers micrometre micrometres micron microns mikrometer "
    "mikrometern",
    "millimeter": "mm millimeter millimeters millimetre millimetres millimetern",
    "centimeter": "cm centimeter centimeters centimetre centimetres zentimeter zentimetern",
    "decimeter": "dm decimeter decimeters decimetre decimetres dezimeter dezimetern",
    "meter": "m meter meters metre metres metern",
    "kilometer": "km kms kilometer kilometers kilometre kilometres kilometern",
    "inch": "inch inches in zoll",
    "foot": "ft foot feet fuß fuss",
    "yard": "yd yard yards",
    "mile": "mi mile miles meile meilen",
    "nautical_mile": "nmi nautical_mile nautical_miles seemeile seemeilen",
    "microgram": "µg μg mcg microgram micrograms mikrogramm",
    "milligram": "mg milligram milligrams milligramme milligrammes milligramm",
    "gram": "g gram grams gramme grammes gramm",
    "kilogram": "kg kilo kilos kilogram kilograms kilogramme kilogrammes kilogramm",
    "tonne": "tonne tonnes metric_ton metric_tons tonnen",
    "ounce": "oz ounce ounces unze unzen",
    "pound": "lb lbs pound pounds",
    "stone": "stone stones",
    "milliliter": "ml milliliter milliliters millilitre millilitres millilitern",
    "centiliter": "cl centiliter centiliters centilitre centilitres zentiliter zentilitern",
    "liter": "l liter liters litre litres litern",
    "teaspoon": "tsp teaspoon teaspoons",
    "tablespoon": "tbsp tablespoon tablespoons",
    "fluid_ounce": "fl_oz fluid_ounce fluid_ounces us_fluid_ounce us_fluid_ounces us_fl_oz",
    "cup": "cup cups us_cup us_cups",
    "pint": "pint pints us_pint us_pints",
    "imperial_pint": "imperial_pint imperial_pints uk_pint uk_pints british_pint british_pints",
    "quart": "quart quarts us_quart us_quarts",
    "gallon": "gal gallon gallons gallone gallonen us_gal us_gallon us_gallons us_gallone "
    "us_gallonen us-gallone us-gallonen",
    "imperial_gallon": "imperial_gallon imperial_gallons uk_gallon uk_gallons imperial_gallonen "
    "britische_gallone britische_gallonen",
    "nanosecond": "ns nanosecond nanoseconds nanosekunde nanosekunden",
    "microsecond": "µs μs microsecond microseconds mikrosekunde mikrosekunden",
    "millisecond": "ms millisecond milliseconds millisekunde millisekunden",
    "second": "s sec secs second seconds sekunde sekunden",
    "minute": "min mins minute minutes minuten",
    "hour": "h hr hrs hour hours stunde stunden",
    "day": "d day days tag tage tagen",
    "week": "week weeks woche wochen",
    "degC": "c °c celsius degrees_celsius degree_celsius degrees_c degc grad_celsius",
    "degF": "f °f fahrenheit degrees_fahrenheit degree_fahrenheit degrees_f degf grad_fahrenheit",
    "kelvin": "k kelvin kelvins",
    "kilometer/hour": "km/h kmh kph kilometers_per_hour kilometres_per_hour kilometer_pro_stunde",
    "mile/hour": "mph miles_per_hour meilen_pro_stunde",
    "meter/second": "m/s meters_per_second metres_per_second meter_pro_sekunde",
    "knot": "knot knots knoten",
    "meter**2": "m² m2 sqm square_meter square_meters square_metre square_metres "
    "quadratmeter quadratmetern",
    "kilometer**2": "km² km2 square_kilometer square_kilometers square_kilometre "
    "square_kilometres quadratkilometer quadratkilometern",
    "centimeter**2": "cm² cm2 square_centimeter square_centimeters square_centimetre "
    "square_centimetres quadratzentimeter quadratzentimetern",
    "inch**2": "sq_in square_inch square_inches quadratzoll",
    "yard**2": "sq_yd square_yard square_yards",
    "foot**2": "quadratfuß quadratfuss sqft sq_ft ft² square_foot square_feet",
    "mile**2": "square_mile square_miles quadratmeile quadratmeilen",
    "hectare": "ha hectare hectares hektar",
    "acre": "acre acres",
    "meter**3": "m³ m3 cubic_meter cubic_meters cubic_metre cubic_metres kubikmeter kubikmetern",
    "centimeter**3": "cm³ cm3 cubic_centimeter cubic_centimeters cubic_centimetre "
    "cubic_centimetres kubikzentimeter",
    "foot**3": "ft³ cubic_foot cubic_feet kubikfuß kubikfuss",
    "inch**3": "cubic_inch cubic_inches",
    "bit": "bit bits",
    "byte": "b byte bytes",
    "kilobyte": "kb kilobyte kilobytes",
    "megabyte": "mb megabyte megabytes",
    "gigabyte": "gb gigabyte gigabytes",
    "terabyte": "tb terabyte terabytes",
    "kibibyte": "kib kibibyte kibibytes",
    "mebibyte": "mib mebibyte mebibytes",
    "gibibyte": "gib gibibyte gibibytes",
    "joule": "j joule joules",
    "kilojoule": "kj kilojoule kilojoules",
    "kilocalorie": "kcal kilocalorie kilocalories kilokalorie kilokalorien",
    "kilowatt_hour": "kwh kilowatt_hour kilowatt_hours kilowattstunde kilowattstunden",
    "watt": "w watt watts",
    "kilowatt": "kw kilowatt kilowatts",
    "bar": "bar bars",
    "pascal": "pa pascal pascals",
    "psi": "psi",
    "degree": "deg degree degrees grad",
    "radian": "rad radian radians",
}
#: Name in pint by the word for it, in small letters, blanks as blanks.
UNIT_WORDS: Final[Mapping[str, str]] = {
    word.replace("_", " "): name for name, words in _WORDS.items() for word in words.split()
}


def unit_named(word: str) -> str:
    """Return the name in pint of a unit as people write it; "" if the word is no unit."""
    return UNIT_WORDS.get(" ".join(word.lower().split()), "")
