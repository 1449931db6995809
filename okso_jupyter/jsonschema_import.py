"""Import jsonschema without the grammar of IRIs, which takes seconds to build.

`jsonschema` imports `rfc3987_syntax` where that is installed, as it is beside JupyterLab, and the
import of `rfc3987_syntax` builds an Earley parser (1.3 to 2.5 s of processor time). It serves the
formats "iri" and "iri-reference", which no schema here names. So it is imported when one of these
formats is checked first, by whoever checks it. See docs/decisions/0060.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from threading import Lock
from types import ModuleType
from typing import Any

from okso_jupyter.kernel import interrupt

_GRAMMAR = "rfc3987_syntax"
_lock = Lock()


class _LateGrammar(ModuleType):
    """Stands for `rfc3987_syntax` while jsonschema is imported, and imports it when it is used."""

    def is_valid_syntax(self, term: str, value: str) -> bool:
        """Return whether a text is of a kind, such as "iri"; the name that jsonschema imports."""
        return bool(importlib.import_module(_GRAMMAR).is_valid_syntax(term, value))

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  any attribute of a module
        """Return what another thread asks the module for meanwhile."""
        if name.startswith("__"):  # asked for by the import system
            raise AttributeError(name)
        sys.modules.pop(_GRAMMAR, None)
        return getattr(importlib.import_module(_GRAMMAR), name)


def load_jsonschema() -> ModuleType:
    """Return the module jsonschema; an interrupt waits until its import is done."""
    with interrupt.deferred(), _lock:
        if "jsonschema" in sys.modules or not _can_be_late():
            return importlib.import_module("jsonschema")
        late = sys.modules[_GRAMMAR] = _LateGrammar(_GRAMMAR)
        try:
            return importlib.import_module("jsonschema")
        finally:
            if sys.modules.get(_GRAMMAR) is late:
                del sys.modules[_GRAMMAR]


def _can_be_late() -> bool:
    return _GRAMMAR not in sys.modules and importlib.util.find_spec(_GRAMMAR) is not None
