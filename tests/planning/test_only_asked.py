"""Requests that only ask, with a change in mind or without one."""

from __future__ import annotations

from okso_jupyter.planning.request.courtesy import direct
from okso_jupyter.planning.request.only_asked import only_asks
from tests.each_row import each_row


@each_row(
    ("said", "asked"),
    [
        ("what is still blank in a.csv? i want to fill the gaps", "what is still blank in a.csv?"),
        (
            "which lines are twice in a.txt, I'd like to remove them",
            "which lines are twice in a.txt",
        ),
        ("Welche Zeilen sind doppelt? Ich möchte sie löschen.", "Welche Zeilen sind doppelt?"),
        ("Wer fehlt in a.csv, damit ich ihn ergänzen kann?", "Wer fehlt in a.csv"),
        ("Who has no phone so that I can add it?", "Who has no phone"),
        (
            "I need to fix the list. Which names occur twice in a.txt?",
            "Which names occur twice in a.txt?",
        ),
        # the answer is told more exactly, goes into a file, or is commanded
        (
            "Who is in Leeds? I want to see their phones",
            "Who is in Leeds? I want to see their phones",
        ),
        (
            "Who is in Leeds? I want to save it as b.txt",
            "Who is in Leeds? I want to save it as b.txt",
        ),
        ("Who is twice in a.txt? Remove them", "Who is twice in a.txt? Remove them"),
        ("I want to copy a.txt to b.txt", "copy a.txt to b.txt"),
    ],
)
def test_what_somebody_means_to_do_is_no_part_of_a_question(said: str, asked: str) -> None:
    """A question keeps what tells it more exactly."""
    assert direct(said) == asked


@each_row(
    "request_",
    [
        "what would sorting a.txt look like",
        "is b.csv clean?",
        "How would a.txt look without blank lines?",
        "which lines are duplicated in x.csv? I'd like to remove them",
        "was passiert, wenn ich a.txt sortiere?",
        "Kannst du mir sagen, welche Zeilen leer sind?",
        "Should I rename a.txt?",
        "In which files do I have to replace the name?",
        "When was a.txt changed?",
        "Can I see which lines are twice in a.txt?",
        "Is it possible to see which lines of a.txt are blank?",
        "Is there a line with foo in a.txt?",
        "Gibt es leere Zeilen in a.txt?",
    ],
)
def test_questions_command_nothing(request_: str) -> None:
    """Verbs of changes within a question are none."""
    assert only_asks(request_)


@each_row(
    "request_",
    [
        "Clean up a.txt",
        "Can you delete a.txt?",
        "How about deleting a.txt?",
        "Why don't you sort a.txt?",
        "What is in a.txt and write it to b.txt",
        "Which lines are twice in a.txt? Then remove them.",
        "Gibt es a.txt? Wenn nicht, lege sie an.",
        "Was steht in a.txt? Speichere es in b.txt",
        "I want to delete a.txt",
        "do a backup of a.txt",
        "Is it possible to rename a.txt to c.txt?",
        "Would it be possible for you to delete a.txt?",
        "Is there a way to sort a.txt?",
        "Could we rename a.txt to c.txt?",
        "Can I have a new folder called photos?",
        "May I ask you to delete a.txt?",
        "Can I have foo replaced by bar in notes.txt?",
        "Can I get a reminder for the dentist on Friday?",
        "Can we put a group meeting on Monday at 10 in the calendar?",
        "When you find foo in notes.txt put bar instead",
        "Where it says foo in notes.txt put bar instead",
        "Kann man a.txt in c.txt umbenennen?",
        "Ist es möglich, a.txt zu löschen?",
        "Gibt es eine Möglichkeit, a.txt zu sortieren?",
    ],
)
def test_commands_do(request_: str) -> None:
    """A command may be said as a question, behind one, or as a wish of its own."""
    assert not only_asks(request_)
