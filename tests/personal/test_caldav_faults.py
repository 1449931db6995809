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
)
from okso_jupyter.personal.call_time_limit import TimeLimit
from okso_jupyter.personal.dav.dav_address import DavAddress
from okso_jupyter.personal.dav.dav_collection import DavCollection
from tests.personal.conftest import Desk
from tests.personal.mail.mail_servers import PASSWORD, USER, Certificates
from tests.web_lab import Host, answer

#: How a server answers a request of each method; without an answer it breaks off.
Answers = dict[str, bytes]
Serve = Callable[[Answers], Host]

_NONE = '<d:multistatus xmlns:d="DAV:"/>'
_ONE = """<?xml version="1.0"?>{}
<d:multistatus xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"><d:response>
<d:href>{}</d:href><d:propstat><d:prop><d:getetag>"1"</d:getetag><c:calendar-data>{}
</c:calendar-data></d:prop></d:propstat></d:response></d:multistatus>"""


def _multi(body: str) -> bytes:
    return answer(body.encode(), status="207 Multi-Status")


@pytest.fixture
def serve(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> Iterator[Serve]:
    """Serves answers over TLS, as the calendar of the desk's sessions."""
    monkeypatch.setenv("CALDAV_PASSWORD", PASSWORD)
    certificates, hosts = Certificates(desk.root.parent), []

    def started(answers: Answers) -> Host:
        def talk(connection: socket.socket, line: str) -> None:
            connection.sendall(answers.get(line.split(maxsplit=1)[0], b""))

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
    missing = answer(status="404 Not Found")
    host = serve({"GET": missing, "REPORT": _multi(_NONE), "PUT": said})
    run = desk.call("calendar_create", title="Meeting", start="2030-06-05T10:00")
    (seen,) = run.steps_seen
    assert seen.status == "uncertain"
    assert "it is not known" in seen.error
    assert len([text for text in host.requests if text.startswith("PUT ")]) == 1
    assert not run.is_undoable


def test_a_server_that_is_full_changes_nothing(desk: Desk, serve: Serve) -> None:
    """It says so, and the step has failed."""
    full = answer(status="507 Insufficient Storage")
    serve({"GET": answer(status="404 Not Found"), "REPORT": _multi(_NONE), "PUT": full})
    said = desk.says("calendar_create", title="Meeting", start="2030-06-05T10:00")
    assert "HTTP 507 Insufficient Storage; nothing was changed" in said


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
