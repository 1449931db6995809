"""What is said where every plan for a request would lose a file that it does not ask to change."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from okso_jupyter.effects.file_effects import FileEffect

#: What helps where such a plan is all that there is.
HOW_TO_ASK: Final = "no plan loses a file unasked: say what may be overwritten or removed"


def reason_of(losses: Sequence[FileEffect]) -> str:
    """Return why a plan with these losses is no candidate."""
    return f"nobody asked for it: it {_told(losses)}"


def refusal_of(losses: Sequence[FileEffect]) -> str:
    """Return the sentence that is the answer where no other plan was found.

    Args:
        losses: What the best of the plans would lose unasked, at least one.
    """
    path = losses[0].path
    removes = losses[0].kind == "remove"
    example = f"Delete {path}" if removes else f"Overwrite {path} with 'the new text'"
    word = "may go" if removes else "is to be written over"
    return (
        f"I cannot do that: the plan that I found {_told(losses)}, which the request does not ask "
        f"for, so it was withheld; say that {path} {word}, for example “{example}”, or ask "
        f"for what leaves it as it is, such as “Show {path}”."
    )


def _told(losses: Sequence[FileEffect]) -> str:
    return " and ".join(map(str, losses))
