"""Events and reminders on a real CalDAV server with TLS: Radicale on loopback."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from okso_jupyter.effects.effect import Effect
from okso_jupyter.errors import ToolFailedError, UndoError
from okso_jupyter.magic.doctor_stores import store_found
from okso_jupyter.personal.dav.dav_address import DavAddress
from okso_jupyter.personal.dav.dav_collection import DavCollection
from okso_jupyter.personal.dav.served_files import ServedFiles
from okso_jupyter.settings import Settings
from okso_jupyter.workspace import Workspace
from tests.personal.conftest import Desk, entries_of
from tests.personal.mail.mail_servers import PASSWORD, USER, Certificates
from tests.personal.radicale_server import radicale

pytestmark = [pytest.mark.process, pytest.mark.peer]

_FROM_A_PHONE = """BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//phone//EN
BEGIN:{kind}
UID:phone
DTSTAMP:20300101T000000Z
{lines}
END:{kind}
END:VCALENDAR
"""


@pytest.fixture
def server(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> Iterator[httpx.Client]:
    """Radicale with TLS and a password; the desk's sessions use its collections."""
    monkeypatch.setenv("CALDAV_PASSWORD", PASSWORD)
    certificates = Certificates(desk.root.parent)
    with radicale(desk.root.parent / "radicale", certificates) as client:
        base = str(client.base_url).replace("https://", f"https://{USER}@").rstrip("/")
        desk.settings |= {
            "CALENDAR_URL": f"{base}/{USER}/Calendar/",
            "REMINDERS_URL": f"{base}/{USER}/Reminders/",
            "CALDAV_CA_FILE": str(certificates.ca_file),
        }
        yield client


def _events(server: httpx.Client) -> str:
    return server.get(f"/{USER}/Calendar/").text


def _reminders(server: httpx.Client) -> str:
    return server.get(f"/{USER}/Reminders/").text


def _from_phone(server: httpx.Client, folder: str, kind: str, *lines: str) -> httpx.Response:
    content = _FROM_A_PHONE.format(kind=kind, lines="\n".join(lines))
    answer = server.put(f"/{USER}/{folder}/phone.ics", content=content)
    return answer.raise_for_status()


def test_an_event_is_made_on_the_server_and_undone(desk: Desk, server: httpx.Client) -> None:
    """It is there, no file is; undo removes it by a call, redo makes it again."""
    run = desk.call("calendar_create", title="Meeting", start="2030-06-05T10:00", location="Lab")
    assert run.state == "completed"
    assert "SUMMARY:Meeting" in _events(server)
    assert "LOCATION:Lab" in _events(server)
    assert desk.files() == {}
    run.undo()
    assert "Meeting" not in _events(server)
    run.redo()
    assert "SUMMARY:Meeting" in _events(server)


def test_what_others_changed_since_is_not_undone(desk: Desk, server: httpx.Client) -> None:
    """The whole undo is refused, and their version stays."""
    run = desk.call("calendar_create", title="Meeting", start="2030-06-05T10:00")
    path = run.steps_seen[0].changes.created[0]
    text = server.get(path).text.replace("SUMMARY:Meeting", "SUMMARY:Moved")
    server.put(path, content=text).raise_for_status()
    with pytest.raises(UndoError, match="has changed since"):
        run.undo()
    assert "SUMMARY:Moved" in _events(server)


def test_events_that_recur_are_listed_in_the_range(desk: Desk, server: httpx.Client) -> None:
    """Each occurrence in the user's zone; a search finds words in the description."""
    times = ("DTSTART:20300603T080000Z", "DTEND:20300603T090000Z", "RRULE:FREQ=WEEKLY;COUNT=3")
    words = ("SUMMARY:Seminar", "DESCRIPTION:on lenses")
    _from_phone(server, "Calendar", "VEVENT", *times, *words)
    listed = entries_of(desk.says("calendar_list", start="2030-06-05", end="2030-06-30"))
    assert listed == [
        "Mon 2030-06-10 10:00-11:00 Seminar",
        "Mon 2030-06-17 10:00-11:00 Seminar",
    ]
    assert "Seminar" in desk.says("calendar_search", input="lenses")
    assert desk.says("calendar_search", input="mirrors") == "no event holds 'mirrors'"


def test_the_form_shows_what_is_on_at_the_same_time(desk: Desk, server: httpx.Client) -> None:
    """The event as it would be, where, and the events of the server; nothing is made before."""
    _from_phone(server, "Calendar", "VEVENT", "DTSTART:20300605T080000Z", "DTEND:20300605T090000Z",
                "SUMMARY:Other")  # fmt: skip
    run = desk.run("put a meeting with Ada on 2030-06-05 at 10:30 for an hour in the calendar")
    assert run.state == "completed", run.answer
    assert "At the same time: Wed 2030-06-05 10:00-11:00 Other" in desk.shown[0]
    assert "/ada/Calendar/" in desk.shown[0]
    assert "uses the network" in desk.shown[0]
    assert _events(server).count("BEGIN:VEVENT") == 2


