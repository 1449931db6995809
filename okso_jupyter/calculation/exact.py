"""Exact arithmetic over a small grammar: rational numbers, powers, roots and a few functions.

Numbers are fractions, so that 0.1 + 0.2 is 0.3; roots that are not rational are kept to fifty
digits. An expression is read by Python's own parser and evaluated here, node by node: nothing of
Python runs. Every value is bounded in digits before it is made.
"""

from __future__ import annotations

import ast
import math
import operator
import statistics
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Context, Decimal
from fractions import Fraction
from typing import Final

_MOST_DIGITS: Final = 1000
_MOST_CHARS: Final = 1000
_SHOWN_DIGITS: Final = 10
#: Digits that are kept of a root that is not rational.
_ROOTS: Final = Context(prec=50)
#: Digits after the point that are shown of a fraction which ends.
_MOST_DECIMALS: Final = 12
_SQUARE: Final = Fraction(1, 2)
#: The first fifty digits.
_CONSTANTS: Final = {"pi": Fraction("3.14159265358979323846264338327950288419716939937511")}
PERCENT: Final = "percent"
#: Bases that a whole number is written in, with Python's format.
_BASES: Final = {"decimal": "d", "hexadecimal": "#x", "binary": "#b", "octal": "#o"}
#: How a value can be told.
FORMS: Final = (PERCENT, *_BASES)


@dataclass(frozen=True, slots=True)
class Calculated:
    """What came of a calculation.

    Attributes:
        sentence: The result for a person, with its unit.
        value: The number, or the date in ISO form; None where there is none.
    """

    sentence: str
    value: int | float | str | None = None


class NoValueError(Exception):
    """An expression has no value; the message says why, as the end of a sentence."""


def evaluate(expression: str, to: str = "") -> Calculated:
    """Return the value of an expression, or the sentence that says why it has none.

    Args:
        expression: The expression.
        to: One of `FORMS`, or "" for the number.
    """
    shown = " ".join(expression.split())
    try:
        value = value_of(expression) * (100 if to == PERCENT else 1)
        if to in _BASES:
            return Calculated(f"{shown} = {_in_base(value, to)}", plain(value))
    except NoValueError as error:
        return Calculated(f"{shown} has no value: {error}.")
    unit = " %" if to == PERCENT else ""
    return Calculated(f"{shown} {equals(value)} {rendered(value)}{unit}", plain(value))


def _in_base(value: Fraction, base: str) -> str:
    if value.denominator != 1:
        msg = f"only whole numbers are written in {base} here"
        raise NoValueError(msg)
    return format(int(value), _BASES[base])


def problem_of(expression: str) -> str:
    """Return why a text is no expression; "" for one, whether or not it has a value."""
    try:
        _check(_parsed(expression))
    except NoValueError as error:
        return str(error)
    return ""


def value_of(expression: str) -> Fraction:
    """Return the value of an expression.

    Raises:
        NoValueError: It is no expression, or has no value, or one of too many digits.
    """
    tree = _parsed(expression)
    _check(tree)
    return _value(tree)


def plain(value: Fraction) -> int | float:
    """Return a value as JSON has it: an int where it is whole."""
    return value.numerator if value.denominator == 1 else float(value)


def equals(value: Fraction) -> str:
    """Return the sign between a calculation and its rendered value."""
    return "=" if Fraction(rendered(value)) == value else "≈"


def rendered(value: Fraction) -> str:
    """Return a number for a person, to be copied as it is: all its digits, or ten of them."""
    if value.denominator == 1:
        return str(value.numerator)
    if (value * 10**_MOST_DECIMALS).denominator == 1:
        return f"{_decimal(value, _MOST_DIGITS):f}"
    short = _decimal(value, _SHOWN_DIGITS)
    return str(short) if short.adjusted() < -_SHOWN_DIGITS else f"{short:f}"


def _decimal(value: Fraction, digits: int) -> Decimal:
    context = Context(prec=digits)
    return context.divide(Decimal(value.numerator), Decimal(value.denominator)).normalize(context)


