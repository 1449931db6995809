"""IPython magics: `%%okso` runs a cell as a request, `%okso` runs a subcommand.

In: the text of a cell. Out: a bound and displayed `Run`, or a table.
Only the package's load hook imports it. It parses the text and delegates to `session`.
"""

from __future__ import annotations

from typing import Any

from okso_jupyter.magic import question_marks
from okso_jupyter.magic.completing import IDENTIFIER
from okso_jupyter.magic.magics import OksoMagics
from okso_jupyter.magic.on_load import greeting


def register(shell: Any) -> None:  # noqa: ANN401  IPython ships no types
    """Register the magics and their completion, and tell model, folder and resumable runs.

    Registering twice leaves one of each.
    """
    unregister(shell)
    magics = OksoMagics(shell)
    shell.register_magics(magics)
    shell.Completer.custom_matchers.append(magics.matcher)
    question_marks.listen(shell)
    magics.tell(greeting())


def unregister(shell: Any) -> None:  # noqa: ANN401  see above
    """Remove everything that `register` added, whichever version of the module added it."""
    for kind in ("line", "cell"):
        shell.magics_manager.magics[kind].pop("okso", None)
    shell.magics_manager.registry.pop(OksoMagics.__name__, None)
    question_marks.ignore(shell)
    shell.configurables[:] = [
        known for known in shell.configurables if type(known).__name__ != OksoMagics.__name__
    ]
    matchers = shell.Completer.custom_matchers
    matchers[:] = [
        known for known in matchers if getattr(known, "matcher_identifier", "") != IDENTIFIER
    ]
