"""Digest (RFC 7616): the login of a server that does not take the password itself."""

from __future__ import annotations

import re
from typing import Final

import httpx

from okso_jupyter.personal.dav.dav_address import DavAddress

_UNAUTHORIZED: Final = 401
#: The challenge, also where another one stands before it in the same header.
_CHALLENGE: Final = re.compile(r"(?:^|,\s*)(digest\s.*)", re.IGNORECASE | re.DOTALL)


def digest_login(address: DavAddress, method: str, url: str, challenge: str) -> str:
    """Return the header `Authorization` that answers a challenge; empty if nothing can.

    Args:
        address: Who asks.
        method: Method of the request.
        url: Address of the request.
        challenge: The header `WWW-Authenticate` of the answer that refused it.
    """
    found = _CHALLENGE.search(challenge)
    if not address.user or found is None:
        return ""
    request = httpx.Request(method, url)
    flow = httpx.DigestAuth(address.user, address.password()).auth_flow(request)
    next(flow)
    headers = {"WWW-Authenticate": found[1]}
    refused = httpx.Response(_UNAUTHORIZED, headers=headers, request=request)
    try:
        return flow.send(refused).headers["Authorization"]
    # an algorithm that is not known, or a challenge without what it needs
    except (httpx.ProtocolError, KeyError, ValueError, NotImplementedError):
        return ""
