"""Finds what a text coordinates: two constituents joined by "and" that share the rest of it.

In "the power of 100 ohm at 5 V and at 12 V" the two begin with the same word, in "100 USD to EUR
and 20 GBP to USD" with the same kind of value; each stands for the other in the same sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from okso_jupyter.planning.slot_filling.mentions import Mention, Reading, read
from okso_jupyter.planning.slot_filling.proper_names import identifiers, names

_JOINT: Final = re.compile(
    r"(?i)(?:,|;)?\s+(?:and|as well as|plus|but|versus|vs\.?)\s+"
    r"(?:(?:also|then|finally|lastly)\s+)?|[,;]\s+(?:(?:also|then|or)\s+)?"
)
_END: Final = re.compile(r"[.?!;](?=\s|$|[\"'])|$")
_BRACKETED: Final = re.compile(r"\[[^\[\]]*\]|\([^()]*\)")
_PAIRED: Final = re.compile(r"(?i)\b(?:between|both)\b[^,.;?!]*$")
_DETERMINERS: Final = frozenset("a an another one the".split())
#: Joints of a text that are tried, and beginnings of the first constituent for each.
_MOST: Final = 12
_MOST_PLACES: Final = 4


def halves(text: str) -> Iterator[tuple[str, str]]:
    """Yield the ways to write a text as two, each with one of two coordinated constituents."""
    reading = read(text)
    starts = _starts(reading)
    quoted = [(quote.start, quote.end) for quote in reading.quotes]
    quoted += [match.span() for match in _BRACKETED.finditer(text)]
    for joint in list(_JOINT.finditer(text))[:_MOST]:
        if any(start < joint.start() < end for start, end in quoted):
            continue
        kind = starts.get(joint.end(), "")
        first = _sentence_start(text, joint.start())
        end = _sentence_end(reading, joint.end())
        if not kind or _PAIRED.search(text[first : joint.start()]):
            continue
        places = [p for p, k in starts.items() if first <= p < joint.start() and k == kind]
        # constituents that are coordinated are about as long
        length = end - joint.end()
        for place in sorted(places, key=lambda p: abs(joint.start() - p - length))[:_MOST_PLACES]:
            one = text[: joint.start()] + text[end:]
            yield one, text[:place] + text[joint.end() :]


def _sentence_start(text: str, place: int) -> int:
    return max((m.end() for m in re.finditer(r"[.?!]\s+", text[:place])), default=0)


def _sentence_end(reading: Reading, place: int) -> int:
    """Return where the sentence ends that goes on at `place`, quotes skipped."""
    for match in _END.finditer(reading.text, place):
        if not any(quote.start < match.start() < quote.end - 1 for quote in reading.quotes):
            return match.start()
    return len(reading.text)


def _starts(reading: Reading) -> dict[int, str]:
    """Return the kind of constituent that may begin at each place of a text."""
    kinds = {token.start: token.text.lower() for token in reading.tokens}
    kinds = {place: "determiner" if word in _DETERMINERS else word for place, word in kinds.items()}
    for kind, mentions in (
        ("name", (*names(reading), *identifiers(reading))),
        ("number", reading.numbers),
    ):
        kinds |= {mention.start: kind for mention in mentions if not _is_count(mention)}
    kinds |= {quote.start: "quote" for quote in reading.quotes}
    for quote in reading.quotes:
        inner = [place for place in kinds if quote.start < place < quote.end]
        for place in inner:
            del kinds[place]
    return kinds


def _is_count(mention: Mention) -> bool:
    return isinstance(mention.value, int | float) and (mention.inside or mention.counts)
