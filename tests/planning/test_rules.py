"""The scoring rules: okso's measured table, and one literal case per rule."""

from __future__ import annotations

from typing import Any

import pytest

from okso_jupyter.plan.plan import Plan, Step
from okso_jupyter.plan.records import Finding
from okso_jupyter.planning.scoring.query_rules import QUERY_RULES
from okso_jupyter.planning.scoring.rules import DEFAULT, OKSO, PRESETS, best_score
from okso_jupyter.planning.scoring.scorer import score_plan, scorer
from okso_jupyter.session.session import Session
from okso_jupyter.settings import Settings
from okso_jupyter.toolkit.tool import Tool
from okso_jupyter.tools.file_read import file_read
from okso_jupyter.tools.file_write import file_write
from okso_jupyter.tools.python_repl import python_repl
from okso_jupyter.tools.terminal import terminal
from tests.each_row import each_row
from tests.planning.okso_tools import TOOLS, declared

Call = tuple[str, dict[str, Any]]

LS: Call = ("terminal", {"command": "ls"})
SEARCH: Call = ("web_search", {"query": "okso"})
FETCH: Call = ("web_fetch", {"url": "https://example.org"})
NOTE: Call = ("notes_create", {"title": "okso"})
MAIL: Call = ("mail_search", {"query": "okso"})
END: Call = ("final_answer", {})


def plan_of(*calls: Call, request: str = "") -> Plan:
    """Return a plan of these calls; unlike `Plan.from_dict` it may be empty."""
    steps = (Step(id=place, tool=tool, args=args) for place, (tool, args) in enumerate(calls, 1))
    return Plan(steps=tuple(steps), request=request)


# --- okso's points -----------------------------------------------------------------------

# plan, then score and tie-breaker with the budget and with the quadratic length
MEASURED: list[tuple[str, tuple[Call, ...], tuple[int, int], tuple[int, int]]] = [
    ("answer only", (END,), (48, 5), (22, -1)),
    ("ls", (LS, END), (50, 4), (22, -2)),
    ("rm", (("terminal", {"command": "rm -rf x"}), END), (35, 4), (7, -2)),
    ("unknown tool", (("telepathy", {}), END), (22, 4), (-6, -2)),
    ("search, note", (SEARCH, NOTE, END), (52, 3), (20, -3)),
    ("note, search", (NOTE, SEARCH, END), (37, 3), (5, -3)),
    ("ls without an answer", (LS,), (8, 5), (-18, -1)),
    ("seven searches", (*[SEARCH] * 7, END), (24, -2), (-20, -8)),
    ("bad type", (("terminal", {"command": 5}), END), (25, 4), (7, -2)),
    ("python code", (("python_repl", {"code": "print(2+2)"}), END), (50, 4), (22, -2)),
    ("python input", (("python_repl", {"input": "print(2+2)"}), END), (35, 4), (7, -2)),
    ("fetch", (FETCH, END), (50, 4), (22, -2)),
    ("mail", (MAIL, END), (35, 4), (7, -2)),
    ("empty", (), (6, 6), (-20, 0)),
]


@each_row("length", ["budget", "quadratic"])
@each_row(
    ("calls", "budget", "quadratic"),
    [row[1:] for row in MEASURED],
)
def test_okso_scores_match_the_measured_ones(
    calls: tuple[Call, ...], budget: tuple[int, int], quadratic: tuple[int, int], length: str
) -> None:
    """SCORE_PRESET=okso gives the score and tie-breaker measured with okso's own scorer."""
    card = score_plan(plan_of(*calls), TOOLS, {"SCORE_PRESET": "okso", "SCORE_LENGTH": length})
    assert (card.score, card.tie_breaker) == (budget if length == "budget" else quadratic)


@each_row(
    ("call", "budget"),
    [
        (LS, 50),
        (("terminal", {"command": "ls", "args": ["-la"]}), 50),
        (("terminal", {"command": "rm -rf x"}), 35),
        (("terminal", {"command": "rm", "args": ["-rf", "x"]}), 35),
        (("terminal", {"command": 5}), 25),
        (("terminal", {"command": ""}), 35),
        (("terminal", {}), 35),
        (("terminal", {"command": "frobnicate"}), 35),
        (("python_repl", {"input": "print(2+2)"}), 50),
        (("python_repl", {"input": "open('a', 'w').write('b')"}), 35),
        (("python_repl", {}), 35),
    ],
)
def test_built_in_tools_get_okso_scores_without_its_oversights(call: Call, budget: int) -> None:
    """Built-in tools score as in okso's table; `input` and lists of words are checked too."""
    card = score_plan(plan_of(call, END), Session().tools, {"SCORE_PRESET": "okso"})
    assert card.score == budget


