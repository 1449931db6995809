"""Which model specs name a server on another machine."""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit


def is_loopback(host: str) -> bool:
    """Return whether a host is this machine."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def remote_host(spec: str) -> str:
    """Return the host, with its port, that a spec sends requests to; empty for this machine."""
    if not spec.lower().startswith(("http://", "https://")):
        return ""
    parts = urlsplit(spec)
    return "" if is_loopback(parts.hostname or "") else parts.netloc.rpartition("@")[2]
