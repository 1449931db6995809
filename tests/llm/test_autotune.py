"""The table of `auto`: every edge of it, and that nothing but the figures decides."""

from __future__ import annotations

import logging
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from okso_jupyter.llm import autotune
from okso_jupyter.llm.autotune import ModelChoice, choose, decide, settle
from okso_jupyter.llm.memory import Memory
from okso_jupyter.llm.protocol import Role
from okso_jupyter.llm.specs import hub_spec
from okso_jupyter.log import LOGGER

GIB = 1 << 30
ROLES = get_args(Role)
ORDER = ["tiny", "small", "default", "large", "xlarge"]
#: The table once more, in okso's own words.
SIZES = {
    "ci": "0.6/0.6/0.6", "tiny": "0.6/0.6/0.6", "small": "0.6/1.7/4", "default": "1.7/4/8",
    "large": "1.7/8/14", "xlarge": "4/14/32",
}  # fmt: skip
FREE = {"free_percent": 80.0, "headroom": 0.8}


def _size(choice: ModelChoice) -> str:
    return choice.spec.split("Qwen3-")[1].split("B-")[0]


@pytest.mark.parametrize(
    ("physical_bytes", "tier"),
    [
        (0, "tiny"), (8 * GIB - 1, "tiny"),
        (8 * GIB, "small"), (16 * GIB - 1, "small"),
        (16 * GIB, "default"), (24 * GIB - 1, "default"),
        (24 * GIB, "large"), (48 * GIB - 1, "large"),
        (48 * GIB, "xlarge"), (1024 * GIB, "xlarge"),
        (None, "default"),
    ],
)  # fmt: skip
def test_memory_makes_the_base(physical_bytes: int | None, tier: str) -> None:
    """Whole GiB, rounded down, with the edge in the upper row; what is unknown is the middle."""
    choice = decide("planner", Memory(physical_bytes=physical_bytes, **FREE), ci=False)

    assert (choice.base, choice.effective) == (tier, tier)


@pytest.mark.parametrize(
    ("free_percent", "pressure"),
    [(100, "normal"), (50, "normal"), (49.9, "warning"), (25, "warning"), (24.9, "critical"),
     (0, "critical"), (None, "unknown")],
)  # fmt: skip
def test_the_free_percentage_is_the_pressure(free_percent: float | None, pressure: str) -> None:
    """50 and 25 percent are the edges, both in the better row."""
    assert decide("planner", Memory(free_percent=free_percent), ci=False).pressure == pressure


@pytest.mark.parametrize(
    ("share", "headroom"),
    [(1, "comfortable"), (0.30, "comfortable"), (0.29, "tight"), (0.10, "tight"),
     (0.09, "starved"), (0, "starved"), (None, "unknown")],
)  # fmt: skip
def test_the_free_share_is_the_headroom(share: float | None, headroom: str) -> None:
    """0.30 and 0.10 are the edges, both in the better row."""
    assert decide("planner", Memory(headroom=share), ci=False).headroom == headroom


@pytest.mark.parametrize(
    ("free_percent", "share", "effective"),
    [(60, 0.5, "xlarge"), (None, None, "xlarge"), (60, None, "xlarge"), (None, 0.5, "xlarge"),
     (40, 0.5, "small"), (60, 0.2, "small"), (40, 0.2, "small"), (None, 0.2, "small"),
     (10, 0.5, "tiny"), (60, 0.05, "tiny"), (40, 0.05, "tiny"), (10, None, "tiny")],
)  # fmt: skip
def test_what_is_free_caps(free_percent: float | None, share: float | None, effective: str) -> None:
    """The worse of both decides; what is unknown caps nothing."""
    memory = Memory(physical_bytes=64 * GIB, free_percent=free_percent, headroom=share)

    assert decide("planner", memory, ci=False).effective == effective


@pytest.mark.parametrize("tier", SIZES)
def test_sizes_by_role(tier: str) -> None:
    """Rephraser and intent take the task size, executor and validator the default one."""
    gib = {"tiny": 4, "small": 8, "default": 16, "large": 24, "xlarge": 48, "ci": 64}[tier]
    memory = Memory(physical_bytes=gib * GIB, **FREE)
    sizes = {role: _size(decide(role, memory, ci=tier == "ci")) for role in ROLES}

    task, default, heavy = SIZES[tier].split("/")
    assert sizes == {"rephraser": task, "intent": task, "executor": default,
                     "validator": default, "planner": heavy}  # fmt: skip


MEMORIES = st.builds(
    Memory,
    physical_bytes=st.none() | st.integers(0, 256 * GIB),
    free_percent=st.none() | st.floats(0, 100),
    headroom=st.none() | st.floats(0, 1),
)


@given(MEMORIES, st.sampled_from(ROLES), st.booleans())
def test_every_choice_is_a_hub_spec_with_a_reason(memory: Memory, role: Role, ci: bool) -> None:  # noqa: FBT001  hypothesis gives it by position
    """Whatever the figures, there is one model, and its reason names both tiers."""
    choice = decide(role, memory, ci=ci)

    assert hub_spec(choice.spec) is not None
    assert _size(choice) in SIZES[choice.effective].split("/")
    assert choice.base in choice.reason
    assert choice.effective in choice.reason
    assert decide(role, memory, ci=ci) == choice


def _edge(one: Memory, other: Memory, edge: Any) -> Memory:
    """Return the lower or the higher figures of two; unknown where one of them is."""

    def of(name: str) -> Any:
        pair = getattr(one, name), getattr(other, name)
        return None if None in pair else edge(pair)

    return Memory(
        physical_bytes=of("physical_bytes"),
        free_percent=of("free_percent"),
        headroom=of("headroom"),
    )


@given(MEMORIES, MEMORIES)
def test_less_memory_is_never_a_larger_model(one: Memory, other: Memory) -> None:
    """The table is monotone in all three figures."""
    less, more = (decide("planner", _edge(one, other, edge), ci=False) for edge in (min, max))

    assert ORDER.index(less.effective) <= ORDER.index(more.effective)
    assert ORDER.index(less.effective) <= ORDER.index(less.base)


@given(MEMORIES)
def test_ci_stays_ci(memory: Memory) -> None:
    """In GitHub Actions neither much memory nor little changes anything."""
    choice = decide("planner", memory, ci=True)

    assert (choice.base, choice.effective, _size(choice)) == ("ci", "ci", "0.6")


@pytest.fixture
def fresh() -> None:
    """A process that has not chosen yet."""
    choose.cache_clear()
    autotune._measured.cache_clear()


@pytest.mark.usefixtures("fresh")
def test_the_choice_is_logged_and_made_once(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One line with all figures; asked again, the same model, though the flag has changed."""
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setattr(LOGGER, "propagate", True)
    with caplog.at_level(logging.INFO, LOGGER.name):
        first = choose("planner")
        monkeypatch.setenv("GITHUB_ACTIONS", "false")
        assert choose("planner") is first

    # a record may arrive twice: from the logger itself, and from the root above it
    (line,) = {id(r): r for r in caplog.records if "autotune" in r.message}.values()
    assert line.message == "model autotune: base=ci eff=ci"
    assert set(vars(line)["detail"]) == {"role", "spec", "physmem", "pressure", "headroom"}
    choose.cache_clear()


@pytest.mark.usefixtures("fresh")
def test_auto_is_settled_by_role_and_nothing_else_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another spec stays as it is."""
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)

    assert settle("auto", "planner") == choose("planner").spec
    assert settle("bundled", "planner") == "bundled"
