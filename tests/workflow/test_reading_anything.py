"""Any workflow file is read or refused with one message, and the others load."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from okso_jupyter import tools as builtin_tools
from okso_jupyter.errors import DocumentError
from okso_jupyter.toolkit.catalog import ToolCatalog, from_package
from okso_jupyter.workflow.file_reading import MAX_BYTES, MAX_DEPTH, read_content, read_document
from okso_jupyter.workflow.library import Folder, WorkflowLibrary

pytestmark = pytest.mark.slow

TOOLS = ToolCatalog(from_package(builtin_tools))
GOOD = {
    "name": "good",
    "description": "Look.",
    "parameters": {"type": "object", "properties": {"x": {"type": "string"}}, "required": ["x"]},
    "examples": [{"request": "look at a", "args": {"x": "a"}}],
    "steps": [
        {"id": 1, "tool": "terminal", "args": {"command": "echo {{x}}"}, "thought": "look"},
        {"id": 2, "tool": "file_read", "args": {"path": "{{x}}"}, "depends_on": [1]},
    ],
}

#: Pieces that YAML gives a meaning to, the tags of YAML 1.1 among them.
PIECES = st.sampled_from(
    [
        *("a: ", "- ", "? ", ": ", "\n", "\n  ", "\n\t", "[", "]", "{", "}", ",", "|\n", ">-\n"),
        *("&a ", "*a", "<<: ", "---\n", "...\n", "%YAML 1.1\n", "%TAG ! tag:x,2000:\n", "'", '"'),
        *("!!bool ", "!!int ", "!!float ", "!!null ", "!!binary ", "!!timestamp ", "!!omap "),
        *("!!pairs ", "!!str ", "!!seq ", "!!map ", "!!merge ", "!!value ", "!!set ", "!x ", "!"),
        *("maybe", "yes", "12:30", "1:1:1.5", "2026-01-01", "0x", "0b1", "010", "1e999", ".nan"),
        *("_", "1__", "9" * 400, "9" * 5000, "~", "=", "\\", "\x00", "\ufeff", "\x85", "\u2028"),
        *("-.inf", "#", "\ud800", "\xe9", "!!python/none "),
    ]
)
YAML = st.lists(PIECES | st.text(max_size=3), max_size=20).map("".join)
NUMBERS = st.sampled_from(
    ["1e999", "-1e999", "NaN", "Infinity", "9" * 4000, "9" * 5000, "1e-999", "-0"]
)
JSON_VALUE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


def _refusal(content: bytes, *, is_json: bool) -> str:
    """Return why a content is refused, or an empty text if it is a JSON value."""
    try:
        value = read_document(content, is_json=is_json)
    except DocumentError as error:
        return str(error)
    assert json.loads(json.dumps(value, allow_nan=False)) == value
    return ""


def _check(content: bytes, *, is_json: bool) -> None:
    """Check that a content is read as JSON value or refused with one message."""
    refusal = _refusal(content, is_json=is_json)
    assert refusal == "" or refusal.startswith("it is ")
    assert "\n" not in refusal


@given(text=YAML)
@example("a: !!bool maybe")
@example("a: !!int ''")
@example("a: !!timestamp never")
@example("a: !!float 1:" + ":1" * 2000 + ".5")
@example("a: " + "9" * 5000)
@example("a: &a [*a]")
@example("[" * 5000)
@example("? " * 3000)
@example("- " * 5000)
@example("{a: " * 3000)
@example('a: "\\ud800"')
@example("a: !!omap [1]")
@example("? {a: 1}\n: 2")
@example("a: {<<: [1]}")
@example("a: {<<: {b: 1}, <<: {b: 2}}")
def test_any_yaml_is_read_or_refused(text: str) -> None:
    """Tags, numbers, anchors and nesting in YAML raise no unexpected error."""
    _check(text.encode("utf-8", "surrogatepass"), is_json=False)


@given(content=st.binary(max_size=200))
@example(b"\xff\xfea\x00:\x00 \x001\x00")
@example(b"\xef\xbb\xbf{}")
@example(b"a: 1\x00")
@example(b"\x00" * 1000)
def test_any_bytes_are_read_or_refused(content: bytes) -> None:
    """Other encodings, byte order marks and zero bytes raise no unexpected error."""
    _check(content, is_json=False)
    _check(content, is_json=True)


@given(value=JSON_VALUE, number=NUMBERS, at=st.integers(0, 40))
@example(1, "1e999", 0)
def test_any_json_is_read_or_refused(value: object, number: str, at: int) -> None:
    """JSON with any number is read or refused; numbers that are not portable are refused."""
    text = json.dumps(value)
    _check(text.encode(), is_json=True)
    _check(f'{{"a": [{number}]}}'.encode(), is_json=True)
    _check(f"{text[:at]}{number}{text[at:]}".encode(), is_json=True)


@pytest.mark.parametrize("levels", [1, MAX_DEPTH, MAX_DEPTH + 1, 300, 900, 5000, 30_000])
def test_nesting_is_bounded(levels: int) -> None:
    """A document is read up to the maximum nesting depth; one level more is refused."""
    text = "[" * levels + '"a"' + "]" * levels
    if levels <= MAX_DEPTH:
        assert read_document(text.encode(), is_json=True)
        return
    with pytest.raises(DocumentError, match="it is nested too deeply"):
        read_document(text.encode(), is_json=True)
    with pytest.raises(DocumentError, match="it is nested too deeply"):
        read_document(text.encode(), is_json=False)


@pytest.mark.parametrize("suffix", ["json", "yaml"])
def test_only_the_beginning_of_a_large_file_is_read(tmp_path: Path, suffix: str) -> None:
    """A file of ten megabytes is refused; no more than the allowed bytes are read."""
    file = tmp_path / f"large.{suffix}"
    file.write_bytes(b"a: [1]\n" * 1_500_000)

    with pytest.raises(DocumentError, match=f"longer than {MAX_BYTES:,} bytes"):
        read_content(file)


@pytest.mark.parametrize("is_json", [True, False])
def test_a_duplicate_of_many_names_is_found(*, is_json: bool) -> None:
    """A duplicate is found in linear time, even if it is the last of 9,000 names."""
    names = [f"{number:x}" for number in range(9000)]
    pairs = (
        [f'"{name}":0' for name in [*names, "0"]]
        if is_json
        else [f"x{n}: 0" for n in [*names, "0"]]
    )
    text = f"{{{','.join(pairs)}}}" if is_json else "\n".join(pairs)
    assert len(text) < MAX_BYTES * 2

    with pytest.raises(DocumentError, match="occurs twice in one"):
        read_document(text.encode(), is_json=is_json)


def _places(value: object, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the paths of all values within a JSON value."""
    parts: list[tuple[Any, Any]] = []
    if isinstance(value, dict):
        parts = list(value.items())
    if isinstance(value, list):
        parts = list(enumerate(value))
    inner = [found for key, part in parts for found in _places(part, (*path, key))]
    return [path, *inner] if path else inner


