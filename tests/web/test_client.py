"""How a fetch handles all kinds of servers: correct, broken and hostile ones."""

from __future__ import annotations

import gzip
import socket
import ssl
import threading
import tracemalloc
import zlib
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import trustme

from okso_jupyter.errors import (
    ToolError,
    ToolFailedError,
    ToolNotFoundError,
    ToolRefusedError,
    ToolTimeoutError,
    ToolUnavailableError,
)
from okso_jupyter.web import Fetched, FetchLimits, WebClient
from tests.web_lab import PUBLIC, Host, LabNetwork, Talk, answer, by_path, drip, endless, says

MIB = 1 << 20
URL = "http://example.org/"
OK_HEAD = b"HTTP/1.1 200 OK\r\n"
CHUNKED = OK_HEAD + b"Transfer-Encoding: chunked\r\n\r\n"

Serve = Callable[[Talk], LabNetwork]


@pytest.fixture
def serve() -> Iterator[Serve]:
    """A function that starts servers; they are closed after the test."""
    hosts: list[Host] = []

    def start(talk: Talk) -> LabNetwork:
        hosts.append(Host(talk))
        return LabNetwork(hosts[-1])

    yield start
    for host in hosts:
        host.close()


def get(network: LabNetwork, url: str = URL, **limits: Any) -> Fetched:
    """Fetch with low limits."""
    chosen = {"timeout_s": 5, "retries": 0, "retry_delay_s": 0, "max_bytes": MIB, **limits}
    return WebClient(limits=FetchLimits(**chosen), network=network).get(url)


# --- an answer ---------------------------------------------------------------------------------


def test_a_fetch_returns_the_response(serve: Serve) -> None:
    """A fetch returns the body, status and headers of the server."""
    network = serve(says(answer(b"hello", Content_Type="text/plain", X_A="1", x_a="2")))
    page = get(network, "http://Example.org/a?b=c#d")

    assert (page.status, page.body, page.truncated, page.error) == (200, b"hello", False, "")
    assert page.final_url == "http://example.org/a?b=c"
    assert page.headers["content-type"] == "text/plain"
    assert page.headers["x-a"] == "1, 2"
    assert network.connected == [(PUBLIC, 80)]


