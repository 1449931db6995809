"""Finder of unknown secrets in a text, by the names and forms around them.

In: a text. Out: the spans (start and end) to redact. A text is first searched for a few literal
anchors (`token`, `://`, `ghp_`), which costs hardly more than copying it; the rules examine only
the surroundings of an anchor.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from okso_jupyter.redaction.secret_commands import (
    COMMANDS,
    OWN_FORMS,
    Span,
    command,
    own_form,
    pair,
    password_file,
    private_key,
)
from okso_jupyter.redaction.secret_names import (
    NAME_CHARS,
    Suspicion,
    is_mixed,
    is_random,
    is_secret_option,
    is_secret_value,
    suspicion,
)

_MAX_NAME_CHARS: Final = 100
_MAX_VALUE_CHARS: Final = 4096
#: Up to this length one search for all anchors is faster than one for each.
_SHORT_CHARACTERS: Final = 200


@dataclass(frozen=True, slots=True)
class _Anchored:
    """A rule that is applied at each occurrence of its anchors.

    Attributes:
        anchors: Lower-case texts, one of which must occur.
        spans: Yields the spans of secrets, given the text and the position of the anchor.
    """

    anchors: tuple[str, ...]
    spans: Callable[[str, int], Iterator[Span]]


def secret_spans(text: str) -> list[Span]:
    """Return the spans of secrets, ordered and disjoint."""
    small = _in_small_letters(text)
    if len(small) <= _SHORT_CHARACTERS and not _ANY_ANCHOR.search(small):
        return []
    found: list[Span] = []
    for rule in _RULES:
        for anchor in rule.anchors:
            place = small.find(anchor)
            while place >= 0:
                found += rule.spans(text, place)
                place = small.find(anchor, place + len(anchor))
    return _merged(found)


def _in_small_letters(text: str) -> str:
    """Return the text in lower case, with every character at the same position."""
    small = text.lower()
    if len(small) == len(text):
        return small
    return "".join(character.lower()[:1] or character for character in text)


def _merged(spans: list[Span]) -> list[Span]:
    """Return the spans in order, with touching ones merged."""
    merged: list[Span] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        else:
            merged.append((start, end))
    return merged


# ------------------------------------------------------------------ a name and its value
_REST_OF_NAME: Final = re.compile(r"[\w.-]*", re.ASCII)
#: Separator between a name and its value.
_EQUALS: Final = re.compile(
    r"\\*(?P<mark>[\"'`]?)\]?(?P<gap>[ \t]{0,40})(?P<sign>:=|=>|={1,2}|:)[ \t]{0,8}"
)
_OPTION_GAP: Final = re.compile(r"(?:=|[ \t\x1f]+|\\*[\"']\s*,\s*(?=\\*[\"']))")
_HEADER_GAP: Final = re.compile(r"\\*[\"']\s*,\s*(?=\\*[\"'])")
_TAG_GAP: Final = re.compile(r"[^<>\n]{0,100}>[ \t]*(?=[^<>\n]{1,4096}</)")
_STATED_GAP: Final = re.compile(r"\s+(?:is|was|lautet)\s*:?\s+")
_QUOTED_GAP: Final = re.compile(r"\s+(?=')")
_WORD_GAP: Final = re.compile(r"\s+")
_AFTER_LOGIN: Final = re.compile(r"(?:login|machine|account)\s+\S+[\s+>|-]+\Z")
_QUOTED: Final = re.compile(
    r"(?P<q>[\"'`])(?![),;\]}])(?P<v>(?:\\.|(?!(?P=q))[^\\\n]){0,4096})(?:(?P=q)|\Z)"
    r"|(?P<s>\\{1,7})(?P<r>[\"'])(?![),;\]}])(?P<w>(?:(?!(?P=s)(?P=r)).){0,4096})"
    r"(?:(?P=s)(?P=r)|\Z)",
)
_BARE: Final = re.compile(r"(?:(?!\\[nrt\"'])[^\s\"'`,;&<>|)}\]]){1,4096}")
_BARE_TO_SPACE: Final = re.compile(r"(?:(?!\\[nrt\"'])[^\s]){1,4096}")
_REST_OF_LINE: Final = re.compile(r"(?:(?!\\[nrt\"']| [#;] )[^\r\n\x1f]){1,4096}")
_IN_TAGS: Final = re.compile(r"[^<>\n]{1,4096}")
_SCHEME: Final = re.compile(
    r"(?i)(?:bearer|basic|token|digest|apikey|api-key|key|negotiate|hmac|aws4-hmac-sha256)"
    r"[ \t\x1f]+(?=\S)"
)
_LINE_HEAD: Final = re.compile(
    r"(?:^|[\n\r\x1f]|\\[nr])[ \t]*(?:[-+>*|][ \t]*)?(?:export[ \t]+|set[ \t]+|env[ \t]+)?\Z"
)
_HEADERS: Final = frozenset({"authorization", "proxy-authorization", "cookie", "set-cookie"})
#: A line of more words than this is prose.
_MOST_WORDS: Final = 4


def _name_around(text: str, place: int) -> Span:
    """Return the start and end of the name that contains an anchor."""
    since = max(0, place - _MAX_NAME_CHARS)
    start = since + len(text[since:place].rstrip(NAME_CHARS))
    rest = _REST_OF_NAME.match(text, place, place + _MAX_NAME_CHARS)
    end = rest.end() if rest else place
    if start > 0 and text[start - 1] == "\\" and text[start] in "nrt":
        start += 1  # skip a line end that is written as an escape
    while start < end and text[start] in "-.":
        start += 1
    while start < end and text[end - 1] in "-.":
        end -= 1
    return start, end


def _named(text: str, place: int) -> Iterator[Span]:
    """Yield the value of the name that contains an anchor."""
    start, end = _name_around(text, place)
    name = text[start:end]
    if name.casefold() in _HEADERS:
        yield from _of_header(text, end, name)
        return
    if suspicion(name) is Suspicion.NONE:
        return
    for gap, read in _readings(text, start, end):
        span = read(text, start, end, gap)
        if span is not None:
            yield span
            return


_Reading = Callable[[str, int, int, int], Span | None]


def _readings(text: str, start: int, end: int) -> Iterator[tuple[int, _Reading]]:
    """Yield where the value may begin, and the function that reads it there."""
    before = text[start - 1 : start]
    if before == "-" and (match := _OPTION_GAP.match(text, end)):
        yield match.end(), _option_value
    if before == "<" and (match := _TAG_GAP.match(text, end)):
        yield match.end(), _tag_value
    if before in {"?", "&"} and text[end : end + 1] == "=":
        yield end + 1, _parameter_value
    if match := _EQUALS.match(text, end):
        yield match.end(), _assigned_value
    if before in {'"', "'"} and "-" in text[start:end] and (m := _HEADER_GAP.match(text, end)):
        yield m.end(), _assigned_value
    yield from _spoken(text, start, end)


def _spoken(text: str, start: int, end: int) -> Iterator[tuple[int, _Reading]]:
    """Yield where a value may begin that follows its name without a sign."""
    if match := _STATED_GAP.match(text, end):
        yield match.end(), _mixed_value
    elif match := _QUOTED_GAP.match(text, end):
        yield match.end(), _single_value
    elif (match := _WORD_GAP.match(text, end)) and _is_told_of(text, start, end):
        yield match.end(), _option_value


def _is_told_of(text: str, start: int, end: int) -> bool:
    """Return whether the text before a name makes the next word its value."""
    if text[start:end] in {"password", "passwd", "pass"}:
        return _AFTER_LOGIN.search(text, max(0, start - 200), start) is not None
    return text.endswith(" set ", 0, start) and suspicion(text[start:end]) is Suspicion.SURE


def _quoted(text: str, place: int) -> Span | None:
    """Return the span of a quoted value, without its quotes."""
    match = _QUOTED.match(text, place, place + _MAX_VALUE_CHARS + 16)
    if match is None:
        return None
    return match.span("v") if match["q"] else match.span("w")


def _if_told(text: str, name: Span, value: Span | None, *, is_written: bool) -> Span | None:
    if value is None:
        return None
    is_secret = is_secret_value(text[slice(*name)], text[slice(*value)], is_written=is_written)
    return value if is_secret else None


def _assigned_value(text: str, start: int, end: int, place: int) -> Span | None:
    """Return a value after an assignment sign: a quoted text, the rest of the line or a word."""
    name = start, end
    if (quoted := _quoted(text, place)) is not None:
        return _if_told(text, name, quoted, is_written=True)
    is_constant = text[start:end].isupper() and text[place - 1] == "="
    is_constant = is_constant and place - end == 1
    is_line = _LINE_HEAD.search(text, max(0, start - 40), start) is not None
    if is_line and text[end : end + 1] not in {'"', "'", "\\"}:
        line = _REST_OF_LINE.match(text, place)
        if line is not None and not _is_prose(text, place, line.end()):
            return _if_told(text, name, _stripped(text, line.span()), is_written=is_constant)
    bare = _BARE.match(text, place)
    if bare is None:
        return None
    is_call = text[bare.end() : bare.end() + 1] in {"(", "["} or "(" in bare[0] or "[" in bare[0]
    if is_call and not is_constant:
        return None
    return _if_told(text, name, bare.span(), is_written=is_constant)


def _is_prose(text: str, start: int, end: int) -> bool:
    """Return whether the text after a sign is a sentence, or continues a list of assignments."""
    line = text[start:end]
    return len(line.split()) > _MOST_WORDS or bool(re.search(r"[,;&]\s*[\w. -]{1,40}[=:]", line))


def _stripped(text: str, span: Span) -> Span:
    """Return a span without trailing whitespace."""
    start, end = span
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


def _option_value(text: str, start: int, end: int, place: int) -> Span | None:
    """Return the value of a command-line option."""
    value = _quoted(text, place)
    if value is None:
        match = _BARE_TO_SPACE.match(text, place)
        if match is None or match[0].startswith("-"):
            return None
        value = match.span()
        while value[1] > value[0] and text[value[1] - 1] in "\"'`,;)]}":
            value = value[0], value[1] - 1
    return value if is_secret_option(text[start:end], text[slice(*value)]) else None


def _tag_value(text: str, start: int, end: int, place: int) -> Span | None:
    match = _IN_TAGS.match(text, place)
    return _if_told(text, (start, end), match.span() if match else None, is_written=True)


def _parameter_value(text: str, start: int, end: int, place: int) -> Span | None:
    match = re.compile(r"[^\s&#\"'<>\\]{1,4096}").match(text, place)
    if match is None:
        return None
    if text[start:end].casefold() in {"sig", "signature", "x-amz-signature", "x-goog-signature"}:
        return match.span() if is_mixed(match[0]) else None
    return _if_told(text, (start, end), match.span(), is_written=True)


def _mixed_value(text: str, start: int, end: int, place: int) -> Span | None:
    """Return a value stated in a sentence, if it cannot be one of the sentence's words."""
    quoted = _quoted(text, place)
    if quoted is None:
        match = re.compile(r"[^\s,;\"']{1,200}").match(text, place)
        if match is None:
            return None
        quoted = place, place + len(match[0].rstrip(".!?"))
    value = text[slice(*quoted)]
    return (
        quoted
        if is_random(value) and is_secret_value(text[start:end], value, is_written=True)
        else None
    )


