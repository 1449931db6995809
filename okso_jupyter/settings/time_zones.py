"""Time zones by name, as the setting TIME_ZONE takes them."""

from __future__ import annotations

import difflib
from zoneinfo import ZoneInfo, available_timezones


def zone_flaw(name: str) -> str:
    """Return why a name is not the one of a time zone, with the nearest; "" where it is one.

    Nothing can be said where this machine has no time zones at all.
    """
    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError):  # the first is that of a zone which is not there
        return _nearest(name)
    return ""


def _nearest(name: str) -> str:
    known = available_timezones()
    if not known:
        return ""
    by_fold = {zone.lower(): zone for zone in known}
    by_city = {zone.lower().rpartition("/")[2]: zone for zone in sorted(known)}
    said = name.strip().lower().replace(" ", "_")
    found = difflib.get_close_matches(said, by_fold, n=1)
    city = difflib.get_close_matches(said.rpartition("/")[2], by_city, n=1)
    near = by_fold[found[0]] if found else by_city[city[0]] if city else ""
    return f"did you mean {near}?" if near else "name one such as Europe/Berlin"