def test_the_request_is_minimal(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    """A request has our user agent, no cookies, no referrer, and ignores proxy variables."""
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    network = serve(says(answer(Set_Cookie="a=b"), answer()))
    get(network, "http://example.org:8080/a?b")
    get(network)
    first, second = (
        dict(line.split(": ", 1) for line in request.split("\r\n")[1:] if line)
        for request in network.host.requests
    )

    assert network.host.requests[0].startswith("GET /a?b HTTP/1.1\r\n")
    assert first.pop("Host") == "example.org:8080"
    assert second.pop("Host") == "example.org"
    assert first == second
    assert first.pop("User-Agent").startswith("okso-jupyter/")
    assert set(first) == {"Accept", "Accept-Encoding", "Connection"}


@pytest.mark.parametrize(
    ("status", "error"),
    [
        ("200 OK", ""),
        ("204 No Content", ""),
        ("304 Not Modified", ""),
        ("300 Multiple Choices", ""),
        ("401 Nope", "HTTP 401 Unauthorized"),
        ("404 <script>", "HTTP 404 Not Found"),
        ("500 X", "HTTP 500 Internal Server Error"),
        ("599 X", "HTTP 599"),
    ],
)
def test_an_http_error_is_a_result(serve: Serve, status: str, error: str) -> None:
    """A response of any status is a result; its error text is ours, not the server's."""
    page = get(serve(says(answer(status=status))))

    assert page.status == int(status[:3])
    assert page.error == error


# --- addresses at work -------------------------------------------------------------------------


def test_a_name_is_resolved_once(serve: Serve) -> None:
    """A name is resolved once; the connection goes to the address that was checked."""
    network = serve(says(answer()))
    network.names = {"example.org": [[PUBLIC], ["127.0.0.1"]]}
    get(network)

    assert network.looked_up == ["example.org"]
    assert network.connected == [(PUBLIC, 80)]


def test_a_redirect_checks_the_name_again(serve: Serve) -> None:
    """A redirect resolves the name again and is refused if it is now private."""
    network = serve(says(answer(status="302 Found", Location="/next")))
    network.names = {"example.org": [[PUBLIC], ["127.0.0.1"]]}
    with pytest.raises(ToolRefusedError, match=r"leads to 127\.0\.0\.1"):
        get(network)

    assert network.connected == [(PUBLIC, 80)]


def test_a_retry_checks_the_name_again(serve: Serve) -> None:
    """A retry resolves the name again and is refused if it is now private."""
    network = serve(says(b"nonsense\r\n\r\n"))
    network.names = {"example.org": [[PUBLIC], ["10.0.0.1"]]}
    with pytest.raises(ToolRefusedError, match=r"leads to 10\.0\.0\.1"):
        get(network, retries=1)

    assert network.connected == [(PUBLIC, 80)]


def test_the_next_ip_address_is_tried(serve: Serve) -> None:
    """If the first IP address of a name does not answer, the next one is tried."""
    network = serve(says(answer(b"hello")))

    class FirstIsDown(LabNetwork):
        def connect(self, address: str, port: int, timeout_s: float) -> Any:
            if address != PUBLIC:
                network.host.port, port_now = 1, network.host.port
                try:
                    return super().connect(address, port, timeout_s)
                finally:
                    network.host.port = port_now
            return super().connect(address, port, timeout_s)

    names: dict[str, list[Sequence[str]]] = {"example.org": [["2606:4700::1111", PUBLIC]]}
    assert get(FirstIsDown(network.host, names)).body == b"hello"


@pytest.mark.parametrize("names", [[], OSError, socket.gaierror(socket.EAI_NONAME, "no name")])
def test_an_unknown_host_is_an_error(serve: Serve, names: Any) -> None:
    """A name without IP addresses is an error that gives the name."""
    network = serve(says(answer()))

    class Without(LabNetwork):
        def resolve(self, host: str, port: int) -> list[str]:
            del host, port
            if isinstance(names, list):
                return names
            raise names if isinstance(names, Exception) else socket.gaierror(socket.EAI_NODATA, "")

    with pytest.raises(
        ToolNotFoundError, match=r"there is no host example\.org \(.*machine is online\)"
    ):
        get(Without(network.host))


def test_a_hanging_resolver_times_out(serve: Serve) -> None:
    """A name look-up that never ends is stopped by the time limit."""
    never = threading.Event()
    network = serve(says(answer()))

    class Hanging(LabNetwork):
        def resolve(self, host: str, port: int) -> list[str]:
            del host, port
            never.wait()
            return [PUBLIC]

    with pytest.raises(ToolTimeoutError, match="looked up in time"):
        get(Hanging(network.host), timeout_s=0.2)
    never.set()


def test_a_trusted_origin_may_be_on_loopback() -> None:
    """A trusted origin on loopback is reached by IPv4 or IPv6; all else there is refused."""
    for family, literal in ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "[::1]")):
        host = Host(says(answer(b"found")), family=family)
        origin = f"http://{literal}:{host.port}"
        assert WebClient().get(f"{origin}/search?q=x", trusted={origin}).body == b"found"
        assert f"Host: {literal}:{host.port}\r\n" in host.requests[0]
        with pytest.raises(ToolRefusedError):
            WebClient().get(f"{origin}/")
        assert host.connections == 1
        host.close()


# --- redirects ---------------------------------------------------------------------------------


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_redirects_are_followed(serve: Serve, status: int) -> None:
    """Absolute, relative and malformed redirects are followed; the final URL is returned."""
    network = serve(
        by_path(
            {
                "/": answer(status=f"{status} X", Location="/a b"),
                "/a%20b": answer(status=f"{status} X", Location="relative"),
                "/relative": answer(status=f"{status} X", Location=" http://www.Example.org/c#d "),
                "/c": answer(b"there"),
            }
        )
    )
    page = get(network)

    assert (page.body, page.final_url) == (b"there", "http://www.example.org/c")
    assert network.looked_up == ["example.org", "example.org", "example.org", "www.example.org"]


