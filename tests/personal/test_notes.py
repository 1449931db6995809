"""Notes: planned, shown, approved, written, undone; files of other programs; bad input."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import frontmatter
import pytest

from okso_jupyter.errors import SettingError
from okso_jupyter.journal.store import Journal
from okso_jupyter.undo.change_history import latest_to_reverse
from tests.personal.conftest import Desk, entries_of

Written = Callable[..., Path]


def test_a_note_is_planned_shown_written_and_undone(desk: Desk) -> None:
    """One request makes a Markdown file with front matter; undo takes it back."""
    run = desk.run("Make a note called Calibration with the text 'begun at 4.2 mV'")
    assert run.state == "completed"
    assert "begun at 4.2 mV" in desk.shown[0]
    assert "Notes/Calibration.md" in desk.shown[0]
    post = frontmatter.load(str(desk.store / "Notes" / "Calibration.md"))
    assert (post["title"], post.content) == ("Calibration", "begun at 4.2 mV")
    assert post["created"].tzinfo is not None
    run.undo()
    assert desk.files() == {}
    run.redo()
    assert [*desk.files()] == ["Notes/Calibration.md"]


def test_an_older_note_is_undone_while_newer_ones_stay(desk: Desk) -> None:
    """The folder that the first note made stays for the others."""
    first = desk.run("Note down: order cuvettes")
    desk.run("make a note called Tea: buy some")
    first.undo()
    assert [*desk.files()] == ["Notes/Tea.md"]


def test_undo_finds_the_run_that_wrote_outside_the_notebooks_folder(desk: Desk) -> None:
    """`%okso undo` takes the latest run of the folder, wherever its store is."""
    run = desk.run("Note down: order cuvettes")
    journal = Journal(desk.home)
    assert latest_to_reverse(journal, desk.root, "undo") == run.id
    journal.close()


def test_a_paragraph_is_added_and_the_rest_stays_byte_by_byte(desk: Desk, note: Written) -> None:
    """A note that another program keeps in its own way gets a paragraph, and undo takes it off."""
    old = b"---\ntags: [lab,  daily]   # mine\naliases:\n- Cal\n---\r\n# Head\r\n\r\nbegun"
    path = note("Lab/Calibration.md", old)
    path.chmod(0o640)
    run = desk.run("add to the note Calibration: done")
    assert path.read_bytes() == old + b"\n\ndone\n"
    assert path.stat().st_mode & 0o777 == 0o640
    run.undo()
    assert path.read_bytes() == old


def test_a_note_edited_since_is_not_undone(desk: Desk, note: Written) -> None:
    """What another program wrote after the run is not lost by undo."""
    path = note("Calibration.md", "begun\n")
    run = desk.run("add to the note Calibration: done")
    path.write_text("mine\n")
    with pytest.raises(Exception, match="has changed since"):
        run.undo()
    assert path.read_text() == "mine\n"


def test_notes_are_listed_read_and_searched(desk: Desk, note: Written) -> None:
    """The tools see what other programs wrote, between two calls of one session."""
    note("Zettel.md", "---\ntitle: Lens order\ntags: optics, lab\n---\nTwo achromats\n")
    note(".obsidian/workspace.md", "hidden")
    assert entries_of(str(desk.run("What notes do I have?").answer)) == ["Lens order"]
    note("Shopping.md", "tea\nan ACHROMAT\n")
    assert entries_of(str(desk.run("list my notes").answer)) == ["Lens order", "Shopping"]
    found = entries_of(str(desk.run("show my notes about achromat").answer))
    assert found == ["Lens order", "  > Two achromats", "Shopping", "  > an ACHROMAT"]
    assert entries_of(str(desk.run("show my notes about optics").answer)) == ["Lens order"]
    assert "Two achromats" in str(desk.run("open the note lens order").answer)
    assert str(desk.run("search my notes for 'lasers'").answer) == "no note holds 'lasers'"


def test_a_damaged_file_is_left_as_it_is_and_named(desk: Desk, note: Written) -> None:
    """Files that are not UTF-8, or whose front matter is broken, are no obstacle and no victim."""
    latin, broken = b"gr\xfc\xdfe", b"---\ntitle: [open\n---\ntext\n"
    first, second = note("Greetings.md", latin), note("Broken.md", broken)
    note("Fine.md", "tea\n")
    answer = str(desk.run("list my notes").answer)
    assert entries_of(answer)[0] == "Fine"
    assert "Greetings.md is not UTF-8" in answer
    assert "Broken.md has damaged front matter" in answer
    assert (first.read_bytes(), second.read_bytes()) == (latin, broken)


@pytest.mark.parametrize(
    ("request_", "said"),
    [
        ("add to the note Lenses: two", "there is no note 'Lenses'"),
        ("add to the note Twin: two", "2 notes have the title 'Twin': "),
        ("make a note called twin: two", "there is a note 'Twin' already"),
    ],
)
def test_what_cannot_be_is_said_before_it_is_approved(
    desk: Desk, note: Written, request_: str, said: str
) -> None:
    """The plan that is shown says in one sentence why it would fail, and nothing is written."""
    note("Twin.md", "a\n")
    note("Other.md", "---\ntitle: Twin\n---\nb\n")
    before = desk.files()
    with desk.session() as session:
        planning = session.plan(request_)
    assert planning.plan.steps[0].tool.startswith("notes_")
    with desk.session(ON_FAILURE="stop") as session:
        run = session.execute(planning.plan, approve="auto")
    assert any(said in seen.error for seen in run.steps_seen)
    assert desk.files() == before


def test_the_folder_of_the_notes_must_be_there(desk: Desk) -> None:
    """A folder that does not exist is named with its setting."""
    with desk.session(NOTES_DIR="/nowhere/notes", ON_FAILURE="stop") as session:
        run = session.execute([{"tool": "notes_list", "args": {}}], approve="auto")
    (seen,) = (seen for seen in run.steps_seen if seen.error)
    assert "NOTES_DIR is /nowhere/notes, which is not a folder" in seen.error


def test_no_other_tool_reaches_the_notes(desk: Desk, note: Written) -> None:
    """The folder is lent to the tools for notes alone."""
    path = note("Secret.md", "x\n")
    with desk.session(ON_FAILURE="stop", PLAN_CHECKS=False) as session:
        run = session.execute([{"tool": "file_read", "args": {"path": str(path)}}], approve="auto")
    assert "lies outside the root" in run.steps_seen[0].error


@pytest.mark.parametrize(
    "title", ["../out", "a/b\\c", "CON: x?", ".hidden", "x" * 300, "\u202egpj", "\U0001f600" * 90]
)
def test_any_title_has_a_file_beneath_the_folder(desk: Desk, title: str) -> None:
    """No title leads out of the folder, hides its file or is too long for a name."""
    plan = [{"tool": "notes_create", "args": {"title": title, "body": "b"}}]
    with desk.session() as session:
        assert session.execute(plan, approve="auto").state == "completed"
    (name,) = desk.files()
    assert name.startswith("Notes/")
    assert name.count("/") == 1
    with desk.session() as session:
        read = session.execute([{"tool": "notes_read", "args": {"input": title}}], approve="auto")
    assert read.state == "completed"


def test_the_tools_are_offered_where_a_setting_names_a_store(desk: Desk) -> None:
    """Without a folder the catalogue is that of before; PERSONAL decides otherwise."""

    def offered(**settings: object) -> bool:
        with desk.session(**settings) as session:
            return "notes_create" in session.tools

    assert offered()
    assert not offered(NOTES_DIR=None)
    assert offered(NOTES_DIR=None, PERSONAL="on")
    assert not offered(PERSONAL="off")
    with pytest.raises(SettingError):
        offered(PERSONAL="maybe")


def test_rejected_means_nothing_is_written(desk: Desk) -> None:
    """A plan that is turned down writes no note."""
    with desk.session() as session:
        run = session.run("Note down: order cuvettes", approve="deny")
    assert run.state == "cancelled"
    assert desk.files() == {}


@pytest.mark.parametrize("title", ["con", "NUL", "Com1.notes", "lpt9"])
def test_no_file_is_called_like_a_device(desk: Desk, title: str) -> None:
    """The folder may be one that is shared with Windows, where such a file cannot be opened."""
    desk.call("notes_create", title=title, body="b")
    assert list(desk.files()) == [f"Notes/_{title}.md"]


def test_front_matter_that_grows_without_end_is_no_title(desk: Desk, note: Written) -> None:
    """Lists that name each other are not written out: the file's name is the title."""
    lines = ["l0: &l0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"l{n}: &l{n} [{', '.join([f'*l{n - 1}'] * 9)}]" for n in range(1, 30)]
    head = "\n".join([*lines, "title: *l29", "tags: [a, *l29]", "created: *l29"])
    note("Bomb.md", f"---\n{head}\n---\nboom\n")
    assert entries_of(desk.says("notes_list")) == ["Bomb"]
    assert "boom" in desk.says("notes_read", input="Bomb")
