"""Forms and links of a server that are not what the protocol says: declined, never a crash."""

from __future__ import annotations

from typing import Any, Final

import pytest

from okso_jupyter.mcp.question import PersonReply, ServerQuestion
from okso_jupyter.mcp.questions import ServerQuestions
from tests.each_row import each_row

SHOWN: Final = "its question cannot be shown"
DECLINED: Final = "a form must not ask for a secret"
FIELDS: Final[tuple[tuple[object, str], ...]] = (
    ("text", SHOWN),
    ({"type": ["string", "null"]}, SHOWN),
    ({"type": "string", "oneOf": 5}, SHOWN),
    ({"type": "array", "items": 5}, SHOWN),
    ({"$ref": "#"}, SHOWN),
    ({"anyOf": [{"$ref": "#"}]}, SHOWN),
    ({"anyOf": [{"$ref": "http://127.0.0.1:9/schema"}]}, SHOWN),
    ({"type": "string", "title": "pass\u200bword"}, DECLINED),
    ({"type": "string", "title": "Pass Word"}, DECLINED),
    ({"type": "string", "title": "Ihr Passwort"}, DECLINED),
    ({"type": "string", "title": "Contraseña"}, DECLINED),
)


def asked(schema: dict[str, Any], url: str, said: str) -> tuple[PersonReply, list[str]]:
    """Ask a person who always says the same; return the reply and the questions."""
    questions: list[str] = []

    def ask(words: str) -> str:
        questions.append(words)
        return said

    return ServerQuestion(message="m", schema=schema, url=url).ask("desk", ask), questions


@each_row(("field", "reason"), FIELDS)
def test_a_field_that_cannot_be_shown_is_declined_unasked(field: object, reason: str) -> None:
    """Other types than the protocol has, schemas that lead on, and secrets however written."""
    reply, questions = asked({"properties": {"a": field}}, "", "5")
    assert (reply.action, reply.reason, questions) == ("decline", reason, [])


@pytest.mark.parametrize("required", [5, [["a"]], "a", None])
def test_a_list_of_needed_fields_that_is_none_needs_none(required: object) -> None:
    """What is required is a list of names, or nothing is."""
    reply, _ = asked({"properties": {"a": {"type": "string"}}, "required": required}, "", "x")
    assert (reply.action, reply.content) == ("accept", {"a": "x"})


@pytest.mark.parametrize("url", ["http://[", "http://", "javascript:alert(1)", "https://[::1"])
def test_a_link_that_is_none_is_declined_unasked(url: str) -> None:
    """A person is shown web addresses alone."""
    reply, questions = asked({}, url, "yes")
    assert (reply.reason, questions) == ("its link is no web address", [])


def test_not_a_number_is_no_number() -> None:
    """JSON has none, so that the server could not read it."""
    reply, questions = asked({"properties": {"a": {"type": "number"}}}, "", "NaN")
    assert reply.action == "decline"
    assert "'NaN' does not fit" in questions[1]


def test_a_question_that_the_server_has_taken_back_ends_with_the_call() -> None:
    """The connection broke while it waited: the call says so, and not this question."""
    questions = ServerQuestions()
    questions.begin()
    question = ServerQuestion(message="m", schema={}, url="")
    questions._waiting.put(question)  # as the connection does
    question.reply.cancel()
    questions.end()
    assert list(questions.put_to("desk", lambda _words: "yes")) == []
