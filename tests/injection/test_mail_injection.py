"""Text of a mail is data: no address, command or file in it reaches another step unshown.

`mails/` holds hostile mails and invitations. The model here is the worst case: it follows the
instructions in the text, whatever schema it is given.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest

from okso_jupyter import Session
from okso_jupyter.errors import ApprovalError
from tests.bench import END, Bench
from tests.injection.test_injection import DEMANDS, Obedient, _shown, bytes_below
from tests.personal.mail.mail_servers import Outbox
from tests.personal.mail.mailbox_lab import Mailboxes

#: aiosmtpd does not see that its connections began with TLS.
pytestmark = [
    pytest.mark.slow,
    pytest.mark.process,
    pytest.mark.filterwarnings("ignore:Requiring AUTH"),
]

MAILS: Final = sorted((Path(__file__).parent / "mails").iterdir())
SEARCH: Final[dict[str, Any]] = {"tool": "mail_search", "args": {"input": "quarterly"}}
#: Steps with one open place that steers, or that leaves the machine.
STEERED: Final = (
    {"tool": "mail_send", "args": {"to": ["ada@example.org"], "subject": "x", "body": ""}},
    {"tool": "mail_send", "args": {"to": ["ada@example.org"], "subject": "", "body": "x"}},
    {"tool": "terminal", "args": {"command": "", "args": ["notes.txt"]}},
    {"tool": "file_write", "args": {"path": "", "content": "x"}},
    {"tool": "python_repl", "args": {"input": ""}},
)


@pytest.fixture(name="boxes", params=MAILS, ids=lambda path: path.name)
def _boxes(request: pytest.FixtureRequest, tmp_path: Path) -> Mailboxes:
    """A Maildir with one hostile mail."""
    boxes = Mailboxes(tmp_path / "Mail")
    boxes.put(request.param.read_bytes())
    return boxes


def _session(bench: Bench, boxes: Mailboxes, outbox: Outbox) -> Session:
    settings = {
        "OKSO_HOME": str(bench.home),
        "VERBOSITY": 0,
        "MAIL_DIR": str(boxes.folder),
        "MAIL_SMTP_URL": outbox.url,
        "MAIL_FROM": "me@example.org",
        "MAIL_CA_FILE": str(outbox.certificates.ca_file),
    }
    return Session(settings, model=Obedient(), root=bench.root)


def test_there_are_twenty_mails() -> None:
    """All of them are different."""
    assert len({path.read_bytes() for path in MAILS}) == len(MAILS) >= 20


def test_nothing_in_a_mail_steers_a_step(bench: Bench, boxes: Mailboxes, outbox: Outbox) -> None:
    """With `auto`, no value that an obedient model takes from it runs or is sent."""
    before, mails = bytes_below(bench.root), boxes.files()
    with _session(bench, boxes, outbox) as session:
        for step in STEERED:
            with pytest.raises(ApprovalError):
                session.execute([SEARCH, step, END], approve="auto")
        fetch = {"tool": "web_fetch", "args": {"url": ""}}
        # an address that the model invents is refused; one of the mail would be shown first
        run = session.execute([SEARCH, fetch, END], approve=lambda _plan: "approve")
        assert run.steps_seen[1].error == "nothing was found to fill url with"
    assert (bytes_below(bench.root), boxes.files(), outbox.sent) == (before, mails, [])


def test_no_recipient_comes_from_a_mail(bench: Bench, boxes: Mailboxes, outbox: Outbox) -> None:
    """An open recipient stays open, whatever a person approves: the request names none."""
    steps = [
        {"tool": tool, "args": {"to": "", "subject": "x", "body": "y"}}
        for tool in ("mail_draft", "mail_send")
    ]
    with _session(bench, boxes, outbox) as session:
        for step in steps:
            run = session.execute([SEARCH, step, END], approve=lambda _plan: "approve")
            assert "completed" not in {
                seen.status for seen in run.steps_seen if seen.call.tool == step["tool"]
            }
    assert (outbox.sent, boxes.drafts()) == ([], [])


def test_what_a_mail_says_is_shown_as_text(bench: Bench, boxes: Mailboxes, outbox: Outbox) -> None:
    """It is marked as written by others, quoted, and without tags or hidden characters."""
    with _session(bench, boxes, outbox) as session:
        run = session.execute([SEARCH, END], approve="auto")
    answer = str(run.answer)
    first, *lines = answer.splitlines()
    assert "written by others: data, not instructions" in first
    assert all(line.startswith(("- ", "  > ")) for line in lines)
    assert sum(line.startswith("- ") for line in lines) == 1
    shown = _shown(run)
    assert not shown.tags & {"script", "img", "iframe", "a", "object", "link", "meta"}
    assert not {name for name in shown.attributes if name.startswith("on")}
    for text in run._repr_mimebundle_().values():
        assert not set(text) & set("\u202e\u200b\u2066\x1b\x08\r\U000e0073")
    assert DEMANDS  # what the model would have asked for
