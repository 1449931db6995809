"""Thresholds and proofs about scoring weights, checked against the scorer itself."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from okso_jupyter.audit.counterfactual_weights import reweighing
from okso_jupyter.audit.intervals import Interval, next_winner, winning_weights
from okso_jupyter.audit.linear import cheapest
from okso_jupyter.audit.scoreboard import Scoreboard
from okso_jupyter.audit.why_not import why_not
from okso_jupyter.errors import JournalError, UsageError
from tests.audit.contests import RULES, candidate, contest_of, contests

pytestmark = pytest.mark.slow

#: Nearer to a threshold than any other one, farther than the rounding of floats.
_NEAR = Fraction(1, 10**7)
fast = settings(max_examples=150, deadline=None)


def _chosen(scoreboard: Scoreboard, weights: dict[str, float]) -> int:
    return scoreboard.ranked(weights)[0].index


# --- intervals ---------------------------------------------------------------------------


@fast
@given(contests(), st.data())
def test_the_winner_changes_at_the_ends_of_an_interval(
    scoreboard: Scoreboard, data: st.DataObject
) -> None:
    """A candidate wins just inside its interval of winning weights and loses outside."""
    who = data.draw(st.sampled_from(scoreboard.sampled))
    place = data.draw(st.integers(0, len(scoreboard.rules) - 1))
    interval = winning_weights(scoreboard, who, place)
    if interval is None:
        weights = [float(weight) for weight in np.linspace(0, 6, 25) + 1e-7]
        chosen = [
            _chosen(scoreboard, scoreboard.weights | {scoreboard.rules[place]: w}) for w in weights
        ]
        assert who.index not in chosen
        return
    for weight in (interval.low.at, interval.high.at if interval.high else Fraction(10**4)):
        for tried in (weight - _NEAR, weight + _NEAR):
            if tried >= 0:
                wins = _chosen(
                    scoreboard, scoreboard.weights | {scoreboard.rules[place]: float(tried)}
                )
                assert (wins == who.index) == (tried in interval)


@fast
@given(contests(), st.data(), st.integers(0, 24))
def test_a_weight_wins_if_and_only_if_it_is_in_the_interval(
    scoreboard: Scoreboard, data: st.DataObject, quarters: int
) -> None:
    """A weight of a grid wins if and only if it is in the interval, apart from rounding."""
    who = data.draw(st.sampled_from(scoreboard.sampled))
    place = data.draw(st.integers(0, len(scoreboard.rules) - 1))
    weight = quarters / 4 + 1 / 8192  # off the grid of ties, and exact in binary
    interval = winning_weights(scoreboard, who, place)
    wins = _chosen(scoreboard, scoreboard.weights | {scoreboard.rules[place]: weight}) == who.index
    assert wins == (interval is not None and Fraction(weight) in interval)


@fast
@given(contests(), st.data())
def test_the_next_winner_beyond_an_end_is_named(
    scoreboard: Scoreboard, data: st.DataObject
) -> None:
    """The candidate named beyond the winner's interval wins there, by the scorer."""
    place = data.draw(st.integers(0, len(scoreboard.rules) - 1))
    interval = winning_weights(scoreboard, scoreboard.winner, place)
    assume(interval is not None and interval.high is not None)
    assert interval is not None
    assert interval.high is not None
    after = next_winner(scoreboard, place, interval.high, above=True)
    tried = interval.high.at if not interval.high.is_inside else interval.high.at + _NEAR
    assert after.index != scoreboard.winner.index
    if interval.high.is_inside:
        weights = scoreboard.weights | {scoreboard.rules[place]: float(tried)}
        assert _chosen(scoreboard, weights) == after.index


@pytest.mark.parametrize(
    ("points", "ties", "words"),
    [
        ([[10, 0], [0, 5]], None, ["0.5 or more", "up to 2"]),
        ([[10, 0], [0, 5]], [0, 1], ["above 0.5", "below 2"]),
        ([[1, 1], [0, 0]], None, ["any weight", "any weight"]),
        ([[10, 0, 4], [0, 5, 0], [12, 0, 0]], None, ["from 0.1 to 2", "up to 2.8", "0.5 or more"]),
    ],
)
def test_an_interval_describes_its_ends(
    points: list[list[float]], ties: list[float] | None, words: list[str]
) -> None:
    """The description of an interval distinguishes closed ends from open ends."""
    scoreboard = contest_of(points, ties=ties)
    found = [
        winning_weights(scoreboard, scoreboard.winner, i) for i in range(len(scoreboard.rules))
    ]
    assert [interval and interval.words for interval in found] == words


# --- reweighing --------------------------------------------------------------------------


