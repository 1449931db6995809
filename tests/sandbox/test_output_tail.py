"""The output of a call so far: whole lines, limited, readable, without secrets."""

from __future__ import annotations

import pytest

from okso_jupyter.redaction.redactor import Redactor, remember, remembered
from okso_jupyter.sandbox.output_tail import LineWriter, Tail


def written(*parts: str) -> str:
    """Return the text shown after these chunks."""
    tail = Tail()
    writer = LineWriter(tail)
    for part in parts:
        writer.write(part)
    return tail.text()


def test_only_whole_lines_are_shown() -> None:
    """A line is not shown until it is complete."""
    assert written("one\ntw") == "one"
    assert written("one\ntw", "o\n", "\n \n") == "one\ntwo"


def test_a_progress_bar_shows_its_last_state() -> None:
    """A carriage return ends a line, as on a screen."""
    assert written("10 %\r", "20 %\r", "30") == "10 %\n20 %"


def test_output_is_limited_to_the_last_five_lines() -> None:
    """The last five lines are shown, each cut at its beginning to 200 characters."""
    text = written(*(f"line {number}\n" for number in range(10_000)), "x" * 100_000 + "end\n")
    lines = text.split("\n")
    assert lines[:4] == [f"line {number}" for number in range(9_996, 10_000)]
    assert lines[4] == "…" + "x" * 197 + "end"


def test_characters_may_be_split_between_chunks() -> None:
    """Characters may be split between chunks; invalid bytes become replacement characters."""
    tail = Tail()
    writer = LineWriter(tail)
    for byte in "grün\n".encode() + b"\xff\n":
        writer.write_bytes(bytes([byte]))
    assert tail.text() == "grün\n\ufffd"


def test_hidden_characters_are_escaped() -> None:
    """Control and bidirectional characters have no effect in a terminal or a page."""
    assert written("a\x1b[31mb\u202ec\n") == "a⟨U+001B⟩[31mb⟨U+202E⟩c"


@pytest.mark.parametrize("size", [1, 3, 7])
def test_a_secret_split_between_chunks_is_not_shown(size: int) -> None:
    """No part of a secret is ever shown, whatever the chunks in which it arrives."""
    secret, before = "hunter22-correct-horse", remembered()
    text = f"the password is {secret}\nand on\n"
    tail = Tail()
    writer = LineWriter(tail)
    shown = []
    remember(Redactor((secret,)))
    try:
        for start in range(0, len(text), size):
            writer.write(text[start : start + size])
            shown.append(tail.text())
    finally:
        remember(before)
    assert shown[-1] == "the password is [redacted]\nand on"
    assert not any("hunter" in one for one in shown)
