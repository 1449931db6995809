"""Reminders: due dates, recurrence, undo, and todoman as the other program."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from tests.personal.conftest import Desk, entries_of

Ics = Callable[[str, str], Path]
WEEKLY = """BEGIN:VTODO
UID:plants
SUMMARY:Water the plants
DTSTART;VALUE=DATE:20300603
DUE;VALUE=DATE:20300604
RRULE:FREQ=WEEKLY;COUNT=2
X-OTHER-PROGRAM:kept
END:VTODO"""
#: `todo` of todoman, run by this Python; its command may lie beside another one.
TODO = [sys.executable, "-c", "from todoman.cli import cli; cli()"]


def test_a_reminder_is_planned_shown_written_and_undone(desk: Desk) -> None:
    """Plain words give a due time in the user's zone, kept as one iCalendar task."""
    run = desk.run("Remind me tomorrow at 9 to call the lab")
    assert run.state == "completed"
    due = datetime.now(ZoneInfo("Europe/Berlin")) + timedelta(days=1)
    assert f"call the lab (due {due:%a %Y-%m-%d} 09:00)" in desk.shown[0]
    (text,) = desk.files().values()
    assert "SUMMARY:call the lab" in text
    assert f"DUE;TZID=Europe/Berlin:{due:%Y%m%d}T090000" in text
    run.undo()
    assert desk.files() == {}


def test_reminders_are_listed_by_their_time_and_completed(desk: Desk) -> None:
    """The earliest comes first, what has no time last; a done one is not listed; undo opens it."""
    desk.call("reminders_create", title="report", time="2030-06-05")
    desk.call("reminders_create", title="tea")
    desk.call("reminders_create", title="lab", time="2030-06-05T08:00", notes="ask Ada")
    listed = ["report (due Wed 2030-06-05)", "lab (due Wed 2030-06-05 08:00)", "tea"]
    assert entries_of(desk.says("reminders_list")) == listed
    assert desk.says("reminders_list", until="2030-06-04") == "nothing is due until 2030-06-04"
    run = desk.run("mark 'LAB' as done")
    assert run.state == "completed"
    assert entries_of(desk.says("reminders_list")) == ["report (due Wed 2030-06-05)", "tea"]
    assert "there is no reminder 'lab' that is not done" in desk.says(
        "reminders_complete", input="lab"
    )
    run.undo()
    assert entries_of(desk.says("reminders_list")) == listed


def test_a_reminder_that_recurs_comes_again(desk: Desk, ics: Ics) -> None:
    """A done one moves to its next time, and ends with its rule; foreign properties stay."""
    path = ics("Reminders/plants.ics", WEEKLY)
    said = desk.says("reminders_complete", input="water the plants")
    assert said == "'Water the plants' comes again: Water the plants (due Tue 2030-06-11)"
    text = path.read_text()
    assert "DTSTART;VALUE=DATE:20300610" in text
    assert "X-OTHER-PROGRAM:kept" in text
    desk.call("reminders_complete", input="water the plants")
    assert desk.says("reminders_list") == "there is nothing to do"


def test_a_new_reminder_may_recur(desk: Desk) -> None:
    """Its rule is written, and once done it comes again; without a time it cannot."""
    desk.call("reminders_create", title="plants", time="2030-06-03", repeat="weekly")
    said = desk.says("reminders_complete", input="plants")
    assert said == "'plants' comes again: plants (due Mon 2030-06-10)"
    assert "needs its first time" in desk.says("reminders_create", title="x", repeat="daily")


@pytest.mark.parametrize(
    ("time", "said"),
    [
        ("sometime", "'sometime' names no day or time"),
        ("2027-03-28T02:30", "does not exist in Europe/Berlin"),
        ("2030-02-30", "names no day or time"),
    ],
)
def test_a_time_that_is_none_is_refused(desk: Desk, time: str, said: str) -> None:
    """Nothing is written for a time that does not exist."""
    assert said in desk.says("reminders_create", title="x", time=time)
    assert desk.files() == {}


