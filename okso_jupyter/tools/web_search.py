"""web_search: finds web pages for a query with the configured search engine."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from typing import Final

from okso_jupyter.errors import ToolError
from okso_jupyter.toolkit.context import ToolContext
from okso_jupyter.toolkit.tool import Example, ToolOutput, tool
from okso_jupyter.web.search import Findings

_MAX_QUERY_CHARS: Final = 200
_DEFAULT_COUNT: Final = 5
_MAX_COUNT: Final = 10

_EXAMPLES = (
    Example("Search the web for 'heat pumps'", {"query": "heat pumps"}),
    Example("Search the internet for 'llama.cpp grammar'", {"query": "llama.cpp grammar"}),
    Example("Search the web for ferry times to Dover", {"query": "ferry times to Dover"}),
    Example("Search the internet for used sailing boats", {"query": "used sailing boats"}),
    Example("Look up 'JupyterLab extensions' on the web", {"query": "JupyterLab extensions"}),
    Example("Google 'population of Iceland'", {"query": "population of Iceland"}),
    Example("What does the web say about 'solar storms'?", {"query": "solar storms"}),
    Example("Do a web search on 'bread baking'", {"query": "bread baking"}),
    Example("Find web pages about 'tide tables'", {"query": "tide tables"}),
)


def _preview(context: ToolContext, query: str = "", num: int = _DEFAULT_COUNT) -> str:
    """Return the query and the service it is sent to."""
    del num
    try:
        return f"{query}\ngoes to {context.run.search.open().destination}"
    except ToolError as error:
        return str(error)


@tool(
    parameters={
        "properties": {
            "query": {
                "type": "string",
                "minLength": 1,
                "maxLength": _MAX_QUERY_CHARS,
                "pattern": r"\S",
                "description": "What to search for, in a few words.",
                "x-ground": "query",
            },
            "num": {
                "type": "integer",
                "minimum": 1,
                "maximum": _MAX_COUNT,
                "description": f"Most results; {_DEFAULT_COUNT} where it is left out.",
                "x-omit": True,
            },
        },
        "required": ["query"],
    },
    effect="network",
    safety="The query leaves this machine.",
    examples=_EXAMPLES,
    preview=_preview,
    groups=("web",),
    patient=True,
)
def web_search(context: ToolContext, query: str, num: int = _DEFAULT_COUNT) -> ToolOutput:
    """Search the web: titles, addresses and snippets of pages about a query."""
    provider = context.run.search.open()
    get = partial(context.run.web.get, timeout_s=context.timeout_s, cancelled=context.cancelled)
    found = provider.search(query.strip(), num, get)
    context.run.snippets.update((item.url, item.snippet) for item in found.items)
    return ToolOutput(
        value={
            "query": query,
            "total_results": found.total,
            "items": [asdict(item) for item in found.items],
        },
        text=_text(query, found),
    )


def _text(query: str, found: Findings) -> str:
    """Return the pages as a numbered list."""
    if not found.items:
        return f"The web search for {query!r} found nothing."
    entries = [
        f"{place}. {item.title}\n   {item.url}\n   {item.snippet}".rstrip()
        for place, item in enumerate(found.items, start=1)
    ]
    return "\n".join(entries)
