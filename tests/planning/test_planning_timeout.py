"""PLAN_PLANNING_TIMEOUT_S: planning ends in time and keeps the finished candidates."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Sequence
from typing import Any

import pytest

from okso_jupyter import Session
from okso_jupyter.errors import PlanningTimeoutError
from okso_jupyter.llm.protocol import Completion, CompletionRequest, Sampling
from tests.bench import END, Bench
from tests.llm.openai_server import Answer, OpenAIServer, Reply, falls_silent, is_probe, says
from tests.planning.tree_lab import Obedient, write


def obeys(after_s: float = 0.0) -> Answer:
    """Answer with a text that is valid under the schema, after a delay."""

    def answer(reply: Reply) -> None:
        schema = reply.body["response_format"]["json_schema"]["schema"]
        text = json.dumps(write(schema, schema, random.Random(reply.body["seed"])))  # noqa: S311
        if reply.pause(after_s):
            says(text)(reply)

    return answer


def _session(bench: Bench, *, model: Any = None, **settings: Any) -> Session:
    chosen = {"OKSO_HOME": str(bench.home), **settings}
    return Session(chosen, model=model, root=bench.root)


def _planned(bench: Bench, answers: Sequence[Answer], **settings: Any) -> Any:
    """Plan with a server whose answers may violate the schema."""
    with (
        OpenAIServer(list(answers)) as server,
        _session(bench, PLANNER_MODEL_SPEC=server.spec, **settings) as session,
    ):
        return session.plan("list the files", seed=1)


@pytest.mark.slow
def test_finished_candidates_are_kept(bench: Bench) -> None:
    """One of three candidates is finished: it is chosen, and the note reports the others."""
    planning = _planned(
        bench, [obeys(), falls_silent(), falls_silent("[")], PLAN_PLANNING_TIMEOUT_S=2
    )

    assert len(planning.sampled) == 1
    assert len(planning.unusable) == 2
    assert "2 more not finished within PLAN_PLANNING_TIMEOUT_S" in planning.note
    assert {one.reason for one in planning.unusable} == {
        "it was not finished within PLAN_PLANNING_TIMEOUT_S"
    }


@pytest.mark.slow
def test_the_first_candidate_may_be_late(bench: Bench) -> None:
    """If none is finished at the time-out, planning waits for the first candidate."""
    planning = _planned(
        bench, [obeys(2.5), falls_silent(), falls_silent()], PLAN_PLANNING_TIMEOUT_S=2
    )

    assert len(planning.sampled) == 1


def test_no_ability_is_tried_when_the_time_is_up(bench: Bench) -> None:
    """The server is asked for the candidates alone: another answer may be as late as theirs."""
    with (
        OpenAIServer([obeys(), falls_silent()]) as server,
        _session(bench, PLANNER_MODEL_SPEC=server.spec, PLAN_PLANNING_TIMEOUT_S=0.5) as session,
    ):
        session.plan("list the files", seed=1)

    assert [is_probe(seen.body) for seen in server.seen] == [False] * 3


@pytest.mark.parametrize("algorithm", ["sample", "beam", "mcts", "astar"])
def test_a_model_that_never_answers_is_an_error(algorithm: str, bench: Bench) -> None:
    """The wait is bounded; the error names the setting and its value."""
    with pytest.raises(PlanningTimeoutError, match=r"PLAN_PLANNING_TIMEOUT_S \(0.2 s\)") as caught:
        _planned(bench, [falls_silent()], PLAN_PLANNING_TIMEOUT_S=0.2, PLAN_ALGORITHM=algorithm)

    assert "raise PLAN_PLANNING_TIMEOUT_S" in caught.value.hint


def test_a_run_whose_planning_timed_out_has_failed(bench: Bench) -> None:
    """The journal records the run as failed; it has no plan."""
    with pytest.raises(PlanningTimeoutError):
        _planned(bench, [falls_silent()], PLAN_PLANNING_TIMEOUT_S=0.2, OKSO_RUN_ID="late")

    with _session(bench) as session:
        run = session.load_run("late")
    assert (run.state, run.plan) == ("failed", None)


@pytest.mark.slow
def test_a_timeout_of_zero_means_no_limit(bench: Bench) -> None:
    """With 0, planning waits for every candidate; none can run, so one more is asked for."""
    planning = _planned(bench, [obeys(), obeys(0.5), obeys(0.5)], PLAN_PLANNING_TIMEOUT_S=0)

    assert planning.cut_short == ""
    assert [candidate.index for candidate in planning.sampled] == [1, 2, 3, 4]
    assert all(candidate.flaw for candidate in planning.sampled[:3])


class Slow(Obedient):
    """A model that answers until it wrote a plan, then reports progress forever."""

    done = False

    def complete(self, request: CompletionRequest) -> Sequence[Completion]:
        """Answer, or report progress until the caller interrupts."""
        while self.done and request.on_progress is not None:
            time.sleep(0.01)
            request.on_progress(
                Sampling(
                    prompt_tokens=1, prompt_done=1, completions=1, completions_done=0,
                    output_tokens=0, elapsed_s=0.0, tokens_per_s=0.0,
                )
            )  # fmt: skip
        completions = super().complete(request)
        self.done = any(json.loads(one.text)[-1] == END for one in completions)
        return completions


@pytest.mark.slow
@pytest.mark.parametrize("algorithm", ["beam", "mcts", "astar"])
def test_plans_of_an_interrupted_tree_search_are_kept(algorithm: str, bench: Bench) -> None:
    """A search that times out keeps its plans, and the note names the setting."""
    model = Slow()
    with _session(
        bench, model=model, PLAN_ALGORITHM=algorithm, PLAN_PLANNING_TIMEOUT_S=2
    ) as session:
        planning = session.plan("How many lines has notes.txt, and what is in sales.csv?", seed=1)
        (stats,) = session.load_run(planning.run_id).tree_stats.to_dict("records")

    assert planning.sampled
    assert "the search was ended by PLAN_PLANNING_TIMEOUT_S" in planning.note
    assert (stats["ended_by"], stats["model_calls"]) == ("time", len(model.requests))
