"""The patterns of grep: what they match, and that every search takes little time."""

from __future__ import annotations

import random
import re
import resource
import time

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from okso_jupyter.errors import ToolInputError
from okso_jupyter.terminal.pattern import Options, Pattern

pytestmark = pytest.mark.slow


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
    """The options are fixed text, ignored case, whole words and whole lines."""
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
    """Like -o, spans are the longest match at each place, without overlap."""
    line = "foo12 34"
    spans = Pattern(["[0-9]+|foo1"], Options(extended=True)).spans(line)
    assert [line[a:b] for a, b in spans] == ["foo1", "2", "34"]
    assert list(Pattern(["z*"], Options()).spans("abc")) == []


@pytest.mark.parametrize(
    "pattern",
    [
        "(",
        "a)",
        "[a",
        "\\",
        "a{3,2}",
        "a{99999}",
        "[[:nosuch:]]",
        "(a)\\1",
        "[b-a]",
        "a{2",
        "a{,x}",
    ],
)
def test_malformed_patterns_are_input_errors(pattern: str) -> None:
    """The error for a malformed pattern names the pattern."""
    with pytest.raises(ToolInputError, match="pattern"):
        Pattern([pattern], Options(extended=True))


@pytest.mark.parametrize(
    "pattern",
    [
        "((a{200}){200}){200}",
        "((((){255}){255}){255}){255}",
        "((((a|){255}){255}){255}){255}",
        "(" * 499 + "a" + "){9}" * 100,
        "\\w{999}",
        "a{1001}",
        "a" * 5_000,
    ],
)
def test_patterns_are_bounded(pattern: str) -> None:
    """Nested repetitions and overlong patterns are refused within a second."""
    start = time.monotonic()
    with pytest.raises(ToolInputError, match="grep: "):
        Pattern([pattern], Options(extended=True))
    assert time.monotonic() - start < 1


@pytest.mark.parametrize(
    ("pattern", "matching"),
    [("^a{999}$", "a" * 999), ("(" * 400 + "a" + ")" * 400, "a"), ("(){255}b", "b"), ("a**b", "b")],
)
def test_a_large_pattern_that_costs_little_is_accepted(pattern: str, matching: str) -> None:
    """Deep brackets and long repetitions that cost little are accepted."""
    assert Pattern([pattern], Options(extended=True)).search(matching)


@pytest.mark.parametrize(
    "pattern", ["(a|aa)+$", "(a*)*b", "(a+)+$", "(.*)(.*)(.*)(.*)x", "(a|a?)+b"]
)
def test_time_grows_with_the_text_only(pattern: str) -> None:
    """Patterns that are slow with backtracking take under 2 s for 100,000 characters."""
    start = time.monotonic()
    Pattern([pattern], Options(extended=True)).search("a" * 100_000 + "!")
    assert time.monotonic() - start < 2


@pytest.mark.parametrize("pattern", ["[ab]*a\\w{90}c?x?$", "(a\\w{0,60}b)+z?$", "\\bb\\w*\\<z"])
def test_memory_is_bounded_as_well(pattern: str) -> None:
    """Patterns with very many states take less than 100 MiB, and the search continues."""
    before_kib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    line = "".join(random.Random(1).choices("ab", k=256 * 1024))  # noqa: S311  any text does
    for _ in range(20):
        Pattern([pattern], Options(extended=True)).search(line)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before_kib < 100 << 10


@pytest.mark.parametrize(
    ("pattern", "options", "line", "found"),
    [
        ("über", Options(word=True), "es ist über", ["über"]),
        ("ber", Options(word=True), "es ist über", []),
        ("\\<über\\>", Options(), "über-all", ["über"]),
        ("\\bfoo", Options(), "éfoo", []),
        ("o\\>.*\\<é", Options(), "foo, été", ["o, é"]),
        ("\\<-", Options(), "a-b", []),
        ("\\Ba\\B", Options(), "aaaa", ["a", "a"]),
        ("^foo", Options(word=True), "foo bar", ["foo"]),
        ("foo$", Options(word=True), "a foo", ["foo"]),
        ("\\bfoo\\b", Options(word=True, line=True), "foo", ["foo"]),
        ("^\\b*$", Options(word=True, line=True), "", []),
        ("\\w\\+", Options(), "a é_1 Ж", ["a", "é_1", "Ж"]),
        ("[[:upper:]]", Options(), "aÉÖ", ["É", "Ö"]),
        ("\\<\ufdd1", Options(), "\ufdd1", []),
        (".", Options(word=True), "\ufdd0 a", ["\ufdd0", "a"]),
    ],
)
def test_words_may_have_letters_of_every_language(
    pattern: str, options: Options, line: str, found: list[str]
) -> None:
    """Letters beyond ASCII belong to words, and word boundaries respect them."""
    compiled = Pattern([pattern], options)
    assert [line[a:b] for a, b in compiled.spans(line)] == found
    assert compiled.search(line) == bool(found or line == "")


# --- any pattern, against what the words of its grammar mean ----------------------------

