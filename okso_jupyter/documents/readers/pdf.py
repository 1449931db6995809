"""PDF: the text of its pages."""

from __future__ import annotations

import re
from typing import Final

import pypdfium2 as pdfium

from . import Asked, Read, UnreadableError
from .markdown import escape, heading

#: pdfium's mark for a hyphen that was inserted at the end of a line.
_HYPHENATED: Final = re.compile("[\x02\ufffe]\r?\n?")
_LOCKED: Final = "password"


def read_pdf(asked: Asked) -> Read:
    """Read the text of each page, in page order."""
    document = _opened(asked.data)
    parts: list[str] = []
    warnings: list[str] = []
    chars = 0
    for index in range(len(document)):
        text = _text_of(document, index, warnings)
        chars += len(text)
        if text:
            parts += [heading(f"Page {index + 1}", 2)] if len(document) > 1 else []
            parts.append(escape(text))
        if chars > asked.max_chars:
            break
    if not parts:
        warnings.append("there is no text in it: its pages may be pictures")
    title = document.get_metadata_value("Title")
    return Read(markdown="\n\n".join(parts), title=title, pages=len(document), warnings=warnings)


def _opened(data: bytes) -> pdfium.PdfDocument:
    """Open a document.

    Raises:
        UnreadableError: It is locked or damaged.
    """
    try:
        document = pdfium.PdfDocument(data)
        pages = len(document)
    except pdfium.PdfiumError as error:
        is_locked = _LOCKED in str(error).lower()
        msg = "it is locked with a password" if is_locked else "it is damaged, or not a PDF file"
        raise UnreadableError(msg) from error
    if pages == 0:
        msg = "it has no pages"
        raise UnreadableError(msg)
    return document


def _text_of(document: pdfium.PdfDocument, index: int, warnings: list[str]) -> str:
    """Return the text of a page; a damaged page is left out, with a warning."""
    try:
        page = document[index]
        text_page = page.get_textpage()
        text: str = text_page.get_text_bounded()
        text_page.close()
        page.close()
    except pdfium.PdfiumError:
        warnings.append(f"page {index + 1} is damaged")
        return ""
    return _HYPHENATED.sub("", text).replace("\r\n", "\n").strip()