def test_a_reminder_is_completed_on_the_server(desk: Desk, server: httpx.Client) -> None:
    """What else the entry holds stays; undo puts back the version before."""
    _from_phone(server, "Reminders", "VTODO", "SUMMARY:call the lab", "STATUS:NEEDS-ACTION",
                "X-PHONE:kept")  # fmt: skip
    run = desk.call("reminders_complete", input="call the lab")
    assert run.state == "completed", run.steps_seen[0].error
    assert "STATUS:COMPLETED" in _reminders(server)
    assert "X-PHONE:kept" in _reminders(server)
    run.undo()
    assert "STATUS:NEEDS-ACTION" in _reminders(server)
    desk.call("reminders_create", title="buy tea", time="2030-06-05T09:00")
    assert entries_of(desk.says("reminders_list")) == [
        "buy tea (due Wed 2030-06-05 09:00)",
        "call the lab",
    ]


def test_a_change_of_others_in_between_is_not_overwritten(desk: Desk, server: httpx.Client) -> None:
    """Both where it comes before the entry is read again, and where it comes after."""
    _from_phone(server, "Reminders", "VTODO", "SUMMARY:call")
    address = DavAddress.of(
        "REMINDERS_URL", desk.settings["REMINDERS_URL"], desk.settings["CALDAV_CA_FILE"]
    )
    collection = DavCollection(address=address)
    files = ServedFiles(collection, "VTODO", Workspace(desk.root))
    (path,) = files
    before = collection.get(path)
    assert before is not None
    _from_phone(server, "Reminders", "VTODO", "SUMMARY:call Ada")
    with pytest.raises(ToolFailedError, match="was changed by others"):
        files.edit(path, before.data)
    with pytest.raises(ToolFailedError, match="was changed by others"):
        collection.put(path, before.data, version=before.version)
    with pytest.raises(ToolFailedError, match="was changed by others"):
        collection.delete(path, version=before.version)
    with pytest.raises(ToolFailedError, match="was changed by others"):
        collection.put(path, before.data, version=None)
    assert "SUMMARY:call Ada" in _reminders(server)


def test_a_server_has_the_effect_network(desk: Desk, server: httpx.Client) -> None:
    """Of each tool of a kind that is on a server, and of no other."""
    del server
    with desk.session() as session:
        for name, tool in session.tools.items():
            is_served = name.startswith(("calendar_", "reminders_"))
            if is_served or name.startswith("notes_"):
                assert (Effect.NETWORK in tool.effect_of({})) is is_served, name
                assert not (is_served and tool.rehearses), name


def test_a_policy_forbids_the_network(desk: Desk, server: httpx.Client) -> None:
    """A rule about it holds for a calendar on a server, and nothing is made there."""
    (desk.root / "okso-policy.toml").write_text(
        '[[rule]]\ndecision = "deny"\neffect = "network"\nreason = "offline"\n'
    )
    with desk.session() as session:
        session.trust("okso-policy.toml")
    run = desk.call("calendar_create", title="Meeting", start="2030-06-05T10:00")
    assert run.state == "cancelled"
    assert "Meeting" not in _events(server)


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"CALDAV_CA_FILE": ""}, "no trustworthy connection"),
        ({"CALENDAR_URL": "{}/Nothing/"}, "it is no calendar (HTTP 404 Not Found)"),
        ({"CALENDAR_URL": "http://ada@localhost/ada/"}, "CALENDAR_URL is not an address like"),
        ({"CALENDAR_URL": "https://a:secret@localhost/"}, "CALENDAR_URL holds a password"),
    ],
)
def test_settings_that_are_wrong(
    desk: Desk, server: httpx.Client, wrong: dict[str, str], why: str
) -> None:
    """One sentence says why."""
    del server
    base = desk.settings["CALENDAR_URL"].replace("/Calendar/", "")
    desk.settings |= {name: value and value.format(base) for name, value in wrong.items()}
    assert why in desk.says("calendar_list")


def test_a_wrong_password_is_not_shown(
    desk: Desk, server: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server refuses it; neither the output nor the journal has it."""
    del server
    monkeypatch.setenv("CALDAV_PASSWORD", "wrong-horse-battery")
    assert "refused the password" in desk.says("calendar_list")
    journal = b"".join(path.read_bytes() for path in desk.home.rglob("*") if path.is_file())
    assert b"horse" not in journal


def test_the_doctor_tells_which_server_and_whether_it_answers(
    desk: Desk, server: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The collection and what it holds, read just now."""
    monkeypatch.chdir(desk.root)
    desk.call("reminders_create", title="call")
    settings = Settings.of(desk.settings)
    url = f"{str(server.base_url).rstrip('/')}/{USER}"
    assert store_found(settings, "reminders") == f"1 open reminder in {url}/Reminders as {USER}"
    assert store_found(settings, "calendar").startswith("0 events of the next 30 days in https://")
