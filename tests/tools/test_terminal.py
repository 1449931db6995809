"""terminal: what its commands print and change, and what it refuses."""

from __future__ import annotations

import base64
import time
import tracemalloc
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest

from okso_jupyter.errors import (
    ToolFailedError,
    ToolInputError,
    ToolNotFoundError,
    ToolRefusedError,
    ToolTimeoutError,
)
from okso_jupyter.terminal.commands import parse
from okso_jupyter.toolkit.context import ToolContext
from okso_jupyter.toolkit.tool import ToolOutput
from okso_jupyter.tools.terminal import terminal


def run(context: ToolContext, command: str, *args: str) -> ToolOutput:
    """Run one command."""
    return terminal.call(context, {"command": command, "args": list(args)})


def files(root: Path) -> set[str]:
    """Return the paths of everything below the root."""
    return {str(path.relative_to(root)) for path in root.rglob("*")}


def test_what_it_prints_is_heard_as_it_comes(context: ToolContext) -> None:
    """The last lines can be read by whoever watches the call."""
    run(context, "cat", "sales.csv")
    assert context.tail.text() == "day,amount\nmon,1\ntue,2\nwed,30"


# --- reading -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "printed"),
    [
        ("wc -l sales.csv", "4 sales.csv\n"),
        ("wc -w notes.md", "11 notes.md\n"),
        ("wc -lc sales.csv notes.md", " 4 30 sales.csv\n 3 49 notes.md\n 7 79 total\n"),
        ("head -n 1 sales.csv", "day,amount\n"),
        ("head -2 sales.csv", "day,amount\nmon,1\n"),
        ("head -c 3 sales.csv", "day"),
        ("tail -n 1 sales.csv", "wed,30\n"),
        ("tail -n 0 sales.csv", ""),
        ("cat docs/guide.txt", "install it\nbudget: none\n"),
        ("cat -n docs/guide.txt", "     1\tinstall it\n     2\tbudget: none\n"),
        ("ls docs", "guide.txt\n"),
        ("ls -r", "sales.csv\nnotes.md\ndocs\n"),
        ("find . -name '*.txt'", "./docs/guide.txt\n"),
        ("find docs -type f", "docs/guide.txt\n"),
        ("find . -maxdepth 1 -type f ! -name '*.md'", "./sales.csv\n"),
        ("find . ( -name '*.md' -o -name '*.csv' ) -print", "./notes.md\n./sales.csv\n"),
        ("grep budget notes.md", "the budget is 10\n"),
        ("grep -in budget notes.md", "2:the budget is 10\n3:ask Ann about the Budget\n"),
        ("grep -c e sales.csv", "2\n"),
        ("grep -rl budget .", "docs/guide.txt\nnotes.md\n"),
        ("grep -r --include '*.txt' budget .", "docs/guide.txt:budget: none\n"),
        ("grep -o '[0-9]*' sales.csv", "1\n2\n30\n"),
        ("grep -A1 Plan notes.md", "# Plan\nthe budget is 10\n"),
        ("grep -B 1 -n Ann notes.md", "2-the budget is 10\n3:ask Ann about the Budget\n"),
        ("grep -v , notes.md", "# Plan\nthe budget is 10\nask Ann about the Budget\n"),
        ("grep -m 1 -e a -e m sales.csv", "day,amount\n"),
        ("grep -E '^(mon|tue),[0-9]$' sales.csv", "mon,1\ntue,2\n"),
        ("echo 'hello   world' again", "hello   world again\n"),
        ("base64 encode hi", "aGk=\n"),
        ("base64 decode aGk=", "hi\n"),
        ("du -s docs", "1\tdocs\n"),
    ],
)
def test_reading_commands_print_what_one_expects(
    context: ToolContext, line: str, printed: str
) -> None:
    """A reading command prints what the usual one prints, and changes nothing."""
    output = run(context, line)
    assert output.value["stdout"] == printed
    assert output.exit_code == output.value["exit_code"] == 0
    assert not output.changes.created
    assert not output.changes.updated
    assert not output.changes.deleted


def test_the_end_of_a_file_with_a_gap_costs_no_memory(context: ToolContext, root: Path) -> None:
    """What has no line ends for gigabytes is read from its last megabyte on."""
    with (root / "gap").open("wb") as file:
        file.truncate(3 << 30)
        file.seek(0, 2)
        file.write(b"\none\ntwo\n")
    (root / "long").write_bytes(b"".join(b"%d\n" % n for n in range(400_000)))
    tracemalloc.start()
    try:
        said = run(context, "tail", "-n", "2", "gap").text
        ends = run(context, "tail", "-n", "3", "long").text
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert said == "one\ntwo\n"
    assert ends == "399997\n399998\n399999\n"
    assert peak < 64 << 20


