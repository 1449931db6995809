"""CalDAV servers that ask for Digest: the challenge is answered, once."""

from __future__ import annotations

import hashlib
import re
import socket
from collections.abc import Callable, Iterator

import pytest

from tests.personal.conftest import Desk
from tests.personal.mail.mail_servers import PASSWORD, USER, Certificates
from tests.web_lab import Host, answer

pytestmark = pytest.mark.process

_CALENDAR = (
    '<d:multistatus xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"><d:response>'
    "<d:href>/ada/work/</d:href><d:propstat><d:prop><d:resourcetype><c:calendar/></d:resourcetype>"
    "</d:prop></d:propstat></d:response></d:multistatus>"
)
_NONE = '<d:multistatus xmlns:d="DAV:"/>'
_GOOD = 'Digest realm="dav", nonce="n1", qop="auth", algorithm=MD5, opaque="o"'


def _hash(*parts: str) -> str:
    return hashlib.md5(":".join(parts).encode(), usedforsecurity=False).hexdigest()


def _is_right(request: str) -> bool:
    """Return whether a request has the login of the user, computed as RFC 7616 says."""
    method, path, _ = request.split(maxsplit=2)
    said = re.search(r"(?im)^authorization: digest (.*)$", request)
    if said is None:
        return False
    parts = dict(re.findall(r'(\w+)="?([^",]+)"?', said[1]))
    first, second = _hash(USER, "dav", PASSWORD), _hash(method, path)
    wanted = _hash(first, "n1", parts["nc"], parts["cnonce"], "auth", second)
    return (parts["response"], parts["uri"]) == (wanted, path)


@pytest.fixture
def serve(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], Host]]:
    """Serves an empty calendar over TLS to whom answers a challenge."""
    monkeypatch.setenv("CALDAV_PASSWORD", PASSWORD)
    certificates, hosts = Certificates(desk.root.parent), []

    def started(challenge: str) -> Host:
        refused = answer(status="401 Unauthorized", www_authenticate=challenge)
        answers = {
            "PROPFIND": answer(_CALENDAR.encode(), status="207 Multi-Status"),
            "REPORT": answer(_NONE.encode(), status="207 Multi-Status"),
            "PUT": answer(status="201 Created"),
            "GET": answer(status="404 Not Found"),
        }

        def talk(connection: socket.socket, line: str) -> None:
            is_known = _is_right(host.requests[-1])
            connection.sendall(answers[line.split(maxsplit=1)[0]] if is_known else refused)

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


@pytest.mark.parametrize("challenge", [_GOOD, f'Basic realm="dav", {_GOOD}'])
def test_a_challenge_is_answered(desk: Desk, serve: Callable[[str], Host], challenge: str) -> None:
    """For reading and writing; a write is sent once more after it was refused."""
    host = serve(challenge)
    assert "nothing is on" in desk.says("calendar_list")
    run = desk.call("calendar_create", title="Meeting", start="2030-06-05T10:00")
    assert run.state == "completed", run.steps_seen[0].error
    puts = [request for request in host.requests if request.startswith("PUT ")]
    assert [_is_right(request) for request in puts] == [False, True]


@pytest.mark.parametrize(
    "challenge",
    [
        _GOOD.replace("n1", "n2"),
        _GOOD.replace("MD5", "NONE"),
        _GOOD.replace('qop="auth"', 'qop="auth-int"'),
        'Digest realm="dav"',
        "Digest nonsense",
        'Basic realm="dav"',
        "",
    ],
)
def test_a_challenge_that_cannot_be_answered(
    desk: Desk, serve: Callable[[str], Host], challenge: str
) -> None:
    """One sentence, and no more than one further try."""
    host = serve(challenge)
    assert "refused the password" in desk.says("calendar_list")
    assert len(host.requests) <= 2
