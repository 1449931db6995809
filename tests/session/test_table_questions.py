"""A question about a table: its readings are the candidates, executed and audited."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from okso_jupyter.approval.editing.edit_scoring import Alternatives, EditScorer
from okso_jupyter.plan.records import Feedback
from okso_jupyter.planning.outcome import Planning
from tests.approval.person import Person, approve, does, reject
from tests.bench import END, Bench, SmallModel

_TABLE = "region,units,price\nNorth,3,10\nSouth,5,20\nNorth,4,40\nWest,1,5\n"
_ASK = "What is the average price per region in shop.csv?"
pytestmark = pytest.mark.usefixtures("_process")


@pytest.fixture(name="shop")
def _shop(bench: Bench) -> Bench:
    """A bench whose folder holds a table."""
    (bench.root / "shop.csv").write_text(_TABLE)
    return bench


def _queries(planning: Planning) -> list[object]:
    return [candidate.plan.steps[0].args for candidate in planning.sampled]


def test_readings_are_the_candidates_without_a_model(shop: Bench) -> None:
    """The readings of a question are the candidates; the scripted model gets no request."""
    with shop.session(PLANNER_SAMPLE_COUNT=8) as session:
        planning = session.plan(_ASK)
        run = session.execute(planning, approve="auto")
    assert len(_queries(planning)) >= 5
    assert planning.plan.steps[0].args["by"] == "region"
    assert run.state == "completed"
    assert "North" in str(run.answer)
    assert "25" in str(run.answer)
    assert "in 10 such plans are right" in planning.note


def test_two_files_are_joined(shop: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """The form names both and offers the columns of both; the answer is of both."""
    (shop.root / "managers.csv").write_text("region,manager\nNorth,Ann\nSouth,Bo\nWest,Cy\n")
    person = Person(monkeypatch, [approve])
    with shop.session(PLANNER_SAMPLE_COUNT=5) as session:
        run = session.execute(session.plan("total units by manager"), approve="ask")
    [step, _] = person.states[0]["steps"]
    assert "managers.csv by region" in step["sentence"]
    [by] = [one for one in step["args"] if one["name"] == "by"]
    assert {"units", "manager"} <= set(by["choices"])
    assert run.table is not None
    assert run.table.to_dict("records") == [
        {"manager": "Ann", "sum of units": 7},
        {"manager": "Bo", "sum of units": 5},
        {"manager": "Cy", "sum of units": 1},
    ]
    assert 'table.merge(other, on="join key", how="left")' in run.code().replace("'", '"')


def test_a_table_in_json_is_meant_by_its_columns(shop: Bench) -> None:
    """It is looked at where no table in plain text fits as well; settings in JSON are no table."""
    people = '[{"name": "Ann", "town": "Old Harbour"}, {"name": "Bo", "town": "Hill"}]'
    (shop.root / "helpers.json").write_text(people)
    (shop.root / "settings.json").write_text('{"town": "Old Harbour", "name": {"a": 1}}')
    with shop.session() as session:
        planning = session.plan("Who lives in the Old Harbour?")
    assert planning.plan.steps[0].args["source"] == "helpers.json"


@pytest.mark.parametrize(
    ("request_", "end"),
    [
        ("parzellen.md: which site is the steepest and what soil does it have", "largest"),
        ("Welche Lage in parzellen.md ist am flachsten?", "smallest"),
    ],
)
def test_what_columns_measure_tells_a_table_in_notes(shop: Bench, request_: str, end: str) -> None:
    """No word of the headers is said; the file is named."""
    (shop.root / "parzellen.md").write_text(
        "# Parzellen\n\n| Lage | Hangneigung % | Boden |\n|---|---|---|\n"
        "| Sonnenberg | 35 | Lehm |\n| Kirchwiese | 12 | Ton |\n| Steinkopf | 58 | Schiefer |\n"
    )
    with shop.session() as session:
        args = session.plan(request_).plan.steps[0].args
    assert (args["source"], args["order"]) == ("parzellen.md", "Hangneigung %")
    assert ("largest" if args.get("descending") else "smallest") == end


def test_files_of_json_do_not_hide_a_table(shop: Bench) -> None:
    """However many there are, and however large: those that are read take a moment."""
    for number in range(50):
        (shop.root / f"a{number:02}.json").write_text("{}")
    (shop.root / "all.json").write_text('[{"region": "North", "price": 1}]' + " " * (1 << 22))
    with shop.session() as session:
        planning = session.plan("What is the average price per region?")
    assert planning.plan.steps[0].args["source"] == "shop.csv"


def test_close_readings_are_chosen_by_one_click(
    shop: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Readings that are nearly as likely stand side by side, told apart word by word."""
    person = Person(monkeypatch, [does("check", candidate=2), approve])
    with shop.session(PLANNER_SAMPLE_COUNT=2) as session:
        run = session.execute(session.plan("What is the best in shop.csv?"), approve="ask")
    offered = person.states[0]["readings"]
    sentences = [" ".join(word for word, _ in one["words"]) for one in offered]
    own = [[word for word, is_own in one["words"] if is_own] for one in offered]
    assert len(offered) > 1
    assert sentences[0] == person.states[0]["steps"][0]["sentence"]
    assert all(len(words) == 1 for words in own)
    assert len({words[0] for words in own}) == len(own)
    second = person.states[1]
    assert second["steps"][0]["sentence"] == sentences[1]
    assert second["readings"] == offered
    assert run.plan is not None
    assert run.plan.steps[0].args["measures"][0]["column"] == own[1][0]


