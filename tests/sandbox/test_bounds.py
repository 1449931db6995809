"""Limits on the disk, memory and threads of sandboxed code, measured from outside."""

from __future__ import annotations

import sys
import threading
import time
from pathlib import Path

import pytest

from okso_jupyter.sandbox import PythonWorker, footprint
from okso_jupyter.sandbox.bubblewrap import problem
from okso_jupyter.sandbox.launch import REQUIRED
from tests.powers import as_ordinary_user
from tests.sandbox.workers import Folder, good, run

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(sys.platform != "linux", reason="NOT TESTED: needs Linux"),
]

_FILL = (
    "b = bytes(2 << 20)\ndef fill(n=120):\n    for i in range(n): open(f'f{i}', 'wb').write(b)\n"
)
DISK = {
    "in one folder": "fill()",
    "nested 40 deep": ("import os\nfor _ in range(40):\n    os.mkdir('d'); os.chdir('d')\nfill()"),
    "nested beyond any path": (
        "import os\nfor _ in range(3000):\n    os.mkdir('d'); os.chdir('d')\nfill()"
    ),
    "nested by long names": (
        "import os\nfor _ in range(60):\n    os.mkdir('d' * 200); os.chdir('d' * 200)\nfill()"
    ),
    "removed and open": (
        "import os; kept = []\nfor _ in range(120):\n"
        "    kept.append(open('f', 'wb')); kept[-1].write(b); os.remove('f')"
    ),
    "removed and open in a folder that is gone": (
        "import os; kept = []\nfor _ in range(120):\n    os.mkdir('d'); "
        "kept.append(open('d/f', 'wb')); kept[-1].write(b); os.remove('d/f'); os.rmdir('d')"
    ),
    "removed and open, behind long names": (
        "import os; kept = []\nfor _ in range(60):\n    os.mkdir('d' * 200); os.chdir('d' * 200)\n"
        "for _ in range(120):\n"
        "    kept.append(open('f', 'wb')); kept[-1].write(b); os.remove('f')"
    ),
    "never named": (
        "import tempfile; kept = [tempfile.TemporaryFile() for _ in range(120)]\n"
        "for f in kept: f.write(b)"
    ),
    "allocated and never written": (
        "import os, tempfile; kept = [tempfile.TemporaryFile() for _ in range(6)]\n"
        "for f in kept: os.posix_fallocate(f.fileno(), 0, 60 << 20)"
    ),
    "removed, closed and mapped": (
        "import ctypes, os; libc = ctypes.CDLL(None); p = ctypes.c_void_p\n"
        "libc.mmap.argtypes = p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long\n"
        "for _ in range(6):\n    f = os.open('f', os.O_CREAT | os.O_RDWR)\n"
        "    os.posix_fallocate(f, 0, 60 << 20); libc.mmap(None, 4096, 1, 1, f, 0)\n"
        "    os.close(f); os.remove('f')"
    ),
    "by hiding what is open": (
        "import ctypes, tempfile; ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)\n"
        "kept = [tempfile.TemporaryFile() for _ in range(120)]\nfor f in kept: f.write(b)"
    ),
    "in a folder that cannot be listed": "import os; os.mkdir('d', 0o300); os.chdir('d'); fill(9)",
    "in a folder that cannot be entered": "import os; os.mkdir('d', 0)",
    "by the mask of modes": "import os; os.umask(0o777); os.mkdir('d')",
}


def _left_bytes(folder: Path) -> int:
    """Return the disk usage of a folder."""
    return sum(path.lstat().st_blocks * 512 for path in folder.rglob("*"))


def store(root: Path, folder: Path, name: str, layers: tuple[str, ...] | None) -> None:
    """Store too much in one way: the call ends with an error and leaves no files."""
    worker = PythonWorker.start(Folder(root), folder, _layers=layers)
    try:
        result = run(worker, _FILL + DISK[name])
        after = good(worker, "import os; os.chdir(os.environ['HOME']); sorted(os.listdir())")
    finally:
        worker.close()
    assert result.exit_code != 0
    assert result.error.startswith("the code ")
    assert result.error.endswith("; all of it is removed")
    assert after == "['data', 'sales.csv']"
    assert _left_bytes(folder) < footprint.MAX_FOLDER_BYTES


@pytest.mark.parametrize("name", DISK)
def test_no_way_to_store_too_much(root: Path, tmp_path: Path, name: str) -> None:
    """Excessive storage ends the call and is removed, however the code hides it."""
    # root without its powers cannot start bubblewrap, as any other user can
    as_ordinary_user(lambda: store(root, tmp_path / "sandbox", name, REQUIRED["linux"]))


@pytest.mark.skipif(bool(problem()), reason=f"NOT TESTED: bubblewrap: {problem()}")
@pytest.mark.parametrize("name", ["removed and open", "removed, closed and mapped", "never named"])
def test_no_way_to_store_too_much_in_bubblewrap(root: Path, tmp_path: Path, name: str) -> None:
    """Files held by the bubblewrap process around the worker do not affect the limits."""
    store(root, tmp_path / "sandbox", name, None)


