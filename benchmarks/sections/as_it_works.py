"""A session that plans requests with its own tools and default settings, as a user has it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from benchmarks.comparison import REQUESTS
from benchmarks.conditions import Conditions
from benchmarks.figures import paired_ratio, spread
from benchmarks.report import Row
from benchmarks.workers import Worker

_MODULE: Final = "benchmarks.own.run_requests"
_AIM: Final = ">= 10"
FILES: Final = {
    "weather.csv": "station,rain_mm\nhilltop,31\nharbour,12\n",
    "sales.csv": "product,price\npen,1\ncup,2\n",
    "notes.txt": "buy milk\ncall Ann\nmilk again\n",
}
FIRST: Final = "first request"
SECOND: Final = "second request, same catalogue"
AFTER_RESTART: Final = "first request of a new process, same OKSO_HOME"
LOADING: Final = "loading the model"


def measure(conditions: Conditions, best_peer: str, best_peer_s: Sequence[float]) -> list[Row]:
    """Measure requests of fresh and of restarted processes.

    Args:
        conditions: The conditions.
        best_peer: Name of the best peer; empty where none was measured.
        best_peer_s: Its seconds for all of its full calls, one per round.

    Raises:
        WorkerError: A session could not plan.
    """
    root = _work_folder(conditions.scratch)
    answers: dict[str, list[dict[str, Any]]] = {FIRST: [], SECOND: [], AFTER_RESTART: []}
    loading_s: list[float] = []
    for number in range(conditions.repeat):
        home = f"as-it-works-{number}"
        requests = [REQUESTS[(number + place) % len(REQUESTS)] for place in range(3)]
        for kinds in ((FIRST, SECOND), (AFTER_RESTART,)):
            with _session(conditions, home, root) as worker:
                loading_s.append(worker.ready["setup_s"])
                for kind in kinds:
                    ask = {"request": requests.pop(0), "samples": conditions.samples}
                    answers[kind].append(worker.ask(ask))
    section = f"{conditions.samples} candidates as Session.plan makes them, default settings"
    rows = [_row(section, kind, answers[kind], best_peer, best_peer_s) for kind in answers]
    return [*rows, Row(section=section, what=LOADING, value=spread(loading_s), unit="s")]


def _row(
    section: str,
    kind: str,
    answers: Sequence[dict[str, Any]],
    best_peer: str,
    best_peer_s: Sequence[float],
) -> Row:
    durations_s = [answer["duration_s"] for answer in answers]
    last = answers[-1]
    return Row(
        section=section,
        what=kind,
        value=spread(durations_s),
        unit="s",
        ratio=paired_ratio(best_peer_s, durations_s) if best_peer else None,
        against=f"{best_peer}'s full calls / this" if best_peer else "",
        aim=_AIM if best_peer else "",
        note=(
            f"{sum(a['candidates'] for a in answers)} candidates, "
            f"{sum(a['unusable'] for a in answers)} unusable, "
            f"{sum(a['tokens'] for a in answers) / len(answers):.0f} tokens a request; "
            f"{last['tools']} tools, {last['threads']} thread(s), chosen by itself"
        ),
    )


def _session(conditions: Conditions, home: str, root: Path) -> Worker:
    return Worker(
        _MODULE,
        {"settings": {"PLANNER_MODEL_SPEC": conditions.spec}, "root": str(root)},
        environment=conditions.own_environment(home),
    )


def _work_folder(scratch: Path) -> Path:
    """Return a folder with the files that the requests name."""
    root = scratch / "work"
    root.mkdir()
    for name, text in FILES.items():
        (root / name).write_text(text, "utf-8")
    return root
