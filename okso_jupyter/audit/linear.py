"""Linear programmes in exact fractions: the cheapest solution, or the proof that there is none.

The dual simplex method with Bland's rule, which ends on every input. A hundred rows of twenty
columns are the largest that candidates and rules come to; a solver in floating point would be
quicker and could not prove anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

Row = Sequence[Fraction]


@dataclass(frozen=True, slots=True, kw_only=True)
class LinearSolution:
    """What a programme came to: one of the two, never both.

    Attributes:
        solution: The values of the variables; None where there are none.
        proof: How often each row has to be added for a contradiction, 0 >= a positive number;
            None where there is a solution.
    """

    solution: tuple[Fraction, ...] | None = None
    proof: tuple[Fraction, ...] | None = None


def cheapest(costs: Row, rows: Sequence[Row], least: Row) -> LinearSolution:
    """Return x >= 0 with rows x >= least whose costs are lowest.

    Args:
        costs: What one of each variable costs; none is negative.
        rows: The coefficients of the constraints.
        least: What each row has to come to at least.
    """
    tableau = _Tableau(costs, rows, least)
    while True:
        leaving = tableau.violated()
        if leaving is None:
            return LinearSolution(solution=tableau.values())
        entering = tableau.entering(leaving)
        if entering is None:
            return LinearSolution(proof=tableau.contradiction(leaving))
        tableau.pivot(leaving, entering)


class _Tableau:
    """Constraints solved for their slacks; columns: variables, slacks, right-hand side.

    Whole numbers over one positive denominator: a pivot divides without a remainder, and needs no
    greatest common divisors.
    """

    def __init__(self, costs: Row, rows: Sequence[Row], least: Row) -> None:
        self._variables, self._slacks = len(costs), len(rows)
        scale = lcm(*(value.denominator for row in (*rows, least) for value in row))
        self._rows = [
            [*(int(-value * scale) for value in row)]
            + [int(place == other) for other in range(self._slacks)]
            + [int(-bound * scale)]
            for place, (row, bound) in enumerate(zip(rows, least, strict=True))
        ]
        cost_scale = lcm(*(cost.denominator for cost in costs))
        self._costs = [*(int(cost * cost_scale) for cost in costs), *[0] * (self._slacks + 1)]
        self._basis = [self._variables + place for place in range(self._slacks)]
        self._denominator = 1

    def violated(self) -> int | None:
        """Return the row to be mended: that of the first variable below 0; None for none."""
        wrong = [place for place, row in enumerate(self._rows) if row[-1] < 0]
        return min(wrong, key=lambda place: self._basis[place], default=None)

    def entering(self, leaving: int) -> int | None:
        """Return the column that mends a row at the lowest cost; None where none can."""
        row = self._rows[leaving]
        usable = [column for column in range(len(row) - 1) if row[column] < 0]
        return min(
            usable,
            key=lambda column: (Fraction(self._costs[column], -row[column]), column),
            default=None,
        )

    def pivot(self, leaving: int, entering: int) -> None:
        """Solve a row, whose number in that column is negative, for another column."""
        row = self._rows[leaving]
        for place, other in enumerate(self._rows):
            if place != leaving:
                self._rows[place] = self._without(other, row, entering)
        self._costs = self._without(self._costs, row, entering)
        self._rows[leaving] = [-value for value in row]
        self._basis[leaving] = entering
        self._denominator = -row[entering]

    def _without(self, row: Sequence[int], pivot_row: Sequence[int], column: int) -> list[int]:
        """Return a row with a column taken out of it."""
        factor, pivot, whole = row[column], pivot_row[column], self._denominator
        return [
            (factor * other - value * pivot) // whole
            for value, other in zip(row, pivot_row, strict=True)
        ]

    def values(self) -> tuple[Fraction, ...]:
        """Return what the variables are."""
        found = [Fraction(0)] * (self._variables + self._slacks)
        for place, column in enumerate(self._basis):
            found[column] = Fraction(self._rows[place][-1], self._denominator)
        return tuple(found[: self._variables])

    def contradiction(self, place: int) -> tuple[Fraction, ...]:
        """Return how often the rows stand in one that asks for the impossible."""
        row = self._rows[place][self._variables : -1]
        return tuple(Fraction(value, self._denominator) for value in row)
