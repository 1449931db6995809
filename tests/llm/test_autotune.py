"""The table of `auto`: all its boundaries, and that only the measurements decide."""

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
from tests.each_row import each_row

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


@each_row(
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
def test_memory_determines_the_base_tier(physical_bytes: int | None, tier: str) -> None:
    """Memory in whole GiB sets the base tier; unknown memory gives the default tier.

    It is rounded down, and a boundary belongs to the higher tier.
    """
    choice = decide("planner", Memory(physical_bytes=physical_bytes, **FREE), ci=False)

    assert (choice.base, choice.effective) == (tier, tier)


@pytest.mark.parametrize(
    ("free_percent", "pressure"),
    [(100, "normal"), (50, "normal"), (49.9, "warning"), (25, "warning"), (24.9, "critical"),
     (0, "critical"), (None, "unknown")],
)  # fmt: skip
def test_the_free_percentage_determines_the_pressure(
    free_percent: float | None, pressure: str
) -> None:
    """The boundaries are 50 and 25 percent; both belong to the better level."""
    assert decide("planner", Memory(free_percent=free_percent), ci=False).pressure == pressure


@pytest.mark.parametrize(
    ("share", "headroom"),
    [(1, "comfortable"), (0.30, "comfortable"), (0.29, "tight"), (0.10, "tight"),
     (0.09, "starved"), (0, "starved"), (None, "unknown")],
)  # fmt: skip
def test_the_free_share_determines_the_headroom(share: float | None, headroom: str) -> None:
    """The boundaries are 0.30 and 0.10; both belong to the better level."""
    assert decide("planner", Memory(headroom=share), ci=False).headroom == headroom


@each_row(
    ("free_percent", "share", "effective"),
    [(60, 0.5, "xlarge"), (None, None, "xlarge"), (60, None, "xlarge"), (None, 0.5, "xlarge"),
     (40, 0.5, "small"), (60, 0.2, "small"), (40, 0.2, "small"), (None, 0.2, "small"),
     (10, 0.5, "tiny"), (60, 0.05, "tiny"), (40, 0.05, "tiny"), (10, None, "tiny")],
)  # fmt: skip
def test_free_memory_caps_the_tier(
    free_percent: float | None, share: float | None, effective: str
) -> None:
    """The worse of pressure and headroom caps the tier; an unknown one does not."""
    memory = Memory(physical_bytes=64 * GIB, free_percent=free_percent, headroom=share)

    assert decide("planner", memory, ci=False).effective == effective


@pytest.mark.parametrize("tier", SIZES)
def test_sizes_by_role(tier: str) -> None:
    """Rephraser and intent use the task size; executor and validator the default one.

    The planner uses the heavy size.
    """
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
    """Any measurements give one model, and its reason names both tiers."""
    choice = decide(role, memory, ci=ci)

    assert hub_spec(choice.spec) is not None
    assert _size(choice) in SIZES[choice.effective].split("/")
    assert choice.base in choice.reason
    assert choice.effective in choice.reason
    assert decide(role, memory, ci=ci) == choice


def _edge(one: Memory, other: Memory, edge: Any) -> Memory:
    """Return the lower or higher of two measurements; unknown if one of them is."""

    def of(name: str) -> Any:
        pair = getattr(one, name), getattr(other, name)
        return None if None in pair else edge(pair)

    return Memory(
        physical_bytes=of("physical_bytes"),
        free_percent=of("free_percent"),
        headroom=of("headroom"),
    )


@given(MEMORIES, MEMORIES)
def test_less_memory_never_gives_a_larger_model(one: Memory, other: Memory) -> None:
    """The table is monotone in all three measurements."""
    less, more = (decide("planner", _edge(one, other, edge), ci=False) for edge in (min, max))

    assert ORDER.index(less.effective) <= ORDER.index(more.effective)
    assert ORDER.index(less.effective) <= ORDER.index(less.base)


@given(MEMORIES)
def test_in_ci_the_tier_is_always_ci(memory: Memory) -> None:
    """In GitHub Actions the amount of memory has no effect."""
    choice = decide("planner", memory, ci=True)

    assert (choice.base, choice.effective, _size(choice)) == ("ci", "ci", "0.6")


@pytest.fixture
def fresh() -> None:
    """A process that has not chosen a model yet."""
    choose.cache_clear()
    autotune._measured.cache_clear()


@pytest.mark.usefixtures("fresh")
def test_the_choice_is_logged_and_made_once(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The choice is logged in one line and cached, even if the CI flag changes later."""
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
def test_only_auto_is_resolved_by_role(monkeypatch: pytest.MonkeyPatch) -> None:
    """`auto` is replaced by the model for the role; another spec is unchanged."""
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)

    assert settle("auto", "planner") == choose("planner").spec
    assert settle("bundled", "planner") == "bundled"
