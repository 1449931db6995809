"""jsonschema is imported without building the grammar of IRIs, and nothing is lost."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

SESSION = """
import json, sys, tempfile
import okso_jupyter

before = "jsonschema" in sys.modules
okso_jupyter.Session({"OKSO_HOME": tempfile.mkdtemp()})
late = "jsonschema" in sys.modules and "rfc3987_syntax" not in sys.modules
lark = "lark" in sys.modules
import jsonschema
schema = {"type": "string", "format": "iri"}
checker = jsonschema.FormatChecker()
flaws = [
    [error.validator for error in jsonschema.Draft202012Validator(
        schema, format_checker=checker).iter_errors(text)]
    for text in ("https://example.org/r\\u00e4t", "not an iri")
]
import rfc3987_syntax
real = rfc3987_syntax.is_valid_syntax("iri", "urn:a:b") and hasattr(rfc3987_syntax, "parse")
print(json.dumps([before, late, lark, flaws, real]))
"""


@pytest.mark.process
def test_a_session_skips_the_grammar_but_formats_are_checked() -> None:
    """The first Session does not load the grammar module; a later import gets it."""
    pytest.importorskip("rfc3987_syntax")
    told = subprocess.run(  # noqa: S603  our own code
        [sys.executable, "-c", SESSION], capture_output=True, text=True, check=True
    )
    assert json.loads(told.stdout) == [False, True, False, [[], ["format"]], True]


@pytest.mark.process
def test_another_thread_gets_the_real_module() -> None:
    """Importing rfc3987_syntax while jsonschema is imported gives the complete module."""
    code = """
import sys
from okso_jupyter import jsonschema_import as late
class Asker:
    def find_spec(self, name, path=None, target=None):
        if name == "jsonschema.validators":
            sys.meta_path.remove(self)
            from rfc3987_syntax import parse
            print(parse.__module__)
sys.meta_path.insert(0, Asker())
late.load_jsonschema()
print(type(sys.modules["rfc3987_syntax"]).__name__)
"""
    told = subprocess.run(  # noqa: S603  our own code
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert told.stdout.split() == ["rfc3987_syntax.syntax_helpers", "module"]
