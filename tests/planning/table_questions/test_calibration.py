"""The confidence of readings: how it is fitted, and what is said of it."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from benchmarks.table_questions import calibration
from okso_jupyter.planning.table_questions.confidence import evidence_of
from okso_jupyter.planning.table_questions.fitted_weights import shipped_weights


def _evidence(share: float, unexplained: int, rare: int = 0) -> tuple[float, ...]:
    """Return the evidence for a reading that no other agrees with."""
    left = (unexplained, rare)
    return evidence_of(share, agreeing=share, kept=1.0, left=left)


def _outcomes(count: int, bias: float) -> calibration.Outcomes:
    """Return outcomes of which a share is right that the evidence overstates by a bias."""
    chance = random.Random(3)  # noqa: S311  the same for every run
    made = []
    for _ in range(count):
        said = chance.uniform(0.2, 0.98)
        is_right = chance.random() < max(0.0, said - bias)
        made.append((_evidence(said, chance.randint(0, 2)), is_right))
    return made


def test_a_calibration_says_how_often_others_are_right() -> None:
    """Of questions that it was not fitted on, too; the share itself says too much of them."""
    outcomes = _outcomes(1500, bias=0.25)
    plain = calibration.said_of((1.0, 0.0, 0.0, 0.0, 0.0, 0.0), outcomes)
    (rated,) = calibration.cross_validated([outcomes])

    assert len(rated) == len(outcomes)
    assert calibration.calibration_error(plain) > 0.2
    assert calibration.calibration_error(rated) < 0.06


def test_rare_words_that_are_left_lower_the_confidence() -> None:
    """The shipped calibration trusts a reading less that leaves words no weight knows."""
    weights = shipped_weights()
    all_said, left = (weights.calibrated(_evidence(0.8, n, n)) for n in (0, 2))

    assert left < all_said


@pytest.mark.parametrize(
    ("rated", "expected"),
    [
        ([(0.9, True), (0.2, False)], 1.0),
        ([(0.2, True), (0.9, False)], 0.0),
        ([(0.5, True), (0.5, False)], 0.5),
    ],
)
def test_separation_is_how_often_a_right_one_is_surer(
    rated: calibration.Rated, expected: float
) -> None:
    """It is the area under the curve of right against wrong; ties count half."""
    assert calibration.separation(rated) == expected


def test_the_shipped_figures_are_those_of_other_questions() -> None:
    """The weights' file tells error and confidently wrong share, which stay within their aims."""
    figures = shipped_weights().about["calibration"]["both"]

    assert figures["questions"] >= 600
    assert figures["error"] < 0.1
    assert figures["sure and wrong"] < 0.05


@pytest.mark.process  # the first picture of a user looks for fonts in a process of its own
def test_the_picture_is_drawn_of_the_figures(tmp_path: Path) -> None:
    """Of the shipped figures, as SVG."""
    file = tmp_path / "reliability.svg"
    calibration.drawn(dict(shipped_weights().about["calibration"]), file)

    assert file.read_text("utf-8").count("<svg") == 1
