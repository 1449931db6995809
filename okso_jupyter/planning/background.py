"""What is known of a request before plans are sampled: its kind, what the web says, the past."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from okso_jupyter.llm.protocol import Message
from okso_jupyter.planning.prompt.builder import PlannerPrompt
from okso_jupyter.planning.request.intent import OFF, Intent


@dataclass(frozen=True, slots=True, kw_only=True)
class WebContext:
    """A search of the web before planning.

    Attributes:
        terms: What was to be searched for; nothing where no search was wanted or possible.
        text: What was found, for the planner's prompt; empty where nothing was searched.
        note: In words, what came of it; empty where no search was wanted.
    """

    terms: tuple[str, ...] = ()
    text: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Background:
    """What is known of a request before plans are sampled.

    Attributes:
        intent: What kind of request it is.
        web: What the web says.
        earlier: What earlier requests came to, for the planner's prompt; empty for nothing.
        so_far: What a run that is under way has done, for the planner's prompt.
    """

    intent: Intent = OFF
    web: WebContext = field(default_factory=WebContext)
    earlier: str = ""
    so_far: str = ""


def with_past(prompts: Iterator[PlannerPrompt], background: Background) -> Iterator[PlannerPrompt]:
    """Yield the briefs with what was done before, in this run and in others."""
    for brief in with_earlier(prompts, background.earlier):
        *before, last = brief.messages
        told = Message(last.role, f"{last.content}{background.so_far}")
        yield replace(brief, messages=(*before, told))


def with_earlier(prompts: Iterator[PlannerPrompt], earlier: str) -> Iterator[PlannerPrompt]:
    """Yield the first brief with what earlier requests came to before the request, then as it was.

    Where there is no room for all, the past is what a prompt can best do without.
    """
    if not earlier:
        yield from prompts
        return
    whole = next(prompts)
    *before, last = whole.messages
    told = Message(last.role, f"{earlier}\n\n{last.content}")
    yield replace(whole, messages=(*before, told))
    for brief in itertools.chain([whole], prompts):
        yield replace(brief, left_out=("what earlier requests came to", *brief.left_out))
