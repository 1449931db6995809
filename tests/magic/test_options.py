"""The line of a cell: a name, options, and what is said when it cannot be read."""

from __future__ import annotations

import pytest

from okso_jupyter.errors import UsageError
from okso_jupyter.magic.options import parse, parser


@pytest.mark.parametrize(
    ("line", "target", "shows"),
    [
        ("", "", True),
        ("answer <<", "answer", False),
        ("answer<<--yes", "answer", False),
        ("answer= <<", "answer", True),
        ("answer = << --yes", "answer", True),
        ("größe2 <<", "größe2", False),
    ],
)
def test_a_name_may_stand_before_the_options(line: str, target: str, shows: bool) -> None:  # noqa: FBT001  a row of the table
    """`NAME <<` binds, `NAME= <<` binds and shows."""
    read = parse(line)

    assert (read.target, read.shows) == (target, shows)


@pytest.mark.parametrize("line", ["2x <<", "a b <<", "<<", "a.b <<", "--yes x <<"])
def test_what_is_no_name_is_refused(line: str) -> None:
    """Only a Python name can be bound."""
    with pytest.raises(UsageError, match="is not a name to bind") as caught:
        parse(line)

    assert "%%okso NAME <<" in caught.value.hint


@pytest.mark.parametrize("word", ["class", "None", "lambda"])
def test_a_keyword_is_no_name(word: str) -> None:
    """What Python could never read back is not bound."""
    with pytest.raises(UsageError, match="is not a name to bind"):
        parse(f"{word} <<")


@pytest.mark.parametrize(
    ("option", "setting"),
    [
        ("--samples 5", ("PLANNER_SAMPLE_COUNT", "5")),
        ("--temperature 0.2", ("PLANNER_TEMPERATURE", "0.2")),
        ("--seed 7", ("PLANNER_SEED", "7")),
        ("--model m.gguf", ("PLANNER_MODEL_SPEC", "m.gguf")),
        ("--set ON_FAILURE=skip", ("ON_FAILURE", "skip")),
        ("--set 'OKSO_HOME=/a b=c'", ("OKSO_HOME", "/a b=c")),
        ("--confirm", ("FORCE_CONFIRM", True)),
        ("--keep-going", ("KEEP_GOING", True)),
        ("--verbose", ("VERBOSITY", 2)),
        ("--quiet", ("VERBOSITY", 0)),
    ],
)
def test_an_option_stands_for_a_setting(option: str, setting: tuple[str, object]) -> None:
    """Each option sets one name, and nothing else."""
    assert dict(parse(option).settings) == dict([setting])


def test_set_may_be_repeated() -> None:
    """Every `--set` counts, and an option of its own beats it."""
    read = parse("--set PLANNER_SEED=1 --set ON_FAILURE=skip --seed 2")

    assert dict(read.settings) == {"PLANNER_SEED": "2", "ON_FAILURE": "skip"}


def test_flags_are_flags() -> None:
    """--yes is --approve auto; the others are told to the cell."""
    read = parse("--yes --plan-only --dry-run --debug")

    assert (read.approve, read.plan_only, read.dry_run, read.debug) == ("auto", True, True, True)
    assert parse("--yes --approve auto").approve == "auto"


@pytest.mark.parametrize(
    ("line", "said", "hint"),
    [
        ("--smaples 3", "unrecognized arguments: --smaples", "did you mean --samples?"),
        ("--sample 3", "unrecognized arguments: --sample", "did you mean --samples?"),
        ("--xyzzy", "unrecognized arguments: --xyzzy", "%okso help"),
        ("how many lines", "unrecognized arguments: how", "%okso help"),
        ("--samples", "--samples", "%okso help"),
        ("--approve maybe", "maybe", "%okso help"),
        ("--set PLANNER_SEED", "'PLANNER_SEED' is not NAME=VALUE", ""),
        ("--set 'PLANNER_SEED", "cannot be read", "below the first line"),
        ("--yes --approve deny", "contradict each other", ""),
        ("--verbose --quiet", "contradict each other", ""),
    ],
)
def test_a_line_that_makes_no_sense_is_refused(line: str, said: str, hint: str) -> None:
    """The message names the part, the hint the way out."""
    with pytest.raises(UsageError) as caught:
        parse(line)

    assert caught.value.message.startswith("%%okso: ")
    assert said in caught.value.message
    assert hint in caught.value.hint


def test_the_help_names_every_option() -> None:
    """The help is the parser's own, so it cannot miss an option."""
    text = parser().format_help()

    for action in parser()._actions:
        assert action.option_strings[0] in text
        assert action.help
