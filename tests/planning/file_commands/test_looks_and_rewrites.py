"""Requests to search, list and rewrite files: the steps that they are read as."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.each_row import each_row
from tests.planning.file_commands.read_steps import args_of, filled, steps_of

_FILES = {
    "app.py": "# TODO: errors\ndef main(): ...\n",
    "config.json": '{\n  "port": 8080,\n  "debug": true,\n  "name": "shop"\n}\n',
    "settings.toml": 'level = "info"\nretries = 3\n\n[db]\nretries = 5\n',
    "app.env": "HOST=localhost\nDEBUG=1\n",
    "names.txt": "delta\nalpha\nBravo\nalpha\n",
    "numbers.txt": "10\n9\n100",
    "orders.csv": "b,1\na,2\n",
    "notes/todo.md": "call the plumber\n",
    "notes/plan.md": "budget\n",
}


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    filled(tmp_path, _FILES)
    (tmp_path / "empty").mkdir()
    return tmp_path


@each_row(
    ("request_", "query", "paths"),
    [
        ("Find all TODOs in the python files", "TODO", ["app.py"]),
        ("find TODO comments", "TODO", []),
        ("Is there a file that mentions plumber?", "plumber", []),
        ("Which files mention the word budget?", "budget", []),
        ("which markdown files contain plumber", "plumber", ["notes/plan.md", "notes/todo.md"]),
        ("Search notes for budget", "budget", ["notes"]),
        ('Search all files for "80 80"', "80 80", []),
        ("Show lines containing alpha in names.txt", "alpha", ["names.txt"]),
        ("Where is main defined?", "main", []),
        ("Which files mention the budget?", "budget", []),
        ("welche Dateien erwähnen plumber?", "plumber", []),
        ("Do any files in notes talk about budget?", "budget", ["notes"]),
    ],
)
def test_a_search(request_: str, query: str, paths: list[str], folder: Path) -> None:
    """A text is looked for in the files, the kind of files or the folder that is named."""
    found = args_of(folder, request_)
    assert found["query"] == query
    assert sorted(found.get("paths", [])) == paths


@each_row(
    ("request_", "args"),
    [
        ("list files", []),
        ("List the files in notes", ["notes"]),
        ("Which files are here?", []),
        ("What files are in the notes folder?", ["notes"]),
        ("show me the contents of notes", ["notes"]),
        ("what's in this folder?", []),
        ("What is in notes?", ["notes"]),
        ("which files do we have", []),
        ("what files does notes contain?", ["notes"]),
        ("Welche Dateien sind in notes?", ["notes"]),
    ],
)
def test_what_is_in_a_folder_is_listed(request_: str, args: list[str], folder: Path) -> None:
    """The folder that is named, or the notebook's own."""
    assert args_of(folder, request_) == {"command": "ls", "args": args}


def test_files_of_a_kind_are_listed(folder: Path) -> None:
    """By name, beneath a folder, or with their sizes."""
    assert args_of(folder, "list all python files") == {
        "command": "find",
        "args": [".", "-name", "*.py"],
    }
    found = args_of(folder, "show the markdown files in notes with their sizes")
    assert found == {"command": "ls", "args": ["-lh", "notes/plan.md", "notes/todo.md"]}


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        ("Show me the first 3 lines of names.txt", "head -n 3 names.txt"),
        ("what are the last two lines of names.txt?", "tail -n 2 names.txt"),
        ("show the first line of names.txt", "head -n 1 names.txt"),
        ("Make a backup of config.json", "cp config.json config.json.bak"),
        ("back up names.txt", "cp names.txt names.txt.bak"),
    ],
)
def test_lines_and_backups(request_: str, words: str, folder: Path) -> None:
    """One command of the terminal each."""
    args = args_of(folder, request_)
    assert " ".join([args["command"], *args["args"]]) == words


@pytest.mark.parametrize(
    ("request_", "path"),
    [
        ("describe orders.csv", "orders.csv"),
        ("Give me a quick summary of orders.csv", "orders.csv"),
    ],
)
def test_a_table_is_described(request_: str, path: str, folder: Path) -> None:
    """Of a table its size, columns and first row are shown, which describe it."""
    assert args_of(folder, request_) == {"path": path}


