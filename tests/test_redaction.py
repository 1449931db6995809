"""Secrets are gone from everything that a person or a model sees and that is kept."""

from __future__ import annotations

import base64
import json
import logging
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

from okso_jupyter import Session, load_run
from okso_jupyter.errors import OksoError, PlanError
from okso_jupyter.legible import sentence, visible
from okso_jupyter.log import LOGGER
from okso_jupyter.plan.plan import Plan
from okso_jupyter.redaction.redactor import REDACTED, Redactor, remember
from okso_jupyter.settings import secret_sources
from okso_jupyter.views.text import escape
from tests.bench import END, Bench
from tests.each_row import each_row

VALUE = "pa55 w/ö+rd=&"
NUMBER = "4921337788"
OTHER = "only-in-the-config-file-91"


@pytest.fixture(autouse=True)
def secrets(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Redactor]:
    """Secrets in the environment, in the config file, and in `.env` beside the notebook."""
    config = tmp_path / "config" / "okso"
    config.mkdir(parents=True)
    (config / "config.env").write_text(f"MY_SERVICE_TOKEN='{OTHER}'\n", "utf-8")
    (tmp_path / ".env").write_text("GOOGLE_SEARCH_API_KEY=in-the-dot-env-7\n", "utf-8")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("OKSO_TEST_PASSWORD", VALUE)
    monkeypatch.setenv("BANK_PIN_SECRET", NUMBER)
    monkeypatch.chdir(tmp_path)
    known = Redactor.from_environment(*secret_sources())
    remember(known)
    yield known
    remember(Redactor())


def _data() -> bytes:
    return VALUE.encode()


SPELLINGS = {
    "as it is": VALUE,
    "in JSON": json.dumps(VALUE)[1:-1],
    "in an address": quote(VALUE, safe=""),
    "in an address, small letters": re.sub("%..", lambda m: m[0].lower(), quote(VALUE, safe="")),
    "twice in an address": quote(quote(VALUE, safe=""), safe=""),
    "in HTML": VALUE.replace("&", "&amp;"),
    "as hexadecimal digits": _data().hex(),
    "as large hexadecimal digits": _data().hex().upper(),
    "as Base64": base64.b64encode(_data()).decode(),
    "as Base64 behind a user": base64.b64encode(b"ann:" + _data()).decode(),
    "as Base64 of addresses": base64.urlsafe_b64encode(b"ab" + _data() + b"cd").decode(),
    "of the config file": OTHER,
    "of the .env": "in-the-dot-env-7",
}


@each_row("how", SPELLINGS)
def test_a_secret_is_found_however_it_is_spelled(secrets: Redactor, how: str) -> None:
    """Plain, escaped, encoded, from the environment or a file."""
    text = f"before {SPELLINGS[how]} after"
    clean = secrets.text(text)
    assert REDACTED in clean
    assert VALUE not in clean
    assert OTHER not in clean
    assert clean.startswith("before ")
    assert clean.endswith(" after")


def test_numbers_are_values_too(secrets: Redactor) -> None:
    """A secret of digits is taken out of JSON numbers, keys and texts."""
    value = {"n": int(NUMBER), "f": 1.5, "list": [int(NUMBER), True], NUMBER: "x"}
    assert secrets.json(value) == {
        "n": REDACTED, "f": 1.5, "list": [REDACTED, True], REDACTED: "x",
    }  # fmt: skip


GIVEN_AWAY = (
    "sk-" + "a1" * 12,
    "ghp_" + "a1" * 15,
    "github_pat_" + "a1" * 15,
    "glpat-" + "a1" * 12,
    "AKIA" + "A1" * 8,
    "AIza" + "a1" * 17,
    "xoxb-" + "1a" * 8,
    "hf_" + "a1" * 15,
    "eyJhbGciOiJIUzI1.eyJzdWIiOiIxMjM0.SflKxwRJSMeKKF2QT4",
    "Authorization: Bearer " + "a1" * 12,
    "Authorization: Basic " + "a1" * 12,
    "postgres://ann:s3cret99@db.example/x",
    "https://example.org/?key=" + "a1" * 8,
    "-----BEGIN RSA PRIVATE KEY-----\nMIIEow\n-----END",
)
HARMLESS = (
    "the key of the room", "token budget: 4096", "https://example.org/?q=monkey", "sk-learn",
    "Bearer of bad news", "password:", "ann@example.org", "c.f. eyJ", "user:pass", "a" * 200,
    "http://localhost:8888/lab", "'http://a:80'&b,@c", "hf_ repository", "AKIA", "12345678",
    "git@github.com:a/b.git",
)  # fmt: skip


@each_row("text", GIVEN_AWAY)
def test_keys_that_give_themselves_away_are_taken_out(text: str) -> None:
    """Well-known forms of keys are known without their value."""
    assert REDACTED in Redactor().text(text)


@each_row("text", HARMLESS)
def test_harmless_texts_stay_as_they_are(secrets: Redactor, text: str) -> None:
    """Nothing is taken out that is no secret."""
    assert secrets.text(text) == text


