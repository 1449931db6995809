"""Are these the accepted calls? The documented rules of the Berkeley Function-Calling data.

- Calls match accepted calls one to one, in any order.
- A name matches with "." and "_" taken for each other, as some models may not write dots.
- Every argument is a declared one and has an accepted value; one that may be "" may be left out.
- Texts compare without case, spaces and the marks , . / - _ * ^, and with one kind of quote.
- Whole numbers do where decimal ones are expected; true and false are no numbers.
- Lists compare item by item; objects key by key, each key with its own accepted values.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from benchmarks.quality.cases import Case

_IGNORED: Final = re.compile(r"[ ,./\-_*^]")
_TOLERANCE: Final = 1e-9
#: Among accepted values: the argument may be left out.
_LEFT_OUT: Final = ""

Accepted = Mapping[str, Mapping[str, Sequence[Any]]]


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a plan."""

    name: str
    args: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is right about the calls of a plan.

    Attributes:
        right: Tools and arguments.
        right_tools: The tools alone, each as often as it should be called.
    """

    right: bool
    right_tools: bool


def judge(case: Case, calls: Sequence[Call]) -> Verdict:
    """Return what is right about calls; the plan's final answer is not one of them."""
    if case.wanted != "these":
        right = bool(calls) == (case.wanted == "some")
        return Verdict(right, right)
    names = Counter(_plain_name(call.name) for call in calls)
    wanted = Counter(_plain_name(name) for accepted in case.accepted for name in accepted)
    right_tools = names == wanted
    return Verdict(right_tools and _one_to_one(calls, case.accepted), right_tools)


def call_is(call: Call, accepted: Accepted) -> bool:
    """Say whether a call is the accepted one."""
    ((name, parameters),) = accepted.items()
    return _plain_name(call.name) == _plain_name(name) and _all_accepted(call.args, parameters)


def _one_to_one(calls: Sequence[Call], accepted: Sequence[Accepted]) -> bool:
    """Say whether every call can be given an accepted one of its own.

    A call that fits several may take the one that another call needs; then that one moves on
    (augmenting paths of a bipartite matching).
    """
    taken: dict[int, int] = {}

    def place(call: int, tried: set[int]) -> bool:
        for number, wanted in enumerate(accepted):
            if number in tried or not call_is(calls[call], wanted):
                continue
            tried.add(number)
            if number not in taken or place(taken[number], tried):
                taken[number] = call
                return True
        return False

    return len(calls) == len(accepted) and all(place(call, set()) for call in range(len(calls)))


def _all_accepted(given: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    """Say whether every value that is given is accepted, and none is missing."""
    accepted = {key: v if isinstance(v, list) else [v] for key, v in wanted.items()}
    missing = [key for key in accepted if key not in given]
    return (
        all(key in accepted for key in given)
        and all(_LEFT_OUT in accepted[key] for key in missing)
        and all(any(same(value, each) for each in accepted[key]) for key, value in given.items())
    )


def same(value: Any, wanted: Any) -> bool:  # noqa: ANN401  any two JSON values
    """Say whether a value counts as the accepted one."""
    match wanted:
        case str():
            return isinstance(value, str) and _plain(value) == _plain(wanted)
        case bool():
            return value is wanted
        case int() | float():
            return _is_number(value) and math.isclose(value, wanted, rel_tol=0, abs_tol=_TOLERANCE)
        case list():
            return (
                isinstance(value, list)
                and len(value) == len(wanted)
                and all(map(same, value, wanted))
            )
        case dict():
            return isinstance(value, dict) and _all_accepted(value, wanted)
        case _:
            return bool(value == wanted)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _plain(text: str) -> str:
    return _IGNORED.sub("", text).lower().replace("'", '"')


def _plain_name(name: str) -> str:
    return name.replace("_", ".")
