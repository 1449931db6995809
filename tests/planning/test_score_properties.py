"""Properties of every score, for any plan."""

from __future__ import annotations

import copy
import itertools
from dataclasses import replace
from typing import Any, Final

import pytest
from hypothesis import example as explicit
from hypothesis import given, settings
from hypothesis import strategies as st

from okso_jupyter.errors import SettingError
from okso_jupyter.plan.holes import MISSING
from okso_jupyter.plan.plan import FINAL_TOOL, Plan, Step
from okso_jupyter.plan.records import Scorecard
from okso_jupyter.planning.request.facts import gather
from okso_jupyter.planning.scoring.rules import DEFAULT, PRESETS, holds, named
from okso_jupyter.planning.scoring.scorer import score_plan
from okso_jupyter.session.session import Session
from okso_jupyter.toolkit.tool import Example, Tool
from tests.planning.okso_tools import declared

pytestmark = pytest.mark.slow

_SESSION = Session()
TOOLS: Final[dict[str, Tool]] = {
    **_SESSION.tools,
    "mystery": declared("mystery", None),
    "post": declared("post", ["writes", "network"]),
}
CASES: Final = [
    (name, example) for name, tool in _SESSION.tools.items() for example in tool.examples
]
#: A few requests of every kind; the whole catalogue would only take longer.
REQUESTS: Final = [example.request for _, example in CASES[::9]]

# Other work shares the machine: time says nothing about these tests.
fast = settings(max_examples=60)
words = st.sampled_from(
    ["", MISSING, "a", "sales.csv", "notes.txt", "-l", "milk", "5", "ls", "rm", "print(1)"]
)
values = words | st.integers(0, 9) | st.none() | st.lists(words, max_size=3) | st.booleans()
args = st.one_of(
    st.sampled_from([dict(example.args) for _, example in CASES]),
    st.dictionaries(
        st.sampled_from(["command", "args", "input", "path", "content", "query"]), values
    ),
)
calls = st.tuples(st.sampled_from([*TOOLS, "telepathy"]), args)
requests = st.sampled_from(["", *REQUESTS])
presets = st.sampled_from(sorted(PRESETS))
lengths = st.sampled_from(["budget", "quadratic"])
options = st.fixed_dictionaries(
    {
        "SCORE_LENGTH": lengths,
        "SCORE_ARGS": st.sampled_from(["lenient", "strict", "off"]),
        "PLANNER_MAX_PLAN_STEPS": st.integers(1, 8),
    }
)


def plan_of(*steps: tuple[str, dict[str, Any]]) -> Plan:
    """Return a plan of these calls."""
    return Plan(
        steps=tuple(Step(id=place, tool=name, args=a) for place, (name, a) in enumerate(steps, 1))
    )


def score(plan: Plan, request: str, chosen: dict[str, Any] | None = None) -> float:
    """Return a plan's score with the default preset."""
    return score_plan(plan, TOOLS, chosen, request=request).score


plans = st.lists(calls, max_size=6).map(lambda steps: plan_of(*steps))
answering = st.lists(calls.filter(lambda call: call[0] != FINAL_TOOL), max_size=5).map(
    lambda steps: plan_of(*steps, (FINAL_TOOL, {}))
)


def inserted(plan: Plan, place: int, call: tuple[str, dict[str, Any]]) -> Plan:
    """Return the plan with one more step before the last one."""
    steps = [(step.tool, dict(step.args)) for step in plan.steps]
    at = place % len(steps)
    return plan_of(*steps[:at], call, *steps[at:])


@fast
@given(plans, requests, presets, options)
def test_scoring_is_pure_and_deterministic(
    plan: Plan, request: str, preset: str, chosen: dict[str, Any]
) -> None:
    """The same plan has the same scorecard, and scoring does not modify the plan."""
    before = copy.deepcopy(plan.to_dict())
    first, second = (
        score_plan(plan, TOOLS, {**chosen, "SCORE_PRESET": preset}, request=request)
        for _ in range(2)
    )
    assert first == second
    assert plan.to_dict() == before


@fast
@given(plans, requests, presets, options)
def test_the_findings_add_up_to_the_score(
    plan: Plan, request: str, preset: str, chosen: dict[str, Any]
) -> None:
    """There is one finding per rule, with a reason; their points add up to the score."""
    card = score_plan(plan, TOOLS, {**chosen, "SCORE_PRESET": preset}, request=request)
    assert [found.code for found in card.findings] == [rule.code for rule in PRESETS[preset]]
    assert card.score == pytest.approx(sum(found.points for found in card.findings))
    assert all(card.rationale)


@fast
@given(plans, requests, options, st.integers(0, 9))
def test_peers_change_only_the_agreement(
    plan: Plan, request: str, chosen: dict[str, Any], place: int
) -> None:
    """Scoring a plan with another one as its peer changes only the rule `agreement`."""
    name, example = CASES[place]
    peer = plan_of((name, dict(example.args)))
    alone = score_plan(plan, TOOLS, chosen, request=request)
    beside = score_plan(plan, TOOLS, chosen, request=request, peers=[peer])
    assert [f for f in beside.findings if f.rule != "agreement"] == [
        f for f in alone.findings if f.rule != "agreement"
    ]


@fast
@given(answering, requests, options, args, st.integers(0, 9))
def test_a_step_with_an_unknown_tool_never_raises_a_score(
    plan: Plan, request: str, chosen: dict[str, Any], given_args: dict[str, Any], place: int
) -> None:
    """Inserting a step with an unknown tool costs points at any position."""
    worse = inserted(plan, place, ("telepathy", given_args))
    assert score(worse, request, chosen) < score(plan, request, chosen)


