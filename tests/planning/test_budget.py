"""A prompt that is too long loses its least useful part first; losses are reported."""

from __future__ import annotations

import itertools
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from okso_jupyter import Feedback, Session, Tool
from okso_jupyter.errors import ModelInputError, NoCandidateError
from okso_jupyter.journal.events import PromptCut
from okso_jupyter.llm.protocol import Completion, CompletionRequest
from okso_jupyter.planning.prompt.budget import Allowance, allowances
from okso_jupyter.planning.prompt.builder import PlannerPrompt, make_prompts
from okso_jupyter.testing import ScriptedModel

FEEDBACK = "Please use the celsius tool. " + "And mind the many things that I say here. " * 60
REQUEST = "How much is 98.6 Fahrenheit in Celsius?"
LONG = "It belongs to a family of tools that were made from a schema, and is told at length. " * 4


def _tool(name: str, description: str, *examples: tuple[str, dict[str, Any]]) -> Tool:
    schema = {
        "type": "object",
        "properties": {"fahrenheit": {"type": "number"}},
        "required": ["fahrenheit"],
    }
    return Tool.from_schema(
        name, description, schema, lambda fahrenheit: f"{(fahrenheit - 32) * 5 / 9:.1f} °C",
        effect="none", examples=examples,
    )  # fmt: skip


CELSIUS = _tool(
    "to_celsius", f"Convert a temperature from Fahrenheit to Celsius. {LONG}",
    ("How much is 70 Fahrenheit in Celsius?", {"fahrenheit": 70}),
    ("Convert 212 Fahrenheit to Celsius", {"fahrenheit": 212}),
    ("What are 32 degrees Fahrenheit in Celsius?", {"fahrenheit": 32}),
)  # fmt: skip
#: With examples: of many tools without any a small model is told only those that fit.
MANY = [
    CELSIUS,
    *(
        _tool(
            f"gadget_{n}",
            f"Turn gadget number {n} on. {LONG}",
            (f"Turn on gadget {n}", {"fahrenheit": n}),
        )
        for n in range(300)
    ),
]
BARE = [CELSIUS, *(_tool(f"gadget_{n}", f"Turn gadget number {n} on. {LONG}") for n in range(300))]


def _briefs(feedback: str = "") -> list[PlannerPrompt]:
    with Session(tools=MANY) as session:
        tools = session.tools
    return list(make_prompts(REQUEST, tools=tools, workspace=None, budget=6, feedback=feedback))


def _length(brief: PlannerPrompt) -> int:
    return sum(len(message.content) for message in brief.messages)


def test_each_prompt_is_shorter_than_the_one_before() -> None:
    """Prompts shrink from everything to little more than the request, always verbatim."""
    prompts = _briefs(FEEDBACK)
    lengths = [_length(brief) for brief in prompts]

    assert lengths == sorted(set(lengths), reverse=True)
    assert lengths[0] > 100_000
    assert lengths[-1] < 1500
    assert all(REQUEST in brief.messages[-1].content for brief in prompts)
    assert prompts[0].left_out == ()


def test_the_least_useful_parts_are_cut_first() -> None:
    """Examples go first, then details of tools, ill-fitting tools and the feedback.

    The last example is cut after the ill-fitting tools and before the feedback.
    """
    whole = Allowance(examples=3, described=300, listed=300, feedback_chars=5000)
    told = [allowance.missing_from(whole) for allowance in allowances(whole, 2)]

    assert told[0] == ()
    assert told[1:4] == [
        ("1 of 3 example plans",),
        ("2 of 3 example plans",),
        ("2 of 3 example plans", "the details of 150 tools"),
    ]
    firsts = [
        next(place for place, words in enumerate(told) if part in " ".join(words))
        for part in ("1 of 3", "the details of", "of 300 tools", "3 of 3", "of the feedback")
    ]
    assert firsts == sorted(set(firsts))
    assert told[-1] == (
        "3 of 3 example plans", "298 of 300 tools", "the details of 2 tools",
        "the last 4800 characters of the feedback",
    )  # fmt: skip


def test_a_fitting_tool_is_kept_to_the_end() -> None:
    """The tool that the request needs is listed and offered in every prompt."""
    for brief in _briefs():
        assert "- to_celsius" in brief.messages[0].content
        assert "to_celsius" in str(brief.schema)
        assert [r.tool for r in brief.ranked if r.offered] == ["to_celsius"]


