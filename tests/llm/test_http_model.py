"""Requests to an OpenAI-compatible server and the reading of its answers."""

from __future__ import annotations

import _thread
import json
import logging
import signal
import threading
import time
from dataclasses import replace
from typing import Any

import httpx
import pytest

from okso_jupyter.errors import ModelError, ModelUnavailableError
from okso_jupyter.llm.protocol import Message, Sampling
from tests.each_row import each_row
from tests.llm.asking import CITY, KEY, OSLO, ROME, model_at, question
from tests.llm.openai_server import OpenAIServer, Reply, at_once, drips, falls_silent, says

USAGE = {
    "prompt_tokens": 12,
    "completion_tokens": 5,
    "prompt_tokens_details": {"cached_tokens": 8},
}


def test_a_request_has_all_parameters() -> None:
    """Model, messages, seed, temperature, length and strict schema are sent once per seed."""
    with OpenAIServer([says(ROME)]) as server:
        model_at(server.spec).complete(question(3, 4, temperature=0.4, max_tokens=99))
        bodies = sorted((seen.body for seen in server.seen), key=lambda body: body["seed"])

    assert {seen.path for seen in server.seen} == {"/v1/chat/completions"}
    assert [body["seed"] for body in bodies] == [3, 4]
    for body in bodies:
        assert (body["model"], body["temperature"], body["max_tokens"]) == ("tiny", 0.4, 99)
        assert body["messages"] == [
            {"role": "system", "content": "Be brief."}, {"role": "user", "content": "Name a city."}
        ]  # fmt: skip
        assert body["response_format"] == {
            "type": "json_schema",
            "json_schema": {"name": "planner", "strict": True, "schema": CITY},
        }


def test_the_length_of_a_tuple_is_sent_as_max_items() -> None:
    """The bound of a tuple is sent as maxItems, since llama.cpp rejects `items: false`."""
    pair = {"type": "array", "prefixItems": [CITY, {"const": False}], "items": False}
    with OpenAIServer([says(f"[{ROME},false]"), says(f"[{ROME},false,1]")]) as server:
        model = model_at(server.spec)
        right, wrong = (model.complete(question(schema=pair))[0] for _ in range(2))
        sent = server.seen[0].body["response_format"]["json_schema"]["schema"]

    assert sent == {"type": "array", "prefixItems": [CITY, {"const": False}], "maxItems": 2}
    assert right.flaw == ""
    assert "breaks the schema" in wrong.flaw


def test_an_implausible_token_count_is_ignored() -> None:
    """An absurdly large token count is ignored: tables and sums could not hold it."""
    usage = {"prompt_tokens": 10**30, "completion_tokens": 10**30}
    with OpenAIServer([says(ROME, usage=usage)]) as server:
        (completion,) = model_at(server.spec).complete(question())

    assert completion.prompt_tokens == 0
    assert completion.output_tokens < 100


def test_free_text_asks_for_no_format() -> None:
    """Without a schema any text is accepted, and the request contains no format."""
    with OpenAIServer([says("Rome, of course.")]) as server:
        (completion,) = model_at(server.spec).complete(question(schema=None))

    assert (completion.text, completion.flaw) == ("Rome, of course.", "")
    assert "response_format" not in server.seen[0].body


def test_the_server_counts_the_tokens() -> None:
    """Prompt, cached and output tokens are the server's counts, or 0 if it reports none."""
    with OpenAIServer([says(ROME, usage=USAGE), says(ROME)]) as server:
        model = model_at(server.spec)
        counted, uncounted = (model.complete(question(seed))[0] for seed in (1, 2))

    assert (counted.prompt_tokens, counted.cached_tokens, counted.output_tokens) == (12, 8, 5)
    assert (uncounted.prompt_tokens, uncounted.cached_tokens, uncounted.output_tokens) == (0, 0, 0)
    assert counted.prompt == "system: Be brief.\nuser: Name a city."
    assert counted.duration_s > 0