def _single_value(text: str, start: int, end: int, place: int) -> Span | None:
    """Return a value in SQL: one word in single quotes."""
    value = _quoted(text, place)
    if value is None or suspicion(text[start:end]) is not Suspicion.SURE:
        return None
    return None if re.search(r"\s", text[slice(*value)]) else value


def _of_header(text: str, end: int, name: str) -> Iterator[Span]:
    """Yield the value of a header that is a secret as a whole."""
    gap = _EQUALS.match(text, end) or _HEADER_GAP.match(text, end)
    if gap is None:
        return
    place = gap.end()
    quoted = _quoted(text, place)
    if quoted is None:
        line = re.compile(r"(?:(?!\\[nr\"'])[^\r\n\"'\x1f]){1,4096}").match(text, place)
        quoted = line.span() if line else None
    if quoted is None:
        return
    scheme = _SCHEME.match(text, *quoted)
    start = scheme.end() if scheme else quoted[0]
    value = text[start : quoted[1]].strip()
    if is_secret_value("password", value, is_written="cookie" not in name.casefold()):
        yield start, quoted[1]


_SCHEMES_VALUE: Final = re.compile(
    r"(?i)(?P<scheme>bearer|basic)[ \t\x1f]+(?P<v>[A-Za-z0-9._~+/=-]{16,4096})"
)