def test_okso_ignores_unknown_tools_without_a_registry() -> None:
    """With an empty registry no tool is unknown: okso gives neither +3 nor -25."""
    card = score_plan(plan_of(("telepathy", {}), END), [], {"SCORE_PRESET": "okso"})
    assert card.score == 24 + 15 + 5
    assert any("no tools are registered" in reason for reason in card.rationale)


@pytest.mark.parametrize(
    ("calls", "said"),
    [
        ((LS, END), ["fits the budget", "ends with", "all tools", "satisfy", "no side effects"]),
        ((SEARCH,) * 7, ["exceeds the budget", "must end with"]),
        ((("telepathy", {}), END), ["1 unavailable tool(s)"]),
        ((("terminal", {"command": 5}), END), ["fail for step 1", "first step is side-effecting"]),
        ((SEARCH, NOTE, END), ["deferred until step 2"]),
    ],
)
def test_okso_rationale_has_the_expected_phrases(calls: tuple[Call, ...], said: list[str]) -> None:
    """The reasons name budget, ending, tools, arguments and the first side effect."""
    rationale = score_plan(plan_of(*calls), TOOLS, {"SCORE_PRESET": "okso"}).rationale
    assert all(any(words in reason for reason in rationale) for words in said)


def test_undeclared_effects_score_zero() -> None:
    """A tool without declared effects gets 0 points from `side_effects`, with the reason."""
    tools = [declared("mystery", None)]
    for preset in PRESETS:
        card = score_plan(plan_of(("mystery", {}), END), tools, {"SCORE_PRESET": preset})
        found = next(f for f in card.findings if f.rule == "side_effects")
        assert (found.points, "not declared" in found.reason) == (0, True)


def test_an_undeclared_step_does_not_excuse_a_late_read() -> None:
    """Reading after writing costs points, even if another step's effects are undeclared."""
    tools = [*CATALOG, declared("mystery", None)]
    late: list[tuple[Call, ...]] = [
        (("mystery", {}), WRITE, READ, END),
        (WRITE, ("mystery", {}), READ, END),
    ]
    for calls in late:
        card = score_plan(plan_of(*calls), tools)
        assert next(f.points for f in card.findings if f.rule == "side_effects") == -10


# --- the default rules, one literal case each ---------------------------------------------

COUNT = "How many lines has sales.csv?"
WC: Call = ("terminal", {"command": "wc", "args": ["-l", "sales.csv"]})
WRITE: Call = ("file_write", {"path": "out.txt", "content": "milk"})
READ: Call = ("file_read", {"path": "notes.md"})
CATALOG: tuple[Tool, ...] = (terminal, python_repl, file_read, file_write)


def finding(rule: str, *calls: Call, request: str = "", **settings: Any) -> Finding:
    """Return the finding of one rule for a plan."""
    card = score_plan(plan_of(*calls), CATALOG, settings, request=request)
    return next(found for found in card.findings if found.rule == rule)


@pytest.mark.parametrize(
    ("steps", "settings", "points"),
    [
        (1, {}, 25),
        (6, {}, 20),
        (7, {}, -10),
        (8, {}, -20),
        (2, {"PLANNER_MAX_PLAN_STEPS": 1}, -10),
        (3, {"SCORE_LENGTH": "quadratic"}, -9),
        (3, {"SCORE_LENGTH": "quadratic", "LEN_PENALTY_K": 0.5}, -4.5),
    ],
)
def test_length(steps: int, settings: dict[str, Any], points: float) -> None:
    """Within the budget +20 plus the spare steps, beyond -10 each; or -K times the square."""
    assert finding("length", *[READ] * (steps - 1), END, **settings).points == points


@pytest.mark.parametrize(("calls", "points"), [((READ, END), 15), ((END, READ), -25), ((), -25)])
def test_final_answer(calls: tuple[Call, ...], points: int) -> None:
    """The last step must be the answer."""
    assert finding("final_answer", *calls).points == points


