"""An SMTP server that tests with hostile texts share; to start one takes longer than a test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.personal.mail.mail_servers import PASSWORD, Certificates, Outbox, smtp_server


@pytest.fixture(scope="session")
def running_outbox(tmp_path_factory: pytest.TempPathFactory, _process: None) -> Iterator[Outbox]:
    """The server, which would take any mail."""
    with smtp_server(Outbox(Certificates(tmp_path_factory.mktemp("smtp")))) as outbox:
        yield outbox


@pytest.fixture
def outbox(running_outbox: Outbox, monkeypatch: pytest.MonkeyPatch) -> Outbox:
    """The server without a mail, and its password where a session looks for it."""
    monkeypatch.setenv("MAIL_SMTP_PASSWORD", PASSWORD)
    running_outbox.sent.clear()
    return running_outbox