def test_a_reading_that_is_well_ahead_is_offered_alone(
    shop: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No choice is offered where the words leave little doubt; the verdict says so."""
    person = Person(monkeypatch, [reject])
    with shop.session(PLANNER_SAMPLE_COUNT=5) as session:
        session.execute(session.plan("price of South in shop.csv"), approve="ask")
    assert person.states[0]["readings"] == []
    verdict = "about 9 in 10 such plans are right, far ahead of the next reading"
    assert f'<p class="okso-verdict">{verdict}</p>' in person.states[0]["head"]


def test_a_verdict_excepts_what_is_not_taken_up(
    shop: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """How often such plans are right does not hold of a month that the table does not have."""
    person = Person(monkeypatch, [reject])
    with shop.session(PLANNER_SAMPLE_COUNT=5) as session:
        session.execute(session.plan(f"{_ASK[:-1]} in January?"), approve="ask")
    head = person.states[0]["head"]
    assert "<b>Not taken up:</b> <em>January</em>" in head
    assert "the next reading, apart from what is not taken up</p>" in head


@pytest.mark.parametrize("day", ["1 May 2024", "2024-05-01"])
def test_the_numbers_of_a_date_are_no_number_of_rows(bench: Bench, day: str) -> None:
    """The 1 of a day counts for no reading that has a 1 of its own, such as the last row."""
    days = ["2024-04-29", "2024-05-02", "2024-05-01", "2024-06-18"]
    rows = [f"R{number},{day},job {number}" for number, day in enumerate(days)]
    (bench.root / "repairs.csv").write_text("\n".join(["ticket,received,job", *rows, ""]))
    with bench.session() as session:
        run = session.run(f"which repairs came in after {day}", approve="auto")
    assert run.table is not None
    assert list(run.table["ticket"]) == ["R1", "R3"]


def test_the_rules_for_readings_can_be_audited(shop: Bench) -> None:
    """`why_not` and `rescore` work on the recorded points of the rules for readings."""
    with shop.session() as session:
        planning = session.plan(_ASK)
    assert "rule_query_columns" in planning.candidates.columns
    assert "query" in str(planning.why_not(2))
    weighed = planning.rescore({"query_operation": 0, "query_columns": -1})
    assert len(weighed) == len(planning.sampled)


def test_a_reading_has_a_label_and_keeps_its_score_in_the_form(shop: Bench) -> None:
    """The step's label describes the query; the form computes the recorded score."""
    with shop.session() as session:
        planning = session.plan(_ASK)
        scored = EditScorer(
            settings=session.settings,
            tools=session.tools,
            request=_ASK,
            alternatives=Alternatives.of(planning),
        )
        for candidate in planning.sampled:
            card = scored(candidate.plan, candidate.index)
            assert card is not None
            assert card.score == pytest.approx(candidate.scorecard.score)
    assert planning.plan.steps[0].label == "mean of price in shop.csv, for each region"


@pytest.mark.parametrize("question", ["mean and standard deviation of price", "min and max units"])
def test_words_unknown_to_the_tools_do_not_cause_a_refusal(shop: Bench, question: str) -> None:
    """A question with words that no tool's name has is planned without the small model."""
    with shop.session() as session:
        session._model = SmallModel([])
        planning = session.plan(f"{question} in shop.csv")
    assert planning.plan.tools[0] == "table_query"


def test_a_run_from_the_journal_is_audited_like_its_planning(shop: Bench) -> None:
    """`why_not` of a loaded run gives the same result as that of its planning."""
    with shop.session(PLANNER_SAMPLE_COUNT=4) as session:
        planning = session.plan(_ASK)
        run = session.load_run(planning.run_id)
        for number in range(1, 5):
            assert repr(run.why_not(number)) == repr(planning.why_not(number))


def test_a_rejected_reading_is_not_offered_again(shop: Bench) -> None:
    """Feedback that asks for another reading leads to the next best one."""
    seen: list[Any] = []

    def another(plan: Any) -> object:
        seen.append(plan)
        return Feedback("another reading") if len(seen) == 1 else "reject"

    with shop.session() as session:
        session.run(_ASK, approve=another)
    first, second = (plan.steps[0].args for plan in seen)
    assert first != second
    assert second["source"] == "shop.csv"


def test_rounds_of_feedback_build_on_the_shown_plan(shop: Bench) -> None:
    """Each changes the query that is shown; feedback without a meaning leaves it as it is."""
    said = ["the median instead", "only North", "please do it nicely", "the mean instead"]
    seen: list[Any] = []

    def approver(plan: Any) -> Any:
        seen.append(plan.steps[0].args)
        return Feedback(said[len(seen) - 1]) if len(seen) <= len(said) else "approve"

    run = shop.session().run(_ASK, approve=approver)
    functions = [args["measures"][0]["function"] for args in seen]
    assert functions == ["mean", "median", "median", "median", "mean"]
    values = [[each["value"] for each in args.get("filters", ())] for args in seen]
    assert values == [[], [], ["North"], ["North"], ["North"]]
    assert run.table is not None
    assert run.table.to_dict("records") == [{"region": "North", "mean of price": 25}]


def test_feedback_without_a_meaning_keeps_the_best_reading(
    shop: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The form says that nothing changed, and keeps the words to be said otherwise."""
    person = Person(monkeypatch, [does("feedback", text="please do it nicely"), approve])
    with shop.session() as session:
        run = session.execute(session.plan(_ASK), approve="ask")
    assert "Nothing changed since version 1" in person.states[-1]["head"]
    assert person.states[-1]["feedback"] == "please do it nicely"
    assert "North" in str(run.answer)


@pytest.mark.parametrize(
    "request_text",
    [
        "Delete shop.csv",
        "Write the average price of shop.csv to shop.csv",
        "Save the prices in shop.csv to prices.xlsx",
        "Write the average price in shop.csv to mean.png",
        "How many lines does shop.csv have?",
    ],
)
def test_other_requests_are_planned_by_the_model(shop: Bench, request_text: str) -> None:
    """A request that is not a question about values goes to the model.

    This holds even if it names a table.
    """
    with shop.session([END], PLANNER_SAMPLE_COUNT=1) as session:
        planning = session.plan(request_text)
    assert [step.tool for step in planning.plan.steps] == ["final_answer"]


def test_without_planning_the_model_gets_the_question(shop: Bench) -> None:
    """A session without planning sends the question to the model in one call."""
    with shop.session([END], PLANNER_SAMPLE_COUNT=1, PLAN_ENABLED=False) as session:
        assert session.plan(_ASK).how == "one call, without planning"


def test_a_replay_shows_the_recorded_readings(shop: Bench, tmp_path: Path) -> None:
    """A replay gives the recorded readings and answer even if the table has changed since."""
    recording = tmp_path / "asked.jsonl"
    with shop.session(OKSO_RECORD=str(recording)) as session:
        recorded = session.run(_ASK, approve="auto")
    (shop.root / "shop.csv").write_text("a,b\n1,2\n")
    with shop.session(OKSO_REPLAY=str(recording)) as session:
        replayed = session.run(_ASK, approve="auto")
    assert replayed.answer == recorded.answer
    assert replayed.candidates.equals(recorded.candidates)


@pytest.mark.parametrize(
    ("request_text", "name", "content"),
    [
        (
            "Write the average price in shop.csv to mean.txt",
            "mean.txt",
            "mean of price: 18.75 (4 rows)",
        ),
        (
            "What is the average price for each region in shop.csv? Save it to means.csv.",
            "means.csv",
            "region,mean of price\nNorth,25\nSouth,20\nWest,5\n",
        ),
        (
            "Save the rows with region North in shop.csv as a new file called north.tsv",
            "north.tsv",
            "region\tunits\tprice\nNorth\t3\t10\nNorth\t4\t40\n",
        ),
        (
            "Schreib den Durchschnitt von price in shop.csv in eine neue Datei mittel.txt",
            "mittel.txt",
            "mean of price: 18.75 (4 rows)",
        ),
    ],
)
def test_an_answer_is_saved_in_a_new_file(
    shop: Bench, request_text: str, name: str, content: str
) -> None:
    """A second step writes the answer, as a table where the file is one; no model is asked."""
    with shop.session() as session:
        run = session.run(request_text, approve="auto")
    assert run.state == "completed"
    assert (shop.root / name).read_text("utf-8") == content
    assert shop.model.requests == []


def test_a_saved_answer_has_codes_as_the_file_has_them(bench: Bench) -> None:
    """A telephone number does not lose its first nought."""
    people = "name,city,phone\nAda,York,07817158424\nBo,Leeds,07853118535\nCy,York,\n"
    (bench.root / "people.csv").write_text(people)
    with bench.session() as session:
        run = session.run("Save the people from York in people.csv as york.csv", approve="auto")
    assert run.state == "completed"
    assert "Ada,York,07817158424" in (bench.root / "york.csv").read_text("utf-8")


def test_a_part_of_a_table_is_not_saved_as_the_whole(shop: Bench) -> None:
    """A result of too many rows stays open: a file of its first rows would seem complete."""
    rows = "".join(f"North,{number},{number}\n" for number in range(10_500))
    (shop.root / "shop.csv").write_text("region,units,price\n" + rows)
    with shop.session("It was not saved.") as session:
        run = session.run(
            "Save the rows with region North in shop.csv to north.csv", approve="auto"
        )
    assert run.state == "failed"
    assert "content" in run.report()
    assert not (shop.root / "north.csv").exists()


def test_two_questions_are_both_answered(shop: Bench, tmp_path: Path) -> None:
    """Each is a step of the plan, the reply gives both answers, and a replay does so too."""
    ask = "Which region has the most units in shop.csv, and how many rows have a price over 15?"
    recording = tmp_path / "asked.jsonl"
    with shop.session(OKSO_RECORD=str(recording)) as session:
        planning = session.plan(ask)
        run = session.execute(planning, approve="auto")
    assert [step.tool for step in planning.plan.steps[:-1]] == ["table_query", "table_query"]
    assert "North" in str(run.answer)
    assert "number of rows where price is more than 15: 2" in str(run.answer)
    with shop.session(OKSO_REPLAY=str(recording)) as session:
        assert session.run(ask, approve="auto").answer == run.answer


def test_a_question_that_is_not_answered_is_told(shop: Bench) -> None:
    """One about the answer of the first, and the second one where a file is wanted."""
    with shop.session() as session:
        note = session.plan(
            "Which region has the most units in shop.csv, and how many rows of it are over 15?"
        ).note
        saved = session.plan(
            "How many rows of shop.csv have a price over 15, and which region has the most units? "
            "Save it as out.txt"
        ).note
    assert "about 2 in 10 such plans are right" in note
    assert "not answered: 'how many rows of it are over 15'" in note
    assert "not answered: 'region with the largest" in saved
