"""web_fetch: reads one page of the public internet."""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final

from okso_jupyter.errors import ToolError
from okso_jupyter.toolkit.context import ToolContext
from okso_jupyter.toolkit.tool import Example, ToolOutput, tool
from okso_jupyter.web import Fetched, check_url
from okso_jupyter.web.page import Page, anchor_query, passage, read_page, shortened

_MAX_BYTES: Final = 5 * 1024 * 1024
_SHOWN_HEADERS: Final = (
    *("content-type", "content-length", "last-modified", "etag", "cache-control"),
    *("location", "vary"),
)
_MAX_HEADER_CHARS: Final = 500

_URL_BY_REQUEST: Final = {
    "Fetch https://example.org/": "https://example.org/",
    "Fetch the page https://example.org/news": "https://example.org/news",
    "Get https://example.org/data.json": "https://example.org/data.json",
    "Download https://example.org/table.csv": "https://example.org/table.csv",
    "Read https://example.org/about": "https://example.org/about",
    "Read the web page https://example.org/about": "https://example.org/about",
    "Open https://example.org/ and tell me what it says": "https://example.org/",
    "What does https://example.org/faq say?": "https://example.org/faq",
    "What is on https://example.org/?": "https://example.org/",
    "What is at https://example.org/page?": "https://example.org/page",
    "What is the page https://example.org/post about?": "https://example.org/post",
    "Summarize https://example.org/article": "https://example.org/article",
    "Summarize the article at https://example.org/article": "https://example.org/article",
    "Show me the content of https://example.org/readme.txt": "https://example.org/readme.txt",
    "Show me the website https://example.org": "https://example.org",
    "What does https://example.org/docs say about timeouts?": ("https://example.org/docs"),
    "What is the title of https://example.org/blog?": "https://example.org/blog",
    "Does https://example.org/ still work?": "https://example.org/",
}


def _lint(args: Mapping[str, Any]) -> str:
    """Return why the address is always refused, or an empty string."""
    try:
        check_url(args.get("url", ""))
    except ToolError as error:
        return error.message
    return ""


def _preview(url: str, max_bytes: int = _MAX_BYTES) -> str:
    """Return what is sent from this machine: the whole address."""
    return f"GET {check_url(url).url}\nat most {max_bytes:,} bytes, redirects followed"


@tool(
    parameters={
        "properties": {
            "url": {
                "type": "string",
                "minLength": 1,
                "description": "Address, http or https; one that the request or a search names",
                "x-ground": "url",
                "x-fill": True,
            },
            "max_bytes": {
                "type": "integer",
                "minimum": 1,
                "maximum": _MAX_BYTES,
                "x-omit": True,
            },
        },
        "required": ["url"],
    },
    effect="network",
    lint=_lint,
    preview=_preview,
    safety="The address goes to its host, without cookies and passwords.",
    examples=[Example(request, {"url": url}) for request, url in _URL_BY_REQUEST.items()],
    groups=("web",),
    patient=True,
)
def web_fetch(context: ToolContext, url: str, max_bytes: int = _MAX_BYTES) -> ToolOutput:
    """Fetch one web page by its address and show it as text."""
    give_up = time.monotonic() + context.timeout_s
    answer = context.run.web.get(
        url,
        max_bytes=max_bytes,
        timeout_s=context.timeout_s,
        cancelled=context.cancelled,
        refuses_redirect=context.refuses_redirect,
    )
    page = read_page(
        answer,
        context.run.documents,
        timeout_s=max(give_up - time.monotonic(), 0.1),
        cancelled=context.cancelled,
    )
    wanted = anchor_query(_said_by_search(context, url))
    found = passage(page.text, wanted) if page.encoding == "text" else ""
    return ToolOutput(
        value=_value(answer, page, wanted, found),
        text=_text(page, found),
        exit_code=1 if answer.error else 0,
        error=answer.error,
    )


def _said_by_search(context: ToolContext, url: str) -> str:
    """Return the snippet that a search of this run gave for an address, or ""."""
    wanted = check_url(url).url
    for known, snippet in context.run.snippets.items():
        with suppress(ToolError):
            if check_url(known).url == wanted:
                return snippet
    return ""


def _value(answer: Fetched, page: Page, wanted: str, found: str) -> dict[str, Any]:
    """Return the value for later steps and the journal."""
    return {
        "final_url": answer.final_url,
        "status": answer.status,
        "content_type": answer.headers.get("content-type", "")[:_MAX_HEADER_CHARS],
        "headers": {
            name: answer.headers[name][:_MAX_HEADER_CHARS]
            for name in _SHOWN_HEADERS
            if name in answer.headers
        },
        "bytes": len(answer.body),
        "truncated": answer.truncated,
        "body_encoding": page.encoding,
        "body_snippet": shortened(found) if found else page.snippet,
        "body_markdown": page.markdown,
        "anchor_query": wanted or None,
        "anchor_match": bool(found),
        "error": answer.error or page.problem or None,
    }


def _text(page: Page, found: str) -> str:
    """Return the page; a long page comes after the passage that a search found."""
    parts = [found] if found and len(page.text) > 2 * len(found) else []
    parts += [page.text, f"({page.problem})" if page.problem else ""]
    return "\n\n".join(part for part in parts if part)
