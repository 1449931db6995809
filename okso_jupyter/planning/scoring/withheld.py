"""Texts for plans that are withheld because they would lose a file without being asked to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from okso_jupyter.effects.file_effects import FileEffect

#: Hint for the user if all plans are withheld.
HOW_TO_ASK: Final = "no plan loses a file unasked: say what may be overwritten or removed"


def reason_of(losses: Sequence[FileEffect]) -> str:
    """Return why a plan with these losses is withheld."""
    return f"the request does not ask for it: it {_description(losses)}"


def refusal_of(losses: Sequence[FileEffect]) -> str:
    """Return the answer to a request for which no other plan was found.

    Args:
        losses: The unasked losses of the first withheld plan, at least one.
    """
    path = losses[0].path
    if losses[0].empties:
        example, word = f"Empty {path}", "is to be emptied"
    elif losses[0].kind == "remove":
        example, word = f"Delete {path}", "may go"
    else:
        example, word = f"Overwrite {path} with 'the new text'", "is to be written over"
    return (
        f"I cannot do that: the plan that I found {_description(losses)}, which the request does "
        f"not ask for, so it was withheld; say that {path} {word}, for example “{example}”, or ask "
        f"for what leaves it as it is, such as “Show {path}”."
    )


def _description(losses: Sequence[FileEffect]) -> str:
    return " and ".join(map(str, losses))