def test_prompts_shrink_where_tools_without_examples_were_left_out() -> None:
    """Of three hundred tools without examples one is named, and no prompt comes twice."""
    with Session(tools=BARE) as session:
        tools = session.tools
    prompts = list(make_prompts(REQUEST, tools=tools, workspace=None, budget=6, feedback=FEEDBACK))
    lengths = [_length(brief) for brief in prompts]
    assert lengths == sorted(set(lengths), reverse=True)
    assert lengths[0] < 10_000
    assert all("- to_celsius" in brief.messages[0].content for brief in prompts)


def test_a_tool_that_is_not_listed_is_not_offered() -> None:
    """A tool missing from the prompt cannot be chosen, even if no tool fits the request."""
    with Session(tools=MANY) as session:
        tools = session.tools
    *_, last = make_prompts("Sing a song!", tools=tools, workspace=None, budget=6)

    lines = [line[2:] for line in last.messages[0].content.splitlines() if line.startswith("- ")]
    listed = {line.partition(":")[0].removesuffix("()") for line in lines}
    offered = {name for name in tools if f"'{name}'" in str(last.schema)}
    assert len(listed) == 4
    assert offered <= listed


COUNTS = st.integers(0, 500)


@given(COUNTS, COUNTS, st.integers(0, 5000), COUNTS)
def test_allowances_only_shrink(
    examples: int, tools: int, feedback_chars: int, fitting: int
) -> None:
    """Each allowance cuts something and restores nothing; their number is bounded."""
    whole = Allowance(
        examples=examples, described=tools, listed=tools, feedback_chars=feedback_chars
    )
    found = list(allowances(whole, fitting))

    assert found[0] == whole
    assert len(found) <= examples + 25
    for one, other in itertools.pairwise(found):
        assert other.examples <= one.examples
        assert other.described <= one.described
        assert min(tools, fitting) <= other.listed <= one.listed
        assert other.feedback_chars <= one.feedback_chars


class _Narrow(ScriptedModel):
    """A model that refuses prompts above a length, and otherwise answers as scripted."""

    def __init__(self, most_chars: int, *completions: object) -> None:
        super().__init__(completions)
        self.most_chars = most_chars
        self.lengths: list[int] = []

    def complete(self, request: CompletionRequest) -> Sequence[Completion]:
        self.lengths.append(sum(len(message.content) for message in request.messages))
        if self.lengths[-1] > self.most_chars:
            raise ModelInputError(f"{self.lengths[-1]} characters are too many")
        return super().complete(request)


PLAN = [{"tool": "to_celsius", "args": {"fahrenheit": 98.6}}, {"tool": "final_answer", "args": {}}]
ONE = {"PLANNER_SAMPLE_COUNT": 1}


@pytest.fixture
def settings(tmp_path: Path) -> dict[str, Any]:
    """Settings for one candidate and a temporary home."""
    return {**ONE, "OKSO_HOME": str(tmp_path)}