@pytest.mark.parametrize(
    "location",
    [
        "http://127.0.0.1/", "http://localhost/", "//169.254.169.254/latest/meta-data/",
        "http://[::1]/", "http://0x7f.1/", "file:///etc/passwd", "ftp://example.org/",
        "javascript:alert(1)", "http://me:pw@example.com/", "http://example.com:22/",
        "http://example.com\\@127.0.0.1/", "http://a\x00.org/", "http://[::1", "gopher://x/",
        "http://m\u00fcller.de/".encode().decode("latin-1"),
    ],
)  # fmt: skip
def test_a_redirect_is_checked_like_any_address(serve: Serve, location: str) -> None:
    """A redirect to an address that is not allowed is refused without a connection."""
    network = serve(says(answer(status="302 Found", Location=location)))
    with pytest.raises(ToolError) as caught:
        get(network)

    assert type(caught.value) in (ToolRefusedError, ToolUnavailableError)
    assert network.host.connections == 1


def test_a_redirect_never_reaches_a_local_listener(serve: Serve) -> None:
    """A redirect to a listener on loopback makes no connection to it."""
    victim = Host(says(answer(b"secret")))
    for location in (f"http://127.0.0.1:{victim.port}/", f"http://[::1]:{victim.port}/"):
        with pytest.raises(ToolRefusedError):
            get(serve(says(answer(status="301 Moved", Location=location))))

    assert victim.connections == 0
    victim.close()


def test_a_redirect_loop_is_an_error(serve: Serve) -> None:
    """A redirect loop is an error as soon as an address repeats."""
    pages = {"/": answer(status="302 F", Location="/b"), "/b": answer(status="302 F", Location="/")}
    network = serve(by_path(pages))
    with pytest.raises(ToolFailedError, match=r"example\.org redirects in circles"):
        get(network)

    assert len(network.host.requests) == 2


def test_more_than_five_redirects_are_an_error(serve: Serve) -> None:
    """A chain of redirects is stopped with an error after five."""

    def talk(connection: socket.socket, line: str) -> None:
        following = f"{line.split()[1]}x"
        connection.sendall(answer(status="302 Found", Location=following))

    network = serve(talk)
    with pytest.raises(ToolFailedError, match="more than 5 redirects"):
        get(network)

    assert len(network.host.requests) == 6


def test_a_redirect_without_a_location_is_a_result(serve: Serve) -> None:
    """A redirect without a Location header is returned as the result."""
    page = get(serve(says(answer(b"moved", status="302 Found"))))
    assert (page.status, page.body) == (302, b"moved")


def test_error_messages_do_not_contain_a_key(serve: Serve) -> None:
    """An error message does not contain a key from the query of the address."""
    url = "http://example.org/?key=s3cret"
    circle = answer(status="302 F", Location=url)
    for talk in (says(b""), says(circle), says(b"nonsense\r\n\r\n"), drip(b"H", b"")):
        with pytest.raises(ToolError) as caught:
            get(serve(talk), url, timeout_s=0.3)
        assert "s3cret" not in str(caught.value)


# --- bounds ------------------------------------------------------------------------------------


def test_the_body_is_cut_at_the_limit(serve: Serve) -> None:
    """A body above the limit is truncated and marked; a body of exactly the limit is not."""
    network = serve(says(answer(b"x" * 1000)))

    assert not get(network, max_bytes=1000).truncated
    page = get(network, max_bytes=999)
    assert (page.truncated, len(page.body)) == (True, 999)


def test_a_call_can_only_lower_the_limits(serve: Serve) -> None:
    """A call may lower the limits of the settings, but not raise them."""
    client = WebClient(limits=FetchLimits(max_bytes=100), network=serve(says(answer(b"x" * 1000))))

    assert len(client.get(URL, max_bytes=10).body) == 10
    assert len(client.get(URL, max_bytes=10**9).body) == 100


@cache
def zlib_bomb() -> bytes:
    """Return 100 MiB of zeros, compressed."""
    return zlib.compress(bytes(100 * MIB), 9)


@cache
def gzip_bomb() -> bytes:
    """Return the same, as gzip has it."""
    return gzip.compress(bytes(100 * MIB), 9)


