"""Requests made of words that only ask: a question is what it names among them, in any order.

"Which notes have I got so far?" and "give me an overview of all my notes" have one word each that
says what is wanted; all others only ask for it. A word that does neither makes it another request.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from datetime import date, datetime
from typing import Final

from okso_jupyter.planning.personal_requests.spoken_ranges import spoken_range

_WORD: Final = re.compile(r"[^\s,?!]+")
#: Words that ask for something, whatever it is.
ASKING: Final = frozenset(
    "a an the my our me i i'm i've we us you is are was were do does did have has had got "
    "gotten am will be been there there's any anything something everything every each all of "
    "in on at for to from up out so far still yet now currently please show list display see "
    "view give tell get print check look let what what's which who how many much if whether "
    "else with this that these those it and or ever exist exists titles names overview rundown "
    "summary full whole complete list mir ich wir bin bist habe hab haben hast du gibt gibt's "
    "es denn noch alle allen alles meine meinen meiner mein der die das den dem zeig zeige "
    "liste was welche welcher welchen welchem in steht stehen ist sind bei im am an überblick "
    "übersicht über eine einen ein bitte irgendwas etwas eigentlich sag".split()
)
#: Words of somebody who asks about what is theirs.
OWN: Final = frozenset("i i'm i've i'd my mine we our ich mein meine meiner meinen wir".split())
_MOST_WORDS: Final = 25


def words_of(said: str) -> list[str]:
    """Return the words of a text in lower case, without the marks between them."""
    words = (word.lower().strip("'\":;.") for word in _WORD.findall(said.replace("\u2019", "'")))
    return [word for word in words if word]


def asks_only_for(words: Collection[str], wanted: Collection[str], more: Collection[str]) -> bool:
    """Return whether words ask for one of the wanted things, and for nothing else.

    Args:
        words: The words of the request.
        wanted: Words that name what is asked for.
        more: Words that may stand beside them and those of `ASKING`.
    """
    named = {*words} & {*wanted}
    return bool(named) and {*words} <= named | ASKING | {*more}


def ranged(said: str, now: datetime) -> Iterator[tuple[list[str], tuple[date, date]]]:
    """Yield how a request may name days: its other words, and the first and the last day.

    The longest run of words that is a range comes first.
    """
    words: Sequence[str] = [word.removesuffix("'s") for word in words_of(said)]
    if len(words) > _MOST_WORDS:
        return
    for length in range(len(words), 0, -1):
        for start in range(len(words) - length + 1):
            end = start + length
            found = spoken_range(" ".join(words[start:end]), now)
            if found is not None:
                yield [*words[:start], *words[end:]], found
