"""Replies to requests that need no plan, or whose plan would call no tool."""

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
    which_file,
    without_source,
)
from okso_jupyter.planning.replies.unused_variables import unused_words

Kind = Literal["capabilities", "small talk", "refused"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """An answer given without running anything.

    Attributes:
        kind: The kind of answer.
        text: The answer.
    """

    kind: Kind
    text: str


def reply_of_all(request: str, here: Here) -> Reply | None:
    """Return the reply to a question about capabilities or to small talk, else None.

    A request that leaves open which file it means is refused.
    """
    if asks_what_can_be_done(request):
        return Reply(kind="capabilities", text=capabilities(here))
    talk = small_talk(request, here)
    if talk:
        return Reply(kind="small talk", text=talk)
    return _refused(which_file(request, here), here)


def reply_of_small(request: str, here: Here) -> Reply | None:
    """Return the refusal of a request that a small model cannot plan, else None."""
    return _refused(beyond_small(request, here), here)


def reply_to_no_calls(request: str, here: Here, *, is_small: bool) -> Reply | None:
    """Return the refusal of a request whose plan calls no tool, or None to let the model answer.

    A large model may answer from its knowledge, except for what only a tool could do or observe.
    """
    refusal = out_of_domain(request, here) or foresight(request, here)
    # a value given with the request can be discussed without a tool
    if refusal is None and names_something(replace(here, values=frozenset())):
        what = f"tell that about {here.files[0]}" if here.facts.files else "tell that"
        refusal = Refusal(what=what, why="the plan calls no tool, so nothing would be observed")
    if refusal is None and is_small:
        refusal = without_source(request, here)
    return _refused(refusal, here)


def reply_to_copied_code(request: str, here: Here) -> Reply | None:
    """Return the refusal of a request for which only an example's program was found."""
    return _refused(without_source(request, here), here)


def reply_to_changes(_request: str, here: Here) -> Reply | None:
    """Return the refusal of a request that only asks, whose plan would change something.

    It is None where the request names a path that is not there, which may be made for it.
    """
    if here.facts.new_paths:
        return None
    what = f"tell that about {here.files[0]}" if here.facts.files else "tell that"
    why = "the plan that I found would change something, and the request only asks"
    return Reply(kind="refused", text=Refusal(what=what, why=why).sentence(here))


def reply_to_edits(why: str, here: Here) -> Reply:
    """Return the refusal of a request whose plan would edit what it does not say for sure."""
    return Reply(kind="refused", text=Refusal(what="do that", why=why).sentence(here))


def reply_to_unused(_request: str, here: Here, *, names: tuple[str, ...]) -> Reply:
    """Return the refusal of a request that names variables which the plan does not use."""
    why = f"the plan that I found {unused_words(names).removeprefix('it ')}"
    refusal = Refusal(what=f"do that with {' and '.join(names)}", why=why)
    return Reply(kind="refused", text=refusal.sentence(here))


def _refused(refusal: Refusal | None, here: Here) -> Reply | None:
    return None if refusal is None else Reply(kind="refused", text=refusal.sentence(here))
