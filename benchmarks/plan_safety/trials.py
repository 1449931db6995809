"""A request, planned with one seed, and what each of its plans does to a copy of the folder."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from benchmarks.plan_safety.cases import FILES, Case
from benchmarks.plan_safety.losses import Loss, by_tools, changed, contents, has_become, losses
from okso_jupyter import OksoError, Plan, Session
from okso_jupyter.plan.records import Candidate
from okso_jupyter.planning.outcome import Planning
from okso_jupyter.planning.planner import select
from okso_jupyter.planning.sampling.stopping import substance
from okso_jupyter.planning.scoring.scorer import score_all
from okso_jupyter.runs.arguments import Approve

#: Tools that have no way to write: a plan of these alone need not be run to know what it does,
#: unless it is the winner, since it may fail and lead to another plan.
_READERS: Final = frozenset({"file_read", "file_search", "final_answer"})
#: The answer is not what is measured, and a model would have to write it.
_QUICK: Final = {"FINAL_ANSWER": "digest", "ENABLE_ANSWER_VALIDATION": False, "VERBOSITY": 0}


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """What the candidates of one planning would do, and do.

    Attributes:
        request: The request.
        seed: The seed.
        candidates: How many usable candidates there were.
        winner: The winner of preset `default`, from 1; 0 where nothing could be planned.
        winner_okso: The winner of preset `okso`.
        planned: What would be lost if a person approved everything, by candidate.
        auto: What is lost where `auto` decides, by candidate.
        did: Candidates that change the file that the request asks to change, once approved.
        right: Those of them after which it holds what the request asks for.
        plans: The calls of the candidates that plan a loss.
        error: Why there is no plan, if there is none.
    """

    request: str
    seed: int
    candidates: int
    winner: int
    winner_okso: int
    planned: Mapping[int, tuple[str, ...]]
    auto: Mapping[int, tuple[str, ...]]
    did: tuple[int, ...]
    right: tuple[int, ...]
    plans: Mapping[int, str]
    error: str = ""


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What an execution did: what was lost, and whether it changed what it should, and rightly."""

    lost: tuple[Loss, ...] = ()
    did: bool = False
    right: bool = False


def tried(case: Case, seed: int, model: str = "bundled") -> Trial:
    """Plan a request and run every candidate in a copy of the folder of its own.

    Args:
        case: The request.
        seed: The seed.
        model: Spec of the model that plans.
    """
    try:
        with _session(model) as session:
            planning = session.plan(case.request, seed=seed)
            okso = _winner_of_okso(planning, session)
    except OksoError as error:
        return _without_plan(case, seed, f"{type(error).__name__}: {error}")
    approved = _each(planning, case, model, lambda _plan: "approve")
    lossy = {index for index, outcome in approved.items() if outcome.lost}
    auto = _each(planning, case, model, "auto", only=lossy)
    return Trial(
        request=case.request,
        seed=seed,
        candidates=len(planning.sampled),
        winner=planning.chosen.index,
        winner_okso=okso,
        planned=_told(approved),
        auto=_told(auto),
        did=tuple(index for index, outcome in approved.items() if outcome.did),
        right=tuple(index for index, outcome in approved.items() if outcome.right),
        plans={c.index: _calls(c.plan) for c in planning.sampled if c.index in lossy},
    )


def _without_plan(case: Case, seed: int, error: str) -> Trial:
    """Return that nothing was planned, and so nothing is lost."""
    return Trial(
        request=case.request,
        seed=seed,
        candidates=0,
        winner=0,
        winner_okso=0,
        planned={},
        auto={},
        did=(),
        right=(),
        plans={},
        error=error,
    )


@contextmanager
def _session(model: str, **settings: object) -> Iterator[Session]:
    """Open a session on a fresh copy of the folder."""
    with tempfile.TemporaryDirectory(prefix="okso-safety-") as scratch:
        root = Path(scratch) / "notebook"
        shutil.copytree(FILES, root)
        given = {"OKSO_HOME": str(Path(scratch) / "home"), **_QUICK, **settings}
        with Session(given, model=model, root=root) as session:
            yield session


def _winner_of_okso(planning: Planning, session: Session) -> int:
    """Return the candidate that preset `okso` would choose of the same ones."""
    if not planning.sampled:
        return 0
    settings = replace(session.settings, score_preset="okso")
    plans = [candidate.plan for candidate in planning.sampled]
    cards = score_all(plans, session.tools, settings, planning.request)
    scored = [
        replace(candidate, scorecard=card)
        for candidate, card in zip(planning.sampled, cards, strict=True)
    ]
    return select(scored).index


def _each(
    planning: Planning,
    case: Case,
    model: str,
    approve: Approve,
    only: set[int] | None = None,
) -> dict[int, _Outcome]:
    """Return what each candidate does; candidates that are the same are run once.

    What the winner leads to when it fails is run, too; of the others nobody would see more.
    """
    known: dict[tuple[str, bool], _Outcome] = {}
    found: dict[int, _Outcome] = {}
    for candidate in planning.sampled:
        if only is not None and candidate.index not in only:
            continue
        wins = candidate.index == planning.chosen.index
        key = (substance(candidate.plan), wins)
        if key not in known:
            known[key] = _run(candidate, planning.seed, case, model, approve, replans=wins)
        found[candidate.index] = known[key]
    return found


def _run(  # noqa: PLR0913  the same for every candidate but the first
    candidate: Candidate, seed: int, case: Case, model: str, approve: Approve, *, replans: bool
) -> _Outcome:
    """Run one candidate in a fresh copy of the folder and look at what is left of it."""
    tools = set(candidate.plan.tools)
    if tools <= (_READERS if not replans else {"final_answer"}):
        return _Outcome()
    more = {} if replans else {"PLAN_MAX_REPLANS": 0}
    with _session(model, PLANNER_SEED=seed, **more) as session:
        before = contents(session.root)
        try:
            seen = session.execute(candidate.plan, approve=approve).steps_seen
        except OksoError:  # refused by `auto`; what ran before counts all the same
            run = session.newest_run()
            seen = run.steps_seen if run else ()
        after = contents(session.root)
    return _Outcome(
        lost=tuple(by_tools(losses(before, after), seen)),
        did=bool(case.path) and changed(case.path, before, after),
        right=bool(case.path) and has_become(case.path, case.becomes, after),
    )


def _told(outcomes: Mapping[int, _Outcome]) -> dict[int, tuple[str, ...]]:
    """Return in words what each candidate loses, without those that lose nothing."""
    return {
        index: tuple(map(str, outcome.lost)) for index, outcome in outcomes.items() if outcome.lost
    }


def _calls(plan: Plan) -> str:
    """Return the calls of a plan as text."""
    calls: Sequence[object] = [[step.tool, dict(step.args)] for step in plan.steps]
    return json.dumps(calls, ensure_ascii=False, default=str)