def _after_scheme(text: str, place: int) -> Iterator[Span]:
    """Yield the value after `Bearer` or `Basic`, if it is not a word."""
    match = _SCHEMES_VALUE.match(text, place)
    if match is not None and is_random(match["v"]):
        yield match.span("v")


# ------------------------------------------------------------------ addresses
_USER_INFO: Final = re.compile(
    r"://(?P<user>[^\s/:@\"'<>(),;&?#]{0,100}):(?P<v>[^\s/@\"'<>(),;&]{2,200})@(?=[\w\[])"
)
_TOKEN_INFO: Final = re.compile(r"://(?P<v>[^\s/:@\"'<>(),;&?#]{12,200})@(?=[\w\[])")
_HOOK: Final = re.compile(
    r"(?i)://(?:hooks\.slack\.com/(?:services|workflows|triggers)/"
    r"|(?:\w+\.)?discord(?:app)?\.com/api/(?:v\d+/)?webhooks/"
    r"|[\w.-]*webhook\.office\.com/webhookb2/|outlook\.office\.com/webhook/"
    r"|hooks\.zapier\.com/hooks/catch/|maker\.ifttt\.com/trigger/\w+/(?:json/)?with/key/"
    r"|api\.telegram\.org/bot)(?P<v>[^\s\"'<>)\\]{6,400})"
)


