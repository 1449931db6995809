"""effects_of_code says what code would do, from its text alone."""

from __future__ import annotations

import pytest

from okso_jupyter.effects.effect import Effect
from okso_jupyter.toolkit.python_code import effects_of_code
from tests.each_row import each_row

RUNS, READS, WRITES = Effect.RUNS_CODE, Effect.READS, Effect.WRITES
NETWORK, UNDECLARED = Effect.NETWORK, Effect.UNDECLARED


@each_row(
    "code",
    [
        "print(2+2)",
        "import math; print(math.sqrt(144))",
        "print('remove os.remove and open(x, \"w\")'.replace('a', 'b'))",
        "import pandas as pd; pd.DataFrame({'a': [1]}).rename(columns={'a': 'b'})",
        "import pandas as pd; print(pd.DataFrame({'a': [1]}).to_json())",
        "sockets = 3; print(sockets)",
        "import os; print(os.path.join('a', 'b'))",
        "import os; print(os.getcwd())",
        "eval('1 + 1')",
        "data = {'open': 1}; print(data['open'])",
        "print(getattr('abc', 'upper')())",
    ],
)
def test_harmless_code_only_runs(code: str) -> None:
    """Calculations and texts that merely mention a danger have no effect but running."""
    assert effects_of_code(code) == {RUNS}


@each_row(
    "code",
    [
        "open('a.txt').read()",
        "open('a.txt', 'rb')",
        "open('a.txt', mode='r')",
        "import pandas as pd; pd.read_csv('sales.csv')",
        "from pandas import read_excel; read_excel('a.xlsx')",
        "from pathlib import Path; Path('a').read_text().replace('a', 'b')",
        "from pathlib import Path; p = Path('a'); p.open()",
        "import os; os.listdir('.')",
        "import glob; glob.glob('*.csv')",
        "import json; json.load(open('a.json'))",
        "import numpy as np; np.loadtxt('a.txt')",
        "exec('open(\"a\").read()')",
    ],
)
def test_reading_code_reads(code: str) -> None:
    """Code that opens files for reading reads, and does not write."""
    assert effects_of_code(code) == {RUNS, READS}


@each_row(
    "code",
    [
        "open('a', 'w')",
        "open('a', 'ab')",
        "open('a', 'x')",
        "open('a', 'r+')",
        "open('a', mode=chosen)",
        "open('a', chosen)",
        "open('a', **options)",
        "open(*arguments)",
        "opener = open",
        "list(map(open, names))",
        "import builtins; builtins.open('a', 'w')",
        "import io; io.open('a', 'w')",
        "import gzip; gzip.open('a', 'wb')",
        "from pathlib import Path; Path('a').write_text('b')",
        "from pathlib import Path; Path('a').open('w')",
        "from pathlib import Path as P; P('a').rename('b')",
        "import pathlib; (pathlib.Path('a') / 'b').replace('c')",
        "from pathlib import Path\nfor p in Path('.').glob('*'):\n    p.rename('x')",
        "from pathlib import Path; Path('a').unlink()",
        "from pathlib import Path; Path('a').mkdir(); Path('a').rmdir()",
        "from pathlib import Path; Path('a').touch()",
        "import os; os.remove('a')",
        "import os as o; o.unlink('a')",
        "from os import remove as r; r('a')",
        "from os import *; remove('a')",
        "import os; list(map(os.remove, names))",
        "import os; getattr(os, 'remove')('a')",
        "import os; getattr(os, name)('a')",
        "import os; os.system('ls')",
        "import os; os.rename('a', 'b')",
        "import os; os.replace('a', 'b')",
        "import os; os.makedirs('a/b')",
        "import shutil as s; s.rmtree('a')",
        "from shutil import copy; copy('a', 'b')",
        "import subprocess; subprocess.run(['ls'])",
        "from subprocess import Popen; Popen(['ls'])",
        "__import__('os').remove('a')",
        "import importlib; importlib.import_module('shutil').rmtree('a')",
        "__import__(name)",
        "exec(code)",
        "eval(text)",
        "exec('import os; os.remove(\"a\")')",
        "import pandas as pd; pd.DataFrame().to_csv('a.csv')",
        "import pandas as pd; pd.DataFrame().to_csv(path_or_buf='a.csv')",
        "import pandas as pd; pd.DataFrame().to_excel('a.xlsx')",
        "import matplotlib.pyplot as plt; plt.savefig('a.png')",
        "def f():\n    import os\n    os.remove('a')",
    ],
)
def test_changing_code_writes(code: str) -> None:
    """Code that may change files or processes writes, whatever names it goes by."""
    assert {RUNS, WRITES} <= effects_of_code(code)


@each_row(
    "code",
    [
        "import requests",
        "import requests as r; r.get('https://example.org')",
        "from urllib.request import urlopen",
        "import urllib.request; urllib.request.urlopen('https://example.org')",
        "from urllib import request; request.urlopen('https://example.org')",
        "import http.client",
        "import socket; socket.socket()",
        "from httpx import get",
        "__import__('socket').socket()",
        "import pandas as pd; pd.read_csv('https://example.org/a.csv')",
    ],
)
def test_connecting_code_uses_the_network(code: str) -> None:
    """Code that imports or calls a network library uses the network."""
    assert {RUNS, NETWORK} <= effects_of_code(code)


@pytest.mark.parametrize("code", ["import urllib.parse", "import http", "import json"])
def test_neighbours_of_network_modules_are_harmless(code: str) -> None:
    """A module beside a network module is not taken for it."""
    assert effects_of_code(code) == {RUNS}


@pytest.mark.parametrize("code", ["", "   ", "# nothing", "print(", "a\0b", "(" * 5000])
def test_code_that_cannot_be_judged_is_undeclared(code: str) -> None:
    """Empty and unparsable code may do anything."""
    assert effects_of_code(code) == {RUNS, UNDECLARED}


def test_a_deep_tree_is_judged_without_an_error() -> None:
    """Deep nesting ends in a verdict, not in a RecursionError."""
    assert RUNS in effects_of_code("x = " + "+".join(["1"] * 20_000))