@pytest.mark.slow
def test_what_was_left_out_is_recorded(
    settings: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    """The planning, its repr, the journal and the log name the parts that were left out."""
    with Session(settings, tools=MANY, model=_Narrow(3000, PLAN)) as session:
        planning = session.plan(REQUEST, seed=1)
        (record,) = session.journal.records(planning.run_id, PromptCut)

    assert any("of 301 tools" in words for words in planning.left_out)
    assert "the prompt was too long and lacks" in repr(planning)
    assert record.body["parts"] == list(planning.left_out)
    lines = map(json.loads, capsys.readouterr().err.splitlines())
    warned = [line["detail"] for line in lines if line["level"] == "WARNING"]
    assert warned == [{"left out": record.body["parts"]}]


@pytest.mark.slow
def test_a_prompt_that_fits_is_not_shortened(settings: dict[str, Any]) -> None:
    """The model is asked once, and nothing is reported or recorded as left out."""
    model = _Narrow(1 << 20, PLAN)
    with Session(settings, tools=MANY, model=model) as session:
        planning = session.plan(REQUEST, seed=1)
        assert list(session.journal.records(planning.run_id, PromptCut)) == []

    assert planning.left_out == ()
    assert len(model.lengths) == 1
    assert "lacks" not in repr(planning)


@pytest.mark.slow
def test_a_request_that_is_too_long_alone_is_refused(settings: dict[str, Any]) -> None:
    """The error names the settings that would help."""
    with (
        Session(settings, tools=MANY, model=_Narrow(10)) as session,
        pytest.raises(ModelInputError, match="the request is too long, whatever else") as caught,
    ):
        session.plan(REQUEST)

    for name in ("LLAMA_CONTEXT_CAP", "LLAMA_DEFAULT_CONTEXT_SIZE", "PLANNER_SAMPLE_COUNT"):
        assert name in caught.value.hint


class _Cramped(ScriptedModel):
    """A model that reports a cut at a number of tokens, except after a short prompt."""

    def __init__(self, tokens: int, *completions: object) -> None:
        super().__init__(completions)
        self.tokens = tokens
        self.asked = 0

    def complete(self, request: CompletionRequest) -> Sequence[Completion]:
        self.asked += 1
        if sum(len(message.content) for message in request.messages) <= 3000:
            return super().complete(request)
        cut = ScriptedModel(["["]).complete(request)
        return [replace(made, finish="length", output_tokens=self.tokens) for made in cut]


@pytest.mark.slow
def test_a_prompt_that_leaves_no_room_for_a_plan_is_too_long(settings: dict[str, Any]) -> None:
    """The prompt is shortened if the context ends before the first plan does."""
    with Session(settings, tools=MANY, model=_Cramped(15, PLAN)) as session:
        planning = session.plan(REQUEST, seed=1)

    assert any("of 301 tools" in words for words in planning.left_out)
    assert planning.plan.tools == ("to_celsius", "final_answer")


@pytest.mark.slow
@pytest.mark.parametrize("tokens", [16, 0])
def test_a_plan_cut_by_the_output_limit_does_not_shorten_prompts(
    settings: dict[str, Any], tokens: int
) -> None:
    """A plan cut by PLANNER_MAX_OUTPUT_TOKENS does not shorten the prompt: one model call.

    The same holds for a server that counts no tokens, where the cause of the cut is unknown.
    """
    model = _Cramped(tokens)
    limit = {"PLANNER_MAX_OUTPUT_TOKENS": 16}
    with (
        Session({**settings, **limit}, tools=MANY, model=model) as session,
        pytest.raises(NoCandidateError, match="it was cut off by PLANNER_MAX_OUTPUT_TOKENS"),
    ):
        session.plan(REQUEST)

    assert model.asked == 1


def _fixed_context(tokens: int) -> dict[str, int]:
    """Return settings for a fixed context of this many tokens."""
    return {"LLAMA_DEFAULT_CONTEXT_SIZE": tokens, "LLAMA_CONTEXT_CAP": tokens}


@pytest.mark.model
def test_the_bundled_model_plans_with_hundreds_of_tools(tmp_path: Path) -> None:
    """With 300 tools and a context of 1024 tokens, the fitting one is planned and run."""
    settings = {**ONE, "OKSO_HOME": str(tmp_path), **_fixed_context(1024)}
    with Session(settings, tools=MANY, root=tmp_path) as session:
        run = session.run(REQUEST, seed=1, approve="auto")
        (record,) = session.journal.records(run.id, PromptCut)

    assert run.answer == "37.0 °C"
    assert any("of 301 tools" in words for words in record.body["parts"])


@pytest.mark.model
def test_the_bundled_model_plans_with_long_feedback(tmp_path: Path) -> None:
    """Feedback of thousands of characters is shortened last, and planning continues."""
    settings = {**ONE, "OKSO_HOME": str(tmp_path), **_fixed_context(512)}
    answers = iter([Feedback(FEEDBACK), "reject"])
    with Session(settings, tools=MANY[:20], root=tmp_path) as session:
        run = session.run(REQUEST, seed=1, approve=lambda _plan: next(answers))
        told = [record.body["parts"] for record in session.journal.records(run.id, PromptCut)]

    assert any("characters of the feedback" in words for words in told[-1])


@pytest.mark.model
def test_the_bundled_model_refuses_an_overlong_request(tmp_path: Path) -> None:
    """A request longer than the context is refused; the model stays usable."""
    settings = {**ONE, "OKSO_HOME": str(tmp_path), **_fixed_context(512)}
    with Session(settings, tools=MANY[:20], root=tmp_path) as session:
        with pytest.raises(ModelInputError, match="the request is too long"):
            session.plan(REQUEST * 200, seed=1)
        assert session.plan(REQUEST, seed=1).plan.tools[0] == "to_celsius"
