"""The door: `%%okso` turns a cell into a request, `%okso` answers questions about runs.

In: the text of a cell. Out: a bound and shown `Run`, or a table.
Only the package's load hook imports it; it parses and delegates to `session`.
"""

from __future__ import annotations

from typing import Any

from okso_jupyter.magic.magics import OksoMagics


def register(shell: Any) -> None:  # noqa: ANN401  IPython ships no types
    """Register the magics in a shell; loading twice leaves one of them."""
    unregister(shell)
    shell.register_magics(OksoMagics(shell=shell))


def unregister(shell: Any) -> None:  # noqa: ANN401  see above
    """Take the magics away again."""
    for kind in ("line", "cell"):
        shell.magics_manager.magics[kind].pop("okso", None)
    shell.configurables[:] = [c for c in shell.configurables if type(c).__name__ != "OksoMagics"]
