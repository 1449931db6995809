"""Memory figures are read from recorded macOS output and simulated Linux file trees."""

from __future__ import annotations

from pathlib import Path

import pytest

from okso_jupyter.llm.memory import Memory, measure, read_macos

GIB = 1 << 30
PRESSURE = """The system has 17179869184 (1048576 pages with a page size of 16384).

System-wide memory free percentage: 36%
"""
VM_STAT = """Mach Virtual Memory Statistics: (page size of 16384 bytes)
Pages free:                               52428.
Pages active:                            341234.
Pages inactive:                          339051.
Pages speculative:                         4572.
Pages throttled:                              0.
Pages wired down:                        155521.
"File-backed pages":                      98765.
"""


def test_macos_reports_all_three_figures() -> None:
    """Physical memory, free percentage, and the share of free and speculative pages."""
    memory = read_macos("17179869184\n", PRESSURE, VM_STAT)

    assert memory.physical_bytes == 16 * GIB
    assert memory.free_percent == 36
    assert memory.headroom == pytest.approx((52428 + 4572) * 16384 / (16 * GIB))


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (("", "", ""), Memory()),
        (("8589934592\n", "", ""), Memory(physical_bytes=8 * GIB)),
        (("", PRESSURE, VM_STAT), Memory(free_percent=36)),
        (("8589934592", "no such command", "nothing: 3"), Memory(physical_bytes=8 * GIB)),
        (("sysctl: unknown oid 'hw.memsize'", "", VM_STAT), Memory()),
    ],
)
def test_missing_macos_output_is_unknown(texts: tuple[str, str, str], expected: Memory) -> None:
    """If a command is missing or its output is unexpected, its figure is unknown."""
    assert read_macos(*texts) == expected


def _linux(root: Path, files: dict[str, str]) -> Memory:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return measure(root)


def _meminfo(total_gib: int, available_gib: int) -> dict[str, str]:
    total, available = (f"{gib << 20} kB" for gib in (total_gib, available_gib))
    return {"proc/meminfo": f"MemTotal: {total}\nMemFree: 9 kB\nMemAvailable: {available}\n"}


def test_linux_reports_available_memory(tmp_path: Path) -> None:
    """Memory that the kernel could free at once, e.g. page cache, counts as free."""
    assert _linux(tmp_path, _meminfo(32, 24)) == Memory(
        physical_bytes=32 * GIB, free_percent=75, headroom=0.75
    )


V2 = {"proc/self/cgroup": "0::/work/job\n"}
V1 = {"proc/self/cgroup": "9:name=systemd:/\n4:cpu,memory:/docker/abc\n0::/\n"}


def test_a_control_group_limits_the_memory(tmp_path: Path) -> None:
    """The limit of the cgroup is the total; its usage without file cache is the used part."""
    memory = _linux(tmp_path, {
        **_meminfo(64, 60), **V2,
        "sys/fs/cgroup/work/job/memory.max": f"{8 * GIB}\n",
        "sys/fs/cgroup/work/job/memory.current": f"{7 * GIB}\n",
        "sys/fs/cgroup/work/job/memory.stat": f"anon {GIB}\ninactive_file {5 * GIB}\n",
    })  # fmt: skip
    assert memory == Memory(physical_bytes=8 * GIB, free_percent=75, headroom=0.75)


def test_the_tightest_group_counts(tmp_path: Path) -> None:
    """The limit of a parent cgroup counts if it is lower than the process's own limit."""
    memory = _linux(tmp_path, {
        **_meminfo(64, 60), **V2,
        "sys/fs/cgroup/work/job/memory.max": "max\n",
        "sys/fs/cgroup/work/memory.max": f"{16 * GIB}\n",
        "sys/fs/cgroup/work/memory.current": f"{12 * GIB}\n",
    })  # fmt: skip
    assert memory == Memory(physical_bytes=16 * GIB, free_percent=25, headroom=0.25)


def test_control_groups_of_version_1(tmp_path: Path) -> None:
    """In a container the cgroup's path is missing and the limit is read at the mount."""
    memory = _linux(tmp_path, {
        **_meminfo(64, 60), **V1,
        "sys/fs/cgroup/memory/memory.limit_in_bytes": f"{4 * GIB}\n",
        "sys/fs/cgroup/memory/memory.usage_in_bytes": f"{3 * GIB}\n",
        "sys/fs/cgroup/memory/memory.stat": f"inactive_file 0\ntotal_inactive_file {GIB}\n",
    })  # fmt: skip
    assert memory == Memory(physical_bytes=4 * GIB, free_percent=50, headroom=0.5)


@pytest.mark.parametrize("limit", [9223372036854771712, 128 * GIB])
def test_a_limit_above_physical_memory_is_ignored(tmp_path: Path, limit: int) -> None:
    """Version 1 of cgroups writes a huge number for no limit, which is ignored."""
    memory = _linux(tmp_path, {
        **_meminfo(16, 8), **V1,
        "sys/fs/cgroup/memory/docker/abc/memory.limit_in_bytes": f"{limit}\n",
        "sys/fs/cgroup/memory/docker/abc/memory.usage_in_bytes": f"{GIB}\n",
    })  # fmt: skip
    assert memory == Memory(physical_bytes=16 * GIB, free_percent=50, headroom=0.5)


def test_a_full_control_group_has_no_memory_left(tmp_path: Path) -> None:
    """If usage exceeds the limit for a moment, the free share is 0 and not negative."""
    memory = _linux(tmp_path, {
        **_meminfo(16, 8), **V2,
        "sys/fs/cgroup/work/job/memory.max": f"{GIB}\n",
        "sys/fs/cgroup/work/job/memory.current": f"{GIB + 4096}\n",
    })  # fmt: skip
    assert memory == Memory(physical_bytes=GIB, free_percent=0, headroom=0)


def test_missing_memory_figures_are_unknown(tmp_path: Path) -> None:
    """Without /proc, or with an old one, missing figures are unknown."""
    assert _linux(tmp_path, {}) == Memory()
    old = _linux(tmp_path, {"proc/meminfo": "MemTotal: 1048576 kB\nMemFree: 10 kB\n"})
    assert old == Memory(physical_bytes=GIB)


def test_this_machine_has_figures_in_range() -> None:
    """The real figures of this machine are within their ranges."""
    memory = measure()
    assert memory.physical_bytes is not None
    assert memory.physical_bytes > GIB // 4
    assert memory.headroom is not None
    assert 0 <= memory.headroom <= 1
