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


# Questions about tables are queries; of tables, only what no query says is here. A small model
# copies the most similar example: one line each, one pattern, single quotes.
_CODE_BY_REQUEST: Final[Mapping[str, str]] = {
    "Transpose the table in sales.csv": _on_table("d.T"),
    "Fill the gaps in the price column of sales.csv with 0": _on_table("d['price'].fillna(0)"),
    "Standardise the price column of sales.csv": _on_table(
        "(d['price'] - d['price'].mean()) / d['price'].std()"
    ),
    "What is the running total of price in sales.csv?": _on_table("d['price'].cumsum()"),
    "What is the moving average of price over 3 rows in sales.csv?": _on_table(
        "d['price'].rolling(3).mean()"
    ),
    "Rank the rows of sales.csv by price": _on_table("d.assign(rank=d['price'].rank())"),
    "Draw 2 random rows from sales.csv": _on_table("d.sample(2, random_state=1)"),
    "Pivot price in sales.csv by region and product": _on_table(
        "d.pivot_table('price', 'region', 'product')"
    ),
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
