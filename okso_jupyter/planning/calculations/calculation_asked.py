"""Reads a request that is only a calculation as the arguments of `calculator`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from okso_jupyter.calculation.unit_conversion import problem_of_conversion
from okso_jupyter.calculation.unit_words import UNIT_WORDS
from okso_jupyter.planning.calculations.currencies import is_of_one_currency, without_currency
from okso_jupyter.planning.calculations.spoken_arithmetic import expression_of
from okso_jupyter.planning.calculations.spoken_dates import dates_asked
from okso_jupyter.planning.calculations.spoken_numbers import with_digits
from okso_jupyter.planning.calculations.spoken_times import times_asked
from okso_jupyter.planning.request.courtesy import direct

_MOST_CHARS: Final = 300
#: What may still stand before a calculation, beside courtesy.
_POLITE: Final = re.compile(r"^(?:(?:so|okso|and|und|tell me|sag mir|kannst du mir)\b[ ,:]*)+")
_ASKED: Final = re.compile(
    r"^(?:what do (?:i|you|we) get (?:if|when) (?:i|you|we)|"
    r"what(?:'s| is) the (?:result|answer) (?:if|when) (?:i|you|we)|"
    r"what(?:'s|\u2019s|s| is| are| was| does| do)?|how much (?:is|are|makes?|does)|"
    r"wie ?viel (?:ist|sind|ergibt|macht)|was (?:ist|sind|ergibt|macht)|calculate|compute|"
    r"evaluate|solve|work out|find|give me|berechne|rechne|express|convert|change|wandle)\b *"
    r"(?:for me\b *)?(?:(?:the )?(?:value|result) of\b *)?(?:(?:the|die|der|das|den) )?"
)
_END: Final = re.compile(
    r"(?:\s*(?:\bplease|\bpls|\bbitte|\bfor me|\bequal(?: to)?|\baus|\bum|\bthanks|"
    r"\bthank you|=|\?|\.(?=\s*$)|!(?=\s*[!?]|(?<=[a-z]!)\s*$)))*\s*$"
)
#: Asks of a day what its answer says anyway.
_WEEKDAY_TOO: Final = re.compile(
    r",? (?:and|und) (?:on )?(?:which|what|welcher) (?:weekday|day of the week|day|wochentag)"
    r"(?: (?:is|was|ist|war) (?:it|that|das))?$"
)
_UNIT: Final = "|".join(
    re.escape(word).replace(r"\ ", " ") for word in sorted(UNIT_WORDS, key=len, reverse=True)
)
_NUMBER: Final = r"-?\d+(?:\.\d+)?(?:/\d+)?"
_QUANTITY: Final = (
    rf"{_NUMBER} ?(?:{_UNIT})(?![^\W\d])(?:(?: and| und|,)? {_NUMBER} ?(?:{_UNIT})(?![^\W\d]))*"
)
_INTO: Final = re.compile(
    rf"(?P<quantity>{_QUANTITY}) (?:in|to|into|as|nach|zu|= \?|equals how many|is how many|"
    rf"are how many|sind wie ?viele|ist wie ?viel) (?P<unit>{_UNIT})"
)
_HOW_MANY: Final = re.compile(
    rf"(?:how many|wie ?viele?) (?P<unit>{_UNIT}) (?:(?:are|is|in|make|makes|does|do|has|"
    rf"have|there|equals?|sind|ist|hat|haben|entsprechen) )+(?P<quantity>{_QUANTITY})"
    r"(?: (?:have|make|equal|is))?"
)
_ONE: Final = re.compile(rf"(?<!\w)(?:a|an|one|eine?[mnr]?) (?=(?:{_UNIT})(?![^\W\d]))")


def calculation_asked(request: str) -> Mapping[str, Any] | None:
    """Return the arguments of `calculator` for a request that is a calculation alone; else None."""
    if len(request) > _MOST_CHARS or not request.isprintable():
        return None
    text = _POLITE.sub("", " ".join(direct(request).lower().split()))
    text = _END.sub("", text)
    asked = times_asked(text)
    if asked:
        return asked
    dated = _WEEKDAY_TOO.sub("", text)
    asked = dates_asked(with_digits(dated) if not re.search(r"\d\.\d", dated) else dated)
    if asked:
        return asked
    digits = with_digits(text)
    plain = _ASKED.sub("", digits, count=1).strip()
    asked = _conversion(digits) or _conversion(plain)
    if asked:
        return {name: _as_written(value, request) for name, value in asked.items()}
    worded = _worded(digits) if re.search(r"\d", digits) else ""
    return {"expression": worded} if worded else _arithmetic(without_currency(plain))


def _conversion(text: str) -> Mapping[str, Any] | None:
    said = _ONE.sub("1 ", text)
    match = _INTO.fullmatch(said) or _HOW_MANY.fullmatch(said)
    if match is None:
        return None
    quantity = re.sub(rf"(?:,| and| und) (?={_NUMBER})", " ", match["quantity"])
    quantity = re.sub(r"(?<=\d)(?=[^\W\d]|°)", " ", quantity)
    if problem_of_conversion(quantity, match["unit"]):
        return None
    return {"quantity": quantity, "to": match["unit"]}


def _as_written(text: str, request: str) -> str:
    """Return a text with its words in the request's capitals: F, not f."""

    def written(word: re.Match[str]) -> str:
        found = re.search(rf"(?i)(?<![^\W\d]){re.escape(word[0])}(?![^\W\d])", request)
        return found[0] if found else word[0]

    return re.sub(r"[^\W\d]+", written, text)


def _worded(digits: str) -> str:
    """Return the expression of a calculation in words, of a text with plain numbers; "" if none."""
    # its patterns take a while to compile, and only requests with numbers need them
    from okso_jupyter.planning.calculations.exchange_rates import exchange_of  # noqa: PLC0415  see above
    from okso_jupyter.planning.calculations.motion_and_area import motion_or_area  # noqa: PLC0415  see above
    from okso_jupyter.planning.calculations.said_percentages import percentage_of  # noqa: PLC0415  see above
    from okso_jupyter.planning.calculations.stock_problems import lasting_time  # noqa: PLC0415  see above
    from okso_jupyter.planning.calculations.summed_costs import summed_cost  # noqa: PLC0415  see above
    from okso_jupyter.planning.calculations.word_problems import word_problem  # noqa: PLC0415  see above

    changed = exchange_of(digits)
    if changed or not is_of_one_currency(digits):
        return changed
    amounts = without_currency(digits)
    readers = (motion_or_area, percentage_of, word_problem, summed_cost, lasting_time)
    return next((found for read in readers if (found := read(amounts))), "")


def _arithmetic(text: str) -> Mapping[str, Any] | None:
    found = expression_of(text)
    if found is None:
        return None
    return {"expression": found.text, **({"to": found.to} if found.to else {})}
