"""What is known of a request before plans are sampled: its kind, and what the web says."""

from __future__ import annotations

from dataclasses import dataclass, field

from okso_jupyter.planning.intent import OFF, Intent


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
    """

    intent: Intent = OFF
    web: WebContext = field(default_factory=WebContext)
