"""Fits the weights for calls of tools without examples (`make fit-calls`).

    python -m benchmarks.quality.fit [--cases DIR] [--out FILE]

Whether a request needs a tool at all: logistic regression on the signs of the tool that its words
rank first, in requests with a fitting tool and in requests without one. All printed shares are of
cases that the weights were not fitted on, by five folds.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from benchmarks.quality.cases import Case, categories, load
from benchmarks.quality.table import wilson
from okso_jupyter.planning.slot_filling.mentions import read
from okso_jupyter.planning.slot_filling.tool_match import NEED, best_ranked, signs

_CASES: Final = Path("../shared/bfcl-dev")
#: Categories of requests, and the most cases of each: those of one tool, and those of none.
_NEEDED: Final[Mapping[str, int | None]] = {
    "simple_python": None, "live_simple": None, "multiple": None, "live_multiple": 130,
    "live_relevance": None,
}  # fmt: skip
_NONE: Final = "irrelevance"
#: Own requests of other domains, each counted so often: questions among them need a tool, too.
_OWN: Final = tuple(
    Path(__file__).parent / "own_calls" / name for name in ("development", "other_domains")
)
_OWN_WEIGHT: Final = 2
_FOLDS: Final = 5
_STEPS: Final = 40
_PENALTY: Final = 1.0
#: Share of the requests without a fitting tool that the threshold is to recognize.
_RECOGNIZED: Final = 0.8
_BIAS: Final = "bias"

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Example:
    """A case with the signs of its best tool, and whether a tool is needed."""

    case: Case
    signs: Mapping[str, float]
    is_needed: bool

    @property
    def is_own(self) -> bool:
        """Whether it is one of the own requests."""
        return self.case.name.startswith(("own_", "further_"))

    @property
    def fold(self) -> int:
        """The fold in which it is held out."""
        return int(hashlib.sha256(self.case.name.encode()).hexdigest(), 16) % _FOLDS


def examples(folder: Path) -> list[Example]:
    """Return the cases that tell whether a request needs a tool."""
    cases = [case for name, most in _NEEDED.items() for case in load(folder, name, most)]
    cases += load(folder, _NONE)
    for own in _OWN:
        cases += [case for name in categories(own) for case in load(own, name)] * _OWN_WEIGHT
    return [_example(case) for case in cases]


def _example(case: Case) -> Example:
    reading, tools = read(case.request), case.tools()
    return Example(case, signs(reading, best_ranked(reading, tools)), case.wanted != "none")


def fitted(given: Sequence[Example]) -> dict[str, float]:
    """Return the weights, with a bias that puts the threshold where `_RECOGNIZED` asks for it."""
    names = list(given[0].signs)
    inputs = _inputs(given, names)
    needed = np.array([one.is_needed for one in given], dtype=float)
    # both kinds weigh the same, however many there are of each
    mass = np.where(needed == 1, 0.5 / needed.mean(), 0.5 / (1 - needed.mean()))
    weights = np.zeros(len(names) + 1)
    penalty = _PENALTY * np.eye(len(weights))
    penalty[-1, -1] = 0
    for _ in range(_STEPS):
        said = 1 / (1 + np.exp(-(inputs @ weights)))
        slope = inputs.T @ (mass * (said - needed)) + penalty @ weights
        curve = (inputs.T * (mass * said * (1 - said))) @ inputs + penalty
        weights -= np.linalg.solve(curve, slope)
    points = (inputs @ weights)[needed == 0]
    weights[-1] += np.log(NEED / (1 - NEED)) - float(np.quantile(points, _RECOGNIZED))
    return {name: round(float(w), 3) for name, w in zip([*names, _BIAS], weights, strict=True)}


def _inputs(given: Sequence[Example], names: Sequence[str]) -> Floats:
    return np.array([[*(one.signs[name] for name in names), 1.0] for one in given])


def held_out(given: Sequence[Example]) -> Iterator[tuple[Example, bool]]:
    """Yield each case with whether weights fitted on the other folds judge it right."""
    for fold in range(_FOLDS):
        weights = fitted([one for one in given if one.fold != fold])
        for one in given:
            if one.fold == fold:
                yield one, _is_right(one, weights)


def _is_right(one: Example, weights: Mapping[str, float]) -> bool:
    total = weights[_BIAS] + sum(weights[name] * value for name, value in one.signs.items())
    return bool((1 / (1 + np.exp(-total)) >= NEED) == one.is_needed)


def shares(judged: Sequence[tuple[Example, bool]]) -> dict[str, tuple[int, int]]:
    """Return by category how many cases are right, and of how many."""
    found: dict[str, tuple[int, int]] = {}
    for one, is_right in judged:
        kind = f"own {one.case.category}" if one.is_own else one.case.category
        right, count = found.get(kind, (0, 0))
        found[kind] = right + is_right, count + 1
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Fit, print the shares of held-out cases, and write the weights."""
    parser = argparse.ArgumentParser(prog="fit", description=__doc__.split("\n")[0])
    parser.add_argument("--cases", type=Path, default=_CASES, metavar="DIR")
    parser.add_argument("--out", type=Path, metavar="FILE")
    given = parser.parse_args(arguments)
    known = examples(given.cases)
    by_category = shares(list({one.case.name: (one, ok) for one, ok in held_out(known)}.values()))
    for category, (right, count) in by_category.items():
        spread = wilson(right, count)
        interval = f"{spread.low:.0f} to {spread.high:.0f}"
        print(f"{category:22} {spread.middle:5.1f} % of {count} ({interval})")
    if given.out:
        given.out.write_text(_written(known, by_category), "utf-8")
    return 0


def _written(known: Sequence[Example], by_category: Mapping[str, tuple[int, int]]) -> str:
    texts = "".join(sorted(one.case.name + one.case.request for one in known))
    about: dict[str, Any] = {
        "date": datetime.now(UTC).date().isoformat(),
        "cases": len(known),
        "data sha256": hashlib.sha256(texts.encode()).hexdigest()[:16],
        "held-out, tool needed or not": {
            name: round(right / count, 3) for name, (right, count) in by_category.items()
        },
    }
    return json.dumps({"about": about, "need": fitted(known)}, indent=1) + "\n"


if __name__ == "__main__":
    sys.exit(main())
