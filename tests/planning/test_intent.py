"""The intent of a request, and the tools that it leaves."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from okso_jupyter import Feedback, Session, Tool, assets
from okso_jupyter.journal.events import BackgroundFound
from okso_jupyter.planning.request.intent import LABELS, Intent, choice, intent_by_words
from okso_jupyter.testing import ScriptedModel
from tests.bench import END, Bench
from tests.each_row import each_row

TOOLS = Session().tools
LOOK = [{"tool": "file_read", "args": {"path": "notes.txt"}}, END]


@each_row(
    ("request_text", "label"),
    [
        ("How many lines does weather.csv have?", "filesystem"),
        ("Delete the folder old", "filesystem"),
        ("Remind me to call Ann", "reminders"),
        ("Take a note: buy milk", "notes"),
        ("What events are in my calendar?", "calendar"),
        ("Write an e-mail to Bob", "mail"),
        ("Look up heat pumps on the internet", "web_research"),
        ("What does https://example.org say?", "web_research"),
        ("What is 17 * 23?", "math"),
        ("Compute the average of 3, 4 and 5", "math"),
        ("Refactor the code", "coding"),
        ("hi, how are you?", "conversation"),
        ("Thanks!", "conversation"),
        ("Good morning :)", "conversation"),
        ("Why is the sky blue", "general"),
    ],
)
def test_keywords_determine_the_intent(request_text: str, label: str) -> None:
    """Everyday requests get the label that a person would give them."""
    assert intent_by_words(request_text).label == label


@each_row(
    ("request_text", "not_this"),
    [
        ("What is a notebook?", "notes"),
        ("Prevent the worst", "calendar"),
        ("Give me a summary", "math"),
        ("Add Ann to the address book", "math"),
        ("Decode the message", "coding"),
        ("Weave a cobweb", "web_research"),
        ("What a profile!", "filesystem"),
        ("Say 'search the web' aloud", "web_research"),
        ("hi, delete a.txt", "conversation"),
        ("Thanks, now count the lines of notes.txt", "conversation"),
        ("Howdy doody files", "conversation"),
    ],
)
def test_a_keyword_is_a_whole_word(request_text: str, not_this: str) -> None:
    """A "notebook" is not a "note" nor "prevent" an event; quoted text does not count."""
    assert intent_by_words(request_text).label != not_this


@given(st.text(max_size=300))
def test_every_text_has_an_intent(request_text: str) -> None:
    """Every text gets a known label and a confidence from 0 to 1, always the same."""
    intent = intent_by_words(request_text)

    assert intent.label in LABELS
    assert 0 <= intent.confidence <= 1
    assert intent == intent_by_words(request_text)


def _sure(label: str, *groups: str) -> Intent:
    return Intent(label=label, groups=groups, confidence=0.9, source="model")


def test_a_confident_intent_limits_the_tools_to_its_groups() -> None:
    """A file request excludes web tools; a tool without a known group is kept."""
    names = choice(_sure("filesystem", "filesystem"), TOOLS, 0.45)

    assert names is not None
    assert {"file_read", "terminal", "feedback"} <= names
    assert not names & {"web_search", "web_fetch", "workflow_research_note"}


@pytest.mark.parametrize(
    ("request_text", "tool"),
    [
        ("Sort the lines of diary.txt", "python_repl"),
        ("Which words occur most often in essay.md?", "python_repl"),
        ("Search the web for heat pumps and write what you find into heat.md", "file_write"),
        ("Fetch https://example.org and count its words", "web_fetch"),
        ("Is there an email address in diary.txt?", "file_search"),
        ("What events are in calendar.csv?", "python_repl"),
    ],
)
def test_keywords_of_several_intents_keep_the_tools_of_all(request_text: str, tool: str) -> None:
    """A request about files, the web and sums may use the tools for each."""
    names = choice(intent_by_words(request_text), TOOLS, 0.45)

    assert names is None or tool in names


def test_small_talk_excludes_all_tools() -> None:
    """A greeting needs none of the built-in tools."""
    assert choice(_sure("conversation"), TOOLS, 0.45) == frozenset()


def test_an_uncertain_intent_excludes_no_tool() -> None:
    """Below INTENT_CONFIDENCE_MIN, or for a general request, every tool may be chosen."""
    assert choice(_sure("filesystem", "filesystem"), TOOLS, 0.95) is None
    assert choice(_sure("general"), TOOLS, 0.0) is None


def test_an_intent_without_tools_excludes_no_tool() -> None:
    """Without a mail tool, a request about mail may use any tool."""
    assert choice(_sure("mail", "mail"), TOOLS, 0.45) is None


@each_row("groups", [(), ("finance",), ("finance", "web")])
@each_row("label", ["filesystem", "conversation", "math"])
def test_a_tool_outside_the_known_groups_is_kept(groups: tuple[str, ...], label: str) -> None:
    """A custom tool without groups, or with unknown ones, is never excluded."""
    own = Tool.from_schema("own", "My tool", {"type": "object"}, dict, groups=groups)
    intent = _sure(label, *sorted(LABELS[label][0]))
    names = choice(intent, {**TOOLS, "own": own}, 0.45)

    assert names is not None
    assert "own" in names


@pytest.fixture
def log(caplog: pytest.LogCaptureFixture) -> Iterator[Callable[[], list[Any]]]:
    """Return the logged details since the start of the session."""

    def details() -> list[Any]:
        return [getattr(record, "detail", {}) for record in caplog.records]

    caplog.set_level(logging.INFO, logger="okso_jupyter")
    logger = logging.getLogger("okso_jupyter")
    logger.addHandler(caplog.handler)
    yield details
    logger.removeHandler(caplog.handler)


@pytest.mark.parametrize(
    ("label", "least", "why"),
    [("filesystem", 1.0, "not sure enough"), ("mail", 0.45, "no tool is of that kind")],
)
def test_an_intent_that_excludes_no_tool_is_logged(
    bench: Bench, log: Callable[[], list[Any]], label: str, least: float, why: str
) -> None:
    """The log has the unrounded confidence, the threshold and the reason."""
    said = {"intent": label, "confidence": 0.95}
    settings = {"INTENT": "model", "INTENT_CONFIDENCE_MIN": least, "PLANNER_SAMPLE_COUNT": 1}
    with bench.session(said, LOOK, **settings) as session:
        planning = session.plan("read notes.txt")

    assert (planning.intent.label, planning.intent.confidence) == (label, 0.95)
    assert {
        "kind": label, "confidence": 0.95, "INTENT_CONFIDENCE_MIN": least, "why": why
    } in log()  # fmt: skip


@pytest.mark.parametrize(
    "said", ["mail, I think", {"intent": "mail", "confidence": 7}, {"intent": "mail"}, []]
)
def test_an_unreadable_intent_is_logged(
    bench: Bench, log: Callable[[], list[Any]], said: object
) -> None:
    """Keywords determine the intent then; the log has this and the reason."""
    with bench.session(said, LOOK, INTENT="model", PLANNER_SAMPLE_COUNT=1) as session:
        planning = session.plan("read notes.txt")

    assert planning.intent.source == "words"
    (detail,) = [one for one in log() if "by words" in one]
    assert detail["why"]


def test_custom_tools_are_all_offered(bench: Bench) -> None:
    """In a session with custom tools only, the intent excludes none of them."""
    own = [
        Tool.from_schema(name, f"Turn the {name} on", {"type": "object"}, dict, groups=groups)
        for name, groups in (("lamp", ()), ("radio", ("house",)))
    ]
    with bench.session() as session:
        settings = session.settings
    plan = [{"tool": "lamp", "args": {}}, END]
    with Session(settings, tools=own, model=ScriptedModel([plan] * 3)) as session:
        planning = session.plan("Read and count the lines of the files of the folder")

    assert planning.intent.label == "filesystem"
    assert list(planning.ranking["offered"]) == [True, True]


def test_conversation_gets_a_plan_without_tools(bench: Bench) -> None:
    """The schema offers only the answer; the catalogue in the prompt is unchanged."""
    said = {"intent": "conversation", "confidence": 0.9}
    with bench.session(said, [END], PLANNER_SAMPLE_COUNT=1, INTENT="model") as session:
        planning = session.plan("I had a lovely day")
    greeting = bench.model.requests[1]
    with bench.session(LOOK, PLANNER_SAMPLE_COUNT=1) as session:
        session.plan("read notes.txt")
    reading = bench.model.requests[0]

    assert planning.plan.tools == ("final_answer",)
    assert greeting.schema is not None
    assert assets.validator_for(dict(greeting.schema)).is_valid([END])
    assert not assets.validator_for(dict(greeting.schema)).is_valid(LOOK)
    assert '"terminal"' not in str(greeting.schema).replace("'", '"')
    assert greeting.messages[0] == reading.messages[0]
    assert not planning.ranking["offered"].any()


def test_the_intent_is_shown_and_recorded(bench: Bench) -> None:
    """The note, the repr and the journal have label, groups, confidence and source."""
    with bench.session(LOOK, PLANNER_SAMPLE_COUNT=1) as session:
        planning = session.plan("Read the file notes.txt")
        (record,) = session.journal.records(planning.run_id, BackgroundFound)

    assert planning.intent.label == "filesystem"
    assert record.body["intent"] == {
        "label": "filesystem", "groups": ["coding", "filesystem", "math"], "confidence": 0.6,
        "source": "words",
    }  # fmt: skip
    assert "filesystem (coding, filesystem, math), 60% sure by words" in planning.note
    assert "filesystem" in repr(planning)


@pytest.mark.parametrize(
    ("said", "label", "source"),
    [
        ({"intent": "math", "confidence": 0.9}, "math", "model"),
        ({"intent": "math", "confidence": 0.9, "tool_groups": ["web"]}, "math", "model"),
        ({"intent": "cooking", "confidence": 0.9}, "filesystem", "words"),
        ({"intent": "math", "confidence": 7}, "filesystem", "words"),
        ("no JSON", "filesystem", "words"),
        ([], "filesystem", "words"),
    ],
)
def test_a_configured_model_determines_the_intent(
    bench: Bench, said: Any, label: str, source: str
) -> None:
    """The model answers under a schema; if its answer is unreadable, keywords decide."""
    settings = {"INTENT_MODEL_SPEC": "mine.gguf", "PLANNER_SAMPLE_COUNT": 1}
    with bench.session(said, LOOK, **settings) as session:
        planning = session.plan("Read the file notes.txt")

    assert (planning.intent.label, planning.intent.source) == (label, source)
    question = bench.model.requests[0]
    assert (question.role, question.temperature) == ("intent", 0.0)
    assert question.schema is not None


def test_a_models_groups_take_precedence_over_its_label(bench: Bench) -> None:
    """An intent "math" with the group "web" gets the web tools."""
    said = {"intent": "math", "confidence": 1, "tool_groups": ["web"]}
    with bench.session(said, [END], INTENT="model", PLANNER_SAMPLE_COUNT=1) as session:
        planning = session.plan("Sing!")

    offered = set(planning.ranking[planning.ranking["offered"]]["tool"])
    assert planning.intent.groups == ("web",)
    assert {"web_search", "web_fetch"} <= offered
    assert "python_repl" not in offered


def test_keywords_replace_a_missing_intent_model(bench: Bench) -> None:
    """A missing intent model does not stop planning."""
    settings = {
        "OKSO_HOME": str(bench.home), "INTENT_MODEL_SPEC": "/nowhere/none.gguf",
        "PLANNER_MODEL_SPEC": "/nowhere/none.gguf", "PLANNER_FALLBACK": "keyword",
    }  # fmt: skip
    with Session(settings, root=bench.root) as session:
        assert session.plan("list files").intent.source == "words"


def test_feedback_makes_all_tools_available(bench: Bench) -> None:
    """Feedback may refer to a tool that the intent had excluded."""
    answers = iter([Feedback("use web_search"), "reject"])
    with bench.session(LOOK, LOOK, PLANNER_SAMPLE_COUNT=1) as session:
        session.run("Read the file notes.txt", approve=lambda _plan: next(answers))

    assert "web_search" in str(bench.model.requests[1].schema)


def test_the_ranking_shows_what_the_model_chose(bench: Bench) -> None:
    """The ranking has the share of the model's plans that call each tool."""
    with bench.session(LOOK, LOOK, LOOK, [END]) as session:
        planning = session.plan("Read the file notes.txt", samples=4)
        run = session.load_run(planning.run_id)

    for table in (planning.ranking, run.ranking):
        share = table.set_index("tool")["model"]
        assert share["file_read"] == 0.75
        assert share["web_search"] == 0