def test_two_of_one_title_and_damaged_files_are_named(desk: Desk, ics: Ics) -> None:
    """A title that is not clear completes nothing; a damaged file is left as it is."""
    broken = ics("Reminders/broken.ics", "BEGIN:VTODO\nSUMMARY:half")
    before = broken.read_bytes()
    for number in "12":
        ics(f"Reminders/{number}.ics", f"BEGIN:VTODO\nUID:{number}\nSUMMARY:Twin\nEND:VTODO")
    assert "2 open reminders have the title 'twin'" in desk.says("reminders_complete", input="twin")
    assert "broken.ics is not a readable iCalendar file" in desk.says("reminders_list")
    assert broken.read_bytes() == before


@pytest.mark.parametrize(
    "rule",
    [
        "RRULE:FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30",
        "RRULE:FREQ=MINUTELY;INTERVAL=0",
        "RRULE:FREQ=DAILY\nRRULE:FREQ=WEEKLY",
    ],
)
def test_a_rule_that_has_no_next_time_completes_nothing(desk: Desk, ics: Ics, rule: str) -> None:
    """The next time is not looked for without end; the file stays."""
    lines = f"UID:h\nSUMMARY:Hostile\nDUE:20300605T100000Z\n{rule}"
    path = ics("Reminders/h.ics", f"BEGIN:VTODO\n{lines}\nEND:VTODO")
    before = path.read_bytes()
    assert desk.call("reminders_complete", input="Hostile").state == "failed"
    assert path.read_bytes() == before


def test_a_time_without_a_zone_stays_one(desk: Desk, ics: Ics) -> None:
    """A task that is due at ten wherever one is comes again at ten wherever one is."""
    lines = "UID:f\nSUMMARY:Stretch\nDUE:20300605T100000\nRRULE:FREQ=DAILY"
    path = ics("Reminders/f.ics", f"BEGIN:VTODO\n{lines}\nEND:VTODO")
    assert desk.call("reminders_complete", input="Stretch").state == "completed"
    assert "DUE:20300606T100000\r\n" in path.read_bytes().decode()


@pytest.mark.process
@pytest.mark.peer
def test_todoman_reads_and_completes_what_was_written(desk: Desk) -> None:
    """Todoman lists a reminder with its due time and completes it, and the tools see that."""
    desk.call("reminders_create", title="call the lab", time="2030-06-05T09:00")
    config = desk.root / "todoman.py"
    config.write_text(
        f'path = "{desk.store}/*"\ndate_format = "%Y-%m-%d"\ntime_format = "%H:%M"\n'
        f'default_list = "Reminders"\ncache_path = "{desk.root}/todo.sqlite3"\n'
    )
    listed = _todoman(config, "list")
    assert "call the lab" in listed
    assert "2030-06-05 09:00" in listed
    _todoman(config, "done", "1")
    assert desk.says("reminders_list") == "there is nothing to do"
    _todoman(config, "new", "--list", "Reminders", "--due", "2030-07-01", "order tea")
    assert "order tea (due Mon 2030-07-01" in desk.says("reminders_list")
    desk.call("reminders_complete", input="order tea")
    assert "order tea" not in _todoman(config, "list")


def _todoman(config: Path, *words: str) -> str:
    environment = {**os.environ, "TZ": "Europe/Berlin", "LC_ALL": "C.UTF-8"}
    done = subprocess.run(  # noqa: S603  our own command line
        [*TODO, "--config", str(config), *words],
        capture_output=True, text=True, check=True, env=environment,
    )  # fmt: skip
    return done.stdout


def test_a_statement_ticks_off_the_reminder_that_it_means(desk: Desk) -> None:
    """Its title is found among those that are open, in other words; another one stays."""
    for title in ("water the tomatoes", "buy milk"):
        desk.call("reminders_create", title=title)
    run = desk.run("I watered the tomatoes, tick that off")
    assert run.state == "completed"
    assert entries_of(desk.says("reminders_list")) == ["buy milk"]
    desk.run("mark buy bread as done")
    assert entries_of(desk.says("reminders_list")) == ["buy milk"]