def test_the_identity_contains_no_secrets() -> None:
    """Spec and name are known at once, the server's build after its first answer.

    The identity contains neither the password nor the query of the address.
    """
    with OpenAIServer([says(ROME, usage=USAGE)]) as server:
        model = model_at(f"http://ann:pass-of-ann@{server.host}/v1/?v=of-ann#org/tiny%201")
        before = model.identity
        model.complete(question())

    assert before.spec == f"http://{server.host}/v1#org/tiny 1"
    assert (before.name, before.build) == ("org/tiny 1", "")
    assert model.identity.build == "fp-7"
    assert server.seen[0].path == "/v1/chat/completions?v=of-ann"
    assert server.seen[0].headers["authorization"].startswith("Basic ")
    assert "ann" not in f"{model.identity} {model!r} {vars(model)}"


def test_the_key_is_sent_as_a_bearer_token() -> None:
    """A key is sent with the request; without a key no authorization header is sent."""
    with OpenAIServer([says(ROME)]) as server:
        model_at(server.spec, key=KEY).complete(question())
        model_at(server.spec).complete(question())

    assert server.seen[0].headers["authorization"] == f"Bearer {KEY}"
    assert "authorization" not in server.seen[1].headers


def test_completions_come_in_the_order_of_their_seeds() -> None:
    """Each seed gets its own text, whichever is ready first."""

    def answer(reply: Reply) -> None:
        reply.pause(0.2 if reply.body["seed"] == 1 else 0)
        says(f'{{"city":"number {reply.body["seed"]}"}}')(reply)

    with OpenAIServer([answer]) as server:
        completions = model_at(server.spec).complete(question(1, 2, 3))

    assert [completion.seed for completion in completions] == [1, 2, 3]
    assert [json.loads(c.text)["city"] for c in completions] == ["number 1", "number 2", "number 3"]


def test_concurrent_requests_are_limited() -> None:
    """Ten samples are requested concurrently, but never more than four at a time."""
    lock, now, most = threading.Lock(), 0, 0

    def answer(reply: Reply) -> None:
        nonlocal now, most
        with lock:
            now += 1
            most = max(most, now)
        reply.pause(0.05)
        with lock:
            now -= 1
        says(ROME)(reply)

    with OpenAIServer([answer]) as server:
        assert len(model_at(server.spec).complete(question(*range(10)))) == 10

    assert 2 <= most <= 4


def test_an_answer_without_streaming_is_read() -> None:
    """An answer that is one JSON document instead of a stream is read."""
    with OpenAIServer([at_once(ROME)]) as server:
        (completion,) = model_at(server.spec).complete(question())

    assert (completion.text, completion.finish, completion.flaw) == (ROME, "stop", "")


def test_a_code_fence_is_removed_from_the_answer() -> None:
    """A Markdown code fence around the JSON is removed.

    Without an enforced schema models often write one.
    """
    with OpenAIServer([says(f"```json\n{ROME}\n```\n")]) as server:
        (completion,) = model_at(server.spec).complete(question())

    assert (completion.text, completion.flaw) == (ROME, "")


def test_a_truncated_text_is_marked() -> None:
    """A text that the server ends at max_tokens has the finish "length"."""
    with OpenAIServer([says('{"ci', finish="length")]) as server:
        (completion,) = model_at(server.spec).complete(question())

    assert (completion.text, completion.finish) == ('{"ci', "length")


def test_a_finished_text_ends_the_call_after_enough_after_s() -> None:
    """After `enough_after_s` finished texts are returned and unfinished ones abandoned."""
    with OpenAIServer([says(ROME), falls_silent('{"ci'), falls_silent()]) as server:
        first, *others = model_at(server.spec).complete(question(1, 2, 3, enough_after_s=0.4))

    texts = {completion.text: completion.finish for completion in (first, *others)}
    assert texts == {ROME: "stop", '{"ci': "time", "": "time"}


@pytest.mark.slow
def test_drafts_are_returned_when_no_text_is_finished() -> None:
    """If no text is finished after `drafts_after_s`, partial texts are drafts."""
    answers = [falls_silent('{"ci'), falls_silent()]
    with OpenAIServer(answers) as server:
        asked = question(1, 2, enough_after_s=0.1, drafts_after_s=1.0)
        completions = model_at(server.spec).complete(asked)

    assert sorted(one.text for one in completions) == ["", '{"ci']
    assert {(one.finish, one.flaw) for one in completions} == {("draft", "")}


