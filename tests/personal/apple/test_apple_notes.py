"""Notes of the application Notes: written, read back, added to and undone."""

from __future__ import annotations

import pytest

from okso_jupyter.errors import UndoError
from tests.personal.apple.mac import Mac
from tests.personal.conftest import Desk, entries_of

pytestmark = pytest.mark.process

_HOSTILE = (
    'it\'s "quoted" \\ and \\n',
    '"; do shell script "touch /tmp/owned" --',
    "`id` $(id) ${HOME} %s -e return",
    "<script>alert(1)</script> &amp; </div>",
    "line\u2028separator \u2029 emoji \U0001f600 ä",
    "first\n\n  indented   text\nlast",
)


def _made_by_hand(number: int, **properties: object) -> dict[str, object]:
    plain = {"id": f"x-coredata://hand/p{number}", "name": f"By hand {number}", "body": "<div/>",
             "plaintext": f"By hand {number}\ntext", "creationDate": "2030-01-01T00:00:00.000Z",
             "passwordProtected": False, "attachments": []}  # fmt: skip
    return {**plain, **properties}


def test_a_note_is_made_and_undone(desk: Desk, mac: Mac) -> None:
    """It is in the application, and no file is; undo takes it away by its id, redo does not."""
    run = desk.call("notes_create", title="Calibration", body="begun")
    assert run.state == "completed", run.steps_seen[0].error
    assert [note["plaintext"] for note in mac.notes] == ["Calibration\nbegun"]
    assert desk.files() == {}
    assert run.steps_seen[0].changes.created == (
        "apple:notes/Notes/x-coredata%3A%2F%2Fstore%2FICNote%2Fp1",
    )
    assert entries_of(desk.says("notes_list")) == ["Calibration"]
    assert desk.says("notes_read", input="calibration").endswith("\n\nbegun")
    run.undo()
    assert mac.notes == []
    with pytest.raises(UndoError, match=r"does not make .* again under its id"):
        run.redo()


def test_a_paragraph_is_added_and_undone(desk: Desk, mac: Mac) -> None:
    """What the note holds stays as it is; undo puts back its HTML."""
    desk.call("notes_create", title="Calibration", body="begun")
    before = mac.notes[0]["body"]
    run = desk.call("notes_append", title="Calibration", body="done <b>&")
    assert run.state == "completed", run.steps_seen[0].error
    assert mac.notes[0]["plaintext"] == "Calibration\nbegun\n\ndone <b>&"
    run.undo()
    assert mac.notes[0]["body"] == before
    run.redo()
    assert "done" in mac.notes[0]["plaintext"]


def test_values_are_data(desk: Desk, mac: Mac) -> None:
    """Quotes, commands, markup and odd characters come back as they were given."""
    body = "\n".join(_HOSTILE)
    run = desk.call("notes_create", title='Hostile "; beep', body=body)
    assert run.state == "completed", run.steps_seen[0].error
    assert mac.notes[0]["name"] == 'Hostile "; beep'
    assert desk.says("notes_read", input='Hostile "; beep').endswith(f"\n\n{body}")


def test_a_long_note_is_given_in_pieces(desk: Desk, mac: Mac) -> None:
    """100 kB of emoji pass; what no command line takes is refused before anything is asked."""
    body = "\U0001f600" * 25_000
    assert desk.call("notes_create", title="Long", body=body).state == "completed"
    assert mac.notes[0]["plaintext"] == f"Long\n{body}"
    said = desk.says("notes_create", title="Longer", body="x" * 700_000)
    assert "it is too long for an application of macOS" in said
    assert len(mac.notes) == 1


def test_half_a_character_is_refused_by_the_tool_or_passes(desk: Desk, mac: Mac) -> None:
    """A lone surrogate neither breaks the call nor reaches another note."""
    desk.call("notes_create", title="Half", body="a\ud83d b")
    assert [note["plaintext"] for note in mac.notes] in ([], ["Half\na\ud83d b"])


def test_what_was_changed_since_is_not_undone(desk: Desk, mac: Mac) -> None:
    """The whole undo is refused, and the note stays as others left it."""
    run = desk.call("notes_create", title="Calibration", body="begun")
    state = mac.state
    state["Notes"]["accounts"][0]["folders"][0]["notes"][0]["body"] += "<div>by hand</div>"
    mac.write(state)
    with pytest.raises(UndoError, match="has changed since"):
        run.undo()
    assert "by hand" in mac.notes[0]["body"]


def test_notes_that_cannot_be_read_or_added_to(desk: Desk, mac: Mac) -> None:
    """A locked one is named, one with attachments is left as it is."""
    attached = [{"id": "x1", "name": "photo.jpg"}]
    mac.holds("notes", _made_by_hand(1, passwordProtected=True),
              _made_by_hand(2, attachments=attached))  # fmt: skip
    listed = desk.says("notes_list")
    assert "- By hand 2" in listed
    assert "(the note 'By hand 1' is locked)" in listed
    said = desk.says("notes_append", title="By hand 2", body="more")
    assert "it has attachments, which Notes would lose" in said
    assert mac.notes[1]["body"] == "<div/>"


def test_a_folder_that_is_not_there(desk: Desk, mac: Mac) -> None:
    """The sentence names those that are, and the setting."""
    desk.settings["NOTES_FOLDER"] = "Nowhere"
    said = desk.says("notes_list")
    assert 'Notes: there is no folder "Nowhere" among Notes, Arbeit' in said
    assert "set NOTES_FOLDER to one that is there" in said
    desk.settings["NOTES_FOLDER"] = "Arbeit"
    assert desk.call("notes_create", title="Tea", body="buy").state == "completed"
    assert mac.notes == []


def test_the_form_shows_the_note_and_where(desk: Desk, mac: Mac) -> None:
    """Before it is made; two notes of one title are none."""
    run = desk.run("Make a note called Ideas with the text 'try the blue filter'")
    assert run.state == "completed", run.answer
    assert "a new note in Notes of the application Notes" in desk.shown[0]
    assert "try the blue filter" in desk.shown[0]
    assert "uses the network" in desk.shown[0]
    assert "there is a note 'Ideas' already" in desk.says("notes_create", title="ideas", body="x")
    assert len(mac.notes) == 1
