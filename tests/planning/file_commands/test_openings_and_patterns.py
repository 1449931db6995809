"""Requests that open a file first, and those for lines, values and numbers: how they are read."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bench import Bench
from tests.each_row import each_row
from tests.planning.file_commands.read_steps import args_of, filled, steps_of

_FILES = {
    "pets.txt": "dog\ncat\ndog\nant\n",
    "app.log": "09:00 INFO up\n09:01 ERROR no disk\n09:02 WARNING slow\n09:03 ERROR no net\n",
    "club.md": "- [ ] paint fence\n- [x] mow\n\nWrite to bo@club.example or +44 20 1234.\n",
    "shop.json": '{"name": "toys", "maxItems": 7, "owners": ["Al", "Bea"], "tax": {"rate": 0.2}}',
    "shop.toml": 'rate = 3\n[a]\nname = "x"\n[b]\nname = "y"\n',
    "words.txt": "lines\nrows\n",
    "tool.py": "def area(a):\n    return a\n\n\nclass Box:\n    size = 7\n\n\nprint(Box.size)\n",
    "pictures/a.png": "a",
    "pictures/b.JPG": "b",
    "pictures/c.txt": "c",
    "box/one.txt": "first\n",
    "box/two.txt": "second",
    "box/rows.csv": "a,b\n1,2\n",
}
_SORTED = {"path": "out.txt", "content": "ant\ncat\ndog\ndog\n", "mode": "create"}


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    return filled(tmp_path, _FILES)


@pytest.mark.parametrize(
    "request_",
    [
        "Read pets.txt, sort its lines, and save them to out.txt",
        "Open pets.txt and sort it and save it as out.txt",
        "Take pets.txt, sort the lines and store the result in out.txt",
        "Load pets.txt, then sort it, then save to out.txt",
        "Lies pets.txt und sortiere die Zeilen und speichere sie als out.txt",
    ],
)
def test_the_file_that_is_opened_is_what_follows_is_about(request_: str, folder: Path) -> None:
    """The opening is no step of its own."""
    assert args_of(folder, request_) == _SORTED


@pytest.mark.parametrize(
    ("request_", "tool"),
    [
        ("Read pets.txt, then delete it", "terminal"),
        ("Read pets.txt and add hen to it", "file_write"),
        ("Read club.md and mark paint fence as done", "file_edit"),
    ],
)
def test_what_is_changed_is_read_before(request_: str, tool: str, folder: Path) -> None:
    """Where the request says so; to open a file is no more than to name it."""
    read, change = steps_of(folder, request_)
    assert read["tool"] == "file_read"
    assert change["tool"] == tool
    [alone] = steps_of(folder, request_.replace("Read", "Open"))
    assert alone == change


@pytest.mark.parametrize(
    ("request_", "content"),
    [
        ("Read box/one.txt and box/two.txt and merge them into all.txt", "first\nsecond\n"),
        ("Combine one.txt and two.txt into a new file all.txt", "first\nsecond\n"),
        ("Join all text files in box and save them as all.txt", "first\nsecond\n"),
        ("Read pets.txt, replace dog with hen, and save it as all.txt", "hen\ncat\nhen\nant\n"),
        ("Replace dog by hen in pets.txt and save the result to all.txt", "hen\ncat\nhen\nant\n"),
    ],
)
def test_a_new_file_is_worked_out_before(request_: str, content: str, folder: Path) -> None:
    """The form shows what would be written, and the files themselves stay."""
    assert args_of(folder, request_) == {"path": "all.txt", "content": content, "mode": "create"}


@pytest.mark.parametrize(
    ("request_", "old", "new"),
    [
        ("Open club.md and mark paint fence as done", "- [ ] paint fence", "- [x] paint fence"),
        ("Load shop.json and set maxItems to 9", '"maxItems": 7', '"maxItems": 9'),
        ("Add a task buy glue to club.md", "- [x] mow", "- [x] mow\n- [ ] buy glue"),
        ('add the item "buy glue" to club.md', "- [x] mow", "- [x] mow\n- [ ] buy glue"),
    ],
)
def test_a_place_in_a_file_is_edited(request_: str, old: str, new: str, folder: Path) -> None:
    """Where the task or the value stands; a new task is the last of the list."""
    args = args_of(folder, request_)
    assert (args["old_text"], args["new_text"]) == (old, new)


@pytest.mark.process
@pytest.mark.parametrize(
    ("request_", "answer"),
    [
        ("How many lines of pets.txt contain dog?", "2"),
        ("Read app.log and count the lines with ERROR", "2"),
        ("how many warnings are in app.log?", "1"),
        ("how many errors and warnings are in app.log?", "ERROR: 2\nWARN: 1"),
        ("Wie viele Warnungen und Fehler stehen in app.log?", "WARN: 1\nERROR: 2"),
        (
            "show the errors and warnings in app.log",
            "2:09:01 ERROR no disk\n3:09:02 WARNING slow\n4:09:03 ERROR no net",
        ),
        ("How often does dog occur in pets.txt?", "2"),
        ("count how many times cat appears in pets.txt", "1"),
        ("Show the last error in app.log", "09:03 ERROR no net"),
        ("What was the last error?", "09:03 ERROR no net"),
        ("How many errors were there?", "2"),
        ("Which animal is on the pets list twice?", "dog: 2 times"),
        ("Which functions does tool.py define?", "tool.py:1: def area(a):"),
        ("list the classes in tool.py", "tool.py:5: class Box:"),
        ("Run tool.py and tell me what it prints", "7"),
        ("How many images are in pictures?", "2"),
        ("Show the first error from app.log", "09:01 ERROR no disk"),
        ("What is the longest word in pets.txt?", "dog"),
        ("What is the longest line of app.log?", "09:01 ERROR no disk"),
        ("Extract the email address from club.md", "bo@club.example"),
        ("which phone numbers are in club.md", "+44 20 1234"),
        ("Find all links in club.md", "there is none"),
        ("List the IP-addresses in app.log", "there is none"),
        ("what web addresses are in club.md", "there is none"),
        ("How many phone numbers are in club.md?", "1"),
        ("count the links in club.md", "0"),
        ("Which box has second?", "box/two.txt:1: second"),
        ("extract e-mail-addresses from club.md", "bo@club.example"),
        ("How many lines of pets.txt contain hen?", "0"),
        ("lines with ERROR in app.log", "09:03 ERROR no net\n2 matches in 2 lines"),
        ("the WARNING lines of app.log", "app.log:3: 09:02 WARNING slow"),
        ("What is the name in shop.json?", "toys"),
        ("What is the max items in shop.json?", "7"),
        ("tell me the rate in shop.json", "0.2"),
        ("How many owners are in shop.json?", "2"),
        ("List the owners in shop.json", "Al\nBea"),
        ("what is rate in shop.toml", "3"),
        ("How many files are here?", "7\n13 with those in its folders"),
        ("Count the csv files", "0\n1 with those in its folders"),
        ("how many files are in box?", "3"),
        ("How many box are there?", "3"),
        ("Are box/one.txt and box/two.txt identical?", "-first\n+second"),
    ],
)
def test_what_the_steps_find_is_right(request_: str, answer: str, folder: Path) -> None:
    """The steps are run, in the sandbox where they are code."""
    steps = [dict(step) for step in steps_of(folder, request_)]
    run = Bench(folder, folder / ".home").run([*steps, {"tool": "final_answer", "args": {}}])
    assert (run.answer or "").strip().endswith(answer)


@each_row(
    ("request_", "first"),
    [
        (
            "Find lines with ERROR in app.log and save them to out.txt",
            "grep -F -e ERROR app.log",
        ),
        ("Show all errors in app.log and save them as out.txt", "grep -F -e ERROR app.log"),
        (
            "save the errors and warnings from app.log to out.txt",
            "grep -F -e ERROR -e WARN app.log",
        ),
        (
            "save the errors and warnings from calm.log to out.txt",
            "grep -F -e ERROR -e WARN calm.log",
        ),
        ("write the ERROR lines of app.log to out.txt", "grep -F -e ERROR app.log"),
        ("get all ERROR lines from app.log and save them as out.txt", "grep -F -e ERROR app.log"),
        ("copy the lines of pets.txt with dog into out.txt", "grep -F -e dog pets.txt"),
        ("schreibe die Zeilen mit dog aus pets.txt nach out.txt", "grep -F -e dog pets.txt"),
        ("List the csv files and save the list to out.txt", "find . -name *.csv"),
        ("Show the first 2 lines of pets.txt, then save to out.txt", "head -n 2 pets.txt"),
    ],
)
def test_what_was_found_is_saved(request_: str, first: str, folder: Path) -> None:
    """The content is open: it is the output of the step that it waits for.

    A log may have one of the levels alone.
    """
    (folder / "calm.log").write_text("09:00 INFO up\n09:01 ERROR no disk\n")
    found, saved = steps_of(folder, request_)
    assert " ".join([found["args"]["command"], *found["args"]["args"]]) == first
    assert saved["args"] == {"path": "out.txt", "content": "", "mode": "create"}
    assert saved["depends_on"] == [1]


@pytest.mark.parametrize(
    "request_",
    [
        "ALL lines in app.log",
        "COUNT lines in app.log",
        "write all lines of words.txt with line numbers to out.txt",
    ],
)
def test_a_word_in_capitals_that_a_file_lacks_is_not_looked_for(
    request_: str, folder: Path
) -> None:
    """Nor are numbers of lines."""
    assert not any(
        step["tool"] in {"file_search", "file_write"} for step in steps_of(folder, request_)
    )


@pytest.mark.parametrize(
    ("request_", "content"),
    [
        ("Add hen to pets.txt", "hen\n"),
        ("Add hen and cow to pets.txt", "hen\ncow\n"),
        ("Add a task buy glue to pets.txt", "buy glue\n"),
        ("Put hen, cow into box/two.txt", "\nhen\ncow\n"),  # its last line has no end
        ("Append 'hen and cow' to box/two.txt", "\nhen and cow"),
    ],
)
def test_lines_are_added_behind_the_last_one(request_: str, content: str, folder: Path) -> None:
    """What is in quotation marks is one text; everything else is a line each."""
    args = args_of(folder, request_)
    assert (args["content"], args["mode"]) == (content, "append")


@pytest.mark.parametrize(
    ("request_", "old", "new"),
    [
        ("Remove cat from pets.txt", "dog\ncat\n", "dog\n"),
        ("take first out of box/one.txt", "first\n", ""),
        (
            "Delete the item mow from club.md",
            "- [ ] paint fence\n- [x] mow\n",
            "- [ ] paint fence\n",
        ),
    ],
)
def test_a_line_is_taken_out(request_: str, old: str, new: str, folder: Path) -> None:
    """The only line that is what is said, bullets aside."""
    args = args_of(folder, request_)
    assert (args["old_text"], args["new_text"]) == (old, new)


@pytest.mark.parametrize(
    "request_",
    ["Create new.txt with the lines hen, cow", "Make a list new.txt with hen and cow"],
)
def test_a_list_is_written(request_: str, folder: Path) -> None:
    """A line for each of its entries."""
    wanted = {"path": "new.txt", "content": "hen\ncow\n", "mode": "create"}
    assert args_of(folder, request_) == wanted


def test_files_of_a_kind_are_deleted_by_name(folder: Path) -> None:
    """All of them, as the form shows them; without "all" none is."""
    args = args_of(folder, "Delete all the images in pictures")
    assert args == {"command": "rm", "args": ["pictures/a.png", "pictures/b.JPG"]}
    assert steps_of(folder, "Delete all tmp files") == []
    assert steps_of(folder, "Delete images") == []


def test_files_of_a_kind_are_moved_copied_and_edited(folder: Path) -> None:
    """The folder is made where there is none; only files with the text are edited."""
    made, copied = steps_of(folder, "Copy all text files in box to spare")
    assert made["args"] == {"command": "mkdir", "args": ["spare"]}
    assert copied["args"]["args"] == ["box/one.txt", "box/two.txt", "spare"]
    made, moved = steps_of(folder, "move all log files into a folder logs")
    assert moved["args"] == {"command": "mv", "args": ["app.log", "logs"]}
    edit = args_of(folder, 'replace "first" by "last" in all text files')
    assert (edit["path"], edit["new_text"]) == ("box/one.txt", "last")


@each_row(
    "request_",
    [
        "Read pets.txt",
        "Read pets.txt and sing it",
        "Read pets.txt and list the files in box",  # it would not be read
        "Open pets.txt and then run a.py",
        "Read pets.txt and missing.txt and merge them into all.txt",
        "Merge box/one.txt and box/rows.csv into all.txt",  # a table is no text
        "Combine box/one.txt and box/two.txt into pets.txt",  # it is there
        "How many errors are in pets.txt?",  # it has no levels
        "What is the colour in shop.json?",
        "What is the name in shop.toml?",  # there are two
        "How many names are in shop.json?",
        "How many rows are in box/rows.csv?",
        "Save it to out.txt",
        "Add a cat to club.md",
        "Add a header to pets.txt",
        "Add today's date to pets.txt",
        "Create new.txt with a summary, a table and a chart",
        "Add a task list to club.md",
        "Count the lines in words.txt",  # which hold the word "lines"
        "Count the a in box/rows.csv",
        "Remove hen from pets.txt",
        "Remove dog from pets.txt",  # there are two
        "Create new.txt with love",
        "Create pets.txt with the lines hen, cow",  # it is there
        "Compare pets.txt",
        "Combine the reports into all.txt",  # not every text is a report
    ],
)
def test_what_is_not_understood_is_left_to_the_model(request_: str, folder: Path) -> None:
    """Nothing is guessed: no file, no such value, or more than one."""
    assert steps_of(folder, request_) == []


@pytest.mark.parametrize("request_", ["Add hen to dos.txt", "Add the task hen to dos.md"])
def test_added_lines_end_as_the_others_do(request_: str, folder: Path) -> None:
    """A file of another system stays one."""
    (folder / "dos.txt").write_bytes(b"dog\r\ncat\r\n")
    (folder / "dos.md").write_bytes(b"- [ ] dog\r\n- [ ] cat\r\n")
    args = args_of(folder, request_)
    assert args.get("content", "hen\r\n") == "hen\r\n"
    assert args.get("new_text", "- [ ] cat\r\n- [ ] hen") == "- [ ] cat\r\n- [ ] hen"