def _in_address(text: str, place: int) -> Iterator[Span]:
    """Yield the password, token or secret path of an address."""
    match = _USER_INFO.match(text, place) or _HOOK.match(text, place)
    if match is None:
        match = _TOKEN_INFO.match(text, place)
        match = match if match and is_random(match["v"]) else None
    if match is not None:
        yield match.span("v")


_RULES: Final = (
    _Anchored(
        (
            *("pass", "pwd", "secret", "token", "key", "auth", "cookie", "dsn", "jwt", "salt"),
            *("webhook", "credential", "_pat", "_pin", "otp", "sig", "bearer"),
        ),
        _named,
    ),
    _Anchored(("bearer", "basic"), _after_scheme),
    _Anchored(("://",), _in_address),
    _Anchored((" -u", "\x1f-u", '"-u', "'-u", "--user", "--proxy-user"), pair),
    *(_Anchored((name,), command(name)) for name in COMMANDS),
    *(_Anchored((anchor,), own_form(anchor)) for anchor in OWN_FORMS),
    _Anchored(("-----begin ",), private_key),
    _Anchored((":5432:", ":6432:", ":*:", ":5433:", ":5434:"), password_file),
)
_ANY_ANCHOR: Final = re.compile(
    "|".join(re.escape(anchor) for rule in _RULES for anchor in rule.anchors)
)
