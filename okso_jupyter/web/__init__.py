"""HTTP client for tools: guarded access to the public internet.

In: an untrusted address. Out: a `Fetched` from a public internet address, bounded in bytes and
time. `addresses` checks what may be reached, `network` connects, `content_encoding` decompresses,
`client` sends the requests. Imported by tools and the session; it knows no tool.
"""

from okso_jupyter.web.addresses import check_url, origin_of
from okso_jupyter.web.client import Fetched, FetchLimits, WebClient

__all__ = ["FetchLimits", "Fetched", "WebClient", "check_url", "origin_of"]