#: Made when they are needed: other tests of this file need not wait for them.
HOSTILE: dict[str, Callable[[], Talk]] = {
    "gzip bomb": lambda: says(answer(gzip_bomb(), Content_Encoding="gzip")),
    "x-gzip bomb": lambda: says(answer(gzip_bomb(), Content_Encoding="X-GZIP")),
    "zlib bomb": lambda: says(answer(zlib_bomb(), Content_Encoding="deflate")),
    "bare deflate bomb": lambda: says(answer(zlib_bomb()[2:-4], Content_Encoding="deflate")),
    "many small gzip parts": lambda: says(
        answer(gzip.compress(bytes(MIB)) * 100, Content_Encoding="gzip")
    ),
    "parts that hold nothing": lambda: endless(
        OK_HEAD + b"Content-Encoding: gzip\r\n\r\n", gzip.compress(b"", mtime=0) * 1000
    ),
    "endless body": lambda: endless(OK_HEAD + b"\r\n", bytes(65536)),
    "endless chunks": lambda: endless(CHUNKED, b"10000\r\n" + bytes(65536) + b"\r\n"),
    "endless tiny chunks": lambda: endless(CHUNKED, b"1;" + b"x" * 500 + b"\r\nA\r\n"),
    "a length beyond all": lambda: endless(
        OK_HEAD + b"Content-Length: 9" + b"9" * 15 + b"\r\n\r\n", b"x" * 65536
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("talk", HOSTILE.values(), ids=HOSTILE)
def test_decompression_bombs_stay_within_memory(serve: Serve, talk: Callable[[], Talk]) -> None:
    """A body that exceeds the limit is truncated; memory stays below six times it."""
    network = serve(talk())
    tracemalloc.start()
    page = get(network, timeout_s=60)
    _, peak_bytes = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert page.truncated
    assert len(page.body) <= MIB
    assert peak_bytes < 6 * MIB


@pytest.mark.slow
@pytest.mark.parametrize(
    "talk",
    [
        endless(OK_HEAD, b"X-Header: " + b"y" * 1000 + b"\r\n"),
        endless(OK_HEAD + b"X-Header: ", b"y" * 65536),
        endless(b"", b"x" * 65536),
        endless(b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 1000),
        endless(CHUNKED + b"1;", b"x" * 65536),
    ],
    ids=["many headers", "a long header", "no answer", "go on", "a long chunk mark"],
)
def test_endless_headers_are_refused(serve: Serve, talk: Talk) -> None:
    """The size of headers, status lines and chunk lines is bounded."""
    with pytest.raises((ToolUnavailableError, ToolFailedError)):
        get(serve(talk), timeout_s=60)


@pytest.mark.parametrize("coding", ["br", "zstd", "compress", "gzip, gzip", "deflate,gzip", "x"])
def test_other_encodings_are_refused(serve: Serve, coding: str) -> None:
    """A content encoding that was not requested is refused, since it has no bound."""
    network = serve(says(answer(gzip_bomb(), Content_Encoding=coding)))
    with pytest.raises(ToolFailedError, match="which was not asked for"):
        get(network)


@pytest.mark.parametrize(
    "talk",
    [
        drip(OK_HEAD + b"\r\n", b"x"),
        drip(b"", b"H"),
        drip(OK_HEAD + b"X: ", b"y"),
        drip(CHUNKED, b"1\r\nx\r\n"),
        drip(OK_HEAD + b"Content-Encoding: gzip\r\n\r\n", gzip.compress(b"", mtime=0)),
        drip(b"", b""),
    ],
    ids=["body", "start", "header", "chunks", "gzip", "silence"],
)
def test_a_slow_server_times_out(serve: Serve, talk: Talk) -> None:
    """The time limit covers the whole exchange, even if single bytes keep arriving."""
    with pytest.raises(ToolTimeoutError):
        get(serve(talk), timeout_s=0.3)


def test_redirects_share_the_time_limit(serve: Serve) -> None:
    """All redirects share one time limit."""

    def talk(connection: socket.socket, line: str) -> None:
        threading.Event().wait(0.15)
        connection.sendall(answer(status="302 Found", Location=f"{line.split()[1]}x"))

    with pytest.raises(ToolTimeoutError):
        get(serve(talk), timeout_s=0.4)


def test_retries_share_the_time_limit(serve: Serve) -> None:
    """A retry that would start after the time limit is not made."""
    network = serve(says(answer(status="503 Busy")))

    assert get(network, timeout_s=5, retries=3, retry_delay_s=6).status == 503
    assert len(network.host.requests) == 1


def test_a_connection_that_is_not_accepted_times_out(serve: Serve) -> None:
    """A connection that is not accepted is abandoned after the connect time-out."""
    full = socket.socket()
    full.bind(("127.0.0.1", 0))
    full.listen(0)
    waiting = []
    for _ in range(3):
        other = socket.socket()
        other.setblocking(False)  # noqa: FBT003  the standard library's way
        other.connect_ex(full.getsockname())
        waiting.append(other)
    network = serve(says(answer()))
    network.host.port = full.getsockname()[1]
    with pytest.raises(ToolUnavailableError, match=r"example\.org did not answer"):
        get(network, connect_timeout_s=0.2, timeout_s=60)
    for each in (*waiting, full):
        each.close()


def test_a_fetch_can_be_cancelled(serve: Serve) -> None:
    """A cancelled fetch ends between two reads."""
    stop = threading.Event()

    def talk(connection: socket.socket, _: str) -> None:
        connection.sendall(OK_HEAD + b"\r\nx")
        stop.set()
        connection.sendall(b"x" * 1000)

    with pytest.raises(ToolRefusedError, match="stopped"):
        WebClient(network=serve(talk)).get(URL, cancelled=stop)


# --- broken servers ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "coding"),
    [
        (gzip.compress(b"hello", mtime=0), "gzip"),
        (gzip.compress(b"hel", mtime=0) + gzip.compress(b"lo", mtime=0), "gzip"),
        (gzip.compress(b"hello", mtime=0) + bytes(100), "gzip"),
        (zlib.compress(b"hello"), "deflate"),
        (zlib.compress(b"hello")[2:-4], "deflate"),
        (b"hello", "identity"),
        (b"hello", ""),
    ],
)
def test_compressed_bodies_are_decoded(serve: Serve, body: bytes, coding: str) -> None:
    """Gzip and deflate bodies are decoded, including common malformed variants."""
    assert get(serve(says(answer(body, Content_Encoding=coding)))).body == b"hello"


@pytest.mark.parametrize(
    "body",
    [b"no gzip at all", gzip.compress(bytes(range(256)) * 40, mtime=0)[:-20], b"\x1f\x8b\x08"],
)
def test_an_undecodable_body_is_an_error(serve: Serve, body: bytes) -> None:
    """A truncated or wrongly encoded body is an error, not a partial page."""
    with pytest.raises(ToolFailedError):
        get(serve(says(answer(body, Content_Encoding="gzip"))))


@pytest.mark.parametrize(
    "said",
    [
        b"",
        b"SSH-2.0-OpenSSH_9.2\r\n\r\n",
        b"\x00\x01\x02\x03\r\n\r\n",
        b"HTTP/1.1 OK\r\n\r\n",
        b"HTTP/1.1 2000 OK\r\n\r\n",
        OK_HEAD + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
        OK_HEAD + b"Content-Length: -1\r\n\r\n",
        OK_HEAD + b"Content-Length: 100\r\n\r\nhello",
        OK_HEAD + b"no header\r\n\r\n",
        CHUNKED + b"zz\r\nhello\r\n",
        CHUNKED + b"5\r\nhelloXX0\r\n\r\n",
        CHUNKED + b"5\r\nhel",
        CHUNKED + b"FFFFFFFFFFFFFFFFFFFFF\r\nhello\r\n",
    ],
)
def test_an_invalid_http_response_is_an_error(serve: Serve, said: bytes) -> None:
    """An invalid or truncated response is one clear error, after one retry."""
    network = serve(says(said))
    with pytest.raises(ToolUnavailableError, match=r"example\.org broke off, or speaks no HTTP"):
        get(network, retries=1)

    assert network.host.connections == 2


@pytest.mark.parametrize(
    "said",
    [
        b"x" * 5000 + b"\r\n\r\n",
        OK_HEAD + b"x" * 5000 + b"\r\n\r\n",
        answer(status="302 Found", Location="http://" + "\xe4" * 1500 + "/"),
        answer(status="302 Found", Location="http://" + "a." * 900 + "/"),
        answer(Content_Encoding="x" * 5000),
    ],
)
def test_error_messages_are_short_and_printable(serve: Serve, said: bytes) -> None:
    """Error messages are below 400 characters and printable, whatever a server sends."""
    with pytest.raises(ToolError) as caught:
        get(serve(says(said)))

    assert len(caught.value.message) < 400
    assert caught.value.message.isprintable()


def test_content_length_bounds_the_body(serve: Serve) -> None:
    """A body is read up to its Content-Length, even if more bytes follow."""
    assert get(serve(says(answer(b"hello", length=3)))).body == b"hel"


def test_a_refused_connection_is_an_error(serve: Serve) -> None:
    """A closed port is an error that names the host."""
    network = serve(says(answer()))
    network.host.close()
    with pytest.raises(ToolUnavailableError, match=r"example\.org did not answer"):
        get(network)


# --- second tries ------------------------------------------------------------------------------


@pytest.mark.parametrize("status", [429, 502, 503, 504])
def test_a_temporary_error_is_retried(serve: Serve, status: int) -> None:
    """A temporary HTTP error is retried as often as the settings allow."""
    busy = answer(b"busy", status=f"{status} X")
    network = serve(says(busy, busy, answer(b"hello")))

    assert get(network, retries=1).status == status
    assert len(network.host.requests) == 2
    assert get(network, retries=1).body == b"hello"


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410, 500, 501])
def test_a_permanent_error_is_not_retried(serve: Serve, status: int) -> None:
    """A permanent HTTP error is not retried."""
    network = serve(says(answer(status=f"{status} X")))
    get(network, retries=3)

    assert len(network.host.requests) == 1


