"""Calculation: exact arithmetic, quantities with units, and calendar dates.

In: an expression, a quantity and a unit, or dates, as text. Out: a `Calculated` with a sentence.
What has no value (a division by zero, metres in kilograms) is a sentence too, never an exception.
Imported by tools and planning; it knows no plan and runs no code.
"""

from okso_jupyter.calculation.exact import Calculated

__all__ = ["Calculated"]