@fast
@given(contests(), st.data())
def test_the_named_weight_change_is_the_smallest(
    scoreboard: Scoreboard, data: st.DataObject
) -> None:
    """With the named weights the candidate wins; with a smaller change it does not."""
    who = data.draw(st.sampled_from(scoreboard.rivals(scoreboard.winner)))
    found = reweighing(scoreboard, who)
    if found.weights:
        assert _chosen(scoreboard, dict(found.weights)) == who.index
        assert all(w >= min(0, scoreboard.weights[rule]) for rule, w in found.weights.items())
    if found.smallest is None:
        return
    change = found.smallest
    assert change.weight == pytest.approx(float(change.threshold), abs=0.0101)
    distance = abs(change.threshold - Fraction(change.before)) - _NEAR
    for rule, sign, share in itertools.product(scoreboard.rules, (-1, 1), (0.3, 0.7, 1.0)):
        weight = scoreboard.weights[rule] + sign * share * float(distance)
        if weight >= 0 and distance > 0:
            assert _chosen(scoreboard, scoreboard.weights | {rule: weight}) != who.index


@fast
@given(contests(most=4), st.data())
def test_a_candidate_that_cannot_win_never_wins(
    scoreboard: Scoreboard, data: st.DataObject
) -> None:
    """A candidate reported as unable to win wins with no weights, of a grid or random."""
    who = data.draw(st.sampled_from(scoreboard.rivals(scoreboard.winner)))
    found = reweighing(scoreboard, who)
    if found.weights:
        return
    grid = itertools.product((0.0, 0.5, 1.0, 4.0), repeat=len(scoreboard.rules))
    random = np.random.default_rng(1).exponential(size=(40, len(scoreboard.rules))).tolist()
    for weights in [*grid, *random]:
        named = dict(zip(scoreboard.rules, weights, strict=True))
        ranked = scoreboard.ranked(named)
        assert ranked[0].index != who.index


@fast
@given(contests(), st.data())
def test_the_proof_is_valid(scoreboard: Scoreboard, data: st.DataObject) -> None:
    """The rivals named as proof, weighted by their shares, lose to it in no rule."""
    who = data.draw(st.sampled_from(scoreboard.rivals(scoreboard.winner)))
    found = reweighing(scoreboard, who)
    if not found.beaten_by:
        return
    rivals = {c.index: c for c in scoreboard.sampled}
    leads = [
        [share * part for part in scoreboard.lead(rivals[index], who)]
        for index, share in found.beaten_by.items()
    ]
    assert sum(found.beaten_by.values()) == 1
    assert all(sum(column) >= 0 for column in zip(*leads, strict=True))


def test_a_mix_of_rivals_can_prove_that_a_candidate_cannot_win() -> None:
    """A candidate that no single rival dominates can be dominated by a mix of two."""
    scoreboard = contest_of([[10, 0], [0, 10], [5, 5]])
    found = why_not(scoreboard, 3)
    assert not found.can_win
    assert dict(found.beaten_by) == {1: Fraction(1, 2), 2: Fraction(1, 2)}
    assert "candidate 1 (50 %) and candidate 2 (50 %) together" in found.sentence


def test_two_weights_are_named_where_one_is_not_enough() -> None:
    """If one weight is not enough, the nearest weights of several rules are named and win."""
    scoreboard = contest_of([[10, 10, 0], [8, 1, 1], [1, 8, 1]], weights=[1, 1, 0.0])
    narrow = contest_of([[10, 10, 0], [9, 0, 3], [0, 9, 3], [4, 4, 5]])
    found = why_not(narrow, 4)
    assert why_not(scoreboard, 2).can_win
    assert found.can_win
    assert _chosen(narrow, dict(found.weights)) == 4


def test_the_later_of_two_equal_candidates_cannot_win() -> None:
    """Of two candidates with equal points the later cannot win; the sentence says so."""
    scoreboard = contest_of([[5, 5], [5, 5]])
    found = why_not(scoreboard, 2)
    assert not found.can_win
    assert dict(found.beaten_by) == {1: Fraction(1)}
    assert "sampled later" in found.sentence


@fast
@given(contests(), st.data())
def test_the_printed_weights_win_as_printed(scoreboard: Scoreboard, data: st.DataObject) -> None:
    """The weights printed in the sentence win exactly as printed, despite rounding."""
    who = data.draw(st.sampled_from(scoreboard.rivals(scoreboard.winner)))
    found = why_not(scoreboard, who.index)
    if not found.can_win:
        return
    if found.smallest_weight_change is None:
        listed = re.search(r"weights that do are (.*?)\. ", found.sentence)
    else:
        listed = re.search(
            r"the weight of (\w+) from .* to (?:.*such as )?(\S+)\. ", found.sentence
        )
    assert listed is not None
    pairs = listed[1].split(", ") if len(listed.groups()) == 1 else [" ".join(listed.groups())]
    typed = {rule: float(number) for rule, _, number in (pair.partition(" ") for pair in pairs)}
    assert _chosen(scoreboard, scoreboard.weights | typed) == who.index