@pytest.mark.parametrize(("wait", "requests"), [("0", 2), ("soon", 2), ("3600", 1), ("-1", 2)])
def test_retry_after_is_respected(serve: Serve, wait: str, requests: int) -> None:
    """A short Retry-After is respected; for a long one the response is returned at once."""
    network = serve(says(answer(status="503 Busy", Retry_After=wait)))

    assert get(network, retries=1).status == 503
    assert len(network.host.requests) == requests


# --- TLS ---------------------------------------------------------------------------------------


def test_an_untrusted_certificate_is_refused(serve: Serve) -> None:
    """An untrusted certificate is refused without a retry, and no request is sent."""
    network, _ = _behind_tls("example.org")
    with pytest.raises(ToolRefusedError, match=r"no trustworthy connection to example\.org"):
        get(network, "https://example.org/", retries=3)

    assert (network.host.connections, network.host.requests) == (1, [])
    del serve


def test_tls_uses_the_host_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SNI, certificate check and Host header use the name, not the IP address."""
    network, authority = _behind_tls("example.org")
    authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))

    assert get(network, "https://example.org/").body == b"hello"
    assert "\r\nHost: example.org\r\n" in network.host.requests[0]
    with pytest.raises(ToolRefusedError, match=r"no trustworthy connection to other\.org"):
        get(network, "https://other.org/")


def test_a_redirect_from_https_to_http_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A redirect from https to http is refused."""
    network, authority = _behind_tls(
        "example.org", answer(status="302 F", Location="http://a.org/")
    )
    authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
    with pytest.raises(ToolRefusedError, match="without encryption"):
        get(network, "https://example.org/")

    assert network.host.connections == 1


def test_a_slow_tls_handshake_times_out(serve: Serve) -> None:
    """A server that never finishes its handshake is stopped by the time limit."""
    host = Host(says(answer()))
    silent = socket.create_server(("127.0.0.1", 0))
    host.port = silent.getsockname()[1]
    with pytest.raises(ToolTimeoutError):
        get(LabNetwork(host), "https://example.org/", timeout_s=0.3)
    silent.close()
    del serve


def _behind_tls(name: str, said: bytes | None = None) -> tuple[LabNetwork, Any]:
    """Return a network whose host has a certificate for a name, and the issuing CA."""
    authority = trustme.CA()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(name).configure_cert(context)
    return LabNetwork(Host(says(said or answer(b"hello")), tls=context)), authority