@pytest.mark.parametrize(
    ("calls", "points", "count"),
    [
        ((END,), 3, 0),
        ((READ, READ, END), 3, 0),
        ((READ, ("telepathy", {}), ("tarot", {}), END), -90, 2),
    ],
)
def test_known_tools(calls: tuple[Call, ...], points: int, count: int) -> None:
    """+3 once, however many steps there are; -45 for each unknown tool."""
    found = finding("known_tools", *calls)
    assert (found.points, found.count) == (points, count)


@pytest.mark.parametrize(
    ("args", "lenient", "strict"),
    [
        ({"path": "a", "content": "b"}, 0, 0),
        ({"path": "a"}, 0, -10),
        ({"path": "", "content": "b"}, 0, -10),
        ({"path": None, "content": {"__fill__": True}}, 0, -10),
        ({"path": 5, "content": "b"}, -10, -10),
        ({"path": "a", "content": "b", "colour": "red"}, -10, -10),
        ({"path": "a", "content": "b", "mode": "destroy"}, -10, -10),
    ],
)
def test_arguments(args: dict[str, Any], lenient: int, strict: int) -> None:
    """`lenient` ignores missing and open arguments, `strict` nothing, `off` everything."""
    call = ("file_write", args)
    assert finding("arguments", call, END).points == lenient
    assert finding("arguments", call, END, SCORE_ARGS="strict").points == strict
    assert finding("arguments", call, END, SCORE_ARGS="off").points == 0


@pytest.mark.parametrize(
    ("calls", "points"),
    [
        ((END,), 5),
        ((READ, END), 5),
        ((WRITE, END), 5),
        ((READ, WRITE, END), 5),
        ((WRITE, READ, END), -10),
        ((READ, WRITE, READ, END), -10),
    ],
)
def test_side_effects(calls: tuple[Call, ...], points: int) -> None:
    """A read after a write costs points; a write first is fine if no read follows."""
    assert finding("side_effects", *calls).points == points


@pytest.mark.parametrize(
    ("calls", "points"),
    [
        ((END,), -20),
        ((READ, END), -20),
        ((WC, END), 20),
        ((READ, WC, END), 20),
        ((("telepathy", {"path": "sales.csv"}), END), -20),
    ],
)
def test_coverage(calls: tuple[Call, ...], points: int) -> None:
    """Points depend on whether a known, fitting tool uses what the request names."""
    assert finding("coverage", *calls, request=COUNT).points == points


def test_coverage_is_partial_for_a_less_fitting_tool() -> None:
    """Reading the file covers it in part if counting its lines was requested."""
    other = ("file_read", {"path": "sales.csv"})
    assert -20 < finding("coverage", other, END, request=COUNT).points < 20


def test_coverage_compares_whole_names() -> None:
    """The file "a.csv" is not covered by a step about "data.csv"."""
    call = ("terminal", {"command": "wc", "args": ["-l", "data.csv"]})
    assert finding("coverage", call, END, request="How many lines has a.csv?").points == -20


@pytest.mark.parametrize("request_text", ["", "Good morning"])
def test_coverage_is_zero_if_no_tool_is_needed(request_text: str) -> None:
    """A request that is empty, or resembles no tool and names nothing, scores 0."""
    tools = [declared("mystery", "reads")]
    card = score_plan(plan_of(END), tools, request=request_text)
    assert next(found.points for found in card.findings if found.rule == "coverage") == 0


@pytest.mark.parametrize(
    ("calls", "points"),
    [((READ, END), 0), ((WRITE, END), 0), ((("file_write", {"path": "x.md"}), END), -10)],
)
def test_needless_effects(calls: tuple[Call, ...], points: int) -> None:
    """A change of something that the request does not name costs 10 points."""
    assert finding("needless_effects", *calls, request="Write 'milk' to out.txt").points == points


@pytest.mark.parametrize(
    ("calls", "points"),
    [
        ((READ, WC, END), 0),
        ((READ, WC, READ, END), -10),
        ((READ, READ, READ, END), -20),
        ((READ, ("file_read", {"path": "other.md"}), END), 0),
    ],
)
def test_repetition(calls: tuple[Call, ...], points: int) -> None:
    """-10 for every step that repeats an earlier one."""
    assert finding("repetition", *calls).points == points


