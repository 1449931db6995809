"""terminal: what it refuses, what it declares, and that nothing outside is reached."""

from __future__ import annotations

from pathlib import Path

import pytest

from okso_jupyter.errors import ToolError, ToolInputError, ToolRefusedError
from okso_jupyter.toolkit.context import ToolContext
from okso_jupyter.toolkit.tool import ToolOutput
from okso_jupyter.tools.terminal import terminal
from tests.each_row import each_row


def run(context: ToolContext, command: str, *args: str) -> ToolOutput:
    """Run one command."""
    return terminal.call(context, {"command": command, "args": list(args)})


def files(root: Path) -> set[str]:
    """Return the paths of everything below the root."""
    return {str(path.relative_to(root)) for path in root.rglob("*")}


@pytest.mark.parametrize(
    "words",
    [
        *(["find", ".", "-delete"], ["find", ".", "-exec", "rm", "{}", "+"]),
        *(["find", ".", "-fprint", "x"], ["find", ".", "-ok", "ls"], ["find", "-L", "."]),
        *(["find", ".", "-execdir", "x"], ["find", ".", "-fls", "x"], ["find", ".", "-nam", "x"]),
        *(["ls", "docs", "-l"], ["ls", "--all"], ["ls", "-Z"], ["cat", "-A", "notes.md"]),
        *(["grep", "-f", "x", "y"], ["grep", "-P", "x", "y"], ["grep", "--inc=x", "y", "z"]),
        *(["tail", "-f", "notes.md"], ["wc", "--files0-from=x"], ["du", "--files0-from=x"]),
        *(["cp", "--targ=docs", "notes.md"], ["cp", "-s", "a", "b"], ["cp", "-t", "docs", "x"]),
        *(["mv", "-f", "notes.md", "x"], ["date", "-f", "notes.md"], ["date", "-s", "x"]),
        *(["mkdir", "-m", "777", "x"], ["touch", "-r", "notes.md", "x"], ["stat", "-f", "x"]),
        *(["ls|wc"], ["ls; rm notes.md"], ["cat notes.md > x"], ["ls && rm notes.md"]),
        *(["bash"], ["sh", "-c", "ls"], ["python"], ["/bin/ls"], ["../ls"], ["LS"]),
        *(["base64", "-o", "x"], ["echo", "x", ">", "notes.md"], ["cat 'open"]),
    ],
)
def test_what_is_not_in_the_table_is_refused(
    context: ToolContext, root: Path, words: list[str]
) -> None:
    """Options, commands and shell syntax beyond the table are refused and change nothing."""
    before = files(root)
    with pytest.raises(ToolError):
        run(context, *words)
    assert terminal.effect_of({"command": words[0], "args": words[1:]}) == {"reads", "writes"}
    assert files(root) == before


@pytest.mark.parametrize(
    "words",
    [
        *(
            ["cat", "../secret.txt"],
            ["cat", "/etc/passwd"],
            ["cat", "out"],
            ["head", "up/secret.txt"],
        ),
        *(["ls", ".."], ["find", "/"], ["find", "up/"], ["grep", "-r", "x", "up"], ["wc", "out"]),
        *(["cp", "out", "mine"], ["cp", "notes.md", "../x"], ["mv", "notes.md", "up"]),
        *(["rm", "../secret.txt"], ["rm", "-r", "up/ws"], ["touch", "up/x"], ["mkdir", "../x"]),
        *(["find", ".", "-newer", "../secret.txt"], ["du", "up/"], ["cd", "up"], ["cat", "~/x"]),
    ],
)
def test_nothing_outside_is_reached(context: ToolContext, root: Path, words: list[str]) -> None:
    """No command reads or changes what lies outside the root, by path or by link."""
    (root / "out").symlink_to("../secret.txt")
    (root / "up").symlink_to("..")
    try:
        printed = run(context, *words).text
    except ToolRefusedError as error:
        printed = str(error)
    assert "outside\n" not in printed
    assert sorted(path.name for path in root.parent.iterdir()) == ["secret.txt", "ws"]
    assert (root / "notes.md").exists()


def test_nul_and_long_words_are_input_errors(context: ToolContext) -> None:
    """Malformed words are refused before anything is opened."""
    for word in ("notes.md\0", "", "x" * 5_000):
        with pytest.raises(ToolInputError):
            run(context, "cat", word)


@each_row(
    ("words", "effects"),
    [
        (["ls"], {"reads"}),
        (["ls -la"], {"reads"}),
        (["find", ".", "-name", "x"], {"reads"}),
        (["wc", "-l", "a.csv"], {"reads"}),
        (["pwd"], set()),
        (["status"], set()),
        (["date"], set()),
        (["echo", "rm", "-rf"], set()),
        (["base64", "encode", "x"], set()),
        (["mkdir", "x"], {"writes"}),
        (["mv", "a", "b"], {"writes"}),
        (["cp", "a", "b"], {"reads", "writes"}),
        (["touch", "a"], {"writes"}),
        (["rmdir", "a"], {"writes"}),
        (["rm", "a"], {"writes", "irreversible"}),
        (["rm -r a"], {"writes", "irreversible"}),
        (["cp", "x", ".git/hooks/pre-commit"], {"reads", "writes", "runs_code"}),
        (["mv", "a/hooks", ".git"], {"writes", "runs_code"}),
        (["cat", ".git/config"], {"reads"}),
        (["nosuch"], {"reads", "writes"}),
        (["mv", "a"], {"reads", "writes"}),
    ],
)
def test_effects_follow_command_and_arguments(words: list[str], effects: set[str]) -> None:
    """What a call does is known from its command and arguments alone."""
    assert terminal.effect_of({"command": words[0], "args": words[1:]}) == effects


@each_row(
    "args",
    [{"command": 3}, {"command": "ls", "args": "x"}, {"command": "ls", "args": [1]}, {},
     {"command": ""}, {"command": "__MISSING__"}, {"command": None}, {"args": ["notes.md"]}],
)  # fmt: skip
def test_a_call_that_is_not_known_yet_counts_as_writing(args: dict[str, object]) -> None:
    """Arguments that are open, missing or of the wrong type are judged for the worse."""
    assert terminal.effect_of(args) == {"reads", "writes"}


def test_a_protected_name_is_refused_where_the_call_hides_it(
    context: ToolContext, root: Path
) -> None:
    """From inside .git a hook is refused; named in full it is declared, and works."""
    (root / ".git" / "hooks").mkdir(parents=True)
    run(context, "cd", ".git/hooks")
    with pytest.raises(ToolRefusedError, match="name it in full"):
        run(context, "touch", "pre-commit")
    run(context, "cd", "../..")
    assert run(context, "touch", ".git/hooks/pre-commit").exit_code == 0


def test_a_copied_folder_does_not_turn_into_a_module(context: ToolContext, root: Path) -> None:
    """Copying cannot turn ordinary files into protected ones unseen; a backup works."""
    (root / "dot").mkdir(parents=True)
    (root / "dot" / "__init__.py").write_text("x")
    (root / "docs" / "conftest.py").write_text("x")
    for command in (["cp", "-r"], ["mv"]):
        with pytest.raises(ToolRefusedError):
            run(context, *command, "dot", "json")
    assert "backup/conftest.py" in run(context, "cp", "-r", "docs", "backup").changes.created
