"""Background of a planning call: kind of request, web search results, earlier requests."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from okso_jupyter.llm.protocol import Message
from okso_jupyter.planning.prompt.builder import PlannerPrompt
from okso_jupyter.planning.request.intent import OFF, Intent


@dataclass(frozen=True, slots=True, kw_only=True)
class WebContext:
    """A web search made before planning.

    Attributes:
        terms: The search terms; empty if no search was wanted or possible.
        text: The results as text for the planner's prompt; empty if nothing was searched.
        note: The outcome in words; empty if no search was wanted.
    """

    terms: tuple[str, ...] = ()
    text: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class RunSoFar:
    """What the current run has done, as texts for the planner's prompt.

    Attributes:
        text: Steps that are done, failed and left; empty before a run.
        calls: The calls in detail, for a server.
    """

    text: str = ""
    calls: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Background:
    """What is known of a request before plans are sampled.

    Attributes:
        intent: The kind of request.
        web: The web search made before planning.
        earlier: Outcomes of earlier requests, for the planner's prompt; empty if there are none.
        so_far: What the current run has done, for the planner's prompt; empty before a run.
        calls: The calls of the current run in detail, for the prompt of a server.
    """

    intent: Intent = OFF
    web: WebContext = field(default_factory=WebContext)
    earlier: str = ""
    so_far: str = ""
    calls: str = ""


def with_past(prompts: Iterator[PlannerPrompt], background: Background) -> Iterator[PlannerPrompt]:
    """Yield the prompts, extended by what this run and earlier requests have done."""
    for brief in with_earlier(prompts, background.earlier):
        *before, last = brief.messages
        extended = Message(last.role, f"{last.content}{background.so_far}")
        yield replace(brief, messages=(*before, extended))


def with_earlier(prompts: Iterator[PlannerPrompt], earlier: str) -> Iterator[PlannerPrompt]:
    """Yield the first prompt with the earlier requests' outcomes added, then all without them.

    If the prompt is too long, these outcomes are the first thing to drop.
    """
    if not earlier:
        yield from prompts
        return
    whole = next(prompts)
    *before, last = whole.messages
    extended = Message(last.role, f"{earlier}\n\n{last.content}")
    yield replace(whole, messages=(*before, extended))
    for brief in itertools.chain([whole], prompts):
        yield replace(brief, left_out=("what earlier requests came to", *brief.left_out))