#: As grep writes it with -E, and as Python's `re` does.
_ATOMS = (
    ("a", "a"), ("b", "b"), ("é", "é"), ("_", "_"), (" ", " "), ("1", "1"), ("\\.", "\\."),
    (".", "."), ("\\w", "\\w"), ("\\W", "\\W"), ("\\s", "\\s"), ("\\d", "[0-9]"),
    ("[ab]", "[ab]"), ("[^a]", "[^a]"), ("[a-c_]", "[a-c_]"), ("[]x]", "[\\]x]"),
    ("[[:alpha:]]", "[^\\W\\d_]"), ("[^[:space:]é]", "[^\\sé]"), ("[[:punct:]b]", "[._\\-b]"),
)  # fmt: skip
#: Places may be asked for several times, though not without end, so nothing repeats them.
_PLACES = (
    ("\\b", "\\b"), ("\\B", "\\B(?!\\A\\Z)|\\A\\Z"), ("^", "\\A"), ("$", "\\Z"),
    ("\\<", "(?<!\\w)(?=\\w)"), ("\\>", "(?<=\\w)(?!\\w)"),
)  # fmt: skip
_REPEATS = ("*", "+", "?", "{2}", "{1,2}", "{0,1}")
_Both = tuple[str, str]


def _joined(parts: list[_Both]) -> _Both:
    return "".join(part[0] for part in parts), "".join(f"(?:{part[1]})" for part in parts)


def _either(parts: tuple[_Both, _Both]) -> _Both:
    left, right = parts
    return f"({left[0]}|{right[0]})", f"(?:{left[1]}|{right[1]})"


def _repeated(part: tuple[_Both, str]) -> _Both:
    (grep, python), repeat = part
    return f"({grep}){repeat}", f"(?:{python}){repeat}"


_REPEATABLE = st.recursive(
    st.sampled_from(_ATOMS),
    lambda inner: (
        st.lists(inner, min_size=1, max_size=3).map(_joined)
        | st.tuples(inner, inner).map(_either)
        | st.tuples(inner, st.sampled_from(_REPEATS)).map(_repeated)
    ),
    max_leaves=4,
)
_PATTERNS = st.recursive(
    _REPEATABLE | st.sampled_from(_PLACES),
    lambda inner: (
        st.lists(inner, min_size=1, max_size=3).map(_joined) | st.tuples(inner, inner).map(_either)
    ),
    max_leaves=5,
)
_LINES = st.text("aabbéÉ_- .1\tЖ", max_size=7)


def _meant(python: str, options: Options) -> str:
    python = rf"(?<!\w)(?:{python})(?!\w)" if options.word else python
    return rf"\A(?:{python})\Z" if options.line else python


def _longest(python: str, line: str, start: int, flags: re.RegexFlag) -> int:
    """Return the end of the longest match at a place, or the place if there is none."""
    for end in range(len(line), start, -1):
        rest = f"(?=.{{{len(line) - end}}}\\Z)"
        if re.compile(f"(?:{python}){rest}", flags).match(line, start):
            return end
    return start


@settings(max_examples=200)
@given(_PATTERNS, _LINES, st.booleans(), st.booleans(), st.booleans())
def test_any_pattern_matches_what_python_matches(
    both: _Both,
    line: str,
    ignore_case: bool,  # noqa: FBT001  hypothesis calls it by position
    word: bool,  # noqa: FBT001  see above
    whole: bool,  # noqa: FBT001  see above
) -> None:
    """Python's `re` agrees on whether a line matches and on every longest match."""
    options = Options(extended=True, ignore_case=ignore_case, word=word, line=whole)
    python = _meant(both[1], options)
    flags = re.IGNORECASE if ignore_case else re.NOFLAG
    pattern = Pattern([both[0]], options)
    assert pattern.search(line) == bool(re.search(python, line, flags))
    found, start = [], 0
    while start <= len(line):
        end = _longest(python, line, start, flags)
        if end > start:
            found.append((start, end))
        start = max(end, start + 1)
    assert list(pattern.spans(line)) == found


@given(_PATTERNS, _LINES)
def test_the_basic_grammar_is_equivalent(both: _Both, line: str) -> None:
    """A pattern with its operators behind backslashes matches as it does with -E."""
    assume(not {"^", "$"} & set(both[0].replace("[^", "[")))  # these mean less within a basic one
    basic = re.sub(r"\\(.)|\[[^a-z]?\]?.*?\]+|([(){}|+?])", _as_basic, both[0])
    extended = Pattern([f"({both[0]})"], Options(extended=True))
    assert Pattern([rf"\({basic}\)"], Options()).search(line) == extended.search(line)


def _as_basic(part: re.Match[str]) -> str:
    return f"\\{part[2]}" if part[2] else part[0]


def test_a_search_can_be_interrupted() -> None:
    """The clock is called during a search and may end it with an error."""

    def stop() -> None:
        raise TimeoutError

    with pytest.raises(TimeoutError):
        Pattern(["a"], Options(), stop).search("b")
