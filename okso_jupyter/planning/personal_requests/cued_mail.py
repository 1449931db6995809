"""Requests to write a mail by what they must have: an address, a word for writing, and the text.

The text stands in quotation marks or behind a colon, and the subject behind a word such as
"subject" or "about". This reading comes after the phrases of `mail_writing`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from okso_jupyter.personal.mail.mail_addresses import ADDRESS
from okso_jupyter.planning.personal_requests.mail_words import QUOTED, is_quoted, unquoted
from okso_jupyter.planning.personal_requests.said_texts import is_one_text

_DRAFT: Final = re.compile(
    r"(?i)\b(?:draft|prepare|compose|(?:don'?t|do not|not|without) send(?:ing)?|not yet|unsent|"
    r"look(?:ed)? over|for me to (?:send|check)|write up|get ready|\w*entwurf|entwirf|vorbereiten|"
    r"bereite|nicht (?:ab)?(?:schicken|senden)|noch nicht)\b"
)
_SEND: Final = re.compile(
    r"(?i)\b(?:send|e-?mail|mail|write|message|tell|let|shoot|drop|fire|ping|pop|dash|reply|inform|"
    r"notify|ask|remind|sende|schicke?|schreibe?|maile?|sage?|gib|informiere?|frage?)\b"
)
_LABEL: Final = (
    r"(?:message|text|body|content|it should (?:read|say)|saying|says?|"
    r"tell(?:ing)? (?:him|her|them)|inhalt|nachricht)"
)
_TEXT: Final = re.compile(
    rf"(?i)(?:\b{_LABEL}(?: is| should be| reading)?:? ?(?P<quoted>{QUOTED})|"
    rf"\b{_LABEL}(?: is| should be| reading)?: ?(?P<labelled>\S.*)$|"
    rf"(?P<last>{QUOTED})[.!]?$)"
)
_SUBJECT: Final = re.compile(
    rf"(?i)\b(?:subject|betreff|titled|headed)(?: line)?(?: is|:)? ?(?P<subject>{QUOTED}|[^,;:]+?)"
    r"(?=[,;:]|\.? (?:and|with|und|mit)\b|$)"
)
_ABOUT: Final = re.compile(
    r"(?i)\b(?:about|regarding|concerning|re|on|über|wegen)\b:? (?P<subject>[^,;:]+?)(?=[,;:]|$)"
)
_COLON: Final = re.compile(r"(?<!subject)(?<!betreff)(?<!\d): ?(?=\S)", re.IGNORECASE)
#: A file, or another doing, which this reading knows nothing of.
_OTHER: Final = re.compile(
    r"(?i)\b(?:attach\w*|anhang|anhäng\w*|file|forward|weiterleiten|search|find|list|show|delete)\b"
)
_MOST_WORDS: Final = 16


def cued_mail(request: str) -> tuple[Mapping[str, Any], ...]:
    """Return the step that drafts or sends a mail; () where a part is missing.

    Args:
        request: The request, without words of courtesy.
    """
    found = _head_and_body(request)
    if found is None:
        return ()
    head, body = found
    to = [*dict.fromkeys(match[0] for match in ADDRESS.finditer(head))]
    is_draft, is_sent = bool(_DRAFT.search(head)), bool(_SEND.search(head))
    rest = ADDRESS.sub("", head)
    if not to or not (is_draft or is_sent) or _OTHER.search(rest):
        return ()
    if len(rest.split()) > _MOST_WORDS or not is_one_text(body):
        return ()
    said = _SUBJECT.search(head) or _ABOUT.search(rest)
    subject = unquoted(said["subject"]).strip(" .") if said else ""
    text = unquoted(body) if is_quoted(body) else body[:1].upper() + body[1:]
    tool = "mail_draft" if is_draft else "mail_send"
    what = "Draft a mail to" if is_draft else "Send a mail to"
    args = {"to": to, **({"subject": subject[:1].upper() + subject[1:]} if subject else {})}
    return (
        {
            "tool": tool,
            "args": {**args, "body": text},
            "title": f"{what} {', '.join(to)}",
        },
    )


def _head_and_body(request: str) -> tuple[str, str] | None:
    """Return what leads to the text of a mail, and the text."""
    address = ADDRESS.search(request)
    if address is None:
        return None
    for match in _TEXT.finditer(request, address.end()):
        body = match["quoted"] or match["labelled"] or match["last"]
        return request[: match.start()], body
    colon = _COLON.search(request, address.end())
    return (request[: colon.start()], request[colon.end() :]) if colon else None
