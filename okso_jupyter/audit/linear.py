"""Linear programming in exact fractions: the cheapest solution, or a proof that there is none.

The dual simplex method with Bland's rule, which terminates on every input. Candidates and rules
give at most about a hundred rows of twenty columns; a floating-point solver would be faster but
could not prove anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

Row = Sequence[Fraction]


@dataclass(frozen=True, slots=True, kw_only=True)
class LinearSolution:
    """Result of a linear programme: either a solution or a proof, never both.

    Attributes:
        solution: The values of the variables; None if there is no solution.
        proof: The factor of each row in a sum that is a contradiction, 0 >= a positive number;
            None if there is a solution.
    """

    solution: tuple[Fraction, ...] | None = None
    proof: tuple[Fraction, ...] | None = None


def cheapest(costs: Row, rows: Sequence[Row], least: Row) -> LinearSolution:
    """Return x >= 0 with rows x >= least that has the lowest total cost.

    Args:
        costs: Cost per unit of each variable; none is negative.
        rows: The coefficients of the constraints.
        least: The lower bound of each row.
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
    """Constraints solved for their slack variables; columns: variables, slacks, right-hand side.

    Integers over one positive common denominator: a pivot divides without remainder and needs no
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
        """Return the row of the first basic variable below 0; None if there is none."""
        wrong = [place for place, row in enumerate(self._rows) if row[-1] < 0]
        return min(wrong, key=lambda place: self._basis[place], default=None)

    def entering(self, leaving: int) -> int | None:
        """Return the column that repairs a row at the lowest cost; None if no column can."""
        row = self._rows[leaving]
        usable = [column for column in range(len(row) - 1) if row[column] < 0]
        return min(
            usable,
            key=lambda column: (Fraction(self._costs[column], -row[column]), column),
            default=None,
        )

    def pivot(self, leaving: int, entering: int) -> None:
        """Solve a row, whose entry in the entering column is negative, for that column."""
        row = self._rows[leaving]
        for place, other in enumerate(self._rows):
            if place != leaving:
                self._rows[place] = self._without(other, row, entering)
        self._costs = self._without(self._costs, row, entering)
        self._rows[leaving] = [-value for value in row]
        self._basis[leaving] = entering
        self._denominator = -row[entering]

    def _without(self, row: Sequence[int], pivot_row: Sequence[int], column: int) -> list[int]:
        """Return a row with one column eliminated."""
        factor, pivot, whole = row[column], pivot_row[column], self._denominator
        return [
            (factor * other - value * pivot) // whole
            for value, other in zip(row, pivot_row, strict=True)
        ]

    def values(self) -> tuple[Fraction, ...]:
        """Return the values of the variables."""
        found = [Fraction(0)] * (self._variables + self._slacks)
        for place, column in enumerate(self._basis):
            found[column] = Fraction(self._rows[place][-1], self._denominator)
        return tuple(found[: self._variables])

    def contradiction(self, place: int) -> tuple[Fraction, ...]:
        """Return the factors of the original rows in a row that cannot be satisfied."""
        row = self._rows[place][self._variables : -1]
        return tuple(Fraction(value, self._denominator) for value in row)
