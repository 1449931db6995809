"""Texts to write that are only words of the request."""

from __future__ import annotations

from okso_jupyter.planning.request.written_fragments import is_fragment
from tests.each_row import each_row

_NAMES = "make a file open_fees.txt with the names of everyone whose fee is open"


@each_row(
    ("text", "request_"),
    [
        ("whose", _NAMES),
        ("todo.txt", "put call Harriet at the end of todo.txt"),
        ("with the names", _NAMES),
        ("the names of everyone whose fee is open", _NAMES),
        (_NAMES, _NAMES),
        ("make a file", _NAMES),
        ("deren", "schreib alle, deren Beitrag offen ist, in offen.txt"),
        ("die Namen der Kinder", "leg kinder.txt an mit die Namen der Kinder"),
        ("all the guests from York", "put all the guests from York into york.txt"),
    ],
)
def test_words_that_say_what_to_write_are_no_text(text: str, request_: str) -> None:
    """The request, its beginning, its joints, and what it asks for."""
    assert is_fragment(text, request_)


@each_row(
    ("text", "request_"),
    [
        ("hello world", "write hello world to a.txt"),
        ("find out who pays the rent", "add find out who pays the rent to todo.txt"),
        ("Thank everyone for coming", "append Thank everyone for coming to speech.txt"),
        ("pack all clothes in a bag", "add pack all clothes in a bag to todo.txt"),
        ("in dulci jubilo", "write in dulci jubilo to songs.txt"),
        ("the end", "append the end to story.txt"),
        ("names of rivers", "write a file about water"),  # not said by the request
        ("---", "write --- to a.txt"),
        ("Milch", "schreib Milch in liste.txt"),
    ],
)
def test_a_text_is_no_fragment(text: str, request_: str) -> None:
    """What stands in the request for itself may be written."""
    assert not is_fragment(text, request_)