def test_text_is_the_stdout(context: ToolContext) -> None:
    """A person reads what the command printed."""
    assert run(context, "wc", "-l", "sales.csv").text == "4 sales.csv\n"


def test_no_match_is_no_failure(context: ToolContext) -> None:
    """A grep that finds nothing completes, with the exit code that grep gives."""
    output = run(context, "grep", "zebra", "notes.md")
    assert (output.exit_code, output.value["exit_code"]) == (0, 1)
    assert output.text == "no line matches"


def test_status_says_where_one_is(context: ToolContext, root: Path) -> None:
    """No command at all is the status: three lines and a short listing."""
    for output in (terminal.call(context, {}), run(context, "status")):
        lines = output.text.splitlines()
        assert lines[0].startswith("Session: ")
        assert lines[1] == f"Working directory: {root}"
        assert lines[2].startswith("Allowed commands: status pwd ls cd")
        assert [line.strip() for line in lines[3:]] == ["docs/", "notes.md", "sales.csv"]


def test_ls_shows_long_lines_on_its_own(context: ToolContext) -> None:
    """A bare ls is ls -la."""
    assert run(context, "ls").text == run(context, "ls -la").text
    assert "30 " in run(context, "ls").text


def test_ls_sorts_by_size(context: ToolContext, root: Path) -> None:
    """The largest file comes first with -S, the smallest with -Sr, sizes are short with -h."""
    (root / "docs" / "big.bin").write_bytes(b"x" * 3000)
    assert run(context, "ls", "-S", "docs").text == "big.bin\nguide.txt\n"
    assert run(context, "ls", "-Sr", "docs").text == "guide.txt\nbig.bin\n"
    assert " 2.9K " in run(context, "ls", "-lhS", "docs").text


def test_stat_names_size_and_kind(context: ToolContext) -> None:
    """Stat says how large a file is and what it is."""
    text = run(context, "stat", "sales.csv").text
    assert "Size: 30 bytes" in text
    assert "Type: file" in text


def test_date_is_today(context: ToolContext) -> None:
    """Date gives the day in several forms."""
    today = datetime.now().astimezone().date()
    assert run(context, "date", "+%Y-%m-%d").text.strip() == today.isoformat()
    assert run(context, "date -I").text.strip() == today.isoformat()
    assert str(today.year) in run(context, "date").text
    with pytest.raises(ToolInputError):
        run(context, "date", "tomorrow")


def test_the_folder_persists(context: ToolContext, root: Path) -> None:
    """A cd holds for the next calls of the run, and names start there."""
    assert run(context, "cd docs").value["cwd"] == str(root / "docs")
    assert run(context, "pwd").text == f"{root / 'docs'}\n"
    assert run(context, "cat guide.txt").exit_code == 0
    assert run(context, "cat ../notes.md").exit_code == 0
    with pytest.raises(ToolRefusedError):
        run(context, "cd ../..")
    assert context.run.folder == "docs"


def test_one_missing_file_does_not_hide_the_others(context: ToolContext) -> None:
    """With several names the others are shown and the call fails; a lone name raises."""
    output = run(context, "cat", "nope.txt", "docs/guide.txt")
    assert output.value["stdout"] == "install it\nbudget: none\n"
    assert output.exit_code == 1
    assert "nope.txt" in output.error
    with pytest.raises(ToolNotFoundError):
        run(context, "cat", "nope.txt")


def test_output_is_bounded(context: ToolContext, root: Path) -> None:
    """A long output is cut at its bound, and the cut is said."""
    (root / "big.txt").write_text("0123456789\n" * 20_000)
    output = run(context, "cat", "big.txt")
    assert len(output.value["stdout"]) == 65_536
    assert "cut at 65,536 characters" in output.value["stderr"]
    assert output.text.endswith("(the output was cut at 65,536 characters)")
    assert run(context, "wc", "-l", "big.txt").text == "20000 big.txt\n"


def test_a_deep_tree_is_bounded(context: ToolContext, root: Path) -> None:
    """A tree deeper than the bound is searched down to it, and the rest is reported."""
    deep = root.joinpath(*["d"] * 40)
    deep.mkdir(parents=True)
    output = run(context, "find", ".", "-type", "d")
    assert "stopped at 32 levels" in output.value["stderr"]
    assert run(context, "find", ".", "-maxdepth", "2", "-type", "d").exit_code == 0


def test_time_is_bounded(context: ToolContext) -> None:
    """A command whose time is up ends."""
    with pytest.raises(ToolTimeoutError):
        run(replace(context, timeout_s=0.0), "cat", "notes.md")


@pytest.mark.parametrize(
    "pattern", ["(a|aa)+$", "(a*)*b", "(.*)(.*)(.*)(.*)(.*)x", "(a?){40}a{40}b"]
)
def test_no_pattern_takes_long(context: ToolContext, root: Path, pattern: str) -> None:
    """Patterns on which a backtracking engine hangs take a moment."""
    (root / "aaa.txt").write_text("a" * 20_000 + "!\n")
    start = time.monotonic()
    run(context, "grep", "-cE", pattern, "aaa.txt")
    assert time.monotonic() - start < 3


