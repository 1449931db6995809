"""Zones in a request: "at 9 New York time", "14:00 UTC", as a zone and the request without it."""

from __future__ import annotations

import re
from datetime import datetime, tzinfo
from functools import cache
from typing import Final
from zoneinfo import ZoneInfo, available_timezones

#: What people call zones that have another name.
_NAMES: Final = {
    "utc": "UTC", "gmt": "Etc/GMT", "zulu": "UTC", "cet": "Europe/Paris", "mez": "Europe/Paris",
    "cest": "Europe/Paris", "uk": "Europe/London", "british": "Europe/London",
    "bst": "Europe/London",
    "eastern": "America/New_York", "est": "America/New_York", "edt": "America/New_York",
    "et": "America/New_York", "central": "America/Chicago", "cst": "America/Chicago",
    "mountain": "America/Denver", "pacific": "America/Los_Angeles", "pst": "America/Los_Angeles",
    "pdt": "America/Los_Angeles", "pt": "America/Los_Angeles", "jst": "Asia/Tokyo",
    "ist": "Asia/Kolkata", "japan": "Asia/Tokyo", "indian": "Asia/Kolkata", "india": "Asia/Kolkata",
    "boston": "America/New_York", "san francisco": "America/Los_Angeles",
    "new yorker": "America/New_York",
    "londoner": "Europe/London", "tokioter": "Asia/Tokyo", "beijing": "Asia/Shanghai",
}  # fmt: skip
_SHORT: Final = frozenset("utc gmt zulu cet mez cest bst est edt et cst pst pdt pt jst".split())
_CLOCK: Final = r"(?<=\d)(?: ?(?:am|pm|a\.m\.|p\.m\.|uhr|o'clock))?|(?<=noon)|(?<=midnight)"
_LONG: Final = re.compile(
    rf"(?i)(?P<clock>{_CLOCK}),? (?:\()?(?P<zone>[a-zäöü]+(?: [a-zäöü]+)?)(?: local)? (?:time|"
    r"zeit)\b\)?"
)
_ABBREVIATED: Final = re.compile(
    rf"(?i)(?P<clock>{_CLOCK}),? ?(?:\()?(?P<zone>{'|'.join(sorted(_SHORT))})\b\)?"
)


def zone_said(request: str) -> tuple[tzinfo, str] | None:
    """Return the zone that a time of a request is in, and the request without it; None if none is.

    Args:
        request: The request in plain words.
    """
    for pattern in (_ABBREVIATED, _LONG):
        match = pattern.search(request)
        name = _zone_names().get(match["zone"].lower(), "") if match else ""
        if match and name:
            kept = f"{request[: match.start()]}{match['clock']}{request[match.end() :]}"
            return ZoneInfo(name), kept
    return None


def in_zone(text: str, zone: tzinfo, to: tzinfo | None) -> str:
    """Return a local time of one zone as that of another; a day without a time as it is."""
    if "T" not in text:
        return text
    moment = datetime.fromisoformat(text).replace(tzinfo=zone)
    return f"{moment.astimezone(to):%Y-%m-%dT%H:%M}"


@cache
def _zone_names() -> dict[str, str]:
    """Return the zones by their cities, in lower case, and by what people call them."""
    cities = {
        name.rpartition("/")[2].replace("_", " ").lower(): name
        for name in sorted(available_timezones())
        if "/" in name and not name.startswith("Etc/")
    }
    return {**cities, **_NAMES}