@fast
@explicit(
    plan_of(("workflow_research_note", {}), ("workflow_research_note", {}), (FINAL_TOOL, {})),
    "",
    {"SCORE_LENGTH": "budget", "SCORE_ARGS": "strict", "PLANNER_MAX_PLAN_STEPS": 1},
    0,
)
@given(answering, requests, options, st.integers(0, 9))
def test_making_a_tool_unknown_never_raises_a_score(
    plan: Plan, request: str, chosen: dict[str, Any], place: int
) -> None:
    """Renaming a step's tool to an unknown one does not raise the score."""
    step = plan.steps[place % len(plan.steps)]
    other = plan.with_steps(replace(s, tool="telepathy") if s == step else s for s in plan.steps)
    expected = score(plan, request, chosen)
    assert score(other, request, chosen) <= expected


@fast
@given(answering, requests, options, st.integers(0, 9), st.integers(0, 9))
def test_a_repeated_step_never_raises_a_score(
    plan: Plan, request: str, chosen: dict[str, Any], which: int, place: int
) -> None:
    """A duplicate step before the answer costs points."""
    if len(plan.steps) == 1:
        return
    step = plan.steps[which % (len(plan.steps) - 1)]
    worse = inserted(plan, place, (step.tool, dict(step.args)))
    assert score(worse, request, chosen) < score(plan, request, chosen)


@fast
@given(answering, st.sampled_from(REQUESTS), options, calls, st.integers(0, 9))
def test_an_unrelated_step_never_raises_a_score(
    plan: Plan, request: str, chosen: dict[str, Any], call: tuple[str, dict[str, Any]], place: int
) -> None:
    """If the request names things, a step that uses none of them costs points."""
    things = named(gather(request, None))
    useless = Step(id=1, tool=call[0], args=call[1])
    if call[0] == FINAL_TOOL or not things or any(holds(useless, thing) for thing in things):
        return
    assert score(inserted(plan, place, call), request, chosen) < score(plan, request, chosen)


def nothing() -> Plan:
    """Return the plan that does nothing."""
    return plan_of((FINAL_TOOL, {}))


@pytest.mark.parametrize("length", ["budget", "quadratic"])
@pytest.mark.parametrize(("name", "example"), CASES, ids=lambda part: getattr(part, "request", ""))
def test_an_example_call_beats_an_empty_plan(name: str, example: Example, length: str) -> None:
    """For each example's request, its call scores higher than answering at once."""
    does = plan_of((name, dict(example.args)), (FINAL_TOOL, {}))
    chosen = {"SCORE_LENGTH": length}
    assert score(does, example.request, chosen) > score(nothing(), example.request, chosen)


@fast
@given(st.sampled_from(list(itertools.pairwise(CASES[::7]))))
def test_both_requested_calls_beat_an_empty_plan(
    pair: tuple[tuple[str, Example], tuple[str, Example]],
) -> None:
    """For a request of two parts, both calls score higher than answering at once."""
    (first, one), (second, other) = pair
    request = f"{one.request.rstrip('?.')} and then {other.request}"
    both = plan_of((first, dict(one.args)), (second, dict(other.args)), (FINAL_TOOL, {}))
    assert score(both, request) > score(nothing(), request)


# --- weights -----------------------------------------------------------------------------


@fast
@given(
    answering,
    requests,
    st.dictionaries(st.sampled_from([rule.name for rule in DEFAULT]), st.integers(-5, 5)),
)
def test_weights_scale_their_rules(plan: Plan, request: str, weights: dict[str, int]) -> None:
    """A weight multiplies the points of its rule and affects no other rule."""
    plain = score_plan(plan, TOOLS, request=request)
    weighed = score_plan(plan, TOOLS, {"SCORE_WEIGHTS": weights}, request=request)
    for before, after in zip(plain.findings, weighed.findings, strict=True):
        factor = weights.get(before.rule, 1)
        assert (after.weight, after.points) == (factor, before.points * factor)
        assert (after.count, after.reason) == (before.count, before.reason)
    assert weighed.tie_breaker == plain.tie_breaker


@pytest.mark.parametrize(
    ("preset", "name", "hint"),
    [
        ("default", "lenght", "did you mean length?"),
        ("default", "xyz", "the rules are length"),
        ("okso", "coverage", "the rules are length"),
    ],
)
def test_a_weight_for_an_unknown_rule_is_refused(preset: str, name: str, hint: str) -> None:
    """SCORE_WEIGHTS must name rules of the preset; the error lists or suggests them."""
    chosen = {"SCORE_PRESET": preset, "SCORE_WEIGHTS": {name: 2}}
    with pytest.raises(SettingError, match=name) as caught:
        score_plan(nothing(), TOOLS, chosen)
    assert hint in caught.value.hint
    assert "the rules are length" in caught.value.hint
    with pytest.raises(SettingError, match=name):
        Session(chosen)


def test_weights_may_be_json_text() -> None:
    """SCORE_WEIGHTS from the environment is a JSON object."""
    card: Scorecard = score_plan(nothing(), TOOLS, {"SCORE_WEIGHTS": '{"length": 0}'})
    assert next(found.points for found in card.findings if found.rule == "length") == 0


def test_tools_may_be_a_list_or_a_mapping() -> None:
    """`score_plan` takes the tools in both forms."""
    plan = plan_of(("terminal", {"command": "ls"}), (FINAL_TOOL, {}))
    assert score_plan(plan, TOOLS.values()) == score_plan(plan, TOOLS)
