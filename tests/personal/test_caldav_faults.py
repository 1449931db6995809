"""CalDAV servers that hang, break off, answer garbage or send on elsewhere."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator

import pytest

from okso_jupyter.errors import (
    ToolError,
    ToolFailedError,
    ToolRefusedError,
    ToolTimeoutError,
    ToolUnavailableError,
    UndoError,
)
from okso_jupyter.personal.call_time_limit import TimeLimit
from okso_jupyter.personal.dav.dav_address import DavAddress
from okso_jupyter.personal.dav.dav_collection import DavCollection
from tests.personal.conftest import Desk
from tests.personal.mail.mail_servers import PASSWORD, USER, Certificates
from tests.web_lab import Host, answer

#: How a server answers a request of each method; without an answer it breaks off.
Answers = dict[str, bytes]
Serve = Callable[["Answers | Keeper"], Host]

_NONE = '<d:multistatus xmlns:d="DAV:"/>'
_ONE = """<?xml version="1.0"?>{}
<d:multistatus xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"><d:response>
<d:href>{}</d:href><d:propstat><d:prop><d:getetag>"1"</d:getetag><c:calendar-data>{}
</c:calendar-data></d:prop></d:propstat></d:response></d:multistatus>"""


_MISSING = answer(status="404 Not Found")


def _multi(body: str) -> bytes:
    return answer(body.encode(), status="207 Multi-Status")


class Keeper:
    """A server with one entry that is told to be gone from a DELETE on.

    Attributes:
        entry: What it holds; None for nothing.
        breaks_off: Whether it is gone from the next DELETE on.
        removes_first: Whether it has removed the entry then.
        is_gone: Whether it answers no request.
    """

    def __init__(self) -> None:
        self.entry: bytes | None = None
        self.breaks_off = False
        self.removes_first = False
        self.is_gone = False

    def said(self, method: str) -> bytes:
        """Return the answer to a request; none breaks it off."""
        self.is_gone = self.is_gone or (self.breaks_off and method == "DELETE")
        if method == "PUT":
            self.entry = b"BEGIN:VCALENDAR"
        if method == "DELETE" and (self.removes_first or not self.is_gone):
            self.entry = None
        if self.is_gone:
            return b""
        found = answer(self.entry, ETag='"1"') if self.entry else _MISSING
        return {"GET": found, "REPORT": _multi(_NONE)}.get(method, answer())


@pytest.fixture
def serve(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> Iterator[Serve]:
    """Serves answers over TLS, as the calendar of the desk's sessions."""
    monkeypatch.setenv("CALDAV_PASSWORD", PASSWORD)
    certificates, hosts = Certificates(desk.root.parent), []

    def started(answers: Answers | Keeper) -> Host:
        def talk(connection: socket.socket, line: str) -> None:
            method = line.split(maxsplit=1)[0]
            default = _MISSING if method == "PROPFIND" else b""
            connection.sendall(
                answers.said(method)
                if isinstance(answers, Keeper)
                else answers.get(method, default)
            )

        host = Host(talk, tls=certificates.tls())
        hosts.append(host)
        desk.settings |= {
            "CALENDAR_URL": f"https://{USER}@localhost:{host.port}/ada/work/",
            "CALDAV_CA_FILE": str(certificates.ca_file),
        }
        return host

    yield started
    for host in hosts:
        host.close()


def _collection(desk: Desk, seconds: float = 20.0) -> DavCollection:
    address = DavAddress.of(
        "CALENDAR_URL", desk.settings["CALENDAR_URL"], desk.settings["CALDAV_CA_FILE"]
    )
    return DavCollection(address=address, time_limit=TimeLimit.of_seconds(seconds))


@pytest.mark.parametrize("said", [b"", answer(status="500 Internal Server Error")])
def test_a_write_without_an_answer_is_uncertain_and_not_repeated(
    desk: Desk, serve: Serve, said: bytes
) -> None:
    """Where it breaks off after it was told to write, or has an error, nobody knows."""
    host = serve({"GET": _MISSING, "REPORT": _multi(_NONE), "PUT": said})
    run = desk.call("calendar_create", title="Meeting", start="2030-06-05T10:00")
    (seen,) = run.steps_seen
    assert seen.status == "uncertain"
    assert "it is not known" in seen.error
    assert len([text for text in host.requests if text.startswith("PUT ")]) == 1
    assert not run.is_undoable