@pytest.mark.parametrize("name", ["removed and open", "nested 40 deep"])
def test_storage_is_limited_between_calls(root: Path, tmp_path: Path, name: str) -> None:
    """Storing too much between calls ends the worker; the next call reports the loss."""
    worker = PythonWorker.start(Folder(root), tmp_path / "sandbox")
    lines = (_FILL + DISK[name]).replace("\n", "\n    ")
    code = f"import threading, time\ndef later():\n    time.sleep(0.3)\n    {lines}\n"
    code += "    time.sleep(60)\nthreading.Thread(target=later).start()"
    good(worker, code)
    deadline_s = time.monotonic() + 30
    while worker.alive and time.monotonic() < deadline_s:
        time.sleep(0.05)
    assert run(worker, "1").lost_state
    assert _left_bytes(tmp_path / "sandbox") < footprint.MAX_FOLDER_BYTES
    worker.close()


THREADS = {
    "of Python": (
        "import threading, time; threading.stack_size(32768)\n"
        "while True: threading.Thread(target=time.sleep, args=(60,)).start()"
    ),
    "of the C library": (
        "import ctypes; c = ctypes.CDLL(None); a = ctypes.create_string_buffer(64)\n"
        "c.pthread_attr_init(a); c.pthread_attr_setstacksize(a, ctypes.c_size_t(16384))\n"
        "t = ctypes.c_ulong()\nwhile True: c.pthread_create(ctypes.byref(t), a, c.pause, None)"
    ),
}


@pytest.mark.parametrize("name", THREADS)
def test_threads_are_limited(worker: PythonWorker, name: str) -> None:
    """Too many threads end the call.

    No system limit counts the threads of a single process.
    """
    result = run(worker, THREADS[name], 30)
    assert result.error.startswith("the code started more than 512 threads")
    assert (result.lost_state, result.exit_code) == (True, 137)
    assert good(worker, "1 + 1") == "2"


def test_threads_are_limited_between_calls(worker: PythonWorker) -> None:
    """A thread that starts too many threads between calls ends the worker, too."""
    lines = THREADS["of Python"].replace("\n", "\n    ")
    code = f"import threading\ndef later():\n    import time; time.sleep(0.3)\n    {lines}\n"
    good(worker, code + "threading.Thread(target=later).start()")
    deadline_s = time.monotonic() + 30
    while worker.alive and time.monotonic() < deadline_s:
        time.sleep(0.05)
    assert not worker.alive


HARMLESS = {
    "hundred threads": (
        "import threading; e = threading.Event()\n"
        "ts = [threading.Thread(target=e.wait) for _ in range(100)]\n"
        "for t in ts: t.start()\ne.set()\nfor t in ts: t.join()"
    ),
    "folders 30 deep": (
        "import os\nfor i in range(30):\n    os.mkdir('d'); os.chdir('d')\n"
        "open('f', 'w').write('x')"
    ),
    "temporary files": (
        "import tempfile\nfor _ in range(9):\n    f = tempfile.TemporaryFile(); "
        "f.write(bytes(10 << 20)); f.seek(0); assert len(f.read()) == 10 << 20; f.close()"
    ),
    "a temporary folder": (
        "import tempfile, os\nwith tempfile.TemporaryDirectory() as t:\n"
        "    for i in range(500): open(os.path.join(t, str(i)), 'w').close()"
    ),
    "a mapped array": (
        "import numpy as np, tempfile\nf = tempfile.TemporaryFile()\n"
        "a = np.memmap(f, 'u1', 'w+', shape=(50 << 20,)); a[:] = 1; assert a.sum() == 50 << 20"
    ),
    "150 MB": "open('a', 'wb').write(bytes(60 << 20))\nopen('b', 'wb').write(bytes(60 << 20))",
    "files that come and go": (
        "import os\nfor i in range(5000):\n    open('f', 'w').write('x'); os.remove('f')"
    ),
    "ten thousand files": "for i in range(10_000): open(f'f{i}', 'w').close()",
}


@pytest.mark.parametrize("name", HARMLESS)
def test_ordinary_use_stays_below_the_limits(worker: PythonWorker, name: str) -> None:
    """Typical programs stay below the limits and keep their variables."""
    result = run(worker, HARMLESS[name])
    assert (result.exit_code, result.error, result.lost_state) == (0, "", False)


def test_the_users_files_do_not_count_as_storage(root: Path, tmp_path: Path) -> None:
    """A large open file that the user removes does not count as stored by the code."""
    with (root / "big.bin").open("wb") as file:
        for _ in range(5):
            file.write(bytes(60 << 20))
    worker = PythonWorker.start(Folder(root), tmp_path / "sandbox")
    good(worker, "import mmap; f = open('big.bin', 'rb'); m = mmap.mmap(f.fileno(), 0, prot=1)")
    (root / "big.bin").unlink()
    assert good(worker, "m[0]") == "0"
    assert worker.alive
    worker.close()


def test_the_watchdog_ends_with_the_worker(root: Path, tmp_path: Path) -> None:
    """A closed worker leaves no thread running."""
    before = set(threading.enumerate())  # one of an earlier test may end meanwhile
    worker = PythonWorker.start(Folder(root), tmp_path / "sandbox")
    worker.close()
    deadline_s = time.monotonic() + 10
    while set(threading.enumerate()) - before and time.monotonic() < deadline_s:
        time.sleep(0.02)
    assert not set(threading.enumerate()) - before