def test_paths_are_no_secrets() -> None:
    """The working folder and plain words are never taken for one."""
    known = Redactor.from_environment(
        {"PWD": "/home/ann/work", "MAX_TOKENS": "10000000", "API_KEY": "true", "HOME": "/home/ann"}
    )
    assert known.text("/home/ann/work is true 10000000") == "/home/ann/work is true 10000000"


def test_everything_that_is_shown_is_without_them(bench: Bench) -> None:
    """A file's secret is in no preview, prompt, event, table, page, record or log line."""
    (bench.root / "notes.txt").write_text(f"{VALUE}\nline two\n{OTHER}\n", "utf-8")
    events: list[str] = []
    steps = [
        {"tool": "file_read", "args": {"path": "notes.txt"}},
        {"tool": "file_write", "args": {"path": "copy.txt", "content": ""}},
        {"tool": "file_read", "args": {"path": f"{OTHER}.txt"}},
        END,
    ]
    handler = _Lines()
    LOGGER.addHandler(handler)
    with bench.session(
        {"content": f"{REDACTED}\nline two\n{REDACTED}"}, VERBOSITY=2, ON_FAILURE="skip"
    ) as session:
        run = session.execute(steps, approve="auto", on_event=lambda e: events.append(str(e)))
    LOGGER.removeHandler(handler)
    seen = "\n".join(
        [
            *(str(view) for view in run._repr_mimebundle_().values()), run.export(), run.report(),
            str(run.observations), str(run.ledger), repr(bench.model.requests), str(run.answer),
            visible("\n".join(events)), *(escape(line) for line in handler.lines),
        ]
    )  # fmt: skip
    for secret in (VALUE, OTHER, json.dumps(VALUE)[1:-1], base64.b64encode(_data()).decode()):
        assert secret not in seen
    assert REDACTED in seen
    journal = (bench.home / "journal.sqlite3").read_bytes()
    assert VALUE.encode() not in journal
    assert OTHER.encode() not in journal
    assert (bench.root / "copy.txt").read_text("utf-8").startswith(VALUE)


class _Lines(logging.Handler):
    """Keeps what the log would say."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(f"{record.getMessage()} {getattr(record, 'detail', '')}")


def test_the_form_shows_no_secret_of_a_file(bench: Bench) -> None:
    """Neither argument nor preview of a step shows one, and the approval still counts."""
    (bench.root / "notes.txt").write_text(f"key = {OTHER}\n", "utf-8")
    pages: list[str] = []

    def decide(plan: Plan) -> str:
        pages.append(repr(plan))
        return "approve"

    step = {"tool": "file_edit", "args": {"path": "notes.txt", "old_text": OTHER, "new_text": "x"}}
    run = bench.run([step, END], approve=decide)
    assert run.state == "completed"
    assert (bench.root / "notes.txt").read_text() == "key = x\n"
    assert OTHER not in escape(pages[0])


def test_an_error_shows_no_secret_and_hides_no_character() -> None:
    """Messages and hints are one legible line each, whatever they quote."""
    error = PlanError(f"no {VALUE}\u202e\x1b[31m\nnext", hint=f"try {OTHER}\u200b")
    for text in (str(error), "\n".join(error._render_traceback_()), repr(error)):
        assert VALUE not in text
        assert OTHER not in text
        assert not set(text) & set("\u202e\x1b\u200b")
    assert str(error) == f"no {REDACTED}⟨U+202E⟩⟨U+001B⟩[31m⟨U+000A⟩next (try {REDACTED}⟨U+200B⟩)"


def test_a_long_value_leaves_both_ends_of_a_message() -> None:
    """What is wrong stands before or behind the value, so the middle goes."""
    message = OksoError(f"start {'x' * 10_000} end").message
    assert message.startswith("start x")
    assert message.endswith("x end")
    assert "(10,010 characters)" in message
    assert len(message) < 1000
    assert sentence("short") == "short"


@pytest.mark.process
def test_the_whole_process_knows(tmp_path: Path) -> None:
    """In a program of its own, the first session is enough for messages to be clean."""
    program = (
        "from okso_jupyter import Session\n"
        f"Session({{'OKSO_HOME': {str(tmp_path / 'home')!r}}})\n"
        f"from okso_jupyter.errors import OksoError\nprint(OksoError({VALUE!r}))\n"
    )
    done = subprocess.run(  # noqa: S603  our own command line
        [sys.executable, "-c", program], capture_output=True, text=True, check=True,
        cwd=Path(__file__).parents[1],
    )  # fmt: skip
    assert done.stdout.strip() == REDACTED


def test_a_run_is_found_again_after_redaction(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was taken out of a record does not keep anybody from reading the rest."""
    monkeypatch.setenv("OKSO_HOME", str(bench.home))
    run = bench.run([{"tool": "terminal", "args": {"command": "echo", "args": [OTHER]}}, END])
    assert load_run(run.id).answer == REDACTED
    with Session() as session:
        assert session.load_run(run.id).state == "completed"


def test_the_password_in_the_address_of_a_further_secret_is_one() -> None:
    """Such as that of the database of TABLE_BACKEND, alone and within the address."""
    redactor = Redactor.from_environment(also=["postgres://me:S3cret-Word@db.example/shop"])
    said = redactor.text("FATAL: S3cret-Word of postgres://me:S3cret-Word@db.example/shop")
    assert "S3cret-Word" not in said
