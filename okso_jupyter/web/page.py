"""A response as readable text: documents are converted, nothing is executed or trusted.

An anchor is the passage of a page that matches a search snippet.
"""

from __future__ import annotations

import base64
import codecs
import re
import textwrap
import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from okso_jupyter.documents import (
    DOCUMENT_KINDS,
    ConversionLimits,
    DocumentLibrary,
    fenced,
    kind_of_mime,
)
from okso_jupyter.documents.readers import visible
from okso_jupyter.errors import ToolError
from okso_jupyter.web.http_messages import Fetched

MAX_SNIPPET: Final = 1024
MAX_MARKDOWN_CHARS: Final = 200_000
_SNIFFED_BYTES: Final = 1024
_CHARSET: Final = re.compile(r"charset\s*=\s*[\"']?([\w.:-]{1,40})", re.IGNORECASE)
_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
#: Python has encodings that no page uses, some slow and some not for text.
_WEB_CODEC: Final = re.compile(
    r"utf-8|utf-16(?:-[lb]e)?|cp\d+|iso8859-\d+|koi8-[ru]|gbk?|gb2312|gb18030|big5(?:hkscs)?|"
    r"euc_(?:jp|kr)|shift_jis|iso2022_jp|mac-roman"
)
#: Content types that servers send for any file.
_SAYS_NOTHING: Final = frozenset({"", "application/octet-stream", "binary/octet-stream"})
_STARTS: Final = (
    (re.compile(rb"%PDF-"), "pdf"),
    (
        re.compile(
            rb"\s*(?:<!--.{0,200}?-->\s*)?<(?:!doctype\s+html|html)\b", re.IGNORECASE | re.DOTALL
        ),
        "html",
    ),
    (re.compile(rb"\s*<\?xml\b"), "xml"),
)
_FENCED: Final = frozenset({"json", "xml"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """Content of a response.

    Attributes:
        text: Human-readable text.
        markdown: Markdown without HTML and images; None if there is no text.
        encoding: "text", or "base64" for binary content.
        snippet: The first characters of the text, or the first bytes in base64.
        problem: Why there is no Markdown although there should be; else empty.
    """

    text: str
    markdown: str | None
    encoding: Literal["text", "base64"]
    snippet: str
    problem: str = ""


def read_page(
    answer: Fetched, library: DocumentLibrary, *, timeout_s: float, cancelled: threading.Event
) -> Page:
    """Return the content of a response; documents are parsed only in the sandboxed worker.

    Args:
        answer: The response.
        library: Converts documents.
        timeout_s: Time limit of a conversion in seconds.
        cancelled: Set by another thread to stop it.
    """
    mime = answer.headers.get("content-type", "")
    charset = (_CHARSET.search(mime) or ["", ""])[1]
    kind = _kind(answer.body, mime)
    if kind not in DOCUMENT_KINDS:
        return _plain(_decoded(answer.body, charset)) if kind else _binary(answer, mime)
    limits = ConversionLimits(
        max_chars=MAX_MARKDOWN_CHARS, timeout_s=min(ConversionLimits().timeout_s, timeout_s)
    )
    try:
        converted = library.read(
            _decoded(answer.body, charset).encode("utf-8") if kind == "json" else answer.body,
            kind,
            limits=limits,
            cancelled=cancelled,
            charset=charset,
            base_url=answer.final_url,
        )
    except ToolError as error:
        return _unread(answer, mime, charset, str(error))
    markdown = _titled(converted.title, converted.markdown)
    text = _unfenced(markdown) if kind in _FENCED else markdown
    return Page(text=text, markdown=markdown, encoding="text", snippet=shortened(text))


def shortened(text: str) -> str:
    """Return the start of a text, with an ellipsis if it is cut."""
    text = text.strip()
    return text if len(text) <= MAX_SNIPPET else f"{text[: MAX_SNIPPET - 1].rstrip()}…"


def _kind(body: bytes, mime: str) -> str:
    """Return the text kind of a body; "" if it is not text."""
    kind = kind_of_mime(mime)
    if mime.partition(";")[0].strip().lower() in _SAYS_NOTHING:
        kind = next((kind for start, kind in _STARTS if start.match(body[:_SNIFFED_BYTES])), "txt")
    if kind in DOCUMENT_KINDS:
        return kind
    return "txt" if kind and not _is_binary(body) else ""


def _is_binary(body: bytes) -> bool:
    """Return whether a body contains NUL bytes and does not start with a UTF-16 BOM."""
    is_marked = body.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    return b"\0" in body and not is_marked


def _decoded(body: bytes, charset: str) -> str:
    """Return a body as text: by BOM, else the server's charset, else UTF-8, else cp1252."""
    for mark, encoding in _MARKS:
        if body.startswith(mark):
            return body.decode(encoding, "replace")
    guessed = "utf-8" if _is_utf8(body) else "cp1252"
    return body.decode(_known(charset) or guessed, "replace")


def _known(charset: str) -> str:
    """Return the codec of an encoding used on the web; "" for any other."""
    try:
        name = codecs.lookup(charset).name if charset else ""
    except LookupError:
        return ""
    # as browsers do: Latin-1 and ASCII are read as Windows-1252
    name = {"iso8859-1": "cp1252", "ascii": "cp1252"}.get(name, name)
    return name if _WEB_CODEC.fullmatch(name) else ""


def _is_utf8(body: bytes) -> bool:
    """Return whether a body is UTF-8; a cut one may end inside a character."""
    try:
        codecs.getincrementaldecoder("utf-8")().decode(body)
    except UnicodeDecodeError:
        return False
    return True


def _unread(answer: Fetched, mime: str, charset: str, problem: str) -> Page:
    """Return a document that could not be converted: its start as received."""
    if _is_binary(answer.body):
        return replace(_binary(answer, mime), problem=problem)
    shown = shortened(visible(_decoded(answer.body, charset)))
    return Page(text=shown, markdown=None, encoding="text", snippet=shown, problem=problem)


def _plain(text: str) -> Page:
    """Return a text as stored, without invisible characters."""
    text = visible(text).strip()
    is_cut = len(text) > MAX_MARKDOWN_CHARS
    text = text[:MAX_MARKDOWN_CHARS] + ("…" if is_cut else "")
    return Page(text=text, markdown=fenced(text), encoding="text", snippet=shortened(text))


def _binary(answer: Fetched, mime: str) -> Page:
    """Return binary content as its type and size."""
    what = visible(mime.partition(";")[0].strip())[:100] or "data without a type"
    return Page(
        text=f"{what}, {len(answer.body):,} bytes{', cut off' if answer.truncated else ''}",
        markdown=None,
        encoding="base64",
        snippet=base64.b64encode(answer.body[:MAX_SNIPPET]).decode("ascii"),
    )


def _titled(title: str, markdown: str) -> str:
    """Return a page under its title, unless the title is in it already."""
    if not title or title in markdown:
        return markdown
    plain = re.sub(r"[\\`*_\[\]<>#|!&]", "", title)
    return f"# {plain}\n\n{markdown}".strip()


def _unfenced(markdown: str) -> str:
    return "\n".join(markdown.split("\n")[1:-1])


_MAX_QUERY_CHARS: Final = 80
_WINDOW_WORDS: Final = 60
_STEP_WORDS: Final = 30
#: Minimum share of the query's words in a passage; below it, the passage is a different one.
_LEAST_SHARE: Final = 0.6

_WORD: Final = re.compile(r"\w+(?:'\w+)*")
#: Search engines put the date before a snippet; the page has it elsewhere or not at all.
_DATE: Final = re.compile(
    r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? \d{1,2}, \d{4}\b",
    re.IGNORECASE,
)
#: One character each, so that offsets in the text are preserved.
_ALIKE: Final = str.maketrans(
    "\u2018\u2019\u02bc\u201c\u201d\u2010\u2011\u2013\u2014", "'''\"\"----"
)


@dataclass(frozen=True, slots=True)
class _Word:
    text: str
    start: int
    end: int


def anchor_query(snippet: str) -> str:
    """Return the text to find in a page, from its search snippet; at most 80 characters."""
    text = " ".join(_DATE.sub(" ", snippet).split()).strip(" .…")
    return textwrap.shorten(text, _MAX_QUERY_CHARS, placeholder="") or text[:_MAX_QUERY_CHARS]


def passage(text: str, query: str) -> str:
    """Return the 60 words of a text most similar to a query, as in the text; "" if none match.

    Differences in quotes, dashes, case, punctuation and dates are ignored. An ellipsis marks a side
    on which the text continues.
    """
    wanted = {word.text for word in _words(query)}
    words = _words(text)
    if not wanted or not words:
        return ""
    starts = range(0, max(len(words) - _WINDOW_WORDS + _STEP_WORDS, 1), _STEP_WORDS)
    windows = [words[start : start + _WINDOW_WORDS] for start in starts]
    best = max(windows, key=lambda window: _likeness(window, wanted))
    found = wanted & {word.text for word in best}
    if len(found) < _LEAST_SHARE * len(wanted):
        return ""
    before = "…" if best[0] is not words[0] else ""
    after = "…" if best[-1] is not words[-1] else ""
    return f"{before}{text[best[0].start : best[-1].end]}{after}"


def _words(text: str) -> list[_Word]:
    """Return the words of a text with their offsets, without dates."""
    alike = _DATE.sub(lambda date: " " * len(date[0]), text.translate(_ALIKE))
    return [_Word(m[0].lower(), m.start(), m.end()) for m in _WORD.finditer(alike)]


def _likeness(window: Sequence[_Word], wanted: set[str]) -> float:
    """Return the Jaccard similarity of the words of window and query, from 0 to 1."""
    words = {word.text for word in window}
    return len(words & wanted) / len(words | wanted)
