"""The reply to a request that needs no plan, and to one whose plan would do nothing."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from okso_jupyter.planning.replies.capabilities import (
    asks_what_can_be_done,
    capabilities,
    small_talk,
)
from okso_jupyter.planning.replies.here import Here
from okso_jupyter.planning.replies.reach import names_something
from okso_jupyter.planning.replies.refusals import (
    Refusal,
    beyond_small,
    foresight,
    out_of_domain,
    without_source,
)

Kind = Literal["capabilities", "small talk", "refused"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What is answered without running anything.

    Attributes:
        kind: What kind of answer it is.
        text: The answer.
    """

    kind: Kind
    text: str


def reply_of_all(request: str, here: Here) -> Reply | None:
    """Return the reply that needs no model, if a request has one."""
    if asks_what_can_be_done(request):
        return Reply(kind="capabilities", text=capabilities(here))
    talk = small_talk(request, here)
    return Reply(kind="small talk", text=talk) if talk else None


def reply_of_small(request: str, here: Here) -> Reply | None:
    """Return the refusal of what a small model cannot plan or would invent, if it is that."""
    return _refused(beyond_small(request, here), here)


def reply_to_no_calls(request: str, here: Here, *, is_small: bool) -> Reply | None:
    """Return the refusal of a request whose plan calls no tool.

    A large model may then answer from what it knows, but for what only a tool could do or see.
    """
    refusal = out_of_domain(request, here) or foresight(request, here)
    # a value that is told with the request can be spoken of without a tool
    if refusal is None and names_something(replace(here, values=frozenset())):
        what = f"tell that about {here.files[0]}" if here.facts.files else "tell that"
        refusal = Refusal(what=what, why="the plan calls no tool, so nothing would be observed")
    if refusal is None and is_small:
        refusal = without_source(request, here)
    return _refused(refusal, here)


def _refused(refusal: Refusal | None, here: Here) -> Reply | None:
    return None if refusal is None else Reply(kind="refused", text=refusal.sentence(here))
