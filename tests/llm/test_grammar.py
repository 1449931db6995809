"""A schema becomes a grammar without blanks, which llama.cpp reads; servers are asked with it."""

from __future__ import annotations

import json
from typing import Any

import llguidance
import pytest

from okso_jupyter.llm.dialect import body_fields
from okso_jupyter.llm.grammar import grammar_of
from tests.llm.asking import CITY, ROME, model_at, question
from tests.llm.openai_server import Answer, OpenAIServer, Reply, is_probe, refuses, says

llama_cpp = pytest.importorskip("llama_cpp")

_FORCED = '{"word":"okso-7f3a"}'
_STEP = {
    "type": "object",
    "properties": {
        "tool": {"const": 'say "it"'},
        "path": {"enum": ["a\\b", "ü", 3, None]},
        "count": {"type": "integer"},
        "note": {"type": "string", "maxLength": 5},
        "code": {"type": "string", "pattern": "^[a-z]+$"},
    },
    "required": ["tool", "path", "count", "note", "code"],
    "additionalProperties": False,
}
_PLAN = {
    "type": "object",
    "properties": {"steps": {"type": "array", "items": {"$ref": "#/$defs/string"}, "maxItems": 2}},
    "required": ["steps"],
    "$defs": {"string": _STEP},
}


def _takes(schema: Any, text: str) -> bool:
    """Return whether the grammar of a schema takes a text, and no more after it."""
    grammar = grammar_of(schema)
    assert grammar is not None
    assert llama_cpp.LlamaGrammar.from_string(grammar, verbose=False)
    return _Reader(grammar).takes(text)


class _Reader:
    """The grammar, run by the library that llama.cpp's grammars are read by in this process."""

    def __init__(self, grammar: str) -> None:
        from llguidance.gbnf_to_lark import any_to_lark  # noqa: PLC0415

        self._lark = any_to_lark(grammar)

    def takes(self, text: str) -> bool:
        """Return whether it takes the whole text."""
        tokens = llguidance.LLTokenizer("byte")
        matcher = llguidance.LLMatcher(tokens, llguidance.grammar_from("lark", self._lark))
        assert not matcher.is_error(), matcher.get_error()
        data = tokens.tokenize_str(text)
        return bool(matcher.try_consume_tokens(data) == len(data) and matcher.is_accepting())


def _plan(**changed: Any) -> str:
    step = {"tool": 'say "it"', "path": "a\\b", "count": -12, "note": "né\\n", "code": "abc"}
    return json.dumps({"steps": [{**step, **changed}]}, ensure_ascii=False, separators=(",", ":"))


@pytest.mark.parametrize(
    "text",
    [
        _plan(), _plan(path="ü"), _plan(path=3), _plan(path=None), _plan(note='"\\'),
        '{"steps":[]}',
    ],
)  # fmt: skip
def test_a_grammar_takes_what_the_schema_allows(text: str) -> None:
    """Quotes, backslashes and letters of any language are as in compact JSON."""
    assert _takes(_PLAN, text)


@pytest.mark.parametrize(
    "text",
    [
        _plan(path="b"), _plan(tool="say"), _plan(count="3"), _plan(note="longer"), _plan(code="A"),
        _plan(more=1), '{"steps": []}', '{"steps":[]} ', _plan(note="\t").replace("\\t", "\t"),
    ],
)  # fmt: skip
def test_a_grammar_takes_nothing_else(text: str) -> None:
    """No blank between values, no other value, no control character."""
    assert not _takes(_PLAN, text)


def test_a_definition_may_hold_itself() -> None:
    """A list of lists is one rule that names itself."""
    lists = {"type": "array", "items": {"$ref": "#/$defs/list"}}
    schema = {"$ref": "#/$defs/list", "$defs": {"list": lists}}

    assert _takes(schema, "[[],[[]]]")
    assert not _takes(schema, "[[")


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "string", "pattern": "a"}, {"type": "object", "properties": {"a": True}},
        {"$ref": "https://example.org/schema"}, {"type": "nothing"},
    ],
)  # fmt: skip
def test_a_schema_that_is_no_grammar_is_told_in_words(schema: Any) -> None:
    """The converter's failure is no error of the call."""
    assert grammar_of(schema) is None
    fields = body_fields(question(schema=schema), schema, "grammar")
    assert fields.keys() == {"messages"}
    assert len(fields["messages"][-1]["content"]) > len("Name a city.")


def _takes_only(field: str) -> Answer:
    """Return the answer of a server that reads a grammar in one field and refuses any other form.

    It writes the text that the grammar has to be of.
    """

    def answer(reply: Reply) -> None:
        grammar = reply.body.get(field)
        grammar = grammar["grammar"] if isinstance(grammar, dict) else grammar
        if grammar is None:
            is_plain = not {"response_format", "tools"} & reply.body.keys()
            (says("yes") if is_plain else refuses(400, "unknown field"))(reply)
            return
        text = _FORCED if is_probe(reply.body) else ROME
        assert _Reader(grammar).takes(text)
        says(text)(reply)

    return answer


@pytest.mark.parametrize("field", ["grammar", "structured_outputs", "guided_grammar"])
def test_a_server_that_offers_only_a_grammar_gets_one(field: str) -> None:
    """Short questions find it out; the words of the question stay as they are."""
    with OpenAIServer([_takes_only(field)]) as server:
        model = model_at(server.spec)
        (first,) = model.complete(question())
        asked = len(server.seen)
        (second,) = model.complete(question())

    assert [first.text, first.flaw, second.text] == [ROME, "", ROME]
    assert model.dialect == field
    assert len(server.seen) == asked + 1
    assert server.seen[-1].body["messages"][-1]["content"] == "Name a city."


def _with_blanks(reply: Reply) -> None:
    """Answer as llama.cpp's server does: a schema leaves room for blanks, a grammar does not."""
    if "grammar" in reply.body:
        says(_FORCED if is_probe(reply.body) else ROME)(reply)
    else:
        says(json.dumps(json.loads(ROME), indent=4))(reply)


def test_blanks_are_spared_by_a_grammar() -> None:
    """After an answer with blanks, a server that takes grammars is sent them."""
    with OpenAIServer([_with_blanks]) as server:
        model = model_at(server.spec)
        texts = [model.complete(question())[0].text for _ in range(2)]

    assert texts == [json.dumps(json.loads(ROME), indent=4), ROME]
    forms = [one.body.keys() & {"response_format", "grammar"} for one in server.seen]
    assert forms == [{"response_format"}, {"grammar"}, {"grammar"}]


def test_a_server_without_grammars_is_asked_for_one_once() -> None:
    """It goes on with schemas and blanks."""
    text = json.dumps(json.loads(ROME), indent=4)
    with OpenAIServer([says(text)]) as server:
        model = model_at(server.spec)
        answers = [model.complete(question(schema=CITY))[0] for _ in range(3)]

    assert [one.flaw for one in answers] == [""] * 3
    assert sum("grammar" in one.body for one in server.seen) == 1
    assert model.dialect == "json_schema"


def test_a_pattern_may_escape_what_needs_no_escape() -> None:
    """`re.escape` does so with blanks; a server refuses a grammar with such a backslash."""
    schema = {"type": "string", "pattern": r"^(New\ York\ \(St\.\ City\), [A-Z]{2}\-[a-z]{2})$"}

    assert "\\ " not in (grammar_of(schema) or "")
    assert _takes(schema, '"New York (St. City), NY-ab"')
    assert not _takes(schema, '"New York (St. City), NY-Ab"')