@pytest.mark.slow
def test_a_finished_text_prevents_drafts() -> None:
    """If one text is finished after `drafts_after_s`, the unfinished ones are not drafts."""
    with OpenAIServer([says(ROME), falls_silent('{"ci')]) as server:
        completions = model_at(server.spec).complete(question(1, 2, drafts_after_s=1.0))

    texts = {completion.text: completion.finish for completion in completions}
    assert texts == {ROME: "stop", '{"ci': "time"}


def test_each_completion_has_its_own_schema() -> None:
    """Each request has the schema of its seed, and its text is checked against it."""
    other = {"type": "object", "properties": {"town": {"type": "string"}}, "required": ["town"]}
    with OpenAIServer([says(ROME)]) as server:
        both = model_at(server.spec).complete(question(1, 2, schemas=(CITY, other)))
        sent = {
            seen.body["seed"]: seen.body["response_format"]["json_schema"]["schema"]
            for seen in server.seen
        }

    assert sent == {1: CITY, 2: other}
    assert both[0].flaw == ""
    assert "'town' is a required property" in both[1].flaw


@pytest.mark.slow
def test_progress_is_reported_in_the_caller_s_thread() -> None:
    """During a slow stream the counts grow, and the last report covers every completion."""
    told: list[tuple[Sampling, threading.Thread]] = []

    def tell(sampling: Sampling) -> None:
        told.append((sampling, threading.current_thread()))

    with OpenAIServer([drips(ROME, 0.3)]) as server:
        model_at(server.spec).complete(question(1, 2, on_progress=tell))

    written = [sampling.output_tokens for sampling, _ in told]
    assert written == sorted(written)
    assert 0 < written[-1] <= 8
    assert written[0] < written[-1]
    assert {thread for _, thread in told} == {threading.main_thread()}
    assert {sampling.completions for sampling, _ in told} == {2}
    assert told[-1][0].tokens_per_s > 0


@pytest.mark.parametrize("answer", [falls_silent(), falls_silent('{"ci'), drips(ROME * 99, 0.1)])
def test_stop_ends_a_call_and_the_model_stays_usable(answer: Any) -> None:
    """Stop works before headers, during silence and in a stream; the next call succeeds."""
    with OpenAIServer([answer, answer, says(OSLO)]) as server:
        model = model_at(server.spec)
        stopped_at = 0.0

        def stop() -> None:
            nonlocal stopped_at
            stopped_at = time.monotonic()
            _thread.interrupt_main()

        threading.Timer(0.4, stop).start()
        with pytest.raises(KeyboardInterrupt):
            model.complete(question(1, 2))
        ended_after_s = time.monotonic() - stopped_at
        (completion,) = model.complete(question(3))

    assert ended_after_s < 0.5
    assert completion.text == OSLO


