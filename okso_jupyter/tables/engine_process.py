"""The engine's program: a child process that confines itself, then answers queries of its tables.

Started by file, like the worker of python_repl. It may read the tables, which it inherits open,
and write to a folder of its own, where DuckDB puts what does not fit into memory.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from types import ModuleType
from typing import Any, Final

_HERE: Final = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120  pathlib would cost a fifth of the start
_MAX_REASON_CHARS: Final = 300


def _package(name: str, folder: str) -> None:
    """Let modules of a folder be imported by the package's name, without the package's own code."""
    package = ModuleType(name)
    package.__path__ = [folder]
    sys.modules[name] = package


def _worker() -> ModuleType:
    """Import the sandbox's worker by its path: what it confines is this process."""
    path = os.path.join(_HERE, os.pardir, "sandbox", "worker.py")  # noqa: PTH118  see above
    spec = importlib.util.spec_from_file_location("_okso_worker", path)
    if spec is None or spec.loader is None:
        raise ImportError(path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


class Program:
    """Answers requests: the first opens the source, each later one is a query."""

    def __init__(self, decode: Any) -> None:  # noqa: ANN401  loaded by file
        self._decode = decode
        self._table: Any = None

    def answer(self, request: dict[str, Any]) -> dict[str, object]:
        """Return the answer to a request, or "error" with the fault of file or query."""
        from okso_jupyter.tables.delimited import UnreadableError  # noqa: PLC0415  once confined

        try:
            if "open" in request:
                return self._open(request["open"])
            if "sql" in request:
                return self._table.explained(request["sql"])  # type: ignore[no-any-return]  # loaded late
            return self._table.answer(request["query"])  # type: ignore[no-any-return]  # loaded late
        except UnreadableError as error:
            return {"error": str(error)[:_MAX_REASON_CHARS]}
        except MemoryError:
            return {"error": "it needs more memory than a query may take"}

    def _open(self, request: dict[str, Any]) -> dict[str, object]:
        from okso_jupyter.tables.live_table import LiveTable  # noqa: PLC0415  once confined

        tables = [
            table | ({"frame": self._decode(table["frame"])} if "frame" in table else {})
            for table in request["tables"]
        ]
        self._table = LiveTable(request | {"tables": tables})
        return self._table.head()  # type: ignore[no-any-return]  # loaded late


if __name__ == "__main__":
    _package("okso_jupyter", os.path.dirname(_HERE))  # noqa: PTH120  see above
    _package("okso_jupyter.tables", _HERE)
    worker = _worker()
    worker.main(Program(worker.value_codec.decode).answer)