@pytest.mark.parametrize("removes_first", [False, True])
def test_an_undo_that_is_cut_off_is_finished_later(
    desk: Desk, serve: Serve, *, removes_first: bool
) -> None:
    """Whether the entry was removed is found out by the next undo; nothing is done twice."""
    keeper = Keeper()
    serve(keeper)
    run = desk.call("calendar_create", title="Meeting", start="2030-06-05T10:00")
    assert (run.state, keeper.entry) == ("completed", b"BEGIN:VCALENDAR")
    keeper.breaks_off, keeper.removes_first = True, removes_first
    with pytest.raises(UndoError, match=r"stopped in its middle.*run %okso undo again"):
        run.undo()
    assert (keeper.entry is None) is removes_first
    keeper.breaks_off = keeper.is_gone = False
    run.undo()
    assert keeper.entry is None
    assert run.is_undone


def test_a_server_that_is_full_changes_nothing(desk: Desk, serve: Serve) -> None:
    """It says so, and the step has failed."""
    full = answer(status="507 Insufficient Storage")
    serve({"GET": _MISSING, "REPORT": _multi(_NONE), "PUT": full})
    said = desk.says("calendar_create", title="Meeting", start="2030-06-05T10:00")
    assert "HTTP 507 Insufficient Storage; nothing was changed" in said


def test_an_event_is_made_though_the_others_are_not_known(desk: Desk, serve: Serve) -> None:
    """The form and the output say that, and why; a server may be too slow to list a calendar."""
    serve({"GET": _MISSING, "REPORT": answer(b"<html>"), "PUT": answer(status="201 Created")})
    run = desk.run("put a meeting with Ada on 2030-06-05 at 10:30 for an hour in the calendar")
    assert run.state == "completed"
    assert "At the same time: not known, https://localhost" in desk.shown[0]
    assert "10:30-11:30 meeting with Ada (at the same time: not known, " in str(run.answer)


def test_a_redirect_is_not_followed(desk: Desk, serve: Serve) -> None:
    """The other host gets no request, so no password."""
    other = serve({"REPORT": _multi(_NONE)})
    there = f"https://localhost:{other.port}/"
    serve({"REPORT": answer(status="302 Found", Location=there)})
    assert "sends on to another address" in desk.says("calendar_list")
    assert other.requests == []


@pytest.mark.parametrize(
    ("said", "kind", "why"),
    [
        (b"", ToolUnavailableError, "broke off"),
        (b"Authorization: Basic", ToolUnavailableError, "broke off, or speaks no HTTP"),
        (answer(b"<html>", status="207 Multi-Status"), ToolFailedError, "cannot be read"),
        (_multi("<html/>"), ToolFailedError, "cannot be read"),
        (answer(b"hello"), ToolFailedError, "it is no calendar \\(HTTP 200\\)"),
        (answer(status="401 Unauthorized"), ToolRefusedError, "refused the password"),
        (answer(status="403 Forbidden"), ToolRefusedError, "does not allow this"),
    ],
)
def test_answers_that_are_none(
    desk: Desk, serve: Serve, said: bytes, kind: type[ToolError], why: str
) -> None:
    """One sentence says why, without the password."""
    serve({"REPORT": said})
    with pytest.raises(kind, match=why) as caught:
        list(_collection(desk).entries("VEVENT"))
    assert "Basic" not in str(caught.value)


def test_what_an_answer_names_elsewhere_is_not_read(desk: Desk, serve: Serve) -> None:
    """Neither a file of this machine by an entity, nor an entry of another host."""
    file = '<!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
    serve({"REPORT": _multi(_ONE.format(file, "/ada/work/a.ics", "&x;"))})
    assert "root:" not in "".join(e.data.decode() for e in _collection(desk).entries("VEVENT"))
    for href in ("https://elsewhere.test/ada/work/a.ics", "/ada/other/a.ics", "/ada/work/.."):
        serve({"REPORT": _multi(_ONE.format("", href, "x"))})
        assert list(_collection(desk).entries("VEVENT")) == []


def test_an_entry_that_cannot_be_read_is_named(desk: Desk, serve: Serve) -> None:
    """It is left as it is, and the others are listed."""
    serve({"REPORT": _multi(_ONE.format("", "/ada/work/a%20b.ics", "BEGIN:"))})
    said = desk.says("calendar_list")
    assert "work/a%20b.ics is not a readable iCalendar file and was left as it is" in said


@pytest.mark.slow
def test_a_server_that_hangs(desk: Desk, serve: Serve) -> None:
    """A call ends in time; one that is stopped ends at once."""
    host = serve({})
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = desk.settings["CALENDAR_URL"]
        desk.settings["CALENDAR_URL"] = url.replace(f":{host.port}", f":{silent.getsockname()[1]}")
        with pytest.raises(ToolTimeoutError, match="did not answer in time"):
            list(_collection(desk, 1.0).entries("VEVENT"))
    stopped = threading.Event()
    stopped.set()
    collection = DavCollection(
        address=_collection(desk).address, time_limit=TimeLimit(1e12, stopped)
    )
    with pytest.raises(ToolRefusedError, match="stopped"):
        next(collection.entries("VEVENT"))
