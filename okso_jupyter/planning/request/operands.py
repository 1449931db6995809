"""Operands: the numbers of a request that can be computed with, apart from years that say when.

"How much did I earn in 2023?" names no operand, "add 2023 and 2024" names two.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

_NUMBER: Final = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?![\w.]*\.\w)")
_YEAR: Final = re.compile(r"(?:19|20)\d\d")
#: Words before a year that say that it tells when.
_WHEN: Final = re.compile(
    r"\b(?:in|im|since|seit|during|until|till|bis|years?|jahre?[ns]?|season|saison|winter|sommer|"
    r"summer|spring|autumn|fall|herbst|jan\w*|feb\w*|mar\w*|märz|apr\w*|may|mai|jun\w*|jul\w*|"
    r"aug\w*|sep\w*|o[ck]t\w*|nov\w*|de[cz]\w*)\s*$"
)
#: What asks to compute with the number behind it, and with the one before it.
_COMPUTED_BEHIND: Final = re.compile(
    r"(?:[-+*/^×÷%(√=]|\b(?:plus|minus|times|mal|durch|hoch|mod|modulo|add|addiere|subtract|"  # noqa: RUF001  as people write
    r"subtrahiere|multiply|multipliziere|divide|dividiere|teile|round|runde|double|twice|halve|"
    r"square|cube|(?:divided|multiplied) by|numbers|zahlen|"
    r"(?:geteilt|dividiert) durch|multipliziert mit|"
    r"(?:%|percent|prozent|sum|product|mean|average|median|root|square|cube|factorial|half|third|"
    r"quarter|log|difference|digits|factors|divisors|summe|produkt|wurzel|hälfte|drittel|viertel|"
    r"mittelwert|durchschnitt|fakultät|quersumme) (?:of|von|aus|between))(?: the)?)\s*$"
)  # fmt: skip
_COMPUTED_BEFORE: Final = re.compile(
    r"^\s*(?:[+*/^×÷%!=]|- |(?:plus|minus|times|mal|durch|divided|geteilt|multiplied|hoch|mod|"  # noqa: RUF001  as people write
    r"modulo|squared|cubed|percent|prozent|to the power|by \d)\b)"
)  # fmt: skip
#: What may stand between two years that are told in the same way.
_JOINED: Final = re.compile(
    r"\s*(?:,|-|and|or|to|with|from|by|through|until|vs\.?|versus|than|und|oder|bis|mit|als|&|"
    r"\b(?:in|im|the|since|seit|von|compared|verglichen|gegenüber|between|zwischen)\b|\s)+"
)


@dataclass(frozen=True, slots=True)
class Numbers:
    """The numbers of a request.

    Attributes:
        operands: Those that can be computed with.
        years: Those that only say when.
    """

    operands: tuple[float, ...]
    years: tuple[float, ...]


def numbers_of(request: str) -> Numbers:
    """Return the numbers of a request, those that can be computed with apart.

    A year that nothing asks to compute with says when if a word such as "in" stands before it,
    or if the request has no other number.
    """
    text = request.lower()
    found = list(_NUMBER.finditer(text))
    is_year = [bool(_YEAR.fullmatch(number[0])) for number in found]
    when = list(_say_when(text, found, has_others=not all(is_year)))
    return Numbers(
        operands=tuple(float(n[0]) for n, said in zip(found, when, strict=True) if not said),
        years=tuple(float(n[0]) for n, said in zip(found, when, strict=True) if said),
    )


def _say_when(text: str, found: list[re.Match[str]], *, has_others: bool) -> Iterator[bool]:
    """Yield for each number of a text whether it is a year that says when."""
    before, end = None, 0
    for number in found:
        said = False
        if _YEAR.fullmatch(number[0]):
            gap, rest = text[end : number.start()], text[number.end() :]
            if before is not None and _JOINED.fullmatch(gap):
                said = before
            elif _COMPUTED_BEHIND.search(gap) or _COMPUTED_BEFORE.search(rest):
                said = False
            else:
                said = bool(_WHEN.search(gap)) or not has_others
            before, end = said, number.end()
        else:
            before, end = None, number.end()
        yield said
