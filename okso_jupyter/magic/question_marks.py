"""Input transformer: a question mark at the end of a `%okso` line is part of the request.

IPython reads a line that ends in "?" as a request for help on its last word. `%okso?` and
`%%okso?` keep that meaning; after a blank, the words belong to the magic.
"""

from __future__ import annotations

import re
from typing import Any, Final, Self

from IPython.core.inputtransformer2 import EscapedCommand

_OURS: Final = re.compile(r"%okso\s.*\?\s*")


class OksoQuestion(EscapedCommand):  # type: ignore[misc]  # IPython ships no types
    """Turns `%okso what is in notes.txt?` into a call of the magic, not into a help request."""

    #: Runs before IPython's `HelpEnd`, whose priority is 5.
    priority = 1

    @classmethod
    def find(cls, tokens_by_line: list[list[Any]]) -> Self | None:
        """Return the first such line; a line within a string does not count."""
        for tokens in tokens_by_line:
            first = next((token for token in tokens if token.string.strip()), None)
            if first is not None and first.string == "%" and _is_ours(first):
                return cls(first.start)
        return None


def _is_ours(first: Any) -> bool:  # noqa: ANN401  a token, with the line that it stands on
    """Return whether the line from this token on is a `%okso` line that ends in "?"."""
    line = first.line.splitlines()[0] if first.line else ""
    return _OURS.fullmatch(line[first.start[1] :]) is not None


def listen(shell: Any) -> None:  # noqa: ANN401  IPython ships no types
    """Install the transformer in a shell; calling it again leaves a single one."""
    ignore(shell)
    shell.input_transformer_manager.token_transformers.append(OksoQuestion)


def ignore(shell: Any) -> None:  # noqa: ANN401  see above
    """Remove the transformer, whichever version of the module installed it."""
    known = shell.input_transformer_manager.token_transformers
    known[:] = [one for one in known if one.__name__ != OksoQuestion.__name__]
