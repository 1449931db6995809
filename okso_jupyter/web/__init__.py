"""HTTP client for tools: guarded access to the public internet.

In: an untrusted address. Out: a `Fetched` from a public internet address, bounded in bytes and
time. `addresses` checks what may be reached, `guarded_backend` connects, `one_request` sends each,
`client` follows redirects. Imported by tools and the session; it knows no tool.
"""

from okso_jupyter.web.addresses import check_url, origin_of
from okso_jupyter.web.client import FetchLimits, WebClient
from okso_jupyter.web.http_messages import Fetched

__all__ = ["FetchLimits", "Fetched", "WebClient", "check_url", "origin_of"]