def _with(document: dict[str, Any], path: tuple[Any, ...], value: object) -> dict[str, Any]:
    """Return a copy of a document with another value at a path."""
    copy = json.loads(json.dumps(document))
    *before, last = path
    part = copy
    for key in before:
        part = part[key]
    part[last] = value
    assert isinstance(copy, dict)
    return copy


FOREIGN = JSON_VALUE | st.sampled_from(
    [
        10**400, -(10**4000), 1e308, -1, 0, "{{x}}", "{{", "{{y}}", "step_1_failed", {"$ref": "x"},
        {"type": "object", "properties": {"x": {"multipleOf": 0.1, "default": 10**400}}},
        {"type": "object", "properties": {"x": {"multipleOf": 1e-300, "default": 1e300}}},
        {"type": "object", "properties": {"x": {"enum": []}, "y": {"const": None}}},
    ]
)  # fmt: skip


@given(
    path=st.sampled_from(_places(GOOD)),
    value=FOREIGN.filter(lambda value: not (isinstance(value, float) and math.isnan(value))),
)
def test_any_value_in_any_part_is_handled(
    path: tuple[Any, ...], value: object, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """A file with any value in any part is a tool or a problem; the other file loads."""
    folder = tmp_path_factory.mktemp("flows")
    (folder / "a.json").write_text(json.dumps(_with(GOOD, path, value)))
    (folder / "b.json").write_text(json.dumps({**GOOD, "name": "other"}))

    library = WorkflowLibrary.load([Folder(folder)], TOOLS)

    first, second = library.entries
    assert "\n" not in first.problem
    assert second.problem == "" or "is taken by" in second.problem
    assert [tool.name for tool in library.tools][-1] == "workflow_other"
