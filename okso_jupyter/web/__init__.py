"""HTTP for tools: one guarded way out of the machine.

In: an address that nobody vouches for. Out: a `Fetched`, bounded in bytes and time, from a public
address of the internet and nowhere else. `addresses` says what may be reached, `network` reaches
it, `decoding` unpacks, `client` asks. Tools and the session import this; it knows no tool.
"""

from okso_jupyter.web.addresses import check_url, origin_of
from okso_jupyter.web.client import Fetched, FetchLimits, WebClient

__all__ = ["FetchLimits", "Fetched", "WebClient", "check_url", "origin_of"]
