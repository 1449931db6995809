"""A server that fails, lies, hangs or talks without end costs one clear sentence at most."""

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
from tests.llm.asking import CITY, KEY, OSLO, ROME, model_at, question
from tests.llm.openai_server import (
    Answer,
    OpenAIServer,
    Reply,
    at_once,
    breaks_off,
    drips,
    falls_silent,
    refuses,
    says,
    sends,
)


@pytest.fixture
def log(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> pytest.LogCaptureFixture:
    """The records of our own logger, which a session keeps from handing them on."""
    monkeypatch.setattr(logging.getLogger("okso_jupyter"), "propagate", True)
    caplog.set_level(logging.DEBUG, logger="okso_jupyter")
    return caplog


def _gone() -> str:
    """Return the spec of a server that has ended."""
    with OpenAIServer([says(ROME)]) as server:
        return server.spec


@pytest.mark.parametrize("failure", [refuses(503), refuses(500), refuses(429), breaks_off("{")])
def test_a_failure_that_passes_is_not_noticed(failure: Answer) -> None:
    """Overload and a broken connection are tried again; half a text is forgotten."""
    with OpenAIServer([failure, failure, says(ROME)]) as server:
        (completion,) = model_at(server.spec).complete(question())

    assert (completion.text, completion.flaw, len(server.seen)) == (ROME, "", 3)


@pytest.mark.parametrize("as_date", [False, True])
def test_a_server_says_how_long_to_leave_it_alone(as_date: bool) -> None:  # noqa: FBT001  a parameter
    """Retry-After is honoured, as seconds and as a date."""
    when = format_datetime(datetime.now(UTC) + timedelta(seconds=3), usegmt=True)
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


def test_nobody_waits_an_hour() -> None:
    """A Retry-After beyond a minute is said instead of waited for."""
    with (
        OpenAIServer([refuses(429, "quota used up", retry_after="3600")]) as server,
        pytest.raises(ModelUnavailableError, match="429: quota used up"),
    ):
        model_at(server.spec).complete(question())

    assert len(server.seen) == 1


def test_a_server_that_stays_broken_is_one_sentence() -> None:
    """After a few attempts the status and the server's words are told."""
    with (
        OpenAIServer([refuses(500, "out of\nmemory\x1b[31m")]) as server,
        pytest.raises(ModelUnavailableError, match=r"answered 500: out of memory \[31m$"),
    ):
        model_at(server.spec).complete(question())

    assert len(server.seen) == 4


@pytest.mark.parametrize("samples", [3, 8])
def test_a_server_that_is_down_is_not_asked_for_every_sample_again(samples: int) -> None:
    """What is under way at once, and the retries of one; later calls ask without any retry."""
    with OpenAIServer([refuses(500)]) as server:
        model = model_at(server.spec)
        with pytest.raises(ModelUnavailableError):
            model.complete(question(*range(samples)))
        asked = len(server.seen)
        with pytest.raises(ModelUnavailableError):
            model.complete(question(1))

    assert asked == min(samples, 4) + 3
    assert len(server.seen) == asked + 1


def test_a_server_that_is_back_is_tried_again_as_before() -> None:
    """One answer is enough to be patient with it again."""
    answers = [refuses(500)] * 4 + [says(ROME), refuses(503), says(ROME)]
    with OpenAIServer(answers) as server:
        model = model_at(server.spec)
        with pytest.raises(ModelUnavailableError):
            model.complete(question())
        texts = [model.complete(question())[0].text for _ in range(2)]

    assert (texts, len(server.seen)) == ([ROME, ROME], 7)


def test_a_server_that_is_not_there_is_one_sentence() -> None:
    """Nobody listening is said with the address."""
    spec = _gone()
    with pytest.raises(ModelUnavailableError, match=f"{spec.partition('#')[0]} does not answer"):
        model_at(spec).complete(question())


@pytest.mark.parametrize("answer", [falls_silent(), falls_silent("{"), drips(ROME * 99, 0.1)])
def test_a_call_ends_when_its_time_is_up(answer: Answer) -> None:
    """LLAMA_TIMEOUT_S bounds a call whatever holds it up, and the sentence names it."""
    with OpenAIServer([answer]) as server, pytest.raises(ModelError, match=r"within 0\.5 s") as e:
        model_at(server.spec, timeout_s=0.5).complete(question(1, 2, on_progress=None))

    assert "LLAMA_TIMEOUT_S" in e.value.hint


def test_what_was_ready_in_time_is_kept() -> None:
    """A sample that hangs takes none of the others with it."""

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
def test_one_bad_sample_loses_no_other(answer: Answer, flaw: str) -> None:
    """What cannot be used says why, and its neighbours are whole."""

    def mixed(reply: Reply) -> None:
        (answer if reply.body["seed"] == 1 else says(OSLO))(reply)

    with OpenAIServer([mixed]) as server:
        bad, good = model_at(server.spec).complete(question(1, 2, max_tokens=8192))

    assert flaw in bad.flaw
    assert (good.text, good.flaw) == (OSLO, "")


def test_the_kind_of_an_answer_may_be_written_in_any_case() -> None:
    """Media types have no case."""

    def loud(reply: Reply) -> None:
        reply.head(content_type="Text/Event-Stream; Charset=UTF-8")
        reply.piece(ROME)
        reply.write(b"data: [DONE]\n\n")

    with OpenAIServer([loud]) as server:
        (completion,) = model_at(server.spec).complete(question())

    assert (completion.text, completion.flaw) == (ROME, "")


def test_what_is_no_completion_is_said_with_the_address() -> None:
    """Every role may have a server of its own."""
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
def test_an_answer_without_end_is_not_read_to_it(answer: Answer, complaint: str) -> None:
    """Bytes and text are bounded by what the tokens can need, an error's words by 64 KiB."""
    with OpenAIServer([answer]) as server, pytest.raises(ModelError, match=complaint) as caught:
        model_at(server.spec).complete(question())

    assert len(caught.value.message) < 500


def _packed(times: int, coding: str, status: int = 200, size: int = 64 << 20) -> Answer:
    """Answer with many bytes, packed so many times that few go over the wire."""
    data = zlib.compress(b" " * size, 9) if times else b" " * size
    for _ in range(times - 1):
        data = zlib.compress(data, 9)

    def answer(reply: Reply) -> None:
        reply.head(status, content_encoding=coding, content_length=str(len(data)))
        reply.write(data)

    return answer


@pytest.mark.parametrize(
    ("answer", "complaint"),
    [
        (_packed(1, "deflate"), "more than 64 tokens can need"),
        (_packed(1, "deflate", status=400), "answered 400"),
        (_packed(3, "deflate, deflate, deflate"), "packs its answer"),
        (_packed(2, "deflate, deflate", status=400), "packs its answer"),
        (_packed(1, "br"), "packs its answer"),
    ],
)
def test_a_packed_answer_costs_no_memory(answer: Answer, complaint: str) -> None:
    """What is packed once is unpacked up to the bound, and what is packed in layers not at all."""
    with OpenAIServer([answer]) as server:
        tracemalloc.start()
        try:
            with pytest.raises(ModelError, match=complaint):
                model_at(server.spec).complete(question())
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
    assert peak < 32 << 20


def test_an_answer_that_is_packed_once_is_read() -> None:
    """Some servers pack whatever one asks for."""
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
def test_a_prompt_that_is_too_long_is_the_asker_s_to_shorten(said: Answer) -> None:
    """However a server words it, it becomes a ModelInputError."""
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
def test_what_a_person_can_mend_is_said(
    answer: Answer, hint: str, log: pytest.LogCaptureFixture
) -> None:
    """A wrong key and an unknown model are asked for once, and say what to look at, but no key."""
    with OpenAIServer([answer]) as server, pytest.raises(ModelError) as caught:
        model_at(server.spec, key=KEY).complete(question())

    assert hint in caught.value.hint
    assert len(server.seen) == 1
    assert KEY not in f"{caught.value!r} {caught.value} {log.text}"


def test_a_wrong_key_is_said_by_a_server_that_checks_it() -> None:
    """The server's own words come along, without the key that it repeats."""
    with (
        OpenAIServer([says(ROME)], key="another-key-of-nobody") as server,
        pytest.raises(ModelUnavailableError, match=r"401: Incorrect API key: Bearer \[redacted\]"),
    ):
        model_at(server.spec, key=KEY).complete(question())


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_key_is_never_sent_on(status: int) -> None:
    """A redirect is told and not followed: the other server hears nothing."""
    with OpenAIServer([says(ROME)]) as other:
        elsewhere = refuses(status, location=f"http://{other.host}/v1/chat/completions")
        with (
            OpenAIServer([elsewhere]) as server,
            pytest.raises(ModelUnavailableError, match=f"redirects to http://{other.host}"),
        ):
            model_at(server.spec, key=KEY).complete(question())

    assert other.seen == []
    assert len(server.seen) == 1


def test_a_schema_that_a_server_refuses_is_told_in_words(log: pytest.LogCaptureFixture) -> None:
    """A 400 to the format is asked again without it; the log says so once, and the model learns."""

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
    assert (asked, len(server.seen)) == (4, 5)
    assert '"city"' in server.seen[-1].body["messages"][-1]["content"]
    warnings = [record for record in log.records if record.levelno == logging.WARNING]
    assert [record.message for record in warnings] == [
        "the server enforces no JSON Schema: the model is told it in words"
    ]


#: What llama-cpp-python's own server says to the format of others.
_KNOWS_OBJECTS = (
    "1 validation error:\n  {'type': 'literal_error', 'loc': ('body', 'response_format', 'type'), "
    "'msg': \"Input should be 'text' or 'json_object'\", 'input': 'json_schema'}"
)


@pytest.mark.parametrize("status", [500, 422, 400])
def test_a_server_that_knows_another_format_is_told_the_schema_in_it(
    status: int, log: pytest.LogCaptureFixture
) -> None:
    """llama-cpp-python's server refuses `json_schema` with HTTP 500 and takes `json_object`."""

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


def test_a_server_of_that_kind_is_asked_for_one_answer_at_a_time() -> None:
    """It ends an answer that it still writes as soon as another request comes in."""
    under_way = threading.Lock()
    overlaps: list[int] = []

    def answer(reply: Reply) -> None:
        if reply.body["response_format"]["type"] == "json_schema":
            refuses(500, _KNOWS_OBJECTS)(reply)
        elif under_way.acquire(blocking=False):
            drips(ROME, 0.02)(reply)
            under_way.release()
        else:
            overlaps.append(reply.body["seed"])
            says("")(reply)

    with OpenAIServer([answer]) as server:
        completions = model_at(server.spec).complete(question(1, 2, 3, 4))

    assert overlaps == []
    assert [c.text for c in completions] == [ROME] * 4


def test_a_bad_request_stays_one() -> None:
    """Where it is not the format that is refused, the server's words are told."""
    with (
        OpenAIServer([refuses(400, "no such parameter")]) as server,
        pytest.raises(ModelError, match="answered 400: no such parameter"),
    ):
        model_at(server.spec).complete(question())


@pytest.mark.parametrize(
    ("address", "warned"),
    [("http://host.test", True), ("https://host.test", False), ("http://[::1]:8080", False)],
)
def test_a_key_that_others_could_read_is_warned_of(
    address: str,
    warned: bool,  # noqa: FBT001  a parameter
    log: pytest.LogCaptureFixture,
) -> None:
    """A key over plain HTTP to another machine is said in the log."""
    model_at(f"{address}/v1#m", key=KEY)

    assert ("the key travels unencrypted" in log.text) is warned
