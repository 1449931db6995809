"""The calendar: zones, whole days, recurrence, clashes, undo, and khal as the other program."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.personal.conftest import Desk, entries_of

Ics = Callable[[str, str], Path]
#: `khal`, run by this Python; its command may lie beside another one.
KHAL = [sys.executable, "-c", "from khal.cli import main_khal; main_khal()"]
SEMINAR = """BEGIN:VEVENT
UID:seminar
SUMMARY:Group seminar
LOCATION:room 2.14
DTSTART;TZID=America/New_York:20300603T090000
DURATION:PT1H
RRULE:FREQ=WEEKLY
EXDATE;TZID=America/New_York:20300610T090000
END:VEVENT"""


def test_an_event_is_planned_shown_written_and_undone(desk: Desk) -> None:
    """Plain words give an event in the user's zone; its clash with another one is shown."""
    desk.run("put a lab tour tomorrow at 10:30 in the calendar")
    run = desk.run("put a meeting with Ada tomorrow at 10 for an hour in the calendar")
    assert run.state == "completed"
    assert "10:00-11:00 meeting with Ada [Europe/Berlin]" in desk.shown[1]
    assert "At the same time: " in desk.shown[1]
    assert "10:30-11:30 lab tour" in desk.shown[1]
    assert "(at the same time: " in str(run.answer)
    (ada,) = (text for text in desk.files().values() if "SUMMARY:meeting with Ada" in text)
    assert "DTSTART;TZID=Europe/Berlin:" in ada
    run.undo()
    assert len(desk.files()) == 1


def test_recurring_events_of_another_zone_are_expanded(desk: Desk, ics: Ics) -> None:
    """Occurrences come at the user's local time, without those that were taken out."""
    path = ics("Calendar/seminar.ics", SEMINAR)
    before = path.read_bytes()
    said = desk.says("calendar_list", start="2030-06-01", end="2030-06-30")
    days = [line.split()[1] for line in entries_of(said)]
    assert days == ["2030-06-03", "2030-06-17", "2030-06-24"]
    assert "Mon 2030-06-03 15:00-16:00 Group seminar (room 2.14)" in said
    # New York puts its clocks forward three weeks before Berlin
    assert "14:00-15:00" in desk.says("calendar_list", start="2031-03-17")
    assert "Group seminar" in desk.says("calendar_search", input="SEMINAR")
    assert path.read_bytes() == before


def test_whole_days_and_overnight_events(desk: Desk) -> None:
    """A day without a time is all day, several end with their last one; a night has two days."""
    desk.call("calendar_create", title="Open house", start="2030-06-05")
    desk.call("calendar_create", title="Fair", start="2030-06-05", end="2030-06-07")
    desk.call("calendar_create", title="Run", start="2030-06-05T22:00", end="2030-06-06T04:00")
    assert entries_of(desk.says("calendar_list", start="2030-06-06")) == [
        "Wed 2030-06-05 to Fri 2030-06-07, all day Fair",
        "Wed 2030-06-05 22:00 to Thu 2030-06-06 04:00 Run",
    ]
    assert desk.says("calendar_list", start="2030-06-08") == "nothing is on 2030-06-08"


def test_an_event_that_recurs_is_written_with_its_rule(desk: Desk) -> None:
    """A weekly event is on in each week at the same local time, across the clock change."""
    desk.call("calendar_create", title="Seminar", start="2030-03-26T10:00", repeat="weekly")
    said = desk.says("calendar_list", start="2030-03-25", end="2030-04-05")
    assert entries_of(said) == [
        "Tue 2030-03-26 10:00-11:00 Seminar",
        "Tue 2030-04-02 10:00-11:00 Seminar",
    ]


def test_oksos_lines_are_read(desk: Desk) -> None:
    """The argument `input` has title, start and location as lines, and needs the first two."""
    desk.call("calendar_create", input="Lunch\n2030-06-05T12:00\nCanteen")
    assert desk.says("calendar_list", start="2030-06-05").endswith("12:00-13:00 Lunch (Canteen)")
    assert "the start is open" in desk.says("calendar_create", input="Lunch")