def _parsed(expression: str) -> ast.expr:
    if len(expression) > _MOST_CHARS:
        msg = f"it has more than {_MOST_CHARS} characters"
        raise NoValueError(msg)
    try:
        return ast.parse(expression.strip().replace("^", "**"), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        msg = "it is no arithmetic expression"
        raise NoValueError(msg) from None


def _check(tree: ast.expr) -> None:
    """Raise NoValueError for what is no part of the grammar."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            is_known = isinstance(node.func, ast.Name) and node.func.id in _FUNCTIONS
            if not is_known or node.keywords or not node.args:
                msg = f"the functions are {', '.join(_FUNCTIONS)}"
                raise NoValueError(msg)
        elif isinstance(node, ast.Constant):
            if type(node.value) not in {int, float}:
                msg = f"{node.value!r} is no number"
                raise NoValueError(msg)
        elif isinstance(node, ast.Name) and node.id not in {*_FUNCTIONS, *_CONSTANTS}:
            msg = f"{node.id!r} is no number"
            raise NoValueError(msg)
        elif not isinstance(node, _GRAMMAR):
            msg = "it is no arithmetic expression"
            raise NoValueError(msg)


def _value(node: ast.expr) -> Fraction:
    match node:
        case ast.Constant(value=int() | float() as number):
            return _bounded(_number(number))
        case ast.Name(id=name) if name in _CONSTANTS:
            return _CONSTANTS[name]
        case ast.UnaryOp(op=ast.USub()):
            return -_value(node.operand)
        case ast.UnaryOp():
            return _value(node.operand)
        case ast.BinOp():
            return _bounded(_OPERATORS[type(node.op)](_value(node.left), _value(node.right)))
        case ast.Call(func=ast.Name(id=name)):
            return _bounded(_called(name, [_value(argument) for argument in node.args]))
    msg = "it is no arithmetic expression"
    raise NoValueError(msg)


def _number(number: float) -> Fraction:
    if number in {math.inf, -math.inf}:
        raise _too_long()
    # the digits as they were written, which a float has only nearly
    return Fraction(str(number))


def _called(name: str, values: list[Fraction]) -> Fraction:
    try:
        return Fraction(_FUNCTIONS[name](*values))
    except TypeError:
        msg = f"{name} takes another number of values"
        raise NoValueError(msg) from None


def _bounded(value: Fraction) -> Fraction:
    if max(_length(value.numerator), _length(value.denominator)) > _MOST_DIGITS:
        raise _too_long()
    return value


def _length(number: int) -> float:
    """Return about how many decimal digits an integer has."""
    return number.bit_length() * math.log10(2)


def _too_long() -> NoValueError:
    return NoValueError(f"it has more than {_MOST_DIGITS:,} digits")


def _divided(left: Fraction, right: Fraction) -> Fraction:
    return left / _not_zero(right)


def _floored(left: Fraction, right: Fraction) -> Fraction:
    return Fraction(left // _not_zero(right))


def _rest(left: Fraction, right: Fraction) -> Fraction:
    return left % _not_zero(right)


def _not_zero(divisor: Fraction) -> Fraction:
    if not divisor:
        msg = "it divides by zero"
        raise NoValueError(msg)
    return divisor


def _power(base: Fraction, exponent: Fraction) -> Fraction:
    if not base and exponent < 0:
        _not_zero(base)
    if base < 0 and exponent.denominator != 1:
        msg = "a negative number has no real root"
        raise NoValueError(msg)
    digits = max(_length(base.numerator), _length(base.denominator))
    if base not in {-1, 0, 1} and digits * abs(exponent) > 2 * _MOST_DIGITS:
        raise _too_long()
    if exponent.denominator == 1:
        return (
            Fraction(base ** int(exponent)) if base not in {-1, 0, 1} else _of_unit(base, exponent)
        )
    if exponent == _SQUARE:
        return _root(base)
    return Fraction(_ROOTS.power(_long(base), _long(exponent)))


def _of_unit(base: Fraction, exponent: Fraction) -> Fraction:
    """Return a power of -1, 0 or 1, which is short for every exponent."""
    if not base:
        return Fraction(not exponent)
    return base if exponent % 2 else Fraction(1)


def _root(value: Fraction) -> Fraction:
    if value < 0:
        msg = "a negative number has no real root"
        raise NoValueError(msg)
    exact = Fraction(math.isqrt(value.numerator), math.isqrt(value.denominator))
    return exact if exact * exact == value else Fraction(_ROOTS.sqrt(_long(value)))


def _cube_root(value: Fraction) -> Fraction:
    root = Fraction(_ROOTS.power(_long(abs(value)), _ROOTS.divide(Decimal(1), Decimal(3))))
    near = root.limit_denominator(10**12)
    exact = near if near**3 == abs(value) else root
    return -exact if value < 0 else exact


def _natural_log(value: Fraction) -> Fraction:
    if value <= 0:
        msg = "only positive numbers have a logarithm"
        raise NoValueError(msg)
    return Fraction(_ROOTS.ln(_long(value)))


def _log(value: Fraction, base: Fraction = Fraction(10)) -> Fraction:
    """Return a logarithm, exact where it is whole."""
    divisor = _natural_log(base)
    if not divisor:
        msg = "1 is the base of no logarithm"
        raise NoValueError(msg)
    found = _natural_log(value) / divisor
    whole = round(found)
    return Fraction(whole) if base**whole == value else found


def _long(value: Fraction) -> Decimal:
    return _ROOTS.divide(Decimal(value.numerator), Decimal(value.denominator))


def _factorial(value: Fraction) -> int:
    if value.denominator != 1 or value < 0:
        msg = "only whole numbers from 0 on have a factorial"
        raise NoValueError(msg)
    if value > _MOST_DIGITS:
        raise _too_long()
    return math.factorial(int(value))


def _whole(function: Callable[..., int]) -> Callable[..., int]:
    """Return a function of whole numbers alone."""

    def of_whole(*values: Fraction) -> int:
        if any(value.denominator != 1 for value in values):
            msg = "it is defined for whole numbers alone"
            raise NoValueError(msg)
        return function(*map(int, values))

    return of_whole


def _rounded(value: Fraction, places: Fraction = Fraction()) -> Fraction:
    """Return a value rounded to some places, halves away from zero as taught in school."""
    if places.denominator != 1 or not 0 <= places <= _MOST_DECIMALS:
        msg = f"it is rounded to 0 to {_MOST_DECIMALS} places"
        raise NoValueError(msg)
    scale = 10 ** int(places)
    size = Fraction(math.floor(abs(value) * scale + _SQUARE), scale)
    return -size if value < 0 else size


_OPERATORS: Final[Mapping[type[ast.operator], Callable[[Fraction, Fraction], Fraction]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: _divided,
    ast.FloorDiv: _floored,
    ast.Mod: _rest,
    ast.Pow: _power,
}
_FUNCTIONS: Final[Mapping[str, Callable[..., Fraction | int]]] = {
    "sqrt": _root,
    "cbrt": _cube_root,
    "ln": _natural_log,
    "log": _log,
    "factorial": _factorial,
    "abs": abs,
    "round": _rounded,
    "sum": lambda *values: sum(values, Fraction()),
    "product": lambda *values: math.prod(values, start=Fraction(1)),
    "mean": lambda *values: sum(values, Fraction()) / len(values),
    "median": lambda *values: statistics.median(values),
    "min": lambda *values: min(values),
    "max": lambda *values: max(values),
    "gcd": _whole(math.gcd),
    "lcm": _whole(math.lcm),
}
_GRAMMAR: Final = (ast.BinOp, ast.Name, ast.UnaryOp, ast.USub, ast.UAdd, ast.Load, *_OPERATORS)
