"""Requests to draft or send a mail: recipients, subject, text and files as the request names them.

Nothing is added: a recipient is an address of the request, and a mail without a text or a file is
not sent. What it says is in quotation marks, behind words such as "saying", or a file's content.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Final

from okso_jupyter.personal.mail.mail_addresses import ADDRESS
from okso_jupyter.planning.personal_requests.mail_words import (
    ONE_MAIL,
    QUOTED,
    is_quoted,
    unquoted,
)

Steps = tuple[Mapping[str, Any], ...]

_TO: Final = rf"{ADDRESS.pattern}(?:(?:,| and|, and| &| or| und|;) {ADDRESS.pattern})*"
_A: Final = r"(?:an? |the |my |another |eine?n? |die |den )?(?:short |quick |new |kurze |neue )?"
_KIND: Final = rf"{_A}(?:{ONE_MAIL}(?: draft)?|draft(?: (?:of an? )?{ONE_MAIL})?|entwurf)"
_DRAFT: Final = (
    r"(?:draft|write|compose|prepare|create|make|save|start|knock|type|put together|get ready|"
    r"entwirf|schreibe?|verfasse)(?: up| out| me)?"
)
_NEED: Final = r"(?:i (?:need|want|would like)|i'd like|we need|ich brauche)"
_SEND: Final = (
    r"(?:send|fire|shoot|drop|ping|pop|dash|zip|get|sende|schicke?|maile?)(?: off| out| over)?"
)
_OVER: Final = r"(?: over| off| out| along| across)?"
_BY_MAIL: Final = r"(?:,? (?:by|via|per|in an?|over) (?:e-?mail|mail))?"
_FILE: Final = r"[\w./~-]*\w\.[A-Za-z]\w{0,7}"
_FILES: Final = rf"(?:the file |the files )?{_FILE}(?:(?:,| and|, and) {_FILE})*"
_CONTENT: Final = r"(?:the )?(?:text|content|contents|body|words)(?: of| from| in)(?: the file)?"

#: How a request begins: the tool, and what it names already.
_OPENINGS: Final = (
    ("mail_draft", rf"(?:{_DRAFT}|{_NEED}) {_KIND}\b"),
    ("mail_draft", rf"(?:draft|entwurf)(?= (?:to|an) {ADDRESS.pattern})"),
    ("mail_send", rf"{_SEND} (?P<to>{_TO}) {_KIND}\b"),
    ("mail_send", rf"{_SEND} (?P<to>{_TO}) {_CONTENT} (?P<content>{_FILE})"),
    ("mail_send", rf"{_SEND} (?P<to>{_TO}) (?P<files>{_FILES})"),
    ("mail_send", rf"{_SEND} {_CONTENT} (?P<content>{_FILE})"),
    ("mail_send", rf"{_SEND} (?P<files>{_FILES})(?: as (?:an )?attachments?)?{_OVER}"),
    ("mail_send", rf"{_SEND} {_KIND}\b{_OVER}"),
    ("mail_send", rf"let (?P<to>{_TO}) know{_BY_MAIL}"),
    ("mail_send", rf"(?:tell|ask|remind) (?P<to>{_TO}){_BY_MAIL} to (?P<body>.+)"),
    ("mail_send", rf"(?:sage?|gib) (?P<to>{_TO})(?: per e?-?mail)? bescheid"),
    ("mail_draft", rf"(?:write|schreibe?)(?: to| an)? (?P<to>{_TO})(?= ?:| saying)"),
    ("mail_send", rf"(?:tell|inform|notify|ask|remind|update|text) (?P<to>{_TO}){_BY_MAIL}"),
    ("mail_send", rf"{_SEND} (?P<body>{QUOTED})"),
    ("mail_send", rf"(?:e-?mail|mail|write|write to|message) (?P<files>{_FILES})(?= to )"),
    ("mail_send", rf"(?:e-?mail|mail|message) (?P<to>{_TO})"),
)
_NEXT: Final = (
    r"(?=,? (?:and |with |und |mit )*(?:the |a |dem |einem )?(?:text|body|content|message|subject|"
    r"attachment|inhalt|betreff)\b|"
    r",? (?:saying|that says|and say|and tell|attach|and attach|with)\b|$)"
)
#: Parts that follow, in any order; of two that fit, the first counts.
_PARTS: Final = (
    rf"(?:addressed )?(?:to|for|an|für) (?P<to>{_TO})",
    (
        rf"(?:with |mit )?(?:the |a |dem )?(?:subject|title|betreff)"
        r"(?: line\b)?(?! line)(?: is|:)? (?!line\b)"
        rf"(?P<subject>{QUOTED}|(?:(?!\b(?:and|und|with|mit)\b)[^:,])+?(?=: \S)|\S.*?{_NEXT})"
    ),
    rf"(?:with|using) (?P<content>{_FILE}) as (?:the |its )?(?:body|text|content)",
    rf"(?:with )?(?:the )?{_CONTENT} (?P<content>{_FILE})(?: as (?:the )?(?:text|body))?",
    (
        rf"(?:with|attaching|attach|including|and attach) (?P<files>{_FILES})"
        r"(?: attached| as (?:an )?attachments?)?"
    ),
    rf"with (?:the )?attachments? (?P<files>{_FILES})",
    (
        rf"(?:with |and |mit )?(?:the |a |dem )?(?:text|body|content|message|inhalt)(?: is|:)? "
        rf"(?P<body>{QUOTED}|\S.*)"
    ),
    (
        r"(?:which |that )?(?:says|saying|telling (?:him|her|them|us)|tells (?:him|her|them)|"
        rf"(?:to |and )?say|(?:(?:and|to) )?tell (?:him|her|them)|"
        rf"(?:to let|letting) (?:him|her|them) know)"
        rf"(?: that)?:? (?P<body>{QUOTED}|\S.*)"
    ),
    (
        r"(?:and )?ask(?:ing)?(?: him| her| them)? "
        r"(?P<body>(?:whether|if|when|where|what|how|why) .*)"
    ),
    rf"(?:that|dass) (?P<body>{QUOTED}|\S.*)",
    r"(?P<body>(?:whether|if|when|where|what|how|why|ob|wann|wo) .*)",
    (
        r"(?:about|regarding|concerning|on|über|zum thema|zu) "
        rf"(?P<about>{QUOTED}|[^:]+?(?=: \S)|\S.*?{_NEXT})"
    ),
    rf": ?(?P<body>{QUOTED}|\S.*)",
    rf"(?P<body>{QUOTED})",
)
#: Says at the end that a mail is only drafted.
_NOT_SENT: Final = re.compile(
    r"(?i)[,;.]?(?: [-\u2013\u2014])? ?\b(?:(?:but|and) not|(?:but |and |aber |und )?(?:please )?"
    r"(?:do not|don['\u2019]?t|without|nicht|noch nicht)) (?:actually )?"
    r"(?:send(?:ing)?|abschicken|senden|schicken)"
    r"(?: (?:it|that|this))?(?: off| out)?(?: yet| for now)?[.!]?$"
)
_BETWEEN: Final = re.compile(r"^(?:\s|[,;]|\.$|\band\b|\bund\b)+")
_FILE_IN: Final = re.compile(rf"(?:in|from|of) (?:the file )?(?P<file>{_FILE})$", re.IGNORECASE)
_ALSO: Final = re.compile(
    r"(?i)[,;.]? (?:and then|then|and (?:delete|save|remind|list|move|copy|rename|search))\b"
)
_QUESTION: Final = re.compile(
    r"(?:what|when|where|who|why|how|which|whether|if|is|are|do|does|did|can|could|will|would|have|"
    r"has|shall|should|may)\b",
    re.IGNORECASE,
)
#: Files whose content is no text of a mail.
_BINARY: Final = frozenset("png jpg jpeg gif zip gz xlsx parquet exe bin mp3 mp4 heic tif".split())
_LEADING_COLON: Final = re.compile(r"^[:,]\s*(?=subject|text|body|betreff)", re.IGNORECASE)
#: Somebody by name ("Ada Byron"), or by what they are to the user ("my boss").
_SOMEBODY: Final = (
    r"(?:(?:my|our|the|meine[nr]?|unsere[nr]?|die|den|das) [\w-]+|(?-i:[A-ZÄÖÜ])[\w-]*"
    r"(?: (?-i:[A-ZÄÖÜ])[\w-]*)?)(?:(?:,| and| und) (?-i:[A-ZÄÖÜ])[\w-]*)*"
)
_A_MAIL: Final = rf"{_A}e?-?mails?(?: draft)?"
_THEN: Final = (
    r"(?=[.!?]?$|,? (?:about|regarding|concerning|saying|that|which|with|telling|asking|and tell|"
    r"and ask|über|mit|dass)\b|[:,] )"
)
#: Mails to somebody who is named without an address.
_NAMELESS: Final = tuple(
    (tool, re.compile(pattern, re.IGNORECASE))
    for tool, pattern in (
        ("mail_draft", rf"(?:{_DRAFT}|{_NEED}) {_A_MAIL} (?:to|for|an|für) {_SOMEBODY}{_THEN}"),
        ("mail_send", rf"{_SEND} {_A_MAIL} (?:to|an) {_SOMEBODY}{_THEN}"),
        ("mail_send", rf"{_SEND} {_SOMEBODY} {_A}e?-?mail{_THEN}"),
        ("mail_send", rf"e?-?mail {_SOMEBODY}{_THEN}"),
    )
)


@dataclass(frozen=True, slots=True)
class _Asked:
    """What a request names of a mail.

    Attributes:
        to: Its recipients.
        subject: Its subject.
        about: What it is about.
        body: Its text.
        content: A file whose content is its text.
        files: Files that go with it.
    """

    to: str = ""
    subject: str = ""
    about: str = ""
    body: str = ""
    content: str = ""
    files: str = ""

    def with_said(self, said: Mapping[str, str | None]) -> _Asked | None:
        """Return it with more parts; None if one is said twice."""
        new = {name: text for name, text in said.items() if text}
        if any(getattr(self, name) for name in new):
            return None
        return replace(self, **new)


def writing_steps(request: str, path_of: Callable[[str], str]) -> Steps:
    """Return the steps of a request that only drafts or sends a mail; () for any other.

    Args:
        request: The request, without words of courtesy.
        path_of: Returns the path of a file that the request names.
    """
    whole = " ".join(request.split()).rstrip()
    said = _NOT_SENT.sub("", whole)
    for opened, pattern in _openings():
        tool = opened if said == whole else "mail_draft"
        opening = pattern.match(said)
        if opening is None:
            continue
        first = _Asked().with_said(opening.groupdict())
        asked = _rest(said[opening.end() :], first) if first else None
        steps = _steps(tool, asked, path_of) if asked else ()
        if steps:
            return steps
    return ()


# Compiled when a mail is first asked for, as it takes long.
@cache
def _openings() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((tool, re.compile(words, re.IGNORECASE)) for tool, words in _OPENINGS)


@cache
def _parts() -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(words, re.IGNORECASE) for words in _PARTS)


def nameless_tool(said: str) -> str:
    """Return the tool of a request to write to somebody who is named without an address.

    Args:
        said: The request, in single blanks.
    """
    if ADDRESS.search(said):
        return ""
    return next((tool for tool, pattern in _NAMELESS if pattern.match(said)), "")


def _rest(text: str, asked: _Asked | None) -> _Asked | None:
    """Return what the rest of a request names; None if a word of it is not understood."""
    while asked is not None:
        text = _LEADING_COLON.sub("", text.strip())
        text = _BETWEEN.sub("", text) if not text.startswith(":") else text
        if text in {"", ".", "!"}:
            return asked
        match = next(filter(None, (part.match(text) for part in _parts())), None)
        if match is None:
            return None
        asked, text = asked.with_said(match.groupdict()), text[match.end() :]
    return None


def _steps(tool: str, asked: _Asked, path_of: Callable[[str], str]) -> Steps:
    """Return the steps: reading what the text is to be, and the mail."""
    to = [match[0] for match in ADDRESS.finditer(asked.to)]
    unclear = [asked.body, asked.subject, asked.about]
    if not to or any(_ALSO.search(text) for text in unclear if not is_quoted(text)):
        return ()
    about = unquoted(asked.about).rstrip(" .!?")
    named = _FILE_IN.search(about)
    content = asked.content or ("" if asked.body or not named else named["file"])
    body = _as_sentence(asked.body)
    files = [path_of(name) for name in re.findall(_FILE, asked.files)]
    if content.rpartition(".")[2].lower() in _BINARY:
        return ()
    if tool == "mail_send" and not (body or content or files):
        return ()
    subject = unquoted(asked.subject).rstrip(" .,") or _capital(about)
    args = {
        "to": to,
        **({"subject": subject} if subject else {}),
        **({"body": body} if body else {}),
        **({"attachments": files} if files else {}),
    }
    what = "Draft a mail to" if tool == "mail_draft" else "Send a mail to"
    title = f"{what} {', '.join(to)}"
    if not content:
        return ({"tool": tool, "args": args, "title": title},)
    path = path_of(content)
    read = {"tool": "file_read", "args": {"path": path}, "title": f"Read {path}"}
    # the open text is the output of the step that it waits for
    mail = {"tool": tool, "args": {**args, "body": ""}, "depends_on": [1], "title": title}
    return (read, mail)


def _as_sentence(text: str) -> str:
    """Return a quoted text as it is; another one begins with a capital.

    The question mark of "could you send ..." is none of a text that is not a question.
    """
    if is_quoted(text):
        return unquoted(text)
    said = text.strip()
    return _capital(said if _QUESTION.match(said) else said.rstrip("?"))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
