"""Moments: a day, or a time in the user's zone, read from ISO 8601 or from plain words."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from okso_jupyter.errors import ToolFailedError, ToolInputError
from okso_jupyter.personal.ical.readable_years import YEARS, is_in_range

#: A whole day, or a time with its zone. A datetime is a date, too: test for it first.
Moment = date | datetime


def zone_of(name: str | None) -> tzinfo:
    """Return a time zone.

    Args:
        name: Its IANA name, such as "Europe/Berlin"; None for that of the system.

    Raises:
        ToolFailedError: There is no such zone.
    """
    import tzlocal  # noqa: PLC0415  of the extra

    try:
        return tzlocal.get_localzone() if name is None else ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        msg = f"TIME_ZONE is {name!r}, and there is no such zone"
        if name is None:
            msg = f"the time zone of this machine is not known: {error}"
        raise ToolFailedError(msg, hint="name one such as Europe/Berlin") from error


def read_moment(text: str, now: datetime) -> Moment:
    """Return the day or time that a text names.

    Args:
        text: ISO 8601, such as "2026-12-04" or "2026-12-04T09:00", or words ("tomorrow at 9").
        now: The present time, in the user's zone.

    Raises:
        ToolInputError: It names none, one that the clock change leaves out, or a year far away.
    """
    # its patterns take a fortieth of a session's import
    from okso_jupyter.personal.ical.spoken_moments import spoken_moment, spoken_span  # noqa: PLC0415

    said, zone = text.strip(), now.tzinfo or UTC
    span = spoken_span(said)
    if span is not None:  # two hours are two hours, also when the clock changes
        return (now.astimezone(UTC) + span).astimezone(zone).replace(second=0, microsecond=0)
    found = _iso(said) or spoken_moment(said, now.replace(tzinfo=None))
    if found is None:
        msg = f"{said!r} names no day or time"
        raise ToolInputError(msg, hint="write it as 2026-12-04 or 2026-12-04T09:00")
    if not is_in_range(found):
        msg = f"{said!r} is not in the years {YEARS}"
        raise ToolInputError(msg)
    if not isinstance(found, datetime):
        return found
    # the user's zone, since the name of a bare offset is read by no other program
    return found.astimezone(zone) if found.tzinfo else in_zone(found, zone)


def _iso(text: str) -> Moment | None:
    """Return the moment of a text in ISO 8601; None for any other."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        pass
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None


def moment_in(text: str, zone: tzinfo) -> Moment:
    """Return the day or time of a text in ISO 8601; a time is put into a zone."""
    if "T" not in text:
        return date.fromisoformat(text)
    return datetime.fromisoformat(text).astimezone(zone)


def in_zone(local: datetime, zone: tzinfo) -> datetime:
    """Return a local time with its zone; of a time that comes twice, the first.

    Raises:
        ToolInputError: The clock change leaves it out.
    """
    placed = local.replace(tzinfo=zone)
    back = placed.astimezone(UTC).astimezone(zone)
    if back.replace(tzinfo=None) != local:
        msg = f"{local:%Y-%m-%d %H:%M} does not exist in {zone}: the clock is put forward then"
        raise ToolInputError(msg, hint=f"{back:%H:%M} is the same time after the change")
    return placed


def start_of(moment: Moment, zone: tzinfo) -> datetime:
    """Return a time, or the beginning of a day."""
    if isinstance(moment, datetime):
        return moment if moment.tzinfo else moment.replace(tzinfo=zone)
    return datetime.combine(moment, time(), zone)


def in_words(moment: Moment | None, zone: tzinfo) -> str:
    """Return a moment for a person, such as "Fri 2026-12-04 09:00"; empty for None."""
    if moment is None:
        return ""
    if isinstance(moment, datetime):
        return f"{start_of(moment, zone).astimezone(zone):%a %Y-%m-%d %H:%M}"
    return f"{moment:%a %Y-%m-%d}"


def iso(moment: Moment | None) -> str:
    """Return a moment in ISO 8601; empty for None."""
    return "" if moment is None else moment.isoformat()


def end_of_day(day: date, zone: tzinfo) -> datetime:
    """Return the beginning of the next day."""
    return datetime.combine(day + timedelta(days=1), time(), zone)
