"""Document kinds, by file name or by content type."""

from __future__ import annotations

import mimetypes
import posixpath
from typing import Final

#: Kinds that are parsed, only in the sandboxed worker.
DOCUMENT_KINDS: Final = frozenset({"html", "xml", "json", "ipynb", "pdf", "docx", "pptx", "xlsx"})
#: Kinds by file name suffix, where the two differ.
_BY_SUFFIX: Final = {
    "htm": "html",
    "xhtml": "html",
    "docm": "docx",
    "pptm": "pptx",
    "xlsm": "xlsx",
    "markdown": "md",
    "yml": "yaml",
}
_OFFICE: Final = "application/vnd.openxmlformats-officedocument."
_BY_MIME: Final = {
    "text/html": "html",
    "application/xhtml+xml": "html",
    "application/xml": "xml",
    "text/xml": "xml",
    "application/json": "json",
    "application/x-ipynb+json": "ipynb",
    "application/pdf": "pdf",
    _OFFICE + "wordprocessingml.document": "docx",
    _OFFICE + "presentationml.presentation": "pptx",
    _OFFICE + "spreadsheetml.sheet": "xlsx",
    "text/csv": "csv",
    "text/tab-separated-values": "tsv",
    "text/markdown": "md",
    "text/x-markdown": "md",
    "application/yaml": "yaml",
    "application/x-yaml": "yaml",
    "application/javascript": "js",
    "text/javascript": "js",
    "text/css": "css",
}
#: Types that system tables lack or disagree on; the first type of a kind is its name.
_BY_KIND: Final = {
    **{kind: mime for mime, kind in reversed(_BY_MIME.items())},
    "log": "text/plain",
    "xhtml": "application/xhtml+xml",
}
_PDF_START: Final = b"%PDF-"


def kind_of_path(path: str, data: bytes = b"") -> str:
    """Return the kind of a file by its name: "html", "pdf", "csv", "py"; else "txt".

    Args:
        path: The file; only the suffix of its name counts.
        data: Its content, to recognise a pdf without a suffix.
    """
    suffix = posixpath.splitext(path)[1].lower().removeprefix(".")
    if not suffix and data.startswith(_PDF_START):
        return "pdf"
    return _BY_SUFFIX.get(suffix, suffix) or "txt"


def mime_of_path(path: str, kind: str) -> str:
    """Return the content type of a file; "text/plain" for text of an unknown type."""
    return _BY_KIND.get(kind) or mimetypes.guess_type(path)[0] or "text/plain"


def kind_of_mime(mime: str) -> str:
    """Return the kind of a content type; "" if it is not a known text type.

    Args:
        mime: As sent by a server, parameters included: "text/html; charset=utf-8".
    """
    name = mime.partition(";")[0].strip().lower()
    if name in _BY_MIME:
        return _BY_MIME[name]
    if name.endswith("+xml"):
        return "xml"
    if name.endswith("+json"):
        return "json"
    return "txt" if name.startswith("text/") else ""
