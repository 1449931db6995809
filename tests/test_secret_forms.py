"""Secrets that nobody named are known by what stands around them; what looks alike stays."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from okso_jupyter.effects.effect import Effect
from okso_jupyter.log import LOGGER
from okso_jupyter.plan.approval_request import ApprovalRequest, ShownStep
from okso_jupyter.plan.plan import Plan
from okso_jupyter.plan.records import Approval
from okso_jupyter.redaction.redactor import REDACTED, Redactor, remember
from okso_jupyter.redaction.secret_names import Suspicion, suspicion
from okso_jupyter.views import plan_html, plan_text
from tests.bench import END, Bench
from tests.each_row import each_row
from tests.secret_forms import KNOWN, Leak, encoded, harmless, leaks

ALL = [*leaks(), *encoded()]
KNOWING = Redactor.from_environment({"LAB_API_KEY": KNOWN})


@pytest.fixture(autouse=True)
def forget() -> Iterator[None]:
    """Leave no redactor behind."""
    yield
    remember(Redactor())


def test_there_are_eighty_of_each() -> None:
    """The corpus is as large as it claims to be, and no case stands there twice."""
    assert len({leak.text for leak in ALL}) == len(ALL) >= 80
    assert len(set(harmless())) == len(harmless()) >= 80


@each_row("leak", ALL)
def test_no_secret_stays(leak: Leak) -> None:
    """As a text, as a part of a record, inside JSON, and when it was taken out before."""
    clean = KNOWING.text(leak.text)
    assert leak.secret not in clean
    assert REDACTED in clean
    assert KNOWING.text(clean) == clean
    assert leak.secret not in KNOWING.json({"text": [leak.text]})["text"][0]
    inside = json.dumps({"text": leak.text})
    assert json.dumps(leak.secret)[1:-1] not in KNOWING.text(inside)


@each_row("text", harmless())
def test_no_harmless_text_is_changed(text: str) -> None:
    """Counted tokens, sort keys, prose, code that gets a secret from elsewhere, placeholders."""
    assert KNOWING.text(text) == text
    assert KNOWING.json({"text": [text]}) == {"text": [text]}


def test_harmless_texts_stay_beside_each_other() -> None:
    """The end of one is not taken for the beginning of a value."""
    for text in ("\n".join(harmless()), json.dumps(harmless()), repr(harmless())):
        assert KNOWING.text(text) == text


def test_those_that_were_kept_apart() -> None:
    """Cases that no rule was written for: nearly all of them hold, and none that held is lost."""
    stay = [leak.text for leak in leaks("kept_apart_secret.txt")
            if leak.secret in KNOWING.text(leak.text)]  # fmt: skip
    changed = [text for text in harmless("kept_apart_harmless.txt") if KNOWING.text(text) != text]
    assert len(stay) <= 3
    assert len(changed) <= 1


def test_a_value_is_an_example_only_where_nothing_random_stands_beside_that_word() -> None:
    """A key that happens to hold "example" is a key; what a manual calls an example stays."""
    found = leaks("example_secret.txt")
    assert len(found) == 20
    assert [leak.text for leak in found if leak.secret in KNOWING.text(leak.text)] == []
    texts = harmless("example_harmless.txt")
    assert len(texts) == 20
    assert [text for text in texts if KNOWING.text(text) != text] == []


NAMES = {
    Suspicion.SURE: "PASSWORD dbPassword X-API-Key STRIPE_KEY accessToken AccountKey SENTRY_DSN "
                    "ACCESSKEY SLACK_WEBHOOK_URL REFRESH_TOKENS DOOR_PASSCODE HASH_SALT API_KEY_2",
    Suspicion.SOME: "token auth key TOKEN_GITHUB cookie master_list_key",
    Suspicion.NONE: "MAX_TOKENS SORT_KEY PRIMARY_KEY TOKEN_COUNT tokenizer keyboard author monkey "
                    "compass PWD secretary COOKIE_MAX_AGE publicKey next_page_token merge_key",
}  # fmt: skip


@each_row(
    ("name", "expected"),
    [(name, level) for level, names in NAMES.items() for name in names.split()],
)
def test_a_name_is_read_word_by_word(name: str, expected: Suspicion) -> None:
    """Its last word says what it is, and its companions what kind."""
    assert suspicion(name) == expected


def test_the_words_of_a_command_are_read_together() -> None:
    """Whether a command is a line or a list of words, its password goes and the rest stays."""
    line = "curl -u ann:hunter2 --token 'zwei worte' -o out.json https://api.example"
    call = {"command": "curl", "args": shlex.split(line)[1:]}
    expected = ["-u", f"ann:{REDACTED}", "--token", REDACTED, "-o", "out.json"]
    assert Redactor().json(call)["args"][:-1] == expected
    assert Redactor().json(["sort", "--key", "2"]) == ["sort", "--key", "2"]


def test_a_record_tells_what_its_names_hide() -> None:
    """A value goes for its name, a number of tokens and a schema stay."""
    record = {
        "password": "amsel", "headers": {"X-API-Key": "kurz", "Accept": "text/html"},
        "input_tokens": 200, "properties": {"token": {"type": "string"}}, "token": "the",
    }  # fmt: skip
    assert Redactor().json(record) == {
        **record, "password": REDACTED, "headers": {"X-API-Key": REDACTED, "Accept": "text/html"},
    }  # fmt: skip


def test_letters_that_grow_when_made_small_move_no_place() -> None:
    """A secret behind such letters is cut out where it stands."""
    assert Redactor().text("İİİ PASSWORD=amsel7 İ") == f"İİİ PASSWORD={REDACTED} İ"


@pytest.mark.slow
@pytest.mark.parametrize("text", ["token " * 20_000, "password:" * 20_000, "://" * 20_000,
                                  "-u a" * 20_000, "'" * 50_000 + "key=", "a" * 200_000 + "_key=x",
                                  "-----BEGIN " * 10_000, "curl mysql docker login " * 5000,
                                  "token='" * 10_000, "x" + " is" * 50_000])  # fmt: skip
def test_no_text_takes_more_than_its_length(text: str) -> None:
    """The work grows with the text and not with its square, counted in lines of Python."""

    def lines(text: str) -> int:
        count = 0

        def trace(_frame: Any, _event: str, _arg: Any) -> Any:
            nonlocal count
            count += 1
            return trace

        before = sys.gettrace()
        sys.settrace(trace)
        try:
            Redactor().text(text)
        finally:
            sys.settrace(before)
        return count

    part, whole = text[: len(text) // 4], text
    assert lines(whole) <= 5 * lines(part) + 1000


def _steps() -> list[dict[str, Any]]:
    """Return steps that say every text of the corpus, in thought, arguments and output."""
    return [
        *({"tool": "tell", "thought": leak.text, "args": {"text": f"harmless {leak.text}"}}
          for leak in ALL),
        {"tool": "tell", "args": {"text": "\n".join(harmless())}},
        END,
    ]  # fmt: skip


@pytest.mark.slow
def test_none_reaches_any_sink(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Journal, log, trace files, plan file, frames, report, history, export, events, prompts."""
    monkeypatch.setenv("LAB_API_KEY", KNOWN)
    bench.offer("tell", lambda text: {"stdout": text}, effect="none")
    out = bench.home.parent
    events: list[Mapping[str, Any]] = []
    with bench.session(
        "harmless", VERBOSITY=2, ENABLE_ANSWER_VALIDATION=False, OKSO_TRACE_DIR=str(out / "traces"),
        OKSO_PLAN_OUTPUT=str(out / "plan.json"), PLANNER_DEBUG_LOG=str(out / "debug.jsonl"),
    ) as session:  # fmt: skip
        for leak in ALL:
            LOGGER.info("%s", leak.text, extra={"detail": {"text": leak.text}})
        run = session.execute(_steps(), approve="auto", on_event=events.append)
    frames = [getattr(run, name) for name in ("candidates", "observations", "trace", "ledger")]
    sinks = {
        "journal": "".join(json.dumps(record.body, ensure_ascii=False) for record in run.records),
        "files": _texts_below(out),
        "log": capsys.readouterr().err,
        "report": run.report(),
        "history": run.history("json") + run.history("pretty"),
        "export": run.export(),
        "answer": str(run.answer),
        **{f"view {kind}": str(text) for kind, text in run._repr_mimebundle_().items()},
        **{f"frame {at}": frame.to_csv() for at, frame in enumerate(frames)},
        **{f"table {at}": frame.to_html() for at, frame in enumerate(frames)},
        "events": json.dumps([dict(event) for event in events], ensure_ascii=False),
        "prompts": repr(bench.model.requests),
    }
    assert run.state == "completed"
    assert _leaking(sinks) == set()
    assert "harmless" in sinks["journal"]
    shown = json.dumps(list(run.observations["observation_raw"]), ensure_ascii=False)
    assert [text for text in harmless() if _in_json(text) not in shown] == []


