"""The document reader's program: a child process that confines itself before the first document.

Started by file, like the worker of python_repl; it has no folder to read from or write to.
"""

from __future__ import annotations

import base64
import importlib
import importlib.util
import os
import sys
from types import ModuleType
from typing import Any, Final

_HERE: Final = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120  pathlib would cost a fifth of the start
_READERS: Final = "okso_readers"


def _load(name: str, *parts: str) -> ModuleType:
    """Import a module or package by its path, under a name that clashes with no other."""
    path = os.path.join(_HERE, *parts)  # noqa: PTH118  see above
    folders = [os.path.dirname(path)] if parts[-1] == "__init__.py" else None  # noqa: PTH120
    spec = importlib.util.spec_from_file_location(name, path, submodule_search_locations=folders)
    if spec is None or spec.loader is None:
        raise ImportError(path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def answer(request: dict[str, Any]) -> dict[str, object]:
    """Convert the document of a request.

    Returns:
        "markdown", "title", "pages" and "warnings"; or "error", the fault of the document; or
        "missing", the required package.
    """
    readers = importlib.import_module(_READERS)
    try:
        module = importlib.import_module(f"{_READERS}.{readers.MODULES[request['kind']]}")
    except ModuleNotFoundError as error:
        return {"missing": error.name}
    asked = readers.Asked(
        data=base64.b64decode(request["data"]),
        max_chars=request["max_chars"],
        charset=request["charset"],
        base_url=request["base_url"],
    )
    try:
        read = getattr(module, f"read_{request['kind']}")(asked)
    except readers.UnreadableError as error:
        return {"error": str(error)}
    except MemoryError:
        return {"error": "it needs more memory than a document may take"}
    except Exception as error:  # noqa: BLE001  a hostile file makes its library raise anything
        kind_of_error = type(error).__name__
        return {"error": f"it is damaged, or something else under this name ({kind_of_error})"}
    result: dict[str, object] = read.as_frame(asked.max_chars)
    return result


if __name__ == "__main__":
    sandbox = _load("_okso_worker", os.pardir, "sandbox", "worker.py")
    _load(_READERS, "readers", "__init__.py")
    sandbox.main(answer)
