"""Values read out of the sandbox, and values forged by sandboxed code."""

from __future__ import annotations

import json
import resource
import sys
from typing import Any

import numpy as np
import pandas as pd
import pytest

from okso_jupyter.errors import ToolError
from okso_jupyter.sandbox import PythonWorker, json_bounds, value_codec
from tests.sandbox.workers import good, run

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="NOT TESTED: needs Linux")

#: From here on `v` comes out as the body that it is.
_FORGE = "import sys; sys.modules['_okso_value_codec'].encode = lambda value: value\n"
#: ... and the worker does not judge it either.
_BLIND = _FORGE + "sys.modules['_okso_json_bounds'].excess = lambda *args: ''\n"
_COLUMN = "{'as': 'raw', 'dtype': '<i8', 'data': ''}"
_RANGE = "{'names': [None], 'range': [0, %s, 1]}"

TOO_MUCH = {
    "many lists": ("v = [[] for _ in range(3_000_000)]", "3,000,000 items"),
    "many numbers": ("v = [1] * 8_000_000", "8,000,000 items"),
    "many lists within lists": ("v = [[[]] * 1000] * 3000", "than 2,000,000 values"),
    "many keys": ("v = {str(i): i for i in range(2_100_000)}", "2,100,000 items"),
    "a wide table": (
        "import numpy as np, pandas as pd; v = pd.DataFrame(np.zeros((0, 100_000)))",
        "100,000 columns",
    ),
    "an index of many levels": (
        "import pandas as pd; i = pd.MultiIndex.from_arrays([[]] * 60); v = pd.Series([], index=i)",
        "60 levels",
    ),
    "a long text": ("v = 'x' * 40_000_000", "bytes as JSON; the maximum"),
    "nested": (_FORGE + "x = []\nfor _ in range(900): x = [x]\nv = {'kind': 'json', 'value': x}",
               "more than 128 deep"),
}  # fmt: skip
FORGED = {
    "many lists": _BLIND + "v = {'kind': 'json', 'value': [[]] * 7_000_000}",
    "nested": _BLIND + "x = []\nfor _ in range(900): x = [x]\nv = {'kind': 'json', 'value': x}",
    "a wide table": _BLIND + f"v = {{'kind': 'frame', 'columns': {_RANGE % 10**5}, 'index': "
    f"{_RANGE % 0}, 'data': [{_COLUMN}] * 10**5}}",
    "levels": _BLIND + "v = {'kind': 'series', 'name': None, 'column': " + _COLUMN + ", 'index': "
    "{'names': [None] * 9999, 'several': True, 'levels': [" + _COLUMN + "] * 9999}}",
    "no levels": _BLIND + "v = {'kind': 'frame', 'columns': 1, 'index': [], 'data': 5}",
    "a kind that is a list": _BLIND + "v = {'kind': []}",
    "a file as time zone": _BLIND + "v = {'kind': 'series', 'name': None, 'index': "
    f"{_RANGE % 0}, 'column': {{**{_COLUMN}, 'as': 'zoned', 'dtype': '<M8[ns]', "
    "'zone': 'datetime64[ns, dateutil//etc/passwd]'}}",
}  # fmt: skip


@pytest.mark.parametrize("name", TOO_MUCH)
def test_a_value_over_a_limit_is_refused_and_keeps_the_state(
    worker: PythonWorker, name: str
) -> None:
    """The error names the exceeded limit; the worker and its other variables are kept."""
    code, said = TOO_MUCH[name]
    good(worker, f"w = 1\n{code}")
    with pytest.raises(ToolError, match="v cannot come out of Python: .* " + said):
        worker.take("v")
    assert worker.alive


@pytest.mark.parametrize("name", FORGED)
def test_a_forged_body_is_refused_cheaply(worker: PythonWorker, name: str) -> None:
    """A forged value is neither parsed beyond the limits nor decoded."""
    run(worker, FORGED[name])
    before_kib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(ToolError, match=r"v (cannot come|came) out of Python"):
        worker.take("v")
    grown_kib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before_kib
    assert grown_kib < 400 << 10


def test_nesting_within_the_limit_raises_no_recursion_error(worker: PythonWorker) -> None:
    """No nesting depth within the limit leads to a RecursionError later."""
    run(worker, _FORGE + "x = []\nfor _ in range(120): x = [x]\nv = {'kind': 'json', 'value': x}")
    body, _ = worker.take("v")
    assert json.loads(json.dumps(body)) == body


HARMLESS: dict[str, Any] = {
    "a million numbers": list(range(1_000_000)),
    "brackets in a text": '[{"' * 1_000_000 + "\\",
    "commas in a text": ',"\\"' * 1_000_000,
    "nested 90 deep": json.loads("[" * 90 + "]" * 90),
    "many columns": pd.DataFrame(np.zeros((2, 5000))),
    "texts of a table": pd.DataFrame({"a": ["x,[]{}"] * 300_000}),
    "many rows": pd.DataFrame({"a": range(500_000), "b": 0.5}),
}


@pytest.mark.parametrize("name", HARMLESS)
def test_large_values_are_unchanged(worker: PythonWorker, name: str) -> None:
    """Text that looks like structure stays text, and large values are within the limits."""
    value = HARMLESS[name]
    worker._ask({"load": "v", "body": value_codec.encode(value)}, "v")
    _, arrived = worker.take("v")
    if isinstance(value, pd.DataFrame):
        pd.testing.assert_frame_equal(arrived, value)  # type: ignore[arg-type]  # it is one, or fails
    else:
        assert arrived == value


@pytest.mark.parametrize(
    ("text", "too_much"),
    [
        (b"[1,2]", ""),
        (b"[" * 129 + b"]" * 129, "nested"),
        (b"[" * 128 + b"]" * 128, ""),
        (b"[]," * 1_000_001, "values"),
        (b'"' + b"[" * 200 + b'"', ""),
        (b'"\\"' + b"[" * 200 + b'"', ""),
        (b'"\\\\"' + b"[" * 200, "nested"),
        (b'"\\\\\\"' + b"[" * 200 + b'"', ""),
        (b'"' + b"," * 2_000_001 + b'"', ""),
        (b"[" * 100 + b"]" * 100 + b"[" * 100 + b"]" * 100, ""),
    ],
    ids=lambda given: str(given)[:40],  # megabytes, sent to and fro otherwise,
)
def test_limits_ignore_structure_inside_texts(text: bytes, too_much: str) -> None:
    """Levels and values are counted as a JSON parser counts them."""
    said = json_bounds.excess(text, 1 << 25)
    assert (too_much in said) if too_much else (said == "")