# --- changing ----------------------------------------------------------------------------


def test_mkdir_reports_what_it_made(context: ToolContext, root: Path) -> None:
    """Mkdir makes missing folders above, reports each, and accepts one that is there."""
    assert run(context, "mkdir", "-p", "x/y").changes.created == ("x", "x/y")
    assert (root / "x" / "y").is_dir()
    assert run(context, "mkdir", "x").changes.created == ()
    assert run(context, "rmdir", "x/y").changes.deleted == ("x/y",)
    with pytest.raises(ToolFailedError, match="something in it"):
        run(context, "rmdir", "docs")


def test_mv_reports_both_ends(context: ToolContext, root: Path) -> None:
    """Mv renames, moves into a folder, takes along what a folder holds, and says so."""
    changes = run(context, "mv", "notes.md", "plan.md").changes
    assert (changes.deleted, changes.created) == (("notes.md",), ("plan.md",))
    assert run(context, "mv", "plan.md", "docs").changes.created == ("docs/plan.md",)
    changes = run(context, "mv", "docs", "texts").changes
    assert changes.created == ("texts", "texts/guide.txt", "texts/plan.md")
    assert files(root) == {"sales.csv", "texts", "texts/guide.txt", "texts/plan.md"}


def test_cp_copies_files_and_folders(context: ToolContext, root: Path) -> None:
    """Cp reports new and replaced files, and takes folders only with -r."""
    assert run(context, "cp", "notes.md", "copy.md").changes.created == ("copy.md",)
    assert run(context, "cp", "sales.csv", "copy.md").changes.updated == ("copy.md",)
    assert (root / "copy.md").read_bytes() == (root / "sales.csv").read_bytes()
    run(context, "cp", "-n", "notes.md", "copy.md")
    assert (root / "copy.md").read_bytes() == (root / "sales.csv").read_bytes()
    assert run(context, "cp", "-r", "docs", "d2").changes.created == ("d2", "d2/guide.txt")
    with pytest.raises(ToolFailedError, match="cp -r"):
        run(context, "cp", "docs", "d3")
    with pytest.raises(ToolFailedError, match="into itself"):
        run(context, "cp", "-r", "docs", "docs/inner")


@pytest.mark.parametrize("command", ["mv", "cp"])
def test_a_link_is_not_put_in_place_of_its_target(
    context: ToolContext, root: Path, command: str
) -> None:
    """The file keeps what it holds, also where a link is in the path of the target."""
    (root / "latest.md").symlink_to("notes.md")
    (root / "texts").symlink_to("docs")
    held = (root / "notes.md").read_text()
    with pytest.raises(ToolFailedError, match=r"latest\.md and notes\.md are the same file"):
        run(context, command, "latest.md", "notes.md")
    with pytest.raises(ToolFailedError, match="same file"):
        run(context, command, "docs/guide.txt", "texts")
    assert (root / "notes.md").read_text() == held
    assert files(root) == {
        "notes.md", "latest.md", "sales.csv", "docs", "docs/guide.txt", "texts"
    }  # fmt: skip


def test_cp_does_not_copy_a_folder_into_itself_by_a_link(context: ToolContext, root: Path) -> None:
    """The link is followed, on either side."""
    (root / "texts").symlink_to("docs")
    for source, target in (("docs", "texts"), ("texts", "docs/inner"), ("docs/.", "texts")):
        with pytest.raises(ToolFailedError, match="into itself"):
            run(context, "cp", "-r", source, target)
    assert files(root) == {"notes.md", "sales.csv", "docs", "docs/guide.txt", "texts"}


def test_the_content_of_a_folder_is_copied_as_cp_does(context: ToolContext, root: Path) -> None:
    """Into a folder that is there, beside what it holds; mv refuses it, as the system's does."""
    (root / "all").mkdir()
    (root / "all" / "old.txt").write_text("old")
    assert run(context, "cp", "-r", "docs/.", "all").changes.created == ("all/guide.txt",)
    assert run(context, "cp", "-r", "docs/./", "new").changes.created == ("new", "new/guide.txt")
    assert (root / "all" / "old.txt").read_text() == "old"
    for words in (["mv", "docs/.", "all"], ["cp", "-r", "-n", "docs/.", "all"]):
        with pytest.raises(ToolFailedError, match="the content of a folder, is not"):
            run(context, *words)