def test_repetition_ignores_the_order_of_arguments() -> None:
    """Steps with the same arguments in another order are the same step."""
    turned = ("file_write", dict(reversed(WRITE[1].items())))
    assert finding("repetition", WRITE, turned, END).points == -10


def test_rule_codes_are_unique() -> None:
    """A code means one rule in all presets, and every rule has a description."""
    by_code: dict[str, set[Any]] = {}
    for rule in (*DEFAULT, *OKSO):
        by_code.setdefault(rule.code, set()).add(rule.judge)
        assert rule.meaning.endswith((".", ":"))
    assert {len(judges) for judges in by_code.values()} == {1}


def test_agreement_is_the_share_of_matching_peer_calls() -> None:
    """A peer's identical call counts in full; otherwise the share of equal arguments."""
    tool = Tool.from_schema("area", "Area of a rectangle.", {"type": "object"}, str)
    plan, same, half = (
        Plan.from_dict([{"tool": "area", "args": {"a": 1, "b": b}}, {"tool": "final_answer"}])
        for b in (2, 2, 3)
    )
    points = [
        finding.points
        for peers in ([same], [half], [same, half], [])
        for finding in score_plan(plan, [tool], request="area of 1 by 2", peers=peers).findings
        if finding.rule == "agreement"
    ]

    assert points == [5, 2.5, 3.75, 0]


@pytest.mark.parametrize(
    ("calls", "points"),
    [
        ((READ, FETCH, END), -5),
        ((READ, FETCH, FETCH, END), -10),
        ((FETCH, READ, END), 0),
        ((FETCH, READ, FETCH, END), -5),
        ((READ, ("mystery", {}), END), 0),
        ((READ, WRITE, END), 0),
    ],
)
def test_trifecta(calls: tuple[Call, ...], points: int) -> None:
    """Only what can send out after private data and untrusted content costs points."""
    tools = [*CATALOG, declared("web_fetch", "network"), declared("mystery", None)]
    card = score_plan(plan_of(*calls), tools)
    assert next(f.points for f in card.findings if f.rule == "trifecta") == points


def test_grounding_counts_arguments_without_a_source() -> None:
    """For a tool without examples, each argument that is not in the request costs points."""
    tool = Tool.from_schema("area", "Area of a rectangle.", {"type": "object"}, str)
    plan = Plan.from_dict([{"tool": "area", "args": {"a": 1, "b": 7}}, {"tool": "final_answer"}])
    cards = {f.rule: f for f in score_plan(plan, [tool], request="area of 1 by 2").findings}

    assert (cards["grounding"].points, cards["grounding"].count) == (-5, 1)
    assert "b of step 1" in cards["grounding"].reason


def test_grounding_leaves_the_readings_of_a_table_question_to_their_rules() -> None:
    """Their columns and values are the table's, which the request need not say."""
    tool = Tool.from_schema("area", "Area of a rectangle.", {"type": "object"}, str)
    plan = Plan.from_dict([{"tool": "area", "args": {"a": 7}}, {"tool": "final_answer"}])
    judge = scorer({"area": tool}, Settings(), "Which is the largest?", readings={"": {}})
    [card] = judge([plan], losses=[{}])

    assert next(f.points for f in card.findings if f.rule == "grounding") == 0


def test_a_code_is_of_one_rule() -> None:
    """In whatever preset the rules are."""
    rules = {rule for preset in (DEFAULT, OKSO, QUERY_RULES) for rule in preset}
    codes = [rule.code for rule in rules]
    assert sorted(codes) == sorted(set(codes))


def test_a_plan_that_does_all_that_was_asked_has_the_best_score() -> None:
    """It is short, uses all named things by the fitting tool, and the other candidates agree."""
    plan = plan_of(("file_read", {"path": "notes.md"}), END)
    for chosen in ({}, {"SCORE_WEIGHTS": {"coverage": 2}}, {"SCORE_LENGTH": "quadratic"}):
        settings = Settings.of(chosen)
        card = score_plan(plan, [file_read], settings, request="Read notes.md", peers=[plan])
        assert card.score == best_score(settings)
    assert best_score(Settings.of({})) == 72
    assert best_score(Settings.of({"SCORE_PRESET": "okso"})) is None
