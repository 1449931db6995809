"""Calendars that are found from the address of a server or of its user."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator

import httpx
import pytest

from okso_jupyter.errors import UndoError
from okso_jupyter.personal.dav.dav_address import DavAddress
from okso_jupyter.personal.dav.dav_collection import DavServer
from tests.personal.conftest import Desk
from tests.personal.mail.mail_servers import PASSWORD, USER, Certificates
from tests.personal.radicale_server import radicale
from tests.web_lab import Host, answer

pytestmark = [pytest.mark.process, pytest.mark.peer]


@pytest.fixture
def server(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> Iterator[httpx.Client]:
    """Radicale with two collections, a calendar and a list; the settings name the server alone."""
    monkeypatch.setenv("CALDAV_PASSWORD", PASSWORD)
    certificates = Certificates(desk.root.parent)
    with radicale(desk.root.parent / "radicale", certificates) as client:
        url = str(client.base_url).replace("https://", f"https://{USER}@").rstrip("/")
        names = ("CALENDAR_URL", "REMINDERS_URL")
        desk.settings |= {**dict.fromkeys(names, url), "CALDAV_CA_FILE": str(certificates.ca_file)}
        yield client


def _text(server: httpx.Client, name: str) -> str:
    return server.get(f"/{USER}/{name}/").text


@pytest.mark.parametrize("path", ["", "/", f"/{USER}", f"/{USER}/"])
def test_a_server_or_a_user_leads_to_the_calendar(
    desk: Desk, server: httpx.Client, path: str
) -> None:
    """The one that is called as CALENDAR_NAME says; undo finds it again."""
    desk.settings["CALENDAR_URL"] = desk.settings["CALENDAR_URL"] + path
    run = desk.call("calendar_create", title="Meeting", start="2030-06-05T10:00")
    assert run.state == "completed", run.steps_seen[0].error
    assert "SUMMARY:Meeting" in _text(server, "Calendar")
    assert "Meeting" in desk.says("calendar_list", start="2030-06-05")
    run.undo()
    assert "Meeting" not in _text(server, "Calendar")
    run.redo()
    assert "SUMMARY:Meeting" in _text(server, "Calendar")


def test_reminders_have_their_own(desk: Desk, server: httpx.Client) -> None:
    """The list that REMINDERS_LIST names, completed and undone there."""
    desk.call("reminders_create", title="call the lab")
    run = desk.call("reminders_complete", input="call the lab")
    assert "STATUS:COMPLETED" in _text(server, "Reminders")
    run.undo()
    assert "STATUS:NEEDS-ACTION" in _text(server, "Reminders")
    assert "SUMMARY" not in _text(server, "Calendar")


def test_several_calendars_are_named(desk: Desk, server: httpx.Client) -> None:
    """Where none has the name; the only one needs none."""
    desk.settings["CALENDAR_NAME"] = "Nowhere"
    said = desk.says("calendar_list")
    assert "has 2 calendars, and none of them is called 'Nowhere': " in said
    assert "Calendar" in said
    assert "Reminders" in said
    assert "set CALENDAR_NAME to one of these names" in said
    server.delete(f"/{USER}/Reminders/").raise_for_status()
    assert "nothing is on" in desk.says("calendar_list")


def test_a_display_name_is_found_and_kinds_are_told_apart(desk: Desk, server: httpx.Client) -> None:
    """A calendar without events is none for events."""
    body = (
        '<c:mkcalendar xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"><d:set><d:prop>'
        "<d:displayname>{}</d:displayname><c:supported-calendar-component-set>"
        '<c:comp name="{}"/></c:supported-calendar-component-set></d:prop></d:set></c:mkcalendar>'
    )
    for path, name, kind in (("x1", "Work & home", "VEVENT"), ("x2", "Chores", "VTODO")):
        content = body.format(name.replace("&", "&amp;"), kind)
        made = server.request("MKCALENDAR", f"/{USER}/{path}/", content=content)
        made.raise_for_status()
    for name in ("Calendar", "Reminders"):
        server.delete(f"/{USER}/{name}/").raise_for_status()
    desk.settings["CALENDAR_NAME"] = "work & HOME"
    assert desk.call("calendar_create", title="A", start="2030-06-05T10:00").state == "completed"
    assert "SUMMARY:A" in _text(server, "x1")
    assert desk.call("reminders_create", title="B").state == "completed"
    assert "SUMMARY:B" in _text(server, "x2")
    server.delete(f"/{USER}/x2/").raise_for_status()
    assert "has no calendar for reminders" in desk.says("reminders_list")


def test_an_entry_that_is_gone_is_not_undone(desk: Desk, server: httpx.Client) -> None:
    """It is asked for by its address, without a search."""
    run = desk.call("calendar_create", title="Meeting", start="2030-06-05T10:00")
    server.delete(run.steps_seen[0].changes.created[0]).raise_for_status()
    with pytest.raises(UndoError, match="is no longer there"):
        run.undo()


@pytest.mark.parametrize(
    ("path", "is_held"),
    [
        ("https://cal.test/ada/work/a.ics", True),
        ("https://cal.test:444/ada/work/a.ics", False),
        ("https://cal.test.evil.test/ada/work/a.ics", False),
        ("http://cal.test/ada/work/a.ics", False),
        ("https://cal.test/ada/work/", False),
        ("https://cal.test/ada/work/..", False),
        ("Notes/a.md", False),
    ],
)
def test_undo_reaches_entries_of_that_server_alone(path: str, *, is_held: bool) -> None:
    """No other address gets its password."""
    address = DavAddress.of("CALENDAR_URL", "https://ada@cal.test")
    assert DavServer(address=address).holds(path) is is_held


_TOLD = (
    '<d:multistatus xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"><d:response>'
    "<d:href>/</d:href><d:propstat><d:prop>{}</d:prop></d:propstat></d:response></d:multistatus>"
)


@pytest.fixture
def serve(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[bytes], Host]]:
    """Serves one answer to every PROPFIND over TLS."""
    monkeypatch.setenv("CALDAV_PASSWORD", PASSWORD)
    certificates, hosts = Certificates(desk.root.parent), []

    def started(said: bytes) -> Host:
        def talk(connection: socket.socket, line: str) -> None:
            connection.sendall(said if line.startswith("PROPFIND") else answer(status="404 No"))

        host = Host(talk, tls=certificates.tls())
        hosts.append(host)
        desk.settings |= {
            "CALENDAR_URL": f"https://{USER}@localhost:{host.port}/",
            "CALDAV_CA_FILE": str(certificates.ca_file),
        }
        return host

    yield started
    for host in hosts:
        host.close()


def _multi(properties: str) -> bytes:
    return answer(_TOLD.format(properties).encode(), status="207 Multi-Status")


def test_another_server_gets_no_password(desk: Desk, serve: Callable[[bytes], Host]) -> None:
    """Neither by a redirect nor by a property."""
    other = serve(b"")
    there = f"https://localhost:{other.port}/ada/"
    home = f"<c:calendar-home-set><d:href>{there}</d:href></c:calendar-home-set>"
    user = f"<d:current-user-principal><d:href>{there}</d:href></d:current-user-principal>"
    for said in (answer(status="301 Moved", Location=there), _multi(home), _multi(user)):
        serve(said)
        assert "sends on to another address, and the password is not" in desk.says("calendar_list")
        assert other.requests == []


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (answer(status="401 Unauthorized"), "refused the password"),
        (answer(b"<html>", status="207 Multi-Status"), "the answer cannot be read"),
        (answer(status="301 Moved", Location="/"), "sends on to another address"),
        (answer(status="404 Not Found"), "it is no calendar (HTTP 404"),
        (_multi("<d:displayname>x</d:displayname>"), "it is no calendar (HTTP 404"),
        (b"", "broke off"),
    ],
)
def test_answers_that_lead_nowhere(
    desk: Desk, serve: Callable[[bytes], Host], said: bytes, why: str
) -> None:
    """One sentence says why."""
    serve(said)
    assert why in desk.says("calendar_list")
