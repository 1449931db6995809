"""Memory figures: from recorded texts of macOS, and from folders that look like Linux."""

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


def test_macos_says_all_three() -> None:
    """Physical memory, free percentage, and free and speculative pages as a share."""
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
def test_what_macos_does_not_say_is_unknown(texts: tuple[str, str, str], expected: Memory) -> None:
    """A command that is missing or says something else leaves its figure out."""
    assert read_macos(*texts) == expected


def _linux(root: Path, files: dict[str, str]) -> Memory:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return measure(root)


def _meminfo(total_gib: int, available_gib: int) -> dict[str, str]:
    total, available = (f"{gib << 20} kB" for gib in (total_gib, available_gib))
    return {"proc/meminfo": f"MemTotal: {total}\nMemFree: 9 kB\nMemAvailable: {available}\n"}


def test_linux_says_what_is_available(tmp_path: Path) -> None:
    """What the kernel could free at once counts as free; the page cache is no pressure."""
    assert _linux(tmp_path, _meminfo(32, 24)) == Memory(
        physical_bytes=32 * GIB, free_percent=75, headroom=0.75
    )


V2 = {"proc/self/cgroup": "0::/work/job\n"}
V1 = {"proc/self/cgroup": "9:name=systemd:/\n4:cpu,memory:/docker/abc\n0::/\n"}


def test_a_control_group_is_the_machine(tmp_path: Path) -> None:
    """Its limit is what there is; its use without file cache is what is taken of it."""
    memory = _linux(tmp_path, {
        **_meminfo(64, 60), **V2,
        "sys/fs/cgroup/work/job/memory.max": f"{8 * GIB}\n",
        "sys/fs/cgroup/work/job/memory.current": f"{7 * GIB}\n",
        "sys/fs/cgroup/work/job/memory.stat": f"anon {GIB}\ninactive_file {5 * GIB}\n",
    })  # fmt: skip
    assert memory == Memory(physical_bytes=8 * GIB, free_percent=75, headroom=0.75)


def test_the_tightest_group_counts(tmp_path: Path) -> None:
    """A group above may allow less than the one that the process is in."""
    memory = _linux(tmp_path, {
        **_meminfo(64, 60), **V2,
        "sys/fs/cgroup/work/job/memory.max": "max\n",
        "sys/fs/cgroup/work/memory.max": f"{16 * GIB}\n",
        "sys/fs/cgroup/work/memory.current": f"{12 * GIB}\n",
    })  # fmt: skip
    assert memory == Memory(physical_bytes=16 * GIB, free_percent=25, headroom=0.25)


def test_groups_of_the_first_version(tmp_path: Path) -> None:
    """Inside a container the path is not there and the limit is at the mount."""
    memory = _linux(tmp_path, {
        **_meminfo(64, 60), **V1,
        "sys/fs/cgroup/memory/memory.limit_in_bytes": f"{4 * GIB}\n",
        "sys/fs/cgroup/memory/memory.usage_in_bytes": f"{3 * GIB}\n",
        "sys/fs/cgroup/memory/memory.stat": f"inactive_file 0\ntotal_inactive_file {GIB}\n",
    })  # fmt: skip
    assert memory == Memory(physical_bytes=4 * GIB, free_percent=50, headroom=0.5)


@pytest.mark.parametrize("limit", [9223372036854771712, 128 * GIB])
def test_a_limit_above_the_machine_is_none(tmp_path: Path, limit: int) -> None:
    """The first version writes a huge number for no limit at all."""
    memory = _linux(tmp_path, {
        **_meminfo(16, 8), **V1,
        "sys/fs/cgroup/memory/docker/abc/memory.limit_in_bytes": f"{limit}\n",
        "sys/fs/cgroup/memory/docker/abc/memory.usage_in_bytes": f"{GIB}\n",
    })  # fmt: skip
    assert memory == Memory(physical_bytes=16 * GIB, free_percent=50, headroom=0.5)


def test_a_group_that_is_full_has_nothing_left(tmp_path: Path) -> None:
    """More in use than allowed, for a moment, is no negative share."""
    memory = _linux(tmp_path, {
        **_meminfo(16, 8), **V2,
        "sys/fs/cgroup/work/job/memory.max": f"{GIB}\n",
        "sys/fs/cgroup/work/job/memory.current": f"{GIB + 4096}\n",
    })  # fmt: skip
    assert memory == Memory(physical_bytes=GIB, free_percent=0, headroom=0)


def test_a_system_that_says_nothing(tmp_path: Path) -> None:
    """No /proc, or an old one: what is not said is unknown."""
    assert _linux(tmp_path, {}) == Memory()
    old = _linux(tmp_path, {"proc/meminfo": "MemTotal: 1048576 kB\nMemFree: 10 kB\n"})
    assert old == Memory(physical_bytes=GIB)


def test_this_machine_says_something() -> None:
    """The real figures are in range."""
    memory = measure()
    assert memory.physical_bytes is not None
    assert memory.physical_bytes > GIB // 4
    assert memory.headroom is not None
    assert 0 <= memory.headroom <= 1
