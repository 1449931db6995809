"""Reading: bytes of a received message as a `ReceivedMail`; every part of it is untrusted."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from email import message_from_bytes
from email.message import EmailMessage, MIMEPart
from email.policy import EmailPolicy
from html import unescape
from typing import Any, Final

from okso_jupyter.errors import ToolFailedError
from okso_jupyter.personal.mail.mail_addresses import NO_SUBJECT
from okso_jupyter.personal.mail.mail_records import ReceivedMail

_MAX_HEADER_CHARS: Final = 300
_MAX_PARTS: Final = 200
#: Longest header that is parsed: the time that the parser takes grows with the square of it.
_MAX_PARSED_CHARS: Final = 4000
#: The same for those of each part, such as Content-Type, which are parsed several times.
_MAX_PART_HEADER_CHARS: Final = 1000
#: Python's encodings that no mail is written in, and that are slow or make half characters.
_NO_CHARSETS: Final = frozenset({"idna", "punycode", "raw-unicode-escape", "unicode-escape"})
_KNOWN_HEADERS: Final = ("From", "Date", "Subject", "To", "Message-ID", "Received")
_TAG: Final = re.compile(r"<[^<>]*>")
_BLANKS: Final = re.compile(r"\s+")
#: What a message says of words that its bytes do not show.
_ENCODED: Final = (b"=?", b"base64", b"quoted-printable", b"utf-16", b"text/html")


class _BoundedHeaders(EmailPolicy):
    """The standard library's policy, which parses only the beginning of a long header."""

    def header_fetch_parse(self, name: str, value: str) -> str:
        """Return a parsed header."""
        is_of_part = name.lower().startswith("content-")
        limit = _MAX_PART_HEADER_CHARS if is_of_part else _MAX_PARSED_CHARS
        found: str = super().header_fetch_parse(name, value[:limit])
        return found


_POLICY: Final[Any] = _BoundedHeaders()


def read_mail(data: bytes, *, is_unread: bool, with_text: bool) -> ReceivedMail:
    """Return a message, or its beginning, as a record.

    Args:
        data: The message, or its first bytes.
        is_unread: Whether it has not been read yet.
        with_text: Whether its text is wanted too.

    Raises:
        ToolFailedError: It is not a mail.
    """
    try:
        found = _read(message_from_bytes(data, policy=_POLICY), is_unread, with_text)
    # what breaks the syntax of headers and parts has the parser raise errors of any class
    except Exception as error:
        msg = f"it is not a valid mail ({type(error).__name__})"
        raise ToolFailedError(msg) from error
    if found is None:
        msg = "it has none of a mail's headers"
        raise ToolFailedError(msg)
    return found


def _read(message: EmailMessage, is_unread: bool, with_text: bool) -> ReceivedMail | None:  # noqa: FBT001  as given
    """Return a message as a record; None if it has none of a mail's headers."""
    if not any(name in message for name in _KNOWN_HEADERS):
        return None
    parts = list(_parts(message))
    text, html = _texts(parts) if with_text else ("", "")
    return ReceivedMail(
        subject=_header(message, "Subject") or NO_SUBJECT,
        sender=_header(message, "From"),
        date=_date(message),
        is_unread=is_unread,
        whole_text=text,
        html=html,
        attachments=tuple(_names(parts)),
    )


def _header(message: EmailMessage, name: str) -> str:
    """Return a header as one line of bounded length."""
    line = _BLANKS.sub(" ", str(message.get(name, ""))).strip()
    return line if len(line) <= _MAX_HEADER_CHARS else f"{line[: _MAX_HEADER_CHARS - 1]}…"


def _date(message: EmailMessage) -> str:
    header = message.get("Date")
    moment = getattr(header, "datetime", None)
    return moment.isoformat() if moment is not None else ""


def _parts(message: EmailMessage) -> Iterator[MIMEPart]:
    """Yield the parts that hold something, at most so many; mails inside a mail are one part."""
    waiting: list[MIMEPart] = [message]
    seen = 0
    while waiting and seen < _MAX_PARTS:
        part = waiting.pop(0)
        seen += 1
        if part.get_content_maintype() == "multipart":
            waiting = [*part.iter_parts(), *waiting]
        else:
            yield part


def _is_attachment(part: MIMEPart) -> bool:
    is_text = part.get_content_type() in {"text/plain", "text/html"}
    return bool(part.is_attachment() or part.get_filename() or not is_text)


def _names(parts: list[MIMEPart]) -> Iterator[str]:
    """Yield the names of attachments."""
    for part in parts:
        if _is_attachment(part):
            name = _BLANKS.sub(" ", part.get_filename() or part.get_content_type())
            yield name[:_MAX_HEADER_CHARS]


def _texts(parts: list[MIMEPart]) -> tuple[str, str]:
    """Return the plain text, and the HTML where there is no plain text."""
    found = {"text/plain": "", "text/html": ""}
    for part in parts:
        kind = part.get_content_type()
        if not _is_attachment(part) and not found[kind]:
            found[kind] = _content(part)
    plain = found["text/plain"].strip()
    return plain, "" if plain else found["text/html"]


def _content(part: MIMEPart) -> str:
    """Return the text of a part; an unknown charset is read as UTF-8."""
    data = part.get_payload(decode=True)
    raw = data if isinstance(data, bytes) else b""
    try:
        charset = codecs.lookup(part.get_content_charset("utf-8")).name
        return raw.decode("utf-8" if charset in _NO_CHARSETS else charset, "replace")
    except (LookupError, ValueError):
        return raw.decode("utf-8", "replace")


def may_hold(data: bytes, text: str) -> bool:
    """Return whether a message may hold the words of a text; False only if it certainly does not.

    A search of the bytes is quick; what they encode has to be read.
    """
    lower = data.lower()
    is_coded = not text.isascii() or any(mark in lower for mark in _ENCODED)
    return is_coded or all(word.encode() in lower for word in words_of(text))


def holds(mail: ReceivedMail, text: str) -> bool:
    """Return whether subject, sender, text and names of attachments hold each word of a text."""
    html = unescape(_TAG.sub(" ", mail.html))
    parts = (mail.subject, mail.sender, mail.whole_text, html, *mail.attachments)
    said = "\n".join(parts).casefold()
    return all(word in said for word in words_of(text))


def words_of(text: str) -> list[str]:
    """Return the words of a text, in small letters."""
    return text.casefold().split()