def test_a_backup_goes_into_the_folder_of_that_name(folder: Path) -> None:
    """Where there is one, and nothing of the file's name is in it."""
    (folder / "backup").mkdir()
    found = args_of(folder, "Make a backup of config.json")
    assert found == {"command": "cp", "args": ["config.json", "backup/config.json"]}
    (folder / "backup/config.json").write_text("")
    assert not steps_of(folder, "Make a backup of config.json")


def test_there_is_the_folder_that_was_made(folder: Path) -> None:
    """A clause speaks of the folder that the one before makes."""
    steps = steps_of(folder, "Create a folder reports and copy orders.csv there")
    assert [step["args"]["args"] for step in steps] == [["reports"], ["orders.csv", "reports"]]


@pytest.mark.parametrize(
    ("request_", "first"),
    [
        ("Which file is the largest?", "big.bin"),
        ("What is the smallest file?", "small.bin"),
        ("show the 2 largest files", "big.bin"),
        ("which markdown file in notes is the biggest?", "notes/todo.md"),
    ],
)
def test_files_are_compared(
    request_: str, first: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    """The code finds the file by size; hidden ones do not count."""
    (folder / "big.bin").write_bytes(b"x" * 5000)
    (folder / "small.bin").write_bytes(b"")
    (folder / ".hidden").write_bytes(b"x" * 9000)
    monkeypatch.chdir(folder)
    exec(args_of(folder, request_)["input"], {})  # noqa: S102  the code of the step
    assert capsys.readouterr().out.startswith(f"{first}: ")


@pytest.mark.parametrize(
    ("request_", "path", "content", "mode"),
    [
        (
            "Sort names.txt alphabetically and save it as sorted.txt",
            "sorted.txt",
            "alpha\nalpha\nBravo\ndelta\n",
            "create",
        ),
        (
            "sort the lines of names.txt in reverse order and save them to r.txt",
            "r.txt",
            "delta\nBravo\nalpha\nalpha\n",
            "create",
        ),
        ("Sort numbers.txt in place", "numbers.txt", "9\n10\n100", "replace"),
        (
            "Remove duplicate lines from names.txt",
            "names.txt",
            "delta\nalpha\nBravo\n",
            "replace",
        ),
        (
            "Lösche doppelte Zeilen aus names.txt",
            "names.txt",
            "delta\nalpha\nBravo\n",
            "replace",
        ),
        ("Create hello.py that prints hello world", "hello.py", 'print("hello world")\n', "create"),
    ],
)
def test_what_is_written_is_known_before(
    request_: str, path: str, content: str, mode: str, folder: Path
) -> None:
    """The content stands in the call, so that the form shows what changes."""
    assert args_of(folder, request_) == {"path": path, "content": content, "mode": mode}


@pytest.mark.parametrize(
    ("request_", "old", "new"),
    [
        ("Change the port in config.json to 9000", '"port": 8080', '"port": 9000'),
        ("in config.json, set debug to false", '"debug": true', '"debug": false'),
        ("set name to store in config.json", '"name": "shop"', '"name": "store"'),
        ("set level in settings.toml to debug", 'level = "info"', 'level = "debug"'),
        ("Set DEBUG to 0 in app.env", "DEBUG=1", "DEBUG=0"),
    ],
)
def test_a_value_is_set_where_it_stands(request_: str, old: str, new: str, folder: Path) -> None:
    """In JSON, TOML and a list of variables; quotation marks stay."""
    found = args_of(folder, request_)
    assert (found["old_text"], found["new_text"]) == (old, new)


@each_row(
    ("name", "text", "request_"),
    [
        ("a.yaml", "title: My shop\n", "set title to Store in a.yaml"),
        ("a.yaml", "text: |\n  one\n", "set text to two in a.yaml"),
        ("a.json", '{"hosts": ["a"]}', "set hosts to b in a.json"),
        ("a.json", '{"hosts": [\n"a"]}', "set hosts to b in a.json"),
        ("a.json", '{"debug": true}', "set debug to off in a.json"),
        ("a.json", '{"a": {"port": 1}, "b": {"port": 2}}', "set port to 3 in a.json"),
        ("a.toml", "debug = true\n", "set debug to off in a.toml"),
        ("a.py", "run(port=8080)\n", "set port to 9000 in a.py"),
        ("a.py", "port = base + 1\n", "set port to 9000 in a.py"),
        ("a.ini", "# port = 8080\n", "set port to 9000 in a.ini"),
        ("a.ini", "dbxport = 8080\n", "set db.port to 9000 in a.ini"),
    ],
)
def test_a_part_of_a_value_is_not_taken_for_the_whole(
    name: str, text: str, request_: str, folder: Path
) -> None:
    """Texts of several words, lists, expressions and comments; nor is a file made unreadable."""
    (folder / name).write_text(text)
    assert not steps_of(folder, request_)


def test_a_value_on_a_line_with_others_is_set(folder: Path) -> None:
    """JSON on one line, and a comment behind a value."""
    (folder / "one.json").write_text('{"port": 8080, "debug": true}')
    (folder / "a.ini").write_text("port = 8080  # of the server\n")
    assert args_of(folder, "set debug to false in one.json")["new_text"] == '"debug": false'
    assert args_of(folder, "set port to 9000 in one.json")["new_text"] == '"port": 9000'
    assert args_of(folder, "set port to 9000 in a.ini")["new_text"] == "port = 9000"


def test_line_ends_stay_as_they_are(folder: Path) -> None:
    """Lines of Windows keep their ends; other separators within a line are text."""
    (folder / "w.txt").write_bytes(b"b\r\na\r\nb\r\n")
    (folder / "u.txt").write_text("b\u2028c\na\nb\u2028c\n", "utf-8")
    assert args_of(folder, "Remove duplicate lines from w.txt")["content"] == "b\r\na\r\n"
    assert args_of(folder, "Remove duplicate lines from u.txt")["content"] == "b\u2028c\na\n"


@pytest.mark.parametrize(
    ("request_", "old", "new"),
    [
        ('mark "buy paint" as done in list.md', "- [ ] Buy paint", "- [x] Buy paint"),
        ("Tick off call Bo in list.md", "  * [ ] call Bo", "  * [x] call Bo"),
        ("in list.md, mark the task call bo as finished", "  * [ ] call Bo", "  * [x] call Bo"),
        ("mark buy paint in list.md as done", "- [ ] Buy paint", "- [x] Buy paint"),
    ],
)
def test_a_task_is_marked_as_done(request_: str, old: str, new: str, folder: Path) -> None:
    """The one open task whose words are said."""
    (folder / "list.md").write_text("- [ ] Buy paint\n  * [ ] call Bo\n- [x] call the bank\n")
    found = args_of(folder, request_)
    assert (found["old_text"], found["new_text"]) == (old, new)


@pytest.mark.parametrize(
    "request_",
    [
        "mark call the bank as done in list.md",
        "mark call as done in list.md",
        "tick off x in list.md",
    ],
)
def test_a_task_that_is_none_or_several_is_not_marked(request_: str, folder: Path) -> None:
    """What is done already, what two tasks say, and what none says."""
    (folder / "list.md").write_text("- [ ] call Ann\n- [ ] call Bo\n- [x] call the bank\n")
    assert not steps_of(folder, request_)


def test_the_only_file_of_a_kind_needs_no_name(folder: Path) -> None:
    """The log is the one that is there; where there are two, none is meant."""
    request = "Show me the last 2 lines of the log"
    assert not steps_of(folder, request)
    (folder / "web.log").write_text("a\nb\nc\n")
    assert args_of(folder, request) == {"command": "tail", "args": ["-n", "2", "web.log"]}
    assert args_of(folder, "copy the log file to old.log")["args"] == ["web.log", "old.log"]
    (folder / "mail.log").write_text("d\n")
    assert not steps_of(folder, request)


def test_an_empty_folder_is_deleted_and_no_other(folder: Path) -> None:
    """What is in a folder is not deleted with it."""
    assert args_of(folder, "Delete the folder empty") == {"command": "rmdir", "args": ["empty"]}
    assert not steps_of(folder, "Delete the folder notes")


@each_row(
    "request_",
    [
        "set retries in settings.toml to 4",  # two places
        "set colour in config.json to red",  # none
        "set port in config.json to 8080",  # nothing would change
        "find orders in orders.csv",
        "find duplicates in orders.csv",
        "which file has the most lines?",
        "Sort orders.csv by amount and save it as o.csv",
        "Sort orders.csv and save it as o.csv",
        "Sort names.txt and save it as config.json",
        "Create app.py that prints hello",
        "Create hello.txt that prints hello",
        "Remove duplicate lines from missing.txt",
        "what is in names.txt?",
        "list the files in missing",
        "what is here to do?",
        "what is in the air?",
        "Which files contain more than 100 lines?",
        "summarise notes/todo.md",
        "show the first 3 lines of missing.txt",
        "read notes",
        "Show the five largest orders",
        "set the table for dinner",
        "find the largest number in numbers.txt",
    ],
)
def test_what_is_not_understood_is_left_to_the_model(request_: str, folder: Path) -> None:
    """Tables, files that are there, values that are not, and other questions."""
    assert not steps_of(folder, request_)


@each_row(
    ("request_", "args"),
    [
        ("In welchen Dateien kommt das Wort red vor?", {"query": "red"}),
        ("In welcher Datei steht red?", {"query": "red"}),
        ("Wo kommt der Begriff red vor?", {"query": "red"}),
        ("In welcher Datei steht etwas über Bo Berg?", {"query": "Bo Berg"}),
        ("In which files does the word red appear?", {"query": "red"}),
        ("Where does red occur?", {"query": "red"}),
        ("Is there a FIXME anywhere? In which file and line?", {"query": "FIXME"}),
        ("Are there any todos in my files, and in which files?", {"query": "todo"}),
        ("Gibt es irgendwo ein TODO? In welcher Datei und Zeile?", {"query": "TODO"}),
    ],
)
def test_a_question_where_a_word_stands_is_a_search(
    tmp_path: Path, request_: str, args: dict[str, str]
) -> None:
    """All files are searched for the word, or for a mark such as FIXME."""
    folder = filled(tmp_path, {"a.txt": "red\nBo Berg\n"})
    assert args_of(folder, request_) == args


def test_what_is_no_text_of_a_file_is_not_searched_for(tmp_path: Path) -> None:
    """It is asked about, in other words than the file has."""
    folder = filled(tmp_path, {"a.txt": "Bo Berg 040 1234\n"})
    assert steps_of(folder, "In welcher Datei steht die Telefonnummer von Bo Berg?") == []


@each_row(
    ("request_", "query"),
    [
        ("Which essay is about robots?", "robots"),
        ("What essays mention the moon?", "moon"),
        ("Welcher Essay handelt von Robots?", "Robots"),
    ],
)
def test_the_one_of_a_group_that_is_about_something(
    tmp_path: Path, request_: str, query: str
) -> None:
    """The files that are called so together are searched."""
    texts = {"essay_1.txt": "On robots\n", "essay_2.txt": "The moon\n", "robots.txt": "robots\n"}
    args = args_of(filled(tmp_path, texts), request_)
    assert args == {"query": query, "paths": ["essay_1.txt", "essay_2.txt"]}


@each_row(
    "request_",
    ["Which essay is about whales?", "Which poem is about robots?", "Is there a PDF anywhere?"],
)
def test_no_group_or_no_such_text_is_left(tmp_path: Path, request_: str) -> None:
    """Nothing is called so, no file tells of it, or files of a kind are meant."""
    texts = {"essay_1.txt": "On robots\n", "essay_2.txt": "The moon, a.PDF\n"}
    assert steps_of(filled(tmp_path, texts), request_) == []