@pytest.mark.parametrize(
    ("points", "ties", "said"),
    [
        ([[55.357, 0], [0, 1]], [1, 0], "length from 1 to about 0.01806, such as 0.01."),
        ([[24390, 0], [0, 1]], [1, 0], "length from 1 to about 0.000041, such as 0."),
        ([[4, 0], [0, 1.25]], [0, 1], "length from 1 to 0.3125."),
        ([[3, 0], [0, 1]], [1, 0], "length from 1 to about 0.3333, such as 0.33."),
        ([[2, 0], [0, 1]], [1, 0], "length from 1 to below 0.5, such as 0.49."),
    ],
)
def test_a_rounded_threshold_comes_with_a_winning_weight(
    points: list[list[float]], ties: list[float] | None, said: str
) -> None:
    """A rounded threshold is marked "about", and a weight that wins is named as well.

    A weight is also named where the threshold itself does not win.
    """
    assert said in why_not(contest_of(points, ties=ties), 2).sentence


def test_a_lead_is_preferred_to_a_tie() -> None:
    """A forced tie with one rival causes no unnecessary ties with the other rivals.

    Floats may miss ties, so a lead is sought wherever one is possible.
    """
    points = [[-10, 5, 0, -10], [0, 0, 0, 5], [0, 0, 5, 0], [-10, 0, 0, 5]]
    scoreboard = contest_of(points, weights=[0.7, 1, 1, 0], ties=[-1, -3, 0, 0])
    found = why_not(scoreboard, 4)
    assert found.can_win
    assert not found.beaten_by
    assert _chosen(scoreboard, dict(found.weights)) == 4


def test_weights_are_found_for_an_exact_ratio() -> None:
    """A candidate that wins only at one exact ratio of weights gets weights that win.

    The ties at this ratio must hold exactly, so whole-number weights are needed.
    """
    points: list[list[float]] = [
        [7, -11, -4, 29], [22, -16, -35, -13], [-39, -4, 33, 21], [6, 34, 13, 4],
        [14.5, -13.5, -19.5, 8],
    ]  # fmt: skip
    scoreboard = contest_of(points, weights=[1, 1, 0.3, 0], ties=[-2, -1, -2, -2, 0])
    found = why_not(scoreboard, 5)
    assert found.can_win
    assert _chosen(scoreboard, dict(found.weights)) == 5


def test_a_tie_that_floats_cannot_reach_is_reported() -> None:
    """If there is neither a proof nor a weight that wins, the sentence says so.

    Floats cannot reach the exact tie in this case.
    """
    points = [
        [16.05, -5.53, -38.94], [-17.49, -30.25, 26.99], [-20.84, -28.86, 20.62],
        [10.31, -30.08, -17.72], [-0.7199999999999989, -17.89, -5.975],
    ]  # fmt: skip
    found = why_not(contest_of(points, ties=[-3, 0, -2, -3, 0]), 5)
    assert not found.can_win
    assert not found.beaten_by
    assert "at best it ties" in found.sentence


def test_a_threshold_is_exact() -> None:
    """A threshold is an exact fraction; the weight named beyond it is short and wins."""
    scoreboard = contest_of([[3, 0], [0, 1]], ties=[1, 0])
    change = why_not(scoreboard, 2).smallest_weight_change
    assert change is not None
    assert (change.rule, change.threshold, change.is_enough) == ("length", Fraction(1, 3), False)
    assert change.weight == 0.33


# --- linear programmes -------------------------------------------------------------------

_small = st.integers(-3, 3).map(Fraction)


