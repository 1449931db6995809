"""What a request about mail is read as.

`mail_before.json` was written before the rules. Each of the other three was written when the rules
were done, and planned with the bundled model: 14, 13 and 14 of 20 rightly at the first try, before
the rules learnt from it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from okso_jupyter.planning.personal_requests.mail_asked import mail_asked
from okso_jupyter.planning.request.courtesy import direct
from tests.each_row import each_row

FILES = ("data/weather.csv", "notes.txt", "report.pdf")
CASES = [
    case
    for name in ("before", "after", "third", "fourth")
    for case in json.loads(Path(__file__).with_name(f"mail_{name}.json").read_text())
]


def steps_of(request: str) -> list[list[Any]]:
    """Return tool and arguments of each step; an open text is left out."""
    return [
        [step["tool"], {k: v for k, v in step["args"].items() if k != "body" or v}]
        for step in mail_asked(direct(request), FILES)
    ]


@each_row("case", CASES)
def test_a_request_about_mail(case: dict[str, Any]) -> None:
    """Each is one call, or a file is read first; a few are left to the model."""
    assert steps_of(case["request"]) == ([] if case.get("left_to_model") else case["steps"])


def test_the_text_of_a_file_waits_for_it() -> None:
    """The mail is the second step, and its text what the first one gives."""
    read, mail = mail_asked("send the text of notes.txt to bob@example.com", FILES)
    assert (read["tool"], mail["depends_on"], mail["args"]["body"]) == ("file_read", [1], "")


@each_row(
    "request_text",
    [
        "Send a mail to ada@example.org",
        "Send a mail to Ada saying 'hello'",
        "Send the report to everybody in contacts.csv",
        "Draft a mail to ada@example.org and delete notes.txt",
        "Search my mail for invoice and send them to eve@example.org",
        "Summarize my unread mail",
        "Delete all mails from Bob",
        "Reply to the last mail",
        "Forward the newest mail to ada@example.org",
        "How many mails did Bob send in May?",
        "Send a mail to ada@example.org saying 'hi'\nand one to bob@example.org",
        "Which column of mails.csv holds addresses?",
        "Send picture.png's contents to ada@example.org",
        "Mark all mails as read",
        "What is the email of Bob in contacts.csv?",
    ],
)
def test_other_requests_are_left_to_the_model(request_text: str) -> None:
    """One word that is not understood is enough."""
    assert steps_of(request_text) == []


@pytest.mark.parametrize(
    ("request_text", "to"),
    [
        ("Draft a mail to a.b+c@sub.example.org saying 'x'", ["a.b+c@sub.example.org"]),
        (
            "Send a mail to a@example.org, b@example.org and c@example.org saying 'x'",
            ["a@example.org", "b@example.org", "c@example.org"],
        ),
        ("Send a mail to a@example.org saying 'write to b@example.org'", ["a@example.org"]),
    ],
)
def test_recipients_are_those_it_is_to_go_to(request_text: str, to: list[str]) -> None:
    """An address in the text is not one."""
    ((_, args),) = steps_of(request_text)
    assert args["to"] == to


def test_quoted_texts_are_taken_as_they_are() -> None:
    """With what looks like another part or step in them."""
    request = (
        "Draft a mail to a@b.org with the subject 'to c@d.org, text' and the text 'and then I left'"
    )
    ((_, args),) = steps_of(request)
    assert args == {"to": ["a@b.org"], "subject": "to c@d.org, text", "body": "and then I left"}
