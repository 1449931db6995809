"""A faulty, hanging or endlessly writing server causes at most one clear error."""

from __future__ import annotations

import gzip
import json
import logging
import threading
import time
import tracemalloc
import zlib
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from okso_jupyter.errors import ModelError, ModelInputError, ModelUnavailableError
from okso_jupyter.llm import http_model
from tests.llm.asking import CITY, KEY, OSLO, ROME, model_at, question
from tests.llm.openai_server import (
    Answer,
    OpenAIServer,
    Reply,
    at_once,
    breaks_off,
    drips,
    falls_silent,
    pieces_of,
    refuses,
    says,
    sends,
    stays_alive,
)


@pytest.fixture
def log(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> pytest.LogCaptureFixture:
    """The captured records of the package's logger, whose propagation a session turns off."""
    monkeypatch.setattr(logging.getLogger("okso_jupyter"), "propagate", True)
    caplog.set_level(logging.DEBUG, logger="okso_jupyter")
    return caplog


def _gone() -> str:
    """Return the spec of a server that is no longer running."""
    with OpenAIServer([says(ROME)]) as server:
        return server.spec


@pytest.mark.parametrize("failure", [refuses(503), refuses(500), refuses(429), breaks_off("{")])
def test_a_temporary_failure_is_retried(failure: Answer) -> None:
    """Overload and a broken connection are retried; a partial text is discarded."""
    with OpenAIServer([failure, failure, says(ROME)]) as server:
        (completion,) = model_at(server.spec).complete(question())

    assert (completion.text, completion.flaw, len(server.seen)) == (ROME, "", 3)


@pytest.mark.slow
@pytest.mark.parametrize("as_date", [False, True])
def test_retry_after_is_respected(as_date: bool) -> None:  # noqa: FBT001  a parameter
    """Retry-After is respected, both as seconds and as a date."""
    when = format_datetime(datetime.now(UTC) + timedelta(seconds=2), usegmt=True)
    times: list[float] = []

    def busy(reply: Reply) -> None:
        times.append(time.monotonic())
        refuses(429, retry_after=when if as_date else "1")(reply)

    def fine(reply: Reply) -> None:
        times.append(time.monotonic())
        says(ROME)(reply)

    with OpenAIServer([busy, fine]) as server:
        model_at(server.spec).complete(question())

    assert times[1] - times[0] >= 0.99


def test_a_long_retry_after_is_reported() -> None:
    """A Retry-After of more than a minute is reported without waiting."""
    with (
        OpenAIServer([refuses(429, "quota used up", retry_after="3600")]) as server,
        pytest.raises(ModelUnavailableError, match="429: quota used up"),
    ):
        model_at(server.spec).complete(question())

    assert len(server.seen) == 1


def test_a_persistent_server_error_is_reported() -> None:
    """After several attempts the error reports the status and the server's message."""
    with (
        OpenAIServer([refuses(500, "out of\nmemory\x1b[31m")]) as server,
        pytest.raises(ModelUnavailableError, match=r"answered 500: out of memory \[31m$"),
    ):
        model_at(server.spec).complete(question())

    assert len(server.seen) == 4


@pytest.mark.parametrize("samples", [3, 8])
def test_a_failing_server_is_not_retried_for_every_sample(samples: int) -> None:
    """Only one sample of a call is retried on a failing server.

    The failing call sends up to four concurrent requests and three retries; later calls send
    one request without any retry.
    """
    with OpenAIServer([refuses(500)]) as server:
        model = model_at(server.spec)
        with pytest.raises(ModelUnavailableError):
            model.complete(question(*range(samples)))
        asked = len(server.seen)
        with pytest.raises(ModelUnavailableError):
            model.complete(question(1))

    assert asked == min(samples, 4) + 3
    assert len(server.seen) == asked + 1


def test_retries_resume_after_one_answer() -> None:
    """One successful answer from a failed server turns retries on again."""
    answers = [refuses(500)] * 4 + [says(ROME), refuses(503), says(ROME)]
    with OpenAIServer(answers) as server:
        model = model_at(server.spec)
        with pytest.raises(ModelUnavailableError):
            model.complete(question(1))
        texts = [model.complete(question())[0].text for _ in range(2)]

    assert (texts, len(server.seen)) == ([ROME, ROME], 7)


def test_an_unreachable_server_is_reported() -> None:
    """The error for a server that does not answer contains its address."""
    spec = _gone()
    with pytest.raises(ModelUnavailableError, match=f"{spec.partition('#')[0]} does not answer"):
        model_at(spec).complete(question())


def test_a_connection_without_text_counts_as_silence(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a limit of time, a server that only keeps the connection alive ends the call."""
    monkeypatch.setattr(http_model, "_SILENCE_S", 0.5)
    with (
        OpenAIServer([stays_alive]) as server,
        pytest.raises(ModelUnavailableError, match=f"{server.host}/v1 stopped sending"),
    ):
        model_at(server.spec).complete(question())


@pytest.mark.slow
def test_a_model_that_thinks_for_long_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pieces of a model's thinking are no silence, and not part of the answer."""
    monkeypatch.setattr(http_model, "_SILENCE_S", 0.5)

    def thinks(reply: Reply) -> None:
        reply.head(content_type="text/event-stream")
        for _ in range(10):
            reply.pause(0.1)
            reply.event(choices=[{"index": 0, "delta": {"reasoning_content": "Rome?"}}])
        reply.piece(ROME)
        reply.write(b"data: [DONE]\n\n")

    with OpenAIServer([thinks]) as server:
        (completion,) = model_at(server.spec).complete(question())

    assert (completion.text, completion.flaw) == (ROME, "")


@pytest.mark.parametrize("answer", [falls_silent(), falls_silent("{"), drips(ROME * 99, 0.1)])
def test_a_call_ends_at_its_timeout(answer: Answer) -> None:
    """LLAMA_TIMEOUT_S bounds a call whatever blocks it, and the hint names the setting."""
    with OpenAIServer([answer]) as server, pytest.raises(ModelError, match=r"within 0\.2 s") as e:
        model_at(server.spec, timeout_s=0.2).complete(question(1, 2, on_progress=None))

    assert "LLAMA_TIMEOUT_S" in e.value.hint


@pytest.mark.slow
def test_completions_ready_before_the_timeout_are_kept() -> None:
    """A sample that hangs does not discard the other samples."""

    def answer(reply: Reply) -> None:
        (falls_silent('{"ci') if reply.body["seed"] == 2 else says(ROME))(reply)

    with OpenAIServer([answer]) as server:
        completions = model_at(server.spec, timeout_s=1).complete(question(1, 2, 3))

    assert [c.text for c in completions] == [ROME, '{"ci', ROME]
    assert [bool(c.flaw) for c in completions] == [False, True, False]
    assert "within 1 s" in completions[1].flaw


@pytest.mark.parametrize(
    ("answer", "flaw"),
    [
        (says('{"town":"Rome"}'), "it breaks the schema: "),
        (says('{"city":7}'), "it breaks the schema at $.city: 7 is not of type 'string'"),
        (says("Rome"), "it is not JSON"),
        (says('{"city":"Ro'), "it is not JSON"),
        (says("[" * 20000), "it is not JSON"),
        (says(""), "it is not JSON"),
        (at_once("Rome"), "it is not JSON"),
        (breaks_off('{"city"'), "does not answer: the connection broke off"),
        (refuses(418, "a teapot"), "answered 418: a teapot"),
        (sends(b"<html>hello</html>", "text/html"), "something that is not JSON"),
        (sends(b"data: {]\n\n", "text/event-stream"), "something that is not JSON"),
        (sends(b'data: {"error": {"message": "slot lost"}}\n\n', "text/event-stream"),
         "the server gave up: slot lost"),
        (sends(b'{"hello": "world"}'), "not a completion"),
        (sends(b'{"choices": [7]}'), "not a completion"),
        (sends(b"[]"), "not a completion"),
        (sends(b""), "something that is not JSON"),
        (says("", finish="content_filter"), "withholds the answer"),
    ],
)  # fmt: skip
def test_a_bad_sample_does_not_affect_others(answer: Answer, flaw: str) -> None:
    """An unusable sample states its flaw, and the other sample is complete."""

    def mixed(reply: Reply) -> None:
        (answer if reply.body["seed"] == 1 else says(OSLO))(reply)

    with OpenAIServer([mixed]) as server:
        bad, good = model_at(server.spec).complete(question(1, 2, max_tokens=8192))

    assert flaw in bad.flaw
    assert (good.text, good.flaw) == (OSLO, "")


def test_the_content_type_is_case_insensitive() -> None:
    """The media type of an answer is matched without regard to case."""

    def loud(reply: Reply) -> None:
        reply.head(content_type="Text/Event-Stream; Charset=UTF-8")
        reply.piece(ROME)
        reply.write(b"data: [DONE]\n\n")

    with OpenAIServer([loud]) as server:
        (completion,) = model_at(server.spec).complete(question())

    assert (completion.text, completion.flaw) == (ROME, "")


def test_an_error_about_an_invalid_answer_names_the_server() -> None:
    """The error contains the server's address, since each role may have its own server."""
    with (
        OpenAIServer([sends(b"<html>log in</html>", "text/html")]) as server,
        pytest.raises(ModelError, match=f"http://{server.host}/v1: the server answered with"),
    ):
        model_at(server.spec).complete(question())


def _endless(reply: Reply) -> None:
    reply.head(content_type="text/event-stream")
    while reply.pause(0):
        reply.piece("x" * 4096)


def _one_long_line(reply: Reply) -> None:
    reply.head(content_type="text/event-stream")
    while reply.pause(0):
        reply.write(b"x" * 65536)


def _long_refusal(reply: Reply) -> None:
    reply.head(400)
    while reply.pause(0):
        reply.write(b"no " * 65536)


@pytest.mark.parametrize(
    ("answer", "complaint"),
    [
        (_endless, "more than 64 tokens can need"),
        (_one_long_line, "more than 64 tokens can need"),
        (sends(b" " * (4 << 20)), "more than 64 tokens can need"),
        (_long_refusal, "answered 400: no no"),
    ],
)
def test_an_endless_answer_is_not_read_to_its_end(answer: Answer, complaint: str) -> None:
    """Bytes and text are bounded by what the tokens can need, an error message by 64 KiB."""
    with OpenAIServer([answer]) as server, pytest.raises(ModelError, match=complaint) as caught:
        model_at(server.spec).complete(question())

    assert len(caught.value.message) < 500


def _packed(times: int, coding: str, status: int = 200, size: int = 64 << 20) -> Answer:
    """Answer with many bytes, compressed so many times that few are transferred."""
    data = zlib.compress(b" " * size, 9) if times else b" " * size
    for _ in range(times - 1):
        data = zlib.compress(data, 9)

    def answer(reply: Reply) -> None:
        reply.head(status, content_encoding=coding, content_length=str(len(data)))
        reply.write(data)

    return answer


@pytest.mark.slow
@pytest.mark.parametrize(
    ("times", "coding", "status", "complaint"),
    [
        (1, "deflate", 200, "more than 64 tokens can need"),
        (1, "deflate", 400, "answered 400"),
        (3, "deflate, deflate, deflate", 200, "packs its answer"),
        (2, "deflate, deflate", 400, "packs its answer"),
        (1, "br", 200, "packs its answer"),
    ],
)
def test_a_compressed_answer_uses_little_memory(
    times: int, coding: str, status: int, complaint: str
) -> None:
    """Single compression is decoded up to the bound; layered compression is refused."""
    with OpenAIServer([_packed(times, coding, status)]) as server:
        tracemalloc.start()
        try:
            with pytest.raises(ModelError, match=complaint):
                model_at(server.spec).complete(question())
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
    assert peak < 32 << 20


def test_a_compressed_answer_is_read() -> None:
    """A gzip-compressed answer is read, since some servers compress unasked."""
    document = json.dumps({"choices": [{"message": {"content": ROME}, "finish_reason": "stop"}]})

    def answer(reply: Reply) -> None:
        data = gzip.compress(document.encode())
        reply.head(content_encoding="gzip", content_length=str(len(data)))
        reply.write(data)

    with OpenAIServer([answer]) as server:
        (completion,) = model_at(server.spec).complete(question())
    assert completion.text == ROME


@pytest.mark.parametrize(
    "said",
    [
        refuses(400, "This model's maximum context length is 512 tokens"),
        refuses(400, "too long", code="context_length_exceeded"),
        refuses(400, "the request exceeds the available context size, try increasing it"),
    ],
)
def test_a_prompt_that_is_too_long_is_an_input_error(said: Answer) -> None:
    """A prompt that is too long raises ModelInputError, however the server phrases it."""
    with OpenAIServer([said]) as server, pytest.raises(ModelInputError, match="does not fit"):
        model_at(server.spec).complete(question())


@pytest.mark.parametrize(
    ("answer", "hint"),
    [
        (refuses(401, f"Incorrect API key provided: {KEY}"), "OKSO_API_KEY"),
        (refuses(403), "OKSO_API_KEY"),
        (refuses(404, "no model 'tiny'"), "'tiny'"),
        (sends(b"", "text/plain"), "OpenAI-compatible"),
    ],
)
def test_an_error_that_the_user_can_fix_has_a_hint(
    answer: Answer, hint: str, log: pytest.LogCaptureFixture
) -> None:
    """A wrong key or an unknown model is not retried, and the hint says what to check.

    Neither the error nor the log contains the key.
    """
    with OpenAIServer([answer]) as server, pytest.raises(ModelError) as caught:
        model_at(server.spec, key=KEY).complete(question())

    assert hint in caught.value.hint
    assert len(server.seen) == 1
    assert KEY not in f"{caught.value!r} {caught.value} {log.text}"


def test_a_server_s_message_about_a_wrong_key_is_reported() -> None:
    """The server's message about a wrong key is reported, with the key redacted."""
    with (
        OpenAIServer([says(ROME)], key="another-key-of-nobody") as server,
        pytest.raises(ModelUnavailableError, match=r"401: Incorrect API key: Bearer \[redacted\]"),
    ):
        model_at(server.spec, key=KEY).complete(question())


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_key_is_not_sent_to_a_redirect_target(status: int) -> None:
    """A redirect is reported and not followed: the other server receives no request."""
    with OpenAIServer([says(ROME)]) as other:
        elsewhere = refuses(status, location=f"http://{other.host}/v1/chat/completions")
        with (
            OpenAIServer([elsewhere]) as server,
            pytest.raises(ModelUnavailableError, match=f"redirects to http://{other.host}"),
        ):
            model_at(server.spec, key=KEY).complete(question())

    assert other.seen == []
    assert len(server.seen) == 1


def test_a_refused_schema_is_put_into_the_prompt(log: pytest.LogCaptureFixture) -> None:
    """After a 400 for the format the request is repeated with the schema in the prompt.

    The log reports it once, and later calls send no format.
    """

    def answer(reply: Reply) -> None:
        (refuses(400, "no response_format") if "response_format" in reply.body else says(ROME))(
            reply
        )

    with OpenAIServer([answer]) as server:
        model = model_at(server.spec)
        first = model.complete(question(1, 2))
        asked = len(server.seen)
        second = model.complete(question(3))

    assert [(c.text, c.flaw) for c in (*first, *second)] == [(ROME, "")] * 3
    # two are refused, six short questions look for another form, two ask in words
    assert (asked, len(server.seen)) == (10, 11)
    assert "city: string" in server.seen[-1].body["messages"][-1]["content"]
    warnings = [record for record in log.records if record.levelno == logging.WARNING]
    assert [record.message for record in warnings] == [
        "the server enforces no JSON Schema: the model is told it in words"
    ]


def test_a_server_that_refuses_one_schema_gets_the_next_as_before() -> None:
    """It has shown that it holds a text to a schema: what it refuses is that schema alone."""

    def answer(reply: Reply) -> None:
        is_hard = "pattern" in json.dumps(reply.body.get("response_format", {}))
        (refuses(400, "failed to parse grammar") if is_hard else says(ROME))(reply)

    city = {"type": "string", "pattern": "[A-Z].*"}
    hard = question(2, schema={**CITY, "properties": {"city": city}})
    with OpenAIServer([answer]) as server:
        model = model_at(server.spec)
        texts = [model.complete(asked)[0].text for asked in (question(1), hard, question(3))]

    assert texts == [ROME] * 3
    assert model.dialect == "json_schema"
    forms = [seen.body["response_format"]["type"] for seen in server.seen[-2:]]
    assert forms == ["json_object", "json_schema"]


#: What llama-cpp-python's own server says to the format of others.
_KNOWS_OBJECTS = (
    "1 validation error:\n  {'type': 'literal_error', 'loc': ('body', 'response_format', 'type'), "
    "'msg': \"Input should be 'text' or 'json_object'\", 'input': 'json_schema'}"
)


@pytest.mark.parametrize("status", [500, 422, 400])
def test_a_server_with_another_format_gets_the_schema_in_it(
    status: int, log: pytest.LogCaptureFixture
) -> None:
    """A server that refuses `json_schema` gets `json_object` with the schema instead.

    llama-cpp-python's server refuses `json_schema` with HTTP 500.
    """

    def answer(reply: Reply) -> None:
        takes = reply.body["response_format"]["type"] == "json_object"
        (says(ROME) if takes else refuses(status, _KNOWS_OBJECTS))(reply)

    with OpenAIServer([answer]) as server:
        model = model_at(server.spec)
        first = model.complete(question(1))
        second = model.complete(question(2, 3))

    assert [(c.text, c.flaw) for c in (*first, *second)] == [(ROME, "")] * 3
    formats = [seen.body["response_format"] for seen in server.seen]
    assert [form["type"] for form in formats] == ["json_schema", *["json_object"] * 3]
    assert formats[-1] == {"type": "json_object", "schema": CITY}
    assert not [record for record in log.records if record.levelno >= logging.INFO]


def test_a_json_object_server_gets_one_request_at_a_time() -> None:
    """A server of the llama-cpp-python kind gets no concurrent requests.

    It aborts the answer that it is writing as soon as another request arrives.
    """
    under_way = threading.Lock()
    overlaps: list[int] = []

    def answer(reply: Reply) -> None:
        if reply.body["response_format"]["type"] == "json_schema":
            refuses(500, _KNOWS_OBJECTS)(reply)
        elif under_way.acquire(blocking=False):
            reply.head(content_type="text/event-stream")
            *most, last = pieces_of(ROME)
            for piece in most:
                reply.pause(0.02)
                reply.piece(piece)
            under_way.release()  # first: the next request may come before the last piece is written
            reply.piece(last)
            reply.event(choices=[{"index": 0, "delta": {}, "finish_reason": "stop"}])
        else:
            overlaps.append(reply.body["seed"])
            says("")(reply)

    with OpenAIServer([answer]) as server:
        completions = model_at(server.spec).complete(question(1, 2, 3, 4))

    assert overlaps == []
    assert [c.text for c in completions] == [ROME] * 4


@pytest.mark.parametrize("text", ["Rome, I think.", '{"town":"Rome"}', '"Rome"'])
def test_a_server_that_ignores_schemas_is_told_them_in_words(
    text: str, log: pytest.LogCaptureFixture
) -> None:
    """A server that takes a schema and does not obey it gets it in the prompt from then on."""

    def answer(reply: Reply) -> None:
        is_told = "city: string(..20)" in reply.body["messages"][-1]["content"]
        says(ROME if is_told else text)(reply)

    with OpenAIServer([answer]) as server:
        model = model_at(server.spec)
        (first,) = model.complete(question(1))
        (second,) = model.complete(question(2))

    assert first.flaw
    assert (second.text, second.flaw) == (ROME, "")
    is_json = text.startswith("{")
    form = server.seen[-1].body.get("response_format")
    assert form == ({"type": "json_object"} if is_json else None)
    (said,) = [r.getMessage() for r in log.records if r.levelno == logging.WARNING]
    assert said == "the server ignores the JSON Schema: the model is told it in words"


@pytest.mark.parametrize(
    "text", ['{"city":7}', '{"city":"Rome","x":1}', "", "[7]", f"```\n{ROME}\n```"]
)
def test_a_text_of_the_outermost_form_is_no_proof(text: str) -> None:
    """A server that breaks a detail of a schema, or answers nothing, is asked as before."""
    with OpenAIServer([says(text)]) as server:
        model = model_at(server.spec)
        for seed in range(2):
            model.complete(question(seed))

    assert all("response_format" in seen.body for seen in server.seen)


@pytest.mark.parametrize(
    ("text", "schema", "read"),
    [
        (f"<think>{OSLO} or Rome?</think>\n\n{ROME}", CITY, ROME),
        (f"Perhaps {OSLO}?\n</think>\n{ROME}", CITY, ROME),
        ('{"city":"a</think>b"}', CITY, '{"city":"a</think>b"}'),
        ("<think>Hm.</think>Rome it is.", None, "Rome it is."),
        ("The mark </think> ends it.", None, "The mark </think> ends it."),
        ("<think>Not yet", None, "<think>Not yet"),
    ],
)
def test_thinking_before_the_answer_is_left_out(text: str, schema: object, read: str) -> None:
    """What a model thought before its answer, in the same text, is not read as the answer."""
    with OpenAIServer([says(text)]) as server:
        (completion,) = model_at(server.spec).complete(question(schema=schema))

    assert (completion.text, completion.flaw) == (read, "")


def test_another_bad_request_is_reported() -> None:
    """If a 400 does not concern the format, the server's message is reported."""
    with (
        OpenAIServer([refuses(400, "no such parameter")]) as server,
        pytest.raises(ModelError, match="answered 400: no such parameter"),
    ):
        model_at(server.spec).complete(question())


@pytest.mark.parametrize(
    ("address", "warned"),
    [("http://host.test", True), ("https://host.test", False), ("http://[::1]:8080", False)],
)
def test_a_key_sent_unencrypted_is_warned_about(
    address: str,
    warned: bool,  # noqa: FBT001  a parameter
    log: pytest.LogCaptureFixture,
) -> None:
    """Sending a key over plain HTTP to another machine logs a warning."""
    model_at(f"{address}/v1#m", key=KEY)

    assert ("the key travels unencrypted" in log.text) is warned


def test_a_change_of_the_served_model_is_told(log: pytest.LogCaptureFixture) -> None:
    """A server that answers with another model than before is named, with both models."""

    def of(name: str) -> Answer:
        body = {"model": name, "choices": [{"message": {"content": "x"}, "finish_reason": "stop"}]}
        return sends(json.dumps(body).encode())

    with OpenAIServer([of("tiny"), of("tiny"), of("huge")]) as server:
        model = model_at(server.spec)
        for _ in range(3):
            model.complete(question(1))

    (said,) = [r for r in log.records if "another model" in r.getMessage()]
    assert f"{server.host}/v1: tiny before, huge now" in str(vars(said))
