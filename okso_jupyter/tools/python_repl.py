"""python_repl: calculations and tables, in a sandboxed Python that keeps its variables."""

from __future__ import annotations

import re
import threading
import warnings
from collections.abc import Mapping
from typing import Any, Final

from okso_jupyter.effects.effect import Effect, Effects
from okso_jupyter.effects.named_paths import Paths
from okso_jupyter.errors import ToolInputError
from okso_jupyter.plan.holes import is_open
from okso_jupyter.sandbox import PythonResult
from okso_jupyter.toolkit.context import ToolContext
from okso_jupyter.toolkit.python_code import effects_of_code, missing_module
from okso_jupyter.toolkit.tool import Example, ToolOutput, tool

_TIMEOUT_S: Final = 60.0
_SHOWN_DIGITS: Final = 10
#: Effects of code that is not known yet or cannot be parsed.
_NOT_KNOWN: Final[Effects] = frozenset({Effect.RUNS_CODE, Effect.READS, Effect.WRITES})
#: Held while warnings are suppressed: all threads share the filter.
_COMPILING: Final = threading.Lock()
_LONG_FRACTION = re.compile(r"(?<![\w.])-?\d+\.\d{11,}(?:e[+-]?\d+)?(?![\w.])")


def _on_table(expression: str) -> str:
    """Return one line of code that prints an expression of the table `d` in sales.csv."""
    return f"import pandas as pd; d = pd.read_csv('sales.csv'); print({expression})"


def _on_tabs(expression: str) -> str:
    """Return one line of code for a table whose columns are separated by tabs."""
    return f"import pandas as pd; d = pd.read_table('sales.tsv'); print({expression})"


