"""What a call has put out so far: whole lines, bounded, legible, without secrets."""

from __future__ import annotations

import pytest

from okso_jupyter.redaction.redactor import Redactor, remember, remembered
from okso_jupyter.sandbox.output_tail import LineWriter, Tail


def written(*parts: str) -> str:
    """Return what is shown after these pieces."""
    tail = Tail()
    writer = LineWriter(tail)
    for part in parts:
        writer.write(part)
    return tail.text()


def test_only_whole_lines_are_shown() -> None:
    """A line that has not ended yet may be half of anything."""
    assert written("one\ntw") == "one"
    assert written("one\ntw", "o\n", "\n \n") == "one\ntwo"


def test_a_progress_bar_shows_where_it_was_last() -> None:
    """A carriage return ends a line, as it does on a screen."""
    assert written("10 %\r", "20 %\r", "30") == "10 %\n20 %"


def test_the_last_lines_are_shown_and_long_ones_lose_their_beginning() -> None:
    """Five lines of at most 200 characters, however much is written."""
    text = written(*(f"line {number}\n" for number in range(10_000)), "x" * 100_000 + "end\n")
    lines = text.split("\n")
    assert lines[:4] == [f"line {number}" for number in range(9_996, 10_000)]
    assert lines[4] == "…" + "x" * 197 + "end"


def test_characters_may_come_in_pieces() -> None:
    """A pipe cuts where it likes; what is no text becomes a mark."""
    tail = Tail()
    writer = LineWriter(tail)
    for byte in "grün\n".encode() + b"\xff\n":
        writer.write_bytes(bytes([byte]))
    assert tail.text() == "grün\n\ufffd"


def test_hidden_characters_are_written_out() -> None:
    """Controls and marks of direction do nothing in a terminal or a page."""
    assert written("a\x1b[31mb\u202ec\n") == "a⟨U+001B⟩[31mb⟨U+202E⟩c"


@pytest.mark.parametrize("size", [1, 3, 7])
def test_a_secret_is_never_shown_in_pieces(size: int) -> None:
    """Whatever the pieces in which it comes, no part of it is ever shown."""
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
