"""Search terms for a web search before planning, and its results as text for the prompt.

A model writes the terms under a schema: one to three texts of 5 to 80 characters, or none. If it
fails, the request itself is searched for. The results are data: each text is printable, on one
line, bounded, and enclosed in marks that no text among them can forge.
"""

from __future__ import annotations

import hashlib
import json
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from okso_jupyter import assets
from okso_jupyter.errors import ModelError
from okso_jupyter.legible import sentence
from okso_jupyter.llm.protocol import CompletionRequest, Message
from okso_jupyter.planning.request.intent import Ask
from okso_jupyter.settings import Settings

_SCHEMA: Final = "search_terms.schema.json"
_LEAST_CHARS: Final = 5
_MOST_CHARS: Final = 80
_MOST_TERMS: Final = 3
_TRIMMED: Final = " \t\n\"'`.,;:!?"

#: Maximum characters of the results in a prompt: of a title, of a snippet, of all results.
_TITLE_CHARS: Final = 80
_SNIPPET_CHARS: Final = 200
_FOUND_CHARS: Final = 2400


def search_terms(
    request: str, settings: Settings, ask: Ask, *, needed: bool = False
) -> tuple[str, ...]:
    """Return up to three search terms; none if the model says that no search is needed.

    Args:
        request: The request in plain words.
        settings: The settings.
        ask: Asks the model; if it fails or writes no valid terms, the request is the only term.
        needed: Whether the request asks for a web search, so that the model may not answer "none".
    """
    try:
        completion = ask(_question(request, settings, needed=needed))
    except ModelError:
        return (as_written(request),)
    terms = None if completion.flaw else _read(completion.text)
    return (as_written(request),) if terms is None else terms


def as_written(request: str) -> str:
    """Return a request as a search term: on one line, cut to the maximum length."""
    return textwrap.shorten(request, _MOST_CHARS, placeholder="") or request.strip()[:_MOST_CHARS]


def _question(request: str, settings: Settings, *, needed: bool) -> CompletionRequest:
    schema = assets.schema(_SCHEMA)
    return CompletionRequest(
        role="rephraser",
        messages=(
            Message("system", assets.prompt("search_terms")),
            *_examples(needed=needed),
            Message("user", request),
        ),
        seeds=(0,),
        temperature=settings.llama_temperature or 0.0,
        max_tokens=settings.rephraser_max_output_tokens,
        schema={**schema, "minItems": 1} if needed else schema,
    )


def _examples(*, needed: bool) -> Iterator[Message]:
    """Yield example requests with their answers, for a small model to imitate."""
    lines = assets.prompt("search_terms_examples").splitlines()
    for asked, answered in zip(lines[::2], lines[1::2], strict=True):
        if not needed or answered != "[]":
            yield Message("user", asked)
            yield Message("assistant", answered)


def _read(text: str) -> tuple[str, ...] | None:
    """Return the distinct search terms that a model wrote; None if it wrote no valid terms."""
    try:
        said = json.loads(text)
    except ValueError:
        return None
    if said == []:
        return ()
    if not isinstance(said, list) or len(said) > _MOST_TERMS:
        return None
    texts = (" ".join(term.strip(_TRIMMED).split()) for term in said if isinstance(term, str))
    found = {term.lower(): term for term in texts if _LEAST_CHARS <= len(term) <= _MOST_CHARS}
    return tuple(found.values()) or None


def found_text(found: Mapping[str, Sequence[Mapping[str, Any]]]) -> str:
    """Return search results as text for a prompt; empty if there are none.

    Args:
        found: Pages by search term; each has title, url and snippet.
    """
    lines: list[str] = []
    for term, items in found.items():
        entries = [_entry(place, item) for place, item in enumerate(items, start=1)]
        if entries:
            lines += [f"Search: {sentence(term)}", *entries]
    text = _bounded(lines)
    if not text:
        return ""
    mark = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    return f"<<<{mark}\n{text}\n{mark}>>>"


def _entry(place: int, item: Mapping[str, Any]) -> str:
    """Return one page as one line."""
    title = _cut(str(item.get("title") or "Untitled"), _TITLE_CHARS)
    snippet = _cut(str(item.get("snippet") or ""), _SNIPPET_CHARS)
    return f"{place}. {title}: {snippet} [{sentence(str(item.get('url') or ''))}]"


def _cut(text: str, most: int) -> str:
    """Return a text made printable, on one line, cut to `most` characters."""
    line = sentence(" ".join(text.split()))
    return line if len(line) <= most else f"{line[: most - 1]}…"


def _bounded(lines: Sequence[str]) -> str:
    """Return as many whole lines as a prompt has room for; drop a last term without results."""
    kept: list[str] = []
    for line in lines:
        if sum(len(other) + 1 for other in kept) + len(line) > _FOUND_CHARS:
            break
        kept.append(line)
    while kept and kept[-1].startswith("Search: "):
        kept.pop()
    return "\n".join(kept)
