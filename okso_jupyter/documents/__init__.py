"""Documents as Markdown: untrusted files are parsed in a sandboxed process, not in the kernel.

In: bytes and a kind. Out: `Converted`. `reader_process.py` and `readers/` run in the child process
and import nothing of okso_jupyter; the others run in the broker. Imported by tools and context.
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
