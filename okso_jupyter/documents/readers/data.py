"""Data and notebooks: XML and JSON are indented, the cells of a notebook listed in order."""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterator
from typing import Any, Final

from lxml import etree

from . import Asked, Read, UnreadableError
from .archive import parsed
from .markdown import fence, limited

_MAX_OUTPUT_CHARS: Final = 4_000


def read_xml(asked: Asked) -> Read:
    """Read XML, one element per line; text that is not well-formed is shown unchanged."""
    try:
        tree = parsed(asked.data)
    except etree.XMLSyntaxError:
        text = fence(_text(asked), "xml")
        return Read(markdown=text, warnings=["it is not well-formed XML"])
    etree.indent(tree)
    return Read(markdown=fence(etree.tostring(tree, encoding="unicode"), "xml"))


def read_json(asked: Asked) -> Read:
    """Read JSON, one value per line; text that is not JSON is shown unchanged."""
    try:
        value = json.loads(_text(asked))
    except (ValueError, RecursionError):
        return Read(markdown=fence(_text(asked), "json"), warnings=["it is not valid JSON"])
    lines = json.JSONEncoder(ensure_ascii=False, indent=2).iterencode(value)
    return Read(markdown=fence("".join(limited(lines, asked.max_chars)), "json"))


def read_ipynb(asked: Asked) -> Read:
    """Read the cells of a notebook, with their output."""
    try:
        notebook = json.loads(_text(asked))
    except (ValueError, RecursionError) as error:
        msg = "it is not valid JSON"
        raise UnreadableError(msg) from error
    cells = notebook.get("cells") if isinstance(notebook, dict) else None
    if not isinstance(cells, list):
        msg = "it has no cells: only notebooks of format 4 can be read"
        raise UnreadableError(msg)
    language = _at(notebook, "metadata", "language_info", "name") or "python"
    parts = (part for cell in cells if isinstance(cell, dict) for part in _cell(cell, language))
    return Read(markdown="\n\n".join(limited(parts, asked.max_chars)))


def _text(asked: Asked) -> str:
    """Return the text of a file: by its BOM, else UTF-8."""
    marked = asked.data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    return asked.data.decode("utf-16" if marked else "utf-8-sig", "replace")


def _cell(cell: dict[str, Any], language: str) -> Iterator[str]:
    """Yield the content and the output of a cell."""
    source = _joined(cell.get("source"))
    if cell.get("cell_type") != "code":
        if source.strip():
            yield source
        return
    if source.strip():
        yield fence(source, language)
    outputs = cell.get("outputs")
    printed = "".join(_printed(output) for output in outputs) if isinstance(outputs, list) else ""
    if printed.strip():
        cut = "\n..." if len(printed) > _MAX_OUTPUT_CHARS else ""
        yield fence(printed[:_MAX_OUTPUT_CHARS] + cut, "text")


def _printed(output: object) -> str:
    """Return an output as text; pictures and HTML are left out."""
    if _at(output, "output_type") == "error":
        return f"{_at(output, 'ename')}: {_at(output, 'evalue')}\n"
    text = _joined(_at(output, "text") or _at(output, "data", "text/plain"))
    return text if text.endswith("\n") or not text else text + "\n"


def _at(value: object, *names: str) -> Any:  # noqa: ANN401  any JSON value
    """Return the value beneath these names, or None."""
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _joined(source: object) -> str:
    """Return a text that may be stored as a list of lines."""
    parts = source if isinstance(source, list) else [source]
    return "".join(part for part in parts if isinstance(part, str))