@pytest.mark.parametrize(
    ("start", "end", "said"),
    [
        ("2030-06-05T10:00", "2030-06-05T09:00", "is not after the start"),
        ("2030-06-05", "2030-06-05T09:00", "both days, or both times"),
        ("2030-03-31T02:30", "", "does not exist in Europe/Berlin"),
        ("noonish", "", "names no day or time"),
    ],
)
def test_times_that_are_none_are_refused(desk: Desk, start: str, end: str, said: str) -> None:
    """An end before the start, a mixture, a time that the clock leaves out: nothing is written."""
    assert said in desk.says("calendar_create", title="x", start=start, end=end)
    assert desk.files() == {}


def test_a_time_that_comes_twice_is_the_first(desk: Desk) -> None:
    """When the clock is put back, 2:30 is that of summer time."""
    run = desk.call("calendar_create", title="x", start="2030-10-27T02:30")
    assert run.steps_seen[0].raw["start"] == "2030-10-27T02:30:00+02:00"


def test_a_range_that_is_none_is_refused(desk: Desk) -> None:
    """A range that ends before it begins, or is endless, is not listed."""
    assert "before it begins" in desk.says("calendar_list", start="2030-06-05", end="2030-06-01")
    assert "at most" in desk.says("calendar_list", start="2030-06-05", end="2090-06-01")


def test_damaged_and_odd_files_are_left_as_they_are(desk: Desk, ics: Ics) -> None:
    """A file that is no calendar is named; an event without a beginning or end is no obstacle."""
    broken = ics("Calendar/broken.ics", "BEGIN:VEVENT\nSUMMARY:half")
    before = broken.read_bytes()
    ics("Calendar/none.ics", "BEGIN:VEVENT\nUID:n\nSUMMARY:Odd\nEND:VEVENT")
    ics("Calendar/bad.ics", "BEGIN:VEVENT\nUID:b\nDTSTART:2030\nSUMMARY:Bad\nEND:VEVENT")
    ics("Calendar/point.ics", "BEGIN:VEVENT\nUID:p\nDTSTART:20300605T100000Z\nEND:VEVENT")
    said = desk.says("calendar_list", start="2030-06-05")
    assert "broken.ics is not a readable iCalendar file" in said
    assert "none.ics holds an event without a beginning" in said
    assert "bad.ics" in said
    assert "12:00-12:00" in said
    assert broken.read_bytes() == before


HOSTILE = [
    ("DTSTART:20300605T100000Z\nRRULE:FREQ=SECONDLY", "comes more than 24 times a day"),
    ("DTSTART:20300605T100000Z\nRRULE:FREQ=MINUTELY", "comes more than 24 times a day"),
    ("DTSTART:20300605T100000Z\nRRULE:FREQ=DAILY;INTERVAL=0", "a rule that never moves on"),
    (
        "DTSTART:20300605T100000Z\nRRULE:FREQ=HOURLY;BYMONTH=2;BYMONTHDAY=30",
        "comes more than 24 times a day",
    ),
    (
        "DTSTART:20300605T100000Z\nRRULE:FREQ=DAILY;BYHOUR=1,2,3;BYMINUTE=1,2,3,4,5,6,7,8,9",
        "comes more than 24 times a day",
    ),
    ("DTSTART:20300605T100000Z\nRRULE:FREQ=FOO", "by a rule that cannot be read"),
    ("DTSTART;VALUE=DATE:99991231", "a date outside the years 1900 to 2999"),
    ("DTSTART:00010101T000000Z", "a date outside the years 1900 to 2999"),
    ("DTSTART:20300605T100000Z\nRDATE:00010101T000000Z", "a date outside the years"),
    ("DTSTART:20300605T100000Z\nDURATION:P99999999D", "takes longer than"),
]


