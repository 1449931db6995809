"""Documents as Markdown: hostile files are parsed in a sandboxed process, never in the kernel.

In: bytes and a kind. Out: `Converted`. `worker.py` and `readers/` run in the child and import
nothing of okso_jupyter; the others are the broker's side. Imported by tools and by the context.
"""

from okso_jupyter.documents.convert import (
    ConversionLimits,
    Converted,
    Converter,
    fenced,
    to_markdown,
)
from okso_jupyter.documents.document_library import DocumentLibrary
from okso_jupyter.documents.kinds import DOCUMENT_KINDS, kind_of_mime, kind_of_path, mime_of_path
from okso_jupyter.documents.readers.markdown import without_html

__all__ = [
    "DOCUMENT_KINDS",
    "ConversionLimits",
    "Converted",
    "Converter",
    "DocumentLibrary",
    "fenced",
    "kind_of_mime",
    "kind_of_path",
    "mime_of_path",
    "to_markdown",
    "without_html",
]