# A small model copies the most similar example: one line each, one pattern, single quotes.
_CODE_BY_REQUEST: Final[Mapping[str, str]] = {
    "What is the mean of the price column in sales.csv?": _on_table("d['price'].mean()"),
    "What is the mean of price in sales.csv?": _on_table("d['price'].mean()"),
    "Find the mean of price in sales.csv": _on_table("d['price'].mean()"),
    "Find the mean of the price column in sales.csv": _on_table("d['price'].mean()"),
    "Calculate the mean of price in sales.csv": _on_table("d['price'].mean()"),
    "Give me the average of the price column of sales.csv": _on_table("d['price'].mean()"),
    "Compute the mean price in sales.csv": _on_table("d['price'].mean()"),
    "What is the average price in sales.csv?": _on_table("d['price'].mean()"),
    "average of the price column in sales.csv": _on_table("d['price'].mean()"),
    "What is the total of the price column in sales.csv?": _on_table("d['price'].sum()"),
    "What is the total price in sales.csv?": _on_table("d['price'].sum()"),
    "Find the sum of price in sales.csv": _on_table("d['price'].sum()"),
    "Sum of the price column of sales.csv": _on_table("d['price'].sum()"),
    "Add up the price column in sales.csv": _on_table("d['price'].sum()"),
    "What is the highest price in sales.csv?": _on_table("d['price'].max()"),
    "What is the max of price in sales.csv?": _on_table("d['price'].max()"),
    "What is the min of price in sales.csv?": _on_table("d['price'].min()"),
    "What is the maximum of price in sales.csv?": _on_table("d['price'].max()"),
    "What is the largest price in sales.csv?": _on_table("d['price'].max()"),
    "Maximum price in sales.csv": _on_table("d['price'].max()"),
    "Largest price in sales.csv": _on_table("d['price'].max()"),
    "What is the lowest price in sales.csv?": _on_table("d['price'].min()"),
    "What is the minimum of price in sales.csv?": _on_table("d['price'].min()"),
    "What is the smallest price in sales.csv?": _on_table("d['price'].min()"),
    "Minimum price in sales.csv": _on_table("d['price'].min()"),
    "Smallest price in sales.csv": _on_table("d['price'].min()"),
    "What is the median of price in sales.csv?": _on_table("d['price'].median()"),
    "median of the price column in sales.csv": _on_table("d['price'].median()"),
    "standard deviation of price in sales.csv": _on_table("d['price'].std()"),
    "Which product has the highest price in sales.csv?": _on_table(
        "d.loc[d['price'].idxmax(), 'product']"
    ),
    "Which product has the lowest price in sales.csv?": _on_table(
        "d.loc[d['price'].idxmin(), 'product']"
    ),
    "Which product has the largest price in sales.csv?": _on_table(
        "d.loc[d['price'].idxmax(), 'product']"
    ),
    "Which product has the most quantity in sales.csv?": _on_table(
        "d.loc[d['quantity'].idxmax(), 'product']"
    ),
    "Which product has the smallest price in sales.csv?": _on_table(
        "d.loc[d['price'].idxmin(), 'product']"
    ),
    "Who has the highest price in sales.csv?": _on_table("d.loc[d['price'].idxmax()].to_dict()"),
    "Who has the lowest price in sales.csv?": _on_table("d.loc[d['price'].idxmin()].to_dict()"),
    "Show the 3 rows with the highest price in sales.csv": _on_table("d.nlargest(3, 'price')"),
    "How many rows does sales.csv have?": _on_table("len(d)"),
    "How many rows has sales.csv?": _on_table("len(d)"),
    "How many rows are in sales.csv?": _on_table("len(d)"),
    "Number of rows in sales.csv": _on_table("len(d)"),
    "How many rows and columns does sales.csv have?": _on_table("d.shape"),
    "Which columns does sales.csv have?": _on_table("list(d.columns)"),
    "Which columns are in sales.csv?": _on_table("list(d.columns)"),
    "What are the columns of sales.csv?": _on_table("list(d.columns)"),
    "How many rows in sales.csv have region 'north'?": _on_table("(d['region'] == 'north').sum()"),
    "In how many rows of sales.csv is the region north?": _on_table(
        "(d['region'] == 'north').sum()"
    ),
    "What is the mean price where region is north in sales.csv?": _on_table(
        "d[d['region'] == 'north']['price'].mean()"
    ),
    "What is the average price of the north region in sales.csv?": _on_table(
        "d[d['region'] == 'north']['price'].mean()"
    ),
    "What is the median price of the north region in sales.csv?": _on_table(
        "d[d['region'] == 'north']['price'].median()"
    ),
    "What is the highest price in the north region of sales.csv?": _on_table(
        "d[d['region'] == 'north']['price'].max()"
    ),
    "What is the total price for region north in sales.csv?": _on_table(
        "d[d['region'] == 'north']['price'].sum()"
    ),
    "Which region has the highest total price in sales.csv?": _on_table(
        "d.groupby('region')['price'].sum().idxmax()"
    ),
    "Which region has the highest mean price in sales.csv?": _on_table(
        "d.groupby('region')['price'].mean().idxmax()"
    ),
    "average price per region in sales.csv": _on_table("d.groupby('region')['price'].mean()"),
    "What is the mean price for each region in sales.csv?": _on_table(
        "d.groupby('region')['price'].mean()"
    ),
    "Total price per region in sales.csv": _on_table("d.groupby('region')['price'].sum()"),
    "total price by region in sales.csv": _on_table("d.groupby('region')['price'].sum()"),
    "How many rows per region are in sales.csv?": _on_table("d['region'].value_counts()"),
    "How many different values has region in sales.csv?": _on_table("d['region'].nunique()"),
    "How many different regions are in sales.csv?": _on_table("d['region'].nunique()"),
    "How many regions are in sales.csv?": _on_table("d['region'].nunique()"),
    "Which regions are in sales.csv?": _on_table("d['region'].unique().tolist()"),
    "correlation between price and quantity in sales.csv": _on_table(
        "d['price'].corr(d['quantity'])"
    ),
    "What is the mean of the price column in sales.tsv?": _on_tabs("d['price'].mean()"),
    "What is the total of the price column in sales.tsv?": _on_tabs("d['price'].sum()"),
    "What is the highest price in sales.tsv?": _on_tabs("d['price'].max()"),
    "What is the lowest price in sales.tsv?": _on_tabs("d['price'].min()"),
    "How many rows does sales.tsv have?": _on_tabs("len(d)"),
    "What is 17 * 23?": "print(17 * 23)",
    "Calculate 12 + 30": "print(12 + 30)",
    "How much is 84 divided by 7?": "print(84 / 7)",
    "What is 15 percent of 80?": "print(80 * 15 / 100)",
    "How much is 15% of 80?": "print(80 * 15 / 100)",
    "Compute (3 + 4) * 2": "print((3 + 4) * 2)",
    "What is the square root of 144?": "import math; print(math.sqrt(144))",
    "What is 2 to the power of 10?": "print(2 ** 10)",
    "How many days are between 2024-01-01 and 2024-03-01?": (
        "from datetime import date; "
        "print((date.fromisoformat('2024-03-01') - date.fromisoformat('2024-01-01')).days)"
    ),
    "Sort the numbers 5, 3, 9, 1": "print(sorted([5, 3, 9, 1]))",
    "What is the mean of 5, 3, 9?": "import statistics; print(statistics.mean([5, 3, 9]))",
    "Reverse the text 'hello'": "print('hello'[::-1])",
    "What is the value of name in config.json?": (
        "import json; print(json.load(open('config.json'))['name'])"
    ),
    "What is the name in config.json?": (
        "import json; print(json.load(open('config.json'))['name'])"
    ),
}


