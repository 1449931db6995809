"""Fits how sure a best reading is (`make calibration`), and draws how far that is true.

The weights stay as they are. The questions are real ones of tables that no weight was fitted on,
and new phrases. All figures are those of questions that the calibration was not fitted on, by five
folds.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from benchmarks.quality.table import wilson

#: What the best candidate of a question is: the evidence for it, and whether it is right.
Outcomes = list[tuple[tuple[float, ...], bool]]
#: What was said of a best candidate, from 0 to 1, and whether it was right.
Rated = list[tuple[float, bool]]

_FOLDS: Final = 5
_STEPS: Final = 20
_SURE: Final = 0.8
_PHRASE_SEED: Final = 14


def calibration_of(outcomes: Outcomes) -> list[float]:
    """Return the weights of the evidence: logistic regression by Newton's method (Platt 1999)."""
    inputs = np.array([evidence for evidence, _ in outcomes]).T
    right = np.array([is_right for _, is_right in outcomes], dtype=float)
    weights = np.zeros(len(inputs))
    for _ in range(_STEPS):
        said = 1 / (1 + np.exp(-(weights @ inputs)))
        curve = (inputs * (said * (1 - said))) @ inputs.T + 1e-3 * np.eye(len(inputs))
        weights += np.linalg.solve(curve, inputs @ (right - said))
    return [round(float(weight), 4) for weight in weights]


def said_of(calibration: Sequence[float], outcomes: Outcomes) -> Rated:
    """Return what a calibration says of outcomes."""
    inputs = np.array([evidence for evidence, _ in outcomes])
    said = 1 / (1 + np.exp(-(inputs @ np.array(calibration))))
    return [(float(each), is_right) for each, (_, is_right) in zip(said, outcomes, strict=True)]


def cross_validated(groups: Sequence[Outcomes]) -> list[Rated]:
    """Return what is said of each group by calibrations that were fitted on other questions."""
    mixed = [random.Random(0).sample(group, len(group)) for group in groups]
    rated: list[Rated] = [[] for _ in mixed]
    for fold in range(_FOLDS):
        rest = [o for group in mixed for place, o in enumerate(group) if place % _FOLDS != fold]
        fitted = calibration_of(rest)
        for place, group in enumerate(mixed):
            if group[fold::_FOLDS]:
                rated[place] += said_of(fitted, group[fold::_FOLDS])
    return rated


def tenths(rated: Rated) -> list[list[float]]:
    """Return for each tenth that was said: what on average, how often it was right, of how many."""
    found = []
    for tenth in range(10):
        own = [each for each in rated if min(int(10 * each[0]), 9) == tenth]
        if own:
            said, right = (float(np.mean([each[place] for each in own])) for place in (0, 1))
            found.append([round(said, 3), round(right, 3), len(own)])
    return found


def calibration_error(rated: Rated) -> float:
    """Return the expected calibration error, in ten bins."""
    return sum(count * abs(said - right) for said, right, count in tenths(rated)) / len(rated)


def separation(rated: Rated) -> float:
    """Return how often a right one is said to be surer than a wrong one (AUC); ties count half."""
    right = np.array([said for said, is_right in rated if is_right])
    wrong = np.array([said for said, is_right in rated if not is_right])
    if not (len(right) and len(wrong)):
        return float("nan")
    above = (right[:, None] > wrong).mean() + (right[:, None] == wrong).mean() / 2
    return float(above)


def figures_of(rated: Rated) -> dict[str, Any]:
    """Return what is said of a calibration, for the weights' file."""
    wrong = sum(said >= _SURE and not is_right for said, is_right in rated)
    return {
        "questions": len(rated),
        "error": round(calibration_error(rated), 3),
        "sure and wrong": round(wrong / len(rated), 3),
        "separation": round(separation(rated), 3),
        "said, right, questions": tenths(rated),
    }


def calibrated(real: Outcomes, made: Outcomes) -> tuple[list[float], dict[str, Any]]:
    """Return the calibration of real questions and phrases, and its cross-validated figures."""
    of_real, of_made = cross_validated([real, made])
    figures = {"real questions": figures_of(of_real), "phrases": figures_of(of_made)}
    return calibration_of([*real, *made]), {**figures, "both": figures_of([*of_real, *of_made])}


def drawn(figures: dict[str, Any], file: Path) -> None:
    """Draw how often readings were right against how sure they were said to be."""
    from matplotlib import rc_context  # noqa: PLC0415  slow, and only wanted with --plot
    from matplotlib.figure import Figure  # noqa: PLC0415

    with rc_context({"svg.hashsalt": "table-questions-reliability"}):
        figure = Figure(figsize=(4.4, 4), layout="constrained")
        panel = figure.subplots()
        panel.plot([0, 100], [0, 100], color="gray", linewidth=1, linestyle="--")
        for name, marker in (("real questions", "o"), ("phrases", "s")):
            bins = figures[name]["said, right, questions"]
            spans = [wilson(right * count, int(count)) for _, right, count in bins]
            ends = [[s.middle - s.low for s in spans], [s.high - s.middle for s in spans]]
            at = [100 * said for said, *_ in bins]
            middles = [s.middle for s in spans]
            panel.errorbar(at, middles, yerr=ends, marker=marker, label=name, capsize=2)
        panel.set_xlabel("said to be right, %")
        panel.set_ylabel("right, % (95 % interval)")
        panel.legend()
        figure.savefig(file, metadata={"Date": None})


def main() -> None:
    """Fit the calibration of the shipped weights, print its figures, and write what is asked."""
    # fit.py needs the functions above
    from benchmarks.table_questions.fit import shipped_outcomes  # noqa: PLC0415

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--real", type=int, default=400, help="real questions")
    parser.add_argument("--phrases", type=int, default=450)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--out", type=Path, help="the weights' file, whose calibration is replaced")
    parser.add_argument("--plot", type=Path)
    asked = parser.parse_args()
    real, made = shipped_outcomes(asked.real, asked.phrases, _PHRASE_SEED, asked.processes)
    write(real, made, asked.out, asked.plot)


def write(real: Outcomes, made: Outcomes, out: Path | None, plot: Path | None) -> None:
    """Print the figures of a calibration, and write it and its picture."""
    fitted, figures = calibrated(real, made)
    print(json.dumps({"calibration": fitted, **figures}, indent=1))
    if out:
        data = json.loads(out.read_text("utf-8"))
        data["about"] |= {"calibration": figures}
        data["calibration"] = fitted
        out.write_text(json.dumps(data, indent=0, ensure_ascii=False) + "\n", "utf-8")
    if plot:
        drawn(figures, plot)


if __name__ == "__main__":
    main()
