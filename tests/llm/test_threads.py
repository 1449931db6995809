"""The number of threads adapts to the machine, tested on simulated machines."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable

import pytest

from okso_jupyter.llm.thread_count import ThreadChoice, counts_to_try

Machine = Callable[[int], float]
"""Tokens per second, by count of threads."""


def idle(count: int) -> float:
    """Return the throughput of two idle processors."""
    return 60.0 * min(count, 2) * 0.9 ** (count > 1)


def busy(count: int) -> float:
    """Return the throughput of two processors that each run another program."""
    return 40.0 / count**2


def _work(choice: ThreadChoice, machine: Machine, batches: int) -> float:
    """Return the seconds that a number of batches of eight tokens take."""
    total_s = 0.0
    for _ in range(batches):
        count = choice.count()
        duration_s = 8 / machine(count)
        choice.took(count, 8, duration_s)
        total_s += duration_s
    return total_s


@pytest.mark.parametrize(("machine", "best"), [(idle, 2), (busy, 1)], ids=["idle", "busy"])
def test_the_fastest_count_is_found(machine: Machine, best: int) -> None:
    """After a few batches the best count is used."""
    choice = ThreadChoice([1, 2, 4])
    _work(choice, machine, 12)

    assert choice.best == best


@pytest.mark.parametrize("machine", [idle, busy], ids=["idle", "busy"])
def test_trials_cost_little(machine: Machine) -> None:
    """Over a long time the trials cost less than 10 % of the time of the best fixed count."""
    chosen_s = _work(ThreadChoice([1, 2]), machine, 4000)
    fixed_s = min(_work(ThreadChoice([count]), machine, 4000) for count in (1, 2))

    assert chosen_s / fixed_s < 1.1


@pytest.mark.parametrize(
    ("before", "after", "best"), [(idle, busy, 1), (busy, idle, 2)], ids=["busier", "calmer"]
)
def test_a_changed_machine_is_measured_again(before: Machine, after: Machine, best: int) -> None:
    """When throughput falls or rises, the count is chosen again."""
    choice = ThreadChoice([1, 2])
    _work(choice, before, 40)
    _work(choice, after, 40)

    assert choice.best == best


def test_a_fixed_count_is_used_unchanged() -> None:
    """With a single count there is no choice."""
    choice = ThreadChoice([3])
    _work(choice, busy, 100)

    assert (choice.count(), choice.best) == (3, 3)


@pytest.mark.parametrize(
    ("processors", "counts"),
    [(1, (1,)), (2, (1, 2)), (6, (1, 2, 4, 6)), (8, (1, 2, 4, 8)), (64, (1, 2, 4, 8, 16, 32, 64))],
)
def test_the_counts_are_powers_of_two_and_all_processors(
    processors: int, counts: tuple[int, ...]
) -> None:
    """The counts to try are few, and one of them is near any best count."""
    assert counts_to_try(processors) == counts


@pytest.mark.process
@pytest.mark.parametrize("name", ["GOMP_SPINCOUNT", "OMP_WAIT_POLICY"])
def test_the_openmp_wait_setting_is_respected(name: str) -> None:
    """The user's OpenMP wait setting is kept; without one no variable remains set."""
    look = f"import os, okso_jupyter.llm.bindings; print(os.environ.get({name!r}))"
    plain = {key: value for key, value in os.environ.items() if key != name}
    seen = [
        subprocess.run(  # noqa: S603  this interpreter
            [sys.executable, "-c", look], env=env, capture_output=True, text=True, check=True
        ).stdout.strip()
        for env in (plain, {**plain, name: "active"})
    ]

    assert seen == ["None", "active"]
