"""Which addresses may be fetched: only public internet addresses, in canonical form."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from okso_jupyter.errors import ToolError, ToolInputError, ToolRefusedError
from okso_jupyter.web import WebClient, check_url, origin_of
from tests.each_row import each_row
from tests.web_lab import PUBLIC, Host, LabNetwork, answer, says

#: Each of these leads, for some parser, resolver or relay, where a page has no business.
HOSTILE = [
    # other schemes, and none
    "file:///etc/passwd", "ftp://example.org/", "gopher://example.org/", "data:text/html,hello",
    "javascript:alert(1)", "ws://example.org/", "http:example.org", "http:/example.org",
    "http:///example.org", "//example.org/", "example.org", "", "http://", "https://?q",
    "view-source:http://example.org/", "HTTPS:\\\\example.org", "jar:http://example.org!/",
    # names and passwords
    "http://user@example.org/", "http://user:secret@example.org/", "http://example.org@127.0.0.1/",
    "http://127.0.0.1#@example.org/", "http://example.org:80@127.0.0.1/", "http://@example.org/",
    # this machine and its neighbours
    "http://localhost/", "http://LOCALHOST/", "http://localhost./", "http://foo.localhost/",
    "http://127.0.0.1/", "http://127.1.2.3/", "http://0.0.0.0/", "http://10.0.0.1/",
    "http://172.16.0.1/", "http://172.31.255.255/", "http://192.168.1.1/", "http://169.254.1.1/",
    "http://100.64.0.1/", "http://100.127.255.254/", "http://198.18.0.1/", "http://198.19.255.1/",
    "http://192.0.0.8/", "http://192.0.2.1/", "http://198.51.100.1/", "http://203.0.113.1/",
    "http://192.88.99.1/", "http://224.0.0.1/", "http://239.255.255.250/", "http://240.0.0.1/",
    "http://255.255.255.255/", "http://router/", "http://nas.local/", "http://intra.corp/",
    "http://db.internal/", "http://pc.home.arpa/", "http://box.lan/", "http://a.test/",
    # clouds
    "http://169.254.169.254/latest/meta-data/", "http://168.63.129.16/", "http://100.100.100.200/",
    "http://metadata.google.internal/", "http://metadata/", "http://[fd00:ec2::254]/",
    "http://169.254.169.254./", "http://[::ffff:169.254.169.254]/",
    # numbers in odd spellings
    "http://2130706433/", "http://0x7f000001/", "http://0x7f.0.0.1/", "http://0177.0.0.1/",
    "http://127.1/", "http://127.0.1/", "http://0/", "http://00.0.0.0/", "http://127.0.0.01/",
    "http://127.0.0.1./", "http://017700000001/", "http://1.2.3.4.5/", "http://256.1.1.1/",
    "http://999999999999/", "http://8.8.8.08/", "http://0x08080808/", "http://8.8.2056/",
    # IPv6
    "http://[::1]/", "http://[::]/", "http://[0:0:0:0:0:0:0:1]/", "http://[fe80::1]/",
    "http://[fe80::1%25eth0]/", "http://[fe80::1%eth0]/", "http://[fc00::1]/", "http://[fec0::1]/",
    "http://[ff02::1]/", "http://[::ffff:127.0.0.1]/", "http://[::ffff:8.8.8.8]/",
    "http://[::127.0.0.1]/", "http://[64:ff9b::7f00:1]/", "http://[64:ff9b:1::1]/",
    "http://[2002:7f00:1::]/", "http://[2001:0:7f00:1::]/", "http://[2001:db8::1]/",
    "http://[2001:20::1]/", "http://[3fff::1]/", "http://[100::1]/", "http://[5f00::1]/",
    "http://[::1", "http://::1/", "http://[::1]]/", "http://[127.0.0.1]/", "http://[v1.a]/",
    "http://[2606:2800:220:1:248:1893:25c8:1946%25lo]/",
    # characters that parsers read differently
    "http://example.org\\@127.0.0.1/", "http:\\\\127.0.0.1\\", "http://127.0.0.1\\.example.org/",
    "http://example.org\t/", "http://exa\nmple.org/", " http://example.org/",
    "http://example.org /", "http://example.org/ HTTP/1.1\r\nHost: localhost",
    "http://example.org/\r\nX: y", "http://example.org/\x00", "http://exam\x00ple.org/",
    "http://example.org\u3002evil/", "http://\u2460\u2461\u2466.\u24ea.\u24ea.\u2460/",
    "http://\uff11\uff12\uff17.0.0.1/", "http://ex\u00aample.org/", "http://exa\u200bmple.org/",
    "http://lo\u017fcalho\u017ft/", "http\u017f://example.org/", "http://\u212a.org/", "http://m\u00fcller.de/",
    "http://127\u30020\u30020\u30021/",
    "http://%31%32%37.0.0.1/", "http://127.0.0.1%2eexample.org/", "http://example.org%00/",
    "http://ex%61mple.org/", "http://example..org/", "http://.example.org/", "http://-a.org/",
    "http://a_b.org/", "http://example.org,localhost/", "http://[example.org]/", "http://*.org/",
    "http://example.org./", "http://exam$ple.org/", "http://{host}/", "http://example.org/\u2028",
    # ports
    "http://example.org:22/", "http://example.org:25/", "http://example.org:6379/",
    "http://example.org:0/", "http://example.org:65536/", "http://example.org:99999/",
    "http://example.org:-80/", "http://example.org:+80/", "http://example.org:80:80/",
    "http://example.org:8888/", "http://example.org:/", "http://example.org:8o/",
    "http://example.org:\u0668\u0660/",
    # too much
    "http://example.org/" + "a" * 2048, "http://" + "a" * 64 + ".org/",
    "http://" + "a." * 127 + "org/",
]  # fmt: skip

#: Numbers behind harmless names, alone and among good ones.
CLOSED = [
    "127.0.0.1", "10.1.2.3", "172.20.0.1", "192.168.0.1", "169.254.169.254", "168.63.129.16",
    "100.64.0.1", "0.1.2.3", "224.0.0.1", "255.255.255.255", "198.18.0.1", "192.0.0.170", "::1",
    "::", "fe80::1", "fe80::1%lo", "fc00::1", "fd00:ec2::254", "fec0::1", "ff02::1",
    "::ffff:127.0.0.1", "::ffff:8.8.8.8", "::7f00:1", "64:ff9b::7f00:1", "64:ff9b:1::1",
    "2002:7f00:1::1", "2001::1", "2001:db8::1", "3fff::1", "2620:4f:8000::1", "100::1",
    "2606:4700::1111%lo", "example.org", "0x7f.1", "127.1", "2130706433", "",
]  # fmt: skip

GOOD = {
    "http://example.org": "http://example.org/",
    "https://example.org/": "https://example.org/",
    "HTTPS://Example.ORG/Path": "https://example.org/Path",
    "https://example.org:443/": "https://example.org/",
    "http://example.org:443/": "http://example.org:443/",
    "https://example.org:8443/a?b=c&d=%20e": "https://example.org:8443/a?b=c&d=%20e",
    "http://example.org:8080": "http://example.org:8080/",
    "https://example.org?q=1": "https://example.org/?q=1",
    "https://example.org/a#part": "https://example.org/a",
    "https://example.org/wiki/K\u00f6ln": "https://example.org/wiki/K%C3%B6ln",
    "https://example.org/?q=\u6771\u4eac": "https://example.org/?q=%E6%9D%B1%E4%BA%AC",
    "https://example.org/a|b{c}": "https://example.org/a%7Cb%7Bc%7D",
    "https://example.org/(a),b;c='d'!*": "https://example.org/(a),b;c='d'!*",
    "https://example.org/~me/@you/x:y": "https://example.org/~me/@you/x:y",
    "https://example.org/login?next=http://127.0.0.1/": (
        "https://example.org/login?next=http://127.0.0.1/"
    ),
    "https://xn--mller-kva.de/": "https://xn--mller-kva.de/",
    "https://a.b.c.d.example.co.uk/": "https://a.b.c.d.example.co.uk/",
    "https://1.example.org/": "https://1.example.org/",
    "https://a--b.example.org/": "https://a--b.example.org/",
    "https://localhost.example.org/": "https://localhost.example.org/",
    "https://example.museum/": "https://example.museum/",
    "http://8.8.8.8/": "http://8.8.8.8/",
    "http://172.32.0.1/": "http://172.32.0.1/",
    "http://192.169.0.1/": "http://192.169.0.1/",
    "https://[2606:4700:4700::1111]/": "https://[2606:4700:4700::1111]/",
    "https://[2606:4700:4700:0:0:0:0:1111]:8443/": "https://[2606:4700:4700::1111]:8443/",
}


@pytest.fixture
def host() -> Iterator[Host]:
    """A server that must not be reached."""
    host = Host(says(answer(b"reached")))
    yield host
    host.close()


@each_row("url", HOSTILE)
def test_a_hostile_address_is_refused(url: str, host: Host) -> None:
    """A hostile address is refused before any name is looked up or connection is made."""
    network = LabNetwork(host)
    with pytest.raises((ToolInputError, ToolRefusedError)) as caught:
        WebClient(network=network).get(url)

    assert caught.value.message
    assert caught.value.message.isprintable()
    assert (network.looked_up, network.connected, host.connections) == ([], [], 0)


@each_row(("url", "sent"), GOOD.items())
def test_a_valid_address_is_normalised(url: str, sent: str) -> None:
    """A valid address is accepted; its host is lower-cased, its path percent-encoded."""
    assert check_url(url).url == sent


@each_row("number", CLOSED)
@each_row("others", [[], [PUBLIC], [PUBLIC, "2606:4700::1111"]])
def test_one_private_ip_address_refuses_the_name(
    number: str, others: list[str], host: Host
) -> None:
    """A name with any IP address that is not public is refused before any connection."""
    network = LabNetwork(host, {"example.org": [[*others, number]]})
    with pytest.raises(ToolRefusedError, match="not on the public internet"):
        WebClient(network=network).get("https://example.org/")

    assert (network.connected, host.connections) == ([], 0)


def test_the_user_may_trust_an_origin() -> None:
    """A trusted origin may be on any host; it matches by scheme, host and port."""
    trusted = {origin_of("http://LOCALHOST:8888/search?q=")}
    assert trusted == {"http://localhost:8888"}
    assert check_url("http://localhost:8888/x", trusted=trusted).path == "/x"
    for other in ("http://localhost:8889/", "https://localhost:8888/", "http://127.0.0.1:8888/"):
        with pytest.raises(ToolRefusedError):
            check_url(other, trusted=trusted)


def test_a_trusted_origin_must_be_a_web_address() -> None:
    """A trusted origin must be http or https, without a password."""
    for wrong in ("localhost:8888", "http://me:secret@localhost/", "file:///tmp"):
        with pytest.raises(ToolError):
            origin_of(wrong)