@pytest.mark.parametrize(("lines", "said"), HOSTILE)
def test_an_invitation_neither_holds_up_a_call_nor_hides_other_events(
    desk: Desk, ics: Ics, lines: str, said: str
) -> None:
    """A rule without end, or a date at the end of time, is named; the seminar is listed."""
    ics("Calendar/seminar.ics", SEMINAR)
    ics("Calendar/hostile.ics", f"BEGIN:VEVENT\nUID:h\nSUMMARY:Group hug\n{lines}\nEND:VEVENT")
    for answer in (
        desk.says("calendar_list", start="2030-06-03"),
        desk.says("calendar_search", input="group"),
    ):
        assert "Group seminar" in answer
        assert "hostile.ics holds an entry that" in answer
        assert said in answer


def test_the_next_time_of_an_event_by_the_hour_is_found(desk: Desk, ics: Ics) -> None:
    """Only the next occurrence is made, however many would follow."""
    rule = "DTSTART:20200101T100000Z\nDURATION:PT5M\nRRULE:FREQ=HOURLY;INTERVAL=4"
    ics("Calendar/pill.ics", f"BEGIN:VEVENT\nUID:p\nSUMMARY:Pill\n{rule}\nEND:VEVENT")
    assert desk.says("calendar_search", input="pill").count("Pill") == 1


@pytest.mark.parametrize("start", ["9999-12-31", "0001-01-01T00:00", "in 99999 weeks"])
def test_a_time_far_away_is_refused(desk: Desk, start: str) -> None:
    """A clear error, where the next day would be none."""
    assert "is not in the years 1900 to 2999" in desk.says(
        "calendar_create", title="x", start=start
    )
    assert desk.files() == {}


def test_a_time_with_an_offset_is_written_in_the_users_zone(desk: Desk) -> None:
    """An offset is not the name of a zone, which other programs would look for."""
    desk.call("calendar_create", title="Call", start="2030-06-05T09:00+05:00")
    (text,) = desk.files().values()
    assert "DTSTART;TZID=Europe/Berlin:20300605T060000" in text


@pytest.mark.process
@pytest.mark.peer
def test_khal_reads_what_was_written_and_the_tools_see_what_khal_wrote(desk: Desk) -> None:
    """Khal lists an event at its local time; one that khal makes is listed and searched."""
    desk.call("calendar_create", title="Meeting", start="2030-06-05T10:00", location="room 1")
    desk.call("calendar_create", title="Open house", start="2030-06-06")
    config = desk.root / "khal.conf"
    config.write_text(
        f"[calendars]\n[[own]]\npath = {desk.store}/Calendar\n"
        "[locale]\ntimeformat = %H:%M\ndateformat = %Y-%m-%d\nlongdateformat = %Y-%m-%d\n"
        "datetimeformat = %Y-%m-%d %H:%M\nlongdatetimeformat = %Y-%m-%d %H:%M\n"
        "local_timezone = Europe/Berlin\ndefault_timezone = Europe/Berlin\n"
        f"[sqlite]\npath = {desk.root}/khal.db\n[default]\ndefault_calendar = own\n"
    )
    listed = _khal(config, "list", "2030-06-05", "2030-06-07")
    assert "10:00-11:00 Meeting" in listed
    assert "Open house" in listed
    _khal(config, "new", "2030-06-05", "14:00", "15:30", "Review")
    assert "14:00-15:30 Review" in desk.says("calendar_list", start="2030-06-05")
    assert "Review" in desk.says("calendar_search", input="review")


def _khal(config: Path, *words: str) -> str:
    environment = {**os.environ, "LC_ALL": "C.UTF-8", "XDG_CACHE_HOME": str(config.parent)}
    done = subprocess.run(  # noqa: S603  our own command line
        [*KHAL, "-c", str(config), *words],
        capture_output=True, text=True, check=True, env=environment,
    )  # fmt: skip
    return done.stdout
