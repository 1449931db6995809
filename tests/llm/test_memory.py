"""Memory is what psutil says of the machine, or what a control group leaves of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from okso_jupyter.llm.memory import Memory, measure

GIB = 1 << 30


Machine = Callable[..., None]


@pytest.fixture(name="machine")
def _machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    """Sets what psutil says of the machine, in GiB."""

    def sets(total: float, available: float, *, free: float = 0, is_mac: bool = False) -> None:
        said = SimpleNamespace(
            total=int(total * GIB), available=int(available * GIB), free=int(free * GIB)
        )
        monkeypatch.setattr("psutil.virtual_memory", lambda: said)
        monkeypatch.setattr("psutil.MACOS", is_mac)

    return sets


def _limited(root: Path, files: dict[str, str]) -> Memory:
    """Return the figures with these files of control groups."""
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return measure(root)


def test_linux_reports_available_memory(tmp_path: Path, machine: Machine) -> None:
    """Memory that the kernel could free at once, e.g. page cache, counts as free."""
    machine(32, 24, free=1)
    assert measure(tmp_path) == Memory(physical_bytes=32 * GIB, free_percent=75, headroom=0.75)


def test_inactive_memory_of_macos_is_no_headroom(tmp_path: Path, machine: Machine) -> None:
    """It can be had, after it was cleared."""
    machine(16, 8, free=4, is_mac=True)
    assert measure(tmp_path) == Memory(physical_bytes=16 * GIB, free_percent=50, headroom=0.25)


V2 = {"proc/self/cgroup": "0::/work/job\n"}
V1 = {"proc/self/cgroup": "9:name=systemd:/\n4:cpu,memory:/docker/abc\n0::/\n"}


def test_a_control_group_limits_the_memory(tmp_path: Path, machine: Machine) -> None:
    """The limit of the cgroup is the total; its usage without file cache is the used part."""
    machine(64, 60)
    memory = _limited(tmp_path, {
        **V2,
        "sys/fs/cgroup/work/job/memory.max": f"{8 * GIB}\n",
        "sys/fs/cgroup/work/job/memory.current": f"{7 * GIB}\n",
        "sys/fs/cgroup/work/job/memory.stat": f"anon {GIB}\ninactive_file {5 * GIB}\n",
    })  # fmt: skip
    assert memory == Memory(physical_bytes=8 * GIB, free_percent=75, headroom=0.75)


def test_the_tightest_group_counts(tmp_path: Path, machine: Machine) -> None:
    """The limit of a parent cgroup counts if it is lower than the process's own limit."""
    machine(64, 60)
    memory = _limited(tmp_path, {
        **V2,
        "sys/fs/cgroup/work/job/memory.max": "max\n",
        "sys/fs/cgroup/work/memory.max": f"{16 * GIB}\n",
        "sys/fs/cgroup/work/memory.current": f"{12 * GIB}\n",
    })  # fmt: skip
    assert memory == Memory(physical_bytes=16 * GIB, free_percent=25, headroom=0.25)


def test_control_groups_of_version_1(tmp_path: Path, machine: Machine) -> None:
    """In a container the cgroup's path is missing and the limit is read at the mount."""
    machine(64, 60)
    memory = _limited(tmp_path, {
        **V1,
        "sys/fs/cgroup/memory/memory.limit_in_bytes": f"{4 * GIB}\n",
        "sys/fs/cgroup/memory/memory.usage_in_bytes": f"{3 * GIB}\n",
        "sys/fs/cgroup/memory/memory.stat": f"inactive_file 0\ntotal_inactive_file {GIB}\n",
    })  # fmt: skip
    assert memory == Memory(physical_bytes=4 * GIB, free_percent=50, headroom=0.5)


@pytest.mark.parametrize("limit", [9223372036854771712, 128 * GIB])
def test_a_limit_above_physical_memory_is_ignored(
    tmp_path: Path, machine: Machine, limit: int
) -> None:
    """Version 1 of cgroups writes a huge number for no limit, which is ignored."""
    machine(16, 8)
    memory = _limited(tmp_path, {
        **V1,
        "sys/fs/cgroup/memory/docker/abc/memory.limit_in_bytes": f"{limit}\n",
        "sys/fs/cgroup/memory/docker/abc/memory.usage_in_bytes": f"{GIB}\n",
    })  # fmt: skip
    assert memory == Memory(physical_bytes=16 * GIB, free_percent=50, headroom=0.5)


def test_a_full_control_group_has_no_memory_left(tmp_path: Path, machine: Machine) -> None:
    """If usage exceeds the limit for a moment, the free share is 0 and not negative."""
    machine(16, 8)
    memory = _limited(tmp_path, {
        **V2,
        "sys/fs/cgroup/work/job/memory.max": f"{GIB}\n",
        "sys/fs/cgroup/work/job/memory.current": f"{GIB + 4096}\n",
    })  # fmt: skip
    assert memory == Memory(physical_bytes=GIB, free_percent=0, headroom=0)


def test_missing_memory_figures_are_unknown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where psutil cannot read the machine's figures they are unknown."""
    monkeypatch.setattr("psutil.PROCFS_PATH", str(tmp_path))
    assert measure(tmp_path) == Memory()


def test_this_machine_has_figures_in_range() -> None:
    """The real figures of this machine are within their ranges."""
    memory = measure()
    assert memory.physical_bytes is not None
    assert memory.physical_bytes > GIB // 4
    assert memory.headroom is not None
    assert 0 <= memory.headroom <= 1
