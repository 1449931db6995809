"""Word documents: converted to HTML by mammoth, then handled like a page."""

from __future__ import annotations

import zipfile
from io import BytesIO
from typing import Any, Final

import mammoth
from lxml import etree

from . import Asked, Read
from .archive import opened, parsed, title_of
from .hypertext import markdown_of

_WORD: Final = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_OFF: Final = frozenset({"0", "false", "off"})


def read_docx(asked: Asked) -> Read:
    """Read headings, paragraphs, lists, tables, links and notes; pictures are left out."""
    archive = opened(asked.data)
    title = title_of(archive)
    result = mammoth.convert_to_html(_seen_parts(archive), convert_image=_no_picture)
    return Read(markdown=markdown_of(result.value), title=title)


def _no_picture(_image: Any) -> list[Any]:  # noqa: ANN401  the library ships no types
    """Return nothing in place of a picture."""
    return []


def _seen_parts(archive: zipfile.ZipFile) -> BytesIO:
    """Return the archive without its pictures, and without text that is marked as hidden."""
    kept = BytesIO()
    with zipfile.ZipFile(kept, "w") as target:
        for entry in archive.infolist():
            if entry.filename.startswith("word/") and entry.filename.endswith(".xml"):
                target.writestr(entry.filename, _without_hidden(archive.read(entry)))
            elif entry.filename.endswith((".xml", ".rels")):
                target.writestr(entry.filename, archive.read(entry))
    kept.seek(0)
    return kept


def _without_hidden(data: bytes) -> bytes:
    """Return a part of a document without the runs that Word hides."""
    if b"vanish" not in data:
        return data
    tree = parsed(data)
    for mark in list(tree.iter(f"{_WORD}vanish")):
        run = next(mark.iterancestors(f"{_WORD}r"), None)
        parent = None if run is None else run.getparent()
        if run is not None and parent is not None and mark.get(f"{_WORD}val", "1") not in _OFF:
            parent.remove(run)
    written: bytes = etree.tostring(tree, encoding="UTF-8", xml_declaration=True)
    return written