def _in_json(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)[1:-1]


def _leaking(sinks: Mapping[str, str]) -> set[tuple[str, str]]:
    """Return the sinks that hold a secret of the corpus, long enough to be no common word."""
    return {
        (name, leak.secret)
        for name, text in sinks.items()
        for leak in ALL
        for spelling in (leak.secret, json.dumps(leak.secret)[1:-1], repr(leak.secret)[1:-1])
        if len(leak.secret) > 5 and spelling in text
    }


def _texts_below(folder: Path) -> str:
    files = [file for file in folder.rglob("*") if file.is_file()]
    return "\n".join(file.read_bytes().decode("latin-1") for file in files)


def test_form_and_card_show_none() -> None:
    """Neither form nor card nor the plan at a terminal, whatever part of a step holds it."""
    remember(KNOWING)
    plan = Plan.from_dict({"title": "t", "request": "r", "steps": _steps()})
    shown = tuple(
        ShownStep(step=step, effects=frozenset({Effect.WRITES}), safety=leak.text,
                  preview="\n".join(f"+{line}" for line in leak.text.split("\n")))
        for step, leak in zip(plan.steps, [*ALL, ALL[0], ALL[1]], strict=True)
    )  # fmt: skip
    proposal = ApprovalRequest(
        plan=plan, steps=shown, request=ALL[0].text, candidates_note=ALL[1].text
    )
    decision = Approval(decision="reject", shown="", by="user", reason=ALL[2].text)
    sinks = {
        "head": plan_html.header(proposal, ""),
        "cards": "".join(map(plan_html.step_card, shown)),
        "decided": plan_html.decided_card(proposal, decision, decided_at="now"),
        "text": plan_text.as_text(proposal),
    }
    assert _leaking(sinks) == set()
