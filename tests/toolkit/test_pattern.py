"""The patterns of grep: what they match, and that no pattern takes long."""

from __future__ import annotations

import time

import pytest

from okso_jupyter.errors import ToolInputError
from okso_jupyter.toolkit.commands.pattern import Options, Pattern


@pytest.mark.parametrize(
    ("pattern", "matching", "other"),
    [
        ("abc", "xabcx", "ab c"),
        ("^a", "ab", "ba"),
        ("b$", "ab", "ba"),
        ("^$", "", " "),
        ("a*b", "b", "a"),
        ("a+b", "a+b", "aab"),
        ("a\\+b", "aab", "b"),
        ("a\\|b", "b", "|"),
        ("(a)", "(a)", "a"),
        ("\\(ab\\)\\{2\\}", "abab", "abba"),
        ("x{2}", "x{2}", "xx"),
        ("*a", "*a", "a"),
        ("a\\.b", "a.b", "axb"),
        ("[a-c]z", "bz", "dz"),
        ("[^a-c]z", "dz", "bz"),
        ("[]x]", "]", "y"),
        ("[[:digit:]]", "a1", "ab"),
        ("\\<foo\\>", "a foo b", "food"),
        ("\\bfoo", "a food", "afoo"),
        ("\\w\\W\\w", "a-b", "ab"),
    ],
)
def test_basic_patterns(pattern: str, matching: str, other: str) -> None:
    """A basic pattern matches what plain grep matches, and nothing else."""
    compiled = Pattern([pattern], Options())
    assert compiled.search(matching)
    assert not compiled.search(other)


@pytest.mark.parametrize(
    ("pattern", "matching", "other"),
    [
        ("a+b", "aab", "b"),
        ("(foo|bar)?x", "x", "foo"),
        ("^(a|b)+$", "abba", "abc"),
        ("a{2,3}b", "aab", "ab"),
        ("^a{0,1}$", "a", "aa"),
        ("a\\+b", "a+b", "aab"),
        ("^[A-Za-z_]+ = [0-9.]+$", "x_y = 1.5", "x y = 1"),
        ("\\.(csv|tsv)$", "a.tsv", "a.csvx"),
        ("a{", "a{", "a"),
    ],
)
def test_extended_patterns(pattern: str, matching: str, other: str) -> None:
    """An extended pattern matches what grep -E matches, and nothing else."""
    compiled = Pattern([pattern], Options(extended=True))
    assert compiled.search(matching)
    assert not compiled.search(other)


def test_options_change_what_matches() -> None:
    """Fixed text, case, whole words and whole lines."""
    assert Pattern(["a.b*"], Options(fixed=True)).search("xa.b*x")
    assert not Pattern(["a.b"], Options(fixed=True)).search("axb")
    assert Pattern(["Straße"], Options(ignore_case=True)).search("STRAßE")
    assert not Pattern(["[^a-z]"], Options(ignore_case=True)).search("ABC")
    assert Pattern(["cat"], Options(word=True)).search("a cat.")
    assert not Pattern(["cat"], Options(word=True)).search("concat category")
    assert Pattern(["a|ab"], Options(extended=True, line=True)).search("ab")
    assert not Pattern(["a|ab"], Options(extended=True, line=True)).search("abc")
    assert Pattern(["x", "y"], Options()).search("y")


def test_spans_are_the_longest_and_do_not_overlap() -> None:
    """-o shows the longest match at each place, one after the other."""
    line = "foo12 34"
    spans = Pattern(["[0-9]+|foo1"], Options(extended=True)).spans(line)
    assert [line[a:b] for a, b in spans] == ["foo1", "2", "34"]
    assert list(Pattern(["z*"], Options()).spans("abc")) == []


@pytest.mark.parametrize(
    "pattern",
    ["(", "a)", "[a", "\\", "a{3,2}", "a{999}", "[[:nosuch:]]", "(a)\\1", "(" * 60 + ")" * 60],
)
def test_malformed_patterns_are_input_errors(pattern: str) -> None:
    """A pattern that makes no sense is named as such."""
    with pytest.raises(ToolInputError, match="pattern"):
        Pattern([pattern], Options(extended=True))


def test_patterns_are_bounded() -> None:
    """Repetitions within repetitions and endless patterns are refused at once."""
    start = time.monotonic()
    for pattern in ("((a{200}){200}){200}", "a" * 5_000):
        with pytest.raises(ToolInputError):
            Pattern([pattern], Options(extended=True))
    assert time.monotonic() - start < 1


@pytest.mark.parametrize(
    "pattern", ["(a|aa)+$", "(a*)*b", "(a+)+$", "(.*)(.*)(.*)(.*)x", "(a|a?)+b"]
)
def test_time_grows_with_the_text_only(pattern: str) -> None:
    """Patterns on which a backtracking engine needs ages take a moment for 100,000 characters."""
    start = time.monotonic()
    Pattern([pattern], Options(extended=True)).search("a" * 100_000 + "!")
    assert time.monotonic() - start < 2


def test_a_search_can_be_ended() -> None:
    """The clock is asked while a search goes on, and may end it."""

    def stop() -> None:
        raise TimeoutError

    with pytest.raises(TimeoutError):
        Pattern(["a"], Options(), stop).search("b")