def _effect(args: Mapping[str, Any]) -> Effects:
    """Return the effects of the code; code that is not known yet may read and write."""
    code = args.get("input")
    if not isinstance(code, str) or not code.strip() or is_open(code):
        return _NOT_KNOWN
    # Code that cannot be parsed is a mistake in code that may do anything.
    return _NOT_KNOWN if _syntax_error(code) else effects_of_code(code)


def _lint(args: Mapping[str, Any]) -> str:
    """Return why the code cannot run: its syntax, or a module that is not there; nothing is run."""
    code = args.get("input", "")
    said = _syntax_error(code)
    missing = "" if said else missing_module(code)
    return f"there is no module {missing!r}" if missing else said


def _syntax_error(code: str) -> str:
    """Return the syntax error of code, if any."""
    with _COMPILING, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            compile(code, "<code>", "exec", dont_inherit=True)
        except SyntaxError as error:
            return f"it is not valid Python: {error.msg} (line {error.lineno or 1})"
        except (ValueError, RecursionError, MemoryError, OverflowError) as error:
            return f"it is not valid Python: {str(error) or 'it is nested too deep'}"
    return ""


def _paths(_args: Mapping[str, Any]) -> Paths:
    """Return that the code creates no shared file: it writes only to a private folder."""
    return Paths()


@tool(
    parameters={
        "properties": {
            "input": {
                "type": "string",
                "minLength": 1,
                "description": "Python code; print what should be seen.",
                "x-ground": "code",
            }
        },
        "required": ["input"],
    },
    effect=_effect,
    lint=_lint,
    paths=_paths,
    safety="No network, no other programs; reads the notebook's folder, writes to a private one.",
    examples=[Example(request, {"input": code}) for request, code in _CODE_BY_REQUEST.items()],
    groups=("math", "coding"),
    timeout_s=_TIMEOUT_S,
    exclusive="python",
)
def python_repl(context: ToolContext, input: str) -> ToolOutput:  # noqa: A002  okso's name
    """Run Python code for calculations and data; variables are kept from call to call."""
    if not input.strip():
        msg = "python_repl: there is no code to run"
        raise ToolInputError(msg)
    result = context.run.python().run(
        input, timeout_s=context.timeout_s, cancelled=context.cancelled, tail=context.tail
    )
    return ToolOutput(
        value=_value(result),
        text=_text(result),
        exit_code=result.exit_code,
        error=result.error if result.exit_code else "",
    )


def _value(result: PythonResult) -> dict[str, Any]:
    """Return the value for later steps and the journal; rare fields only if they are set."""
    value: dict[str, Any] = {
        "stdout": result.stdout,
        "stderr": result.stderr,
        "value": result.value,
        "exit_code": result.exit_code,
    }
    if result.artifacts:
        value["artifacts"] = [str(path) for path in result.artifacts]
    if result.lost_state:
        value["lost_state"] = True
    if result.truncated:
        value["truncated"] = True
    return value


def _text(result: PythonResult) -> str:
    """Return the human-readable result: printed output, then the last expression's value.

    Numbers are rounded to hide binary fractions: 78.64999999999999 is shown as 78.65. The value
    keeps all digits.
    """
    saved = [f"saved the picture {path.name}" for path in result.artifacts]
    lost = f"not kept, as code changes no file of the folder: {', '.join(result.not_kept)}"
    said = (result.stdout.rstrip("\n"), result.value, *saved, lost if result.not_kept else "")
    text = "\n".join(part for part in said if part)
    return _LONG_FRACTION.sub(lambda match: f"{float(match[0]):.{_SHOWN_DIGITS}g}", text)
