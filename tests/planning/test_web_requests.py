"""Requests with a URL lead to `web_fetch` with that URL; others do not."""

from __future__ import annotations

import pytest

from okso_jupyter import Session
from okso_jupyter.planning.examples.index import index_of
from okso_jupyter.planning.request.facts import gather
from okso_jupyter.planning.schema.plan_schema import StepOffer, args_schema

TOOLS = Session().tools
INDEX = index_of(TOOLS)


@pytest.mark.parametrize(
    "request_text",
    [
        "Fetch https://docs.python.org/3/library/json.html",
        "What does https://numpy.org/news say?",
        "What does https://numpy.org/doc say about broadcasting?",
        "Summarize the page https://pandas.pydata.org/about/",
        "Please read https://www.rfc-editor.org/rfc/rfc9110.html and tell me what it says",
        "Show me https://example.com/data.csv",
        "What is at http://example.com?",
    ],
)
def test_a_request_with_an_address(request_text: str) -> None:
    """`web_fetch` ranks first, and the only URL offered is the request's."""
    facts = gather(request_text, None)
    schema = args_schema(TOOLS["web_fetch"], StepOffer(tools=(), facts=facts, may_wait=False))

    assert next(iter(INDEX.rank(facts))) == "web_fetch"
    assert schema["properties"]["url"] == {"enum": list(facts.urls)}
    assert list(schema["properties"]) == ["url"]


@pytest.mark.parametrize(
    "request_text",
    [
        "Read notes.md",
        "What does report.txt say about rent?",
        "Show me the content of main.py",
        "What is the title of the book?",
        "Download the file",
        "What is 17 * 23?",
    ],
)
def test_a_request_without_an_address(request_text: str) -> None:
    """Another tool ranks above `web_fetch`, and no URL is made up."""
    facts = gather(request_text, None)
    schema = args_schema(TOOLS["web_fetch"], StepOffer(tools=(), facts=facts, may_wait=False))

    assert schema["properties"]["url"] == {"const": ""}
    fits = INDEX.rank(facts)
    assert fits["web_fetch"] < 0.6 or next(iter(fits)) != "web_fetch"