def test_sources_of_one_name_do_not_overwrite_each_other(context: ToolContext, root: Path) -> None:
    """Two sources of the same name are refused before anything moves."""
    (root / "a").mkdir()
    (root / "a" / "guide.txt").write_text("other")
    with pytest.raises(ToolFailedError, match="same name"):
        run(context, "mv", "docs/guide.txt", "a/guide.txt", ".")
    assert (root / "a" / "guide.txt").exists()


def test_touch_makes_or_updates(context: ToolContext) -> None:
    """Touch reports a new file as made and an old one as changed."""
    assert run(context, "touch", "new.txt").changes.created == ("new.txt",)
    assert run(context, "touch", "new.txt").changes.updated == ("new.txt",)


def test_rm_says_what_it_removed(context: ToolContext, root: Path) -> None:
    """Rm removes the files it is given and reports what was and what was not removed."""
    output = run(context, "rm", "notes.md", "docs", "nope")
    assert output.changes.deleted == ("notes.md",)
    assert "removed notes.md" in output.text
    assert "docs is a folder and was not removed" in output.value["stderr"]
    assert output.exit_code == 1
    assert run(context, "rm", "-r", "docs").changes.deleted == ("docs/guide.txt", "docs")
    assert files(root) == {"sales.csv"}


@pytest.mark.parametrize(
    "option",
    [
        *("-f", "-rf", "-fr", "-i", "-if", "-I", "-d", "-R", "-v", "--dir", "--force", "--inter=n"),
        *("--recursive", "--recurs", "--interactive=never", "--no-preserve-root", "-r -f"),
        "--one-file-system",
    ],
)
def test_every_other_option_of_rm_is_refused(context: ToolContext, root: Path, option: str) -> None:
    """No spelling but -r reaches rm; nothing is removed."""
    before = files(root)
    for words in ([*option.split(), "docs"], ["docs", *option.split()]):
        with pytest.raises(ToolRefusedError):
            run(context, "rm", *words)
        assert terminal.effect_of({"command": "rm", "args": words}) == {"reads", "writes"}
    assert files(root) == before


def test_rm_does_not_remove_where_one_stands(context: ToolContext, root: Path) -> None:
    """The root, the working folder and what holds it stay."""
    run(context, "cd", "docs")
    for name in (".", "..", "../docs", str(root)):
        with pytest.raises(ToolRefusedError):
            run(context, "rm", "-r", name)
    assert (root / "docs" / "guide.txt").exists()


def test_rm_removes_a_link_and_not_what_it_points_to(context: ToolContext, root: Path) -> None:
    """Removing a folder removes the links in it, never what lies behind them."""
    (root / "docs" / "out").symlink_to("../../secret.txt")
    (root / "docs" / "up").symlink_to("../..")
    run(context, "rm", "-r", "docs")
    assert (root.parent / "secret.txt").read_text() == "outside\n"


def test_a_name_that_looks_like_an_option(context: ToolContext, root: Path) -> None:
    """After -- a name may start with a dash."""
    (root / "-rf").write_text("x")
    assert run(context, "cat", "--", "-rf").text == "x"
    assert run(context, "rm", "--", "-rf").changes.deleted == ("-rf",)
    assert "docs" in files(root)


# --- what is shown before ----------------------------------------------------------------


def test_the_preview_lists_every_path(context: ToolContext, root: Path) -> None:
    """The preview of a change names each path, and shows nothing for reading commands."""

    def preview(*words: str) -> str:
        return terminal.preview_of(context, {"command": words[0], "args": list(words[1:])})

    before = files(root)
    assert preview("rm", "-r", "docs", "notes.md").splitlines() == [
        "docs",
        "docs/guide.txt",
        "notes.md",
    ]
    assert preview("mv", "notes.md", "docs") == "notes.md -> docs/notes.md"
    assert "replaces what is there" in preview("cp", "notes.md", "sales.csv")
    assert preview("mkdir", "a", "b") == "a\nb"
    assert preview("ls") == ""
    assert "not allowed" in preview("rm", "-f", "x")
    assert files(root) == before


def test_what_was_done_before_a_failure_is_reported(context: ToolContext) -> None:
    """A change that is made before the call fails still reaches the ledger."""
    output = run(context, "mkdir", "fresh", "notes.md/x")
    assert output.changes.created == ("fresh",)
    assert output.exit_code == 1


def test_base64_takes_any_text(context: ToolContext) -> None:
    """Base64 encodes inline text of any kind, and refuses what it cannot decode."""
    encoded = run(context, "base64", "encode", "-n grüße").text.strip()
    assert base64.b64decode(encoded).decode() == "-n grüße"
    with pytest.raises(ToolInputError):
        run(context, "base64", "decode", "%%%")


def test_every_example_is_a_call_that_is_allowed() -> None:
    """The examples that a model copies keep to the schema and to the table."""
    for example in terminal.examples:
        assert terminal.violations(example.args) == []
        call = parse(example.args["command"], example.args["args"])
        assert call.command.name == example.args["command"]