def test_stop_while_a_call_starts_leaves_no_thread(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Stop while the call's thread is being started ends the thread and its requests."""
    start = threading.Thread.start

    def started(thread: threading.Thread) -> None:
        start(thread)
        if thread.name == "okso-job":
            signal.raise_signal(signal.SIGINT)

    with OpenAIServer([falls_silent()]) as server:
        monkeypatch.setattr(threading.Thread, "start", started)
        with pytest.raises(KeyboardInterrupt):
            model_at(server.spec).complete(question())
        monkeypatch.undo()
        left = [thread for thread in threading.enumerate() if thread.name == "okso-job"]

    assert not left


def test_an_exception_of_on_progress_ends_the_call() -> None:
    """An exception raised by `on_progress` ends the call and propagates."""

    def enough(_sampling: Sampling) -> None:
        msg = "enough"
        raise LookupError(msg)

    with (
        OpenAIServer([falls_silent()]) as server,
        pytest.raises(LookupError, match="enough"),
    ):
        model_at(server.spec).complete(question(on_progress=enough))


def test_no_thread_outlives_a_call() -> None:
    """No thread outlives a call, whether it finished or was stopped."""
    with OpenAIServer([says(ROME), falls_silent()]) as server:
        model = model_at(server.spec)
        before = {thread.name for thread in threading.enumerate() if thread.name == "okso-job"}
        model.complete(question())
        threading.Timer(0.2, _thread.interrupt_main).start()
        with pytest.raises(KeyboardInterrupt):
            model.complete(question())
        after = {thread.name for thread in threading.enumerate() if thread.name == "okso-job"}

    assert (before, after) == (set(), set())


@each_row(
    ("spec", "complaint"),
    [
        ("http://", "not the address of a server"),
        ("http://:80/v1#m", "not the address of a server"),
        ("http://host:port/v1#m", "not the address of a server"),
        ("http://host:0/v1#m", "not the address of a server"),
        ("http://[::1/v1#m", "not the address of a server"),
        ("http://999.999.999.999/v1#m", "not the address of a server"),
        ("http://xn--a/v1#m", "not the address of a server"),
        ("http://☃.example/v1#m", "not the address of a server"),
        ("http://host/v1\0#m", "not the address of a server"),
        (f"http://host/{'x' * 70_000}#m", "not the address of a server"),
        ("https://ann:pass-of-ann@host:99999/v1#m", "not the address of a server"),
        ("https://ann:pass-of-ann@host/v1", "names no model"),
        ("https://host/v1#", "names no model"),
    ],
)
def test_an_invalid_address_is_refused(spec: str, complaint: str) -> None:
    """An invalid spec is refused with the expected form, and no password is repeated."""
    with pytest.raises(ModelUnavailableError, match=complaint) as caught:
        model_at(spec)

    assert "http(s)://host[:port]/v1#model" in caught.value.hint
    assert "pass-of-ann" not in str(caught.value)


@pytest.mark.parametrize("key", ["of two\nlines-0123", "schlüssel-0123456"])
def test_a_key_invalid_in_a_header_is_refused(key: str) -> None:
    """A key that no header can carry is refused, usually a copying mistake.

    The error names the setting and does not contain the key.
    """
    with pytest.raises(ModelUnavailableError, match="OKSO_API_KEY") as caught:
        model_at("http://localhost/v1#m", key=key)

    assert key not in str(caught.value)


def test_an_unpaired_surrogate_is_refused_in_a_message() -> None:
    """An unpaired surrogate in a message is refused; in the schema it does no harm."""
    with OpenAIServer([says(ROME)]) as server:
        model = model_at(server.spec)
        with pytest.raises(ModelError, match="half a character"):
            model.complete(replace(question(), messages=(Message("user", "a\ud800"),)))
        offered = {"anyOf": [CITY, {"const": "a\udc80"}]}
        (completion,) = model.complete(question(schema=offered))

    assert (completion.text, completion.flaw) == (ROME, "")


@pytest.mark.parametrize("value", [float("nan"), {1}])
def test_a_schema_that_is_not_json_is_refused(value: object) -> None:
    """A schema that cannot be written as JSON is refused, and no request is sent."""
    with OpenAIServer([says(ROME)]) as server:
        with pytest.raises(ModelError, match="the schema cannot be enforced"):
            model_at(server.spec).complete(question(schema={"const": value}))
        assert server.seen == []


def test_secrets_in_an_address_are_not_logged(caplog: pytest.LogCaptureFixture) -> None:
    """The query of the server's address is not logged; other addresses are.

    httpx logs whole addresses, and a notebook with logging at INFO shows them.
    """
    caplog.set_level(logging.DEBUG)
    with OpenAIServer([says(ROME)]) as server:
        spec = f"{server.spec.partition('#')[0]}?api_key=sk-in-the-query#tiny"
        model_at(spec).complete(question())
        httpx.get(f"http://{server.host}/of-others")

    assert "/of-others" in caplog.text
    assert "sk-in-the-query" not in caplog.text


def test_an_invalid_schema_is_refused_before_any_request() -> None:
    """A schema that is not valid JSON Schema is refused, and no request is sent."""
    with OpenAIServer([says(ROME)]) as server:
        with pytest.raises(ModelError, match="the schema cannot be enforced"):
            model_at(server.spec).complete(question(schema={"type": "nonsense"}))
        assert server.seen == []
