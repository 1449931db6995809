"""A question mark at the end of a line of ours: part of the request, and no question to IPython.

IPython takes a line that ends in "?" for a wish to see the help of its last word. `%okso?` and
`%%okso?` stay that; behind a blank the words are ours.
"""

from __future__ import annotations

import re
from typing import Any, Final, Self

from IPython.core.inputtransformer2 import EscapedCommand

_OURS: Final = re.compile(r"%okso\s.*\?\s*")


class OksoQuestion(EscapedCommand):  # type: ignore[misc]  # IPython ships no types
    """Makes a call of a line such as `%okso what is in notes.txt?`, and no look at its help."""

    #: Before that of `HelpEnd`, which is 5.
    priority = 1

    @classmethod
    def find(cls, tokens_by_line: list[list[Any]]) -> Self | None:
        """Return the first such line; a string that looks like one is no line of its own."""
        for tokens in tokens_by_line:
            first = next((token for token in tokens if token.string.strip()), None)
            if first is not None and first.string == "%" and _is_ours(first):
                return cls(first.start)
        return None


def _is_ours(first: Any) -> bool:  # noqa: ANN401  a token, with the line that it stands on
    """Say whether the line from this token on is one of ours that ends in a question mark."""
    line = first.line.splitlines()[0] if first.line else ""
    return _OURS.fullmatch(line[first.start[1] :]) is not None


def listen(shell: Any) -> None:  # noqa: ANN401  IPython ships no types
    """Have question marks at the end of our lines reach us; once, however often it is called."""
    ignore(shell)
    shell.input_transformer_manager.token_transformers.append(OksoQuestion)


def ignore(shell: Any) -> None:  # noqa: ANN401  see above
    """Leave lines as they are, whichever version of the module changed them."""
    known = shell.input_transformer_manager.token_transformers
    known[:] = [one for one in known if one.__name__ != OksoQuestion.__name__]