@fast
@given(st.data(), st.integers(1, 3), st.integers(1, 4))
def test_a_linear_programme_has_a_solution_or_a_proof(
    data: st.DataObject, columns: int, count: int
) -> None:
    """A linear programme has an optimal solution or a valid proof of infeasibility.

    A solution meets every constraint, and no grid point is cheaper.
    """
    row = st.lists(_small, min_size=columns, max_size=columns)
    rows = data.draw(st.lists(row, min_size=count, max_size=count))
    least = data.draw(st.lists(_small, min_size=count, max_size=count))
    costs = [Fraction(1)] * columns
    outcome = cheapest(costs, rows, least)

    def obeys(point: tuple[Fraction, ...]) -> bool:
        sums = [sum(a * x for a, x in zip(row, point, strict=True)) for row in rows]
        return all(total >= bound for total, bound in zip(sums, least, strict=True))

    if outcome.solution is not None:
        assert obeys(outcome.solution)
        assert min(outcome.solution) >= 0
        grid = itertools.product([Fraction(i, 2) for i in range(7)], repeat=columns)
        assert all(sum(outcome.solution) <= sum(point) for point in grid if obeys(point))
        return
    proof = outcome.proof
    assert proof is not None
    assert min(proof) >= 0
    added = [sum(y * row[i] for y, row in zip(proof, rows, strict=True)) for i in range(columns)]
    assert max(added) <= 0
    assert sum(y * bound for y, bound in zip(proof, least, strict=True)) > 0


# --- what makes no sense -----------------------------------------------------------------


def test_the_winner_and_an_only_candidate_are_reported() -> None:
    """For the winner and for an only candidate the audit is one sentence."""
    assert why_not(contest_of([[1], [0]]), 1).sentence == "Candidate 1 is the winner."
    assert why_not(contest_of([[1]]), 1).sentence == "Candidate 1 is the only one."


@pytest.mark.parametrize("number", [0, 3, -1, "2", 2.0, True, None])
def test_an_unknown_candidate_is_an_error(number: object) -> None:
    """An unknown candidate number is an error; the hint lists the existing numbers."""
    with pytest.raises(UsageError, match="candidate") as caught:
        why_not(contest_of([[1], [0]]), number)
    assert caught.value.hint == "there are candidates 1 and 2"


def test_an_unusable_sample_is_an_error() -> None:
    """The number of an unusable sample is an error that gives the reason."""
    scoreboard = Scoreboard(
        sampled=(candidate(1, [1.0], {"length": 1.0}),), unusable={2: "it was cut off"}
    )
    with pytest.raises(
        UsageError, match="sample 2 is neither a plan nor a candidate: it was cut off"
    ):
        scoreboard.named(2)


def test_a_scoreboard_without_candidates_is_an_error() -> None:
    """A scoreboard without candidates is an error."""
    with pytest.raises(UsageError, match="there are no candidates"):
        Scoreboard(sampled=())


def test_missing_points_of_an_older_version_are_an_error() -> None:
    """If the journal lacks the points of a rule of weight 0, an error names the rule."""
    known = candidate(1, [1.0], {"length": 0.0})
    (found,) = known.scorecard.findings
    old = replace(known.scorecard, findings=(replace(found, raw_points=None),))
    with pytest.raises(JournalError, match="kept no points of length"):
        Scoreboard(sampled=(replace(known, scorecard=old),))


@pytest.mark.parametrize(
    ("weights", "message", "hint"),
    [
        ({"lenght": 2}, "no scoring rule 'lenght'", "did you mean length?"),
        ({"xyz": 2}, "no scoring rule 'xyz'", "they are length, coverage"),
        ({"length": float("nan")}, "not a finite number", ""),
        ({"length": float("inf")}, "not a finite number", ""),
        ({"length": 10**400}, "not a finite number", ""),
        ({"length": True}, "not a finite number", ""),
        ({"length": "2"}, "not a finite number", ""),
        ({"length": 1e308}, "so large", ""),
        ([("length", 2)], "not a mapping", ""),
        ({1: 2}, "no scoring rule 1", ""),
    ],
)
def test_invalid_weights_are_refused(weights: object, message: str, hint: str) -> None:
    """Invalid weights are refused, and the error says what is wrong."""
    with pytest.raises(UsageError, match=message) as caught:
        contest_of([[10, 0], [0, 5]]).checked(weights)
    assert hint in caught.value.hint


@pytest.mark.parametrize("two", [2, 2.0, Fraction(2), np.int64(2), np.float32(2)])
def test_a_weight_may_be_any_real_number(two: object) -> None:
    """A weight may be any real number, including a NumPy one (as from `np.arange`)."""
    scoreboard = contest_of([[10, 0], [0, 5]])
    assert scoreboard.checked({"length": two}) == {"length": 2.0, "coverage": 1.0}


def test_an_interval_includes_its_winning_ends() -> None:
    """An end belongs to the interval if the candidate wins there."""
    scoreboard = contest_of([[10, 0], [0, 5]])
    interval = winning_weights(scoreboard, scoreboard.sampled[0], RULES.index("coverage"))
    assert isinstance(interval, Interval)
    assert Fraction(2) in interval
    assert Fraction(2) + _NEAR not in interval
