"""Which calls are counted as right."""

from __future__ import annotations

from benchmarks.quality.answers import Answer, Judged
from benchmarks.quality.checker import Call, Verdict, judge, same
from tests.each_row import each_row
from tests.quality.made_cases import AREA_IS, KEY, area, case_of


@each_row(
    ("call", "right"),
    [
        (area(), True),
        (area(unit="Units"), True),
        (area(unit=""), True),
        (area(base=10.0), True),
        (Call("geometry_area", {"base": 10, "height": 5}), True),
        (area(base="10"), False),
        (area(base=True), False),
        (area(base=11), False),
        (area(colour="red"), False),
        (area(unit="cm"), False),
        (Call("geometry.area", {"base": 10}), False),
        (Call("root", {"base": 10, "height": 5}), False),
    ],
)
def test_a_call_is_right_if_every_argument_is_accepted(call: Call, *, right: bool) -> None:
    """Optional arguments may be missing, unknown ones may not; values must be accepted."""
    assert judge(case_of(AREA_IS), [call]).right is right


@each_row(
    ("value", "wanted", "right"),
    [
        ("new york, NY", "New York NY", True),
        ("it's", 'it"s', True),
        ("2024-01-02", "2024/01/02", True),
        ("Paris", "London", False),
        (5, "5", False),
        (3, 3.0, True),
        (1, True, False),
        (True, 1, False),
        ([1, 2.0], [1.0, 2], True),
        ([2, 1], [1, 2], False),
        ([1], [1, 2], False),
        ({"city": "Rome"}, {"city": ["rome", "Roma"], "days": [3, ""]}, True),
        ({"city": "Rome", "days": 4}, {"city": ["rome"], "days": [3, ""]}, False),
        ({"city": "Rome", "hour": 4}, {"city": ["rome"]}, False),
        ({}, {"city": ["rome"]}, False),
        (["a b", {"x": 1}], ["A-B", {"x": [1]}], True),
        (None, None, True),
    ],
)
def test_values_are_compared_by_the_rules_of_the_data(
    value: object, wanted: object, *, right: bool
) -> None:
    """Case and punctuation are ignored; lists compare by item, objects by key.

    Numbers compare by value.
    """
    assert same(value, wanted) is right


def test_parallel_calls_match_in_any_order() -> None:
    """Both calls are needed, in any order; one of them twice is not enough."""
    case = case_of(AREA_IS, {"root": {"of": [9]}}, category="parallel_multiple")
    root = Call("root", {"of": 9})

    assert judge(case, [root, area()]) == Verdict(right=True, right_tools=True)
    assert judge(case, [area(), root]).right
    assert judge(case, [area(), area()]) == Verdict(right=False, right_tools=False)
    assert not judge(case, [area(), root, root]).right
    assert not judge(case, [area()]).right


def test_a_call_that_fits_twice_leaves_the_other_its_match() -> None:
    """A complete matching is found even where taking the first fit would miss it."""
    case = case_of({"root": {"of": [4, 9]}}, {"root": {"of": [9]}}, category="parallel")

    assert judge(case, [Call("root", {"of": 9}), Call("root", {"of": 4})]).right


def test_the_right_tool_with_wrong_arguments_is_counted() -> None:
    """The rate of right tools ignores the arguments."""
    assert judge(case_of(AREA_IS), [area(base=7)]) == Verdict(right=False, right_tools=True)


def test_cases_without_a_wanted_call_are_judged_by_the_decision() -> None:
    """If no tool fits, no call is right; if some tool fits, any call is right."""
    nothing, some = case_of(category="irrelevance"), case_of(category="live_relevance")

    assert judge(nothing, []).right
    assert not judge(nothing, [area()]).right
    assert judge(some, [area(), area()]).right
    assert not judge(some, []).right


def test_a_failure_is_never_right() -> None:
    """An answer without calls because of an error is not a decision to call nothing."""
    answer = Answer(calls=(), duration_s=1.0, error="no model")

    assert not Judged(key=KEY, case=case_of(category="irrelevance"), answer=answer).verdict.right
