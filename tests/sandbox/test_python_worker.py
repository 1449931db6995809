"""A sandboxed worker in ordinary use and at its limits."""

from __future__ import annotations

import os
import sys
import threading
import time
from pathlib import Path

import pytest

from okso_jupyter import removal
from okso_jupyter.errors import ToolInputError, ToolRefusedError
from okso_jupyter.sandbox import PythonWorker, mirror
from tests.sandbox.workers import Folder, good, run
from tests.trees import nested

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(sys.platform != "linux", reason="NOT TESTED: needs Linux"),
]


HARMLESS = {
    "files": "import os; os.mkdir('d'); open('d/f', 'w').write('x'); os.rename('d/f', 'd/g'); "
    "os.remove('d/g'); os.rmdir('d')",
    "pathlib": "from pathlib import Path; Path('p').write_text('x'); Path('p').unlink()",
    "temporary files": "import tempfile; t = tempfile.TemporaryFile(); t.write(b'x')",
    "shutil": "import shutil; open('a', 'w').close(); shutil.copy2('a', 'b'); "
    "shutil.copytree('.', 'tree', ignore=shutil.ignore_patterns('tree', 'data', '*.csv'))",
    "zip": "import zipfile; z = zipfile.ZipFile('z.zip', 'w'); z.writestr('a', 'b'); z.close()",
    "gzip": "import gzip; gzip.open('g.gz', 'wb').write(b'x')",
    "sqlite": "import sqlite3; c = sqlite3.connect('db'); c.execute('create table t (a)'); "
    "c.commit()",
    "locks": "import fcntl; f = open('l', 'w'); fcntl.flock(f, fcntl.LOCK_EX); "
    "fcntl.lockf(f, fcntl.LOCK_EX); fcntl.lockf(f, fcntl.LOCK_UN); fcntl.flock(f, fcntl.LOCK_UN)",
    "sqlite, both journals": "import sqlite3\nfor mode in ('wal', 'delete'):\n"
    "    c = sqlite3.connect(mode + '.db'); c.execute(f'pragma journal_mode={mode}')\n"
    "    c.execute('create table t (a)'); c.commit()\n"
    "    d = sqlite3.connect(mode + '.db'); d.execute('insert into t values (1)'); d.commit()\n"
    "    assert c.execute('select a from t').fetchall() == [(1,)]",
    "pair of streams": "import socket; a, b = socket.socketpair(); a.setblocking(False); "
    "a.sendall(b'x'); assert b.recv(9) == b'x'",
    "asyncio streams": "import asyncio, socket\nasync def f():\n"
    "    a, b = socket.socketpair(); r, w = await asyncio.open_connection(sock=a)\n"
    "    s, v = await asyncio.open_connection(sock=b); w.write(b'x\\n'); await w.drain()\n"
    "    assert await s.readline() == b'x\\n'; w.close(); v.close()\nasyncio.run(f())",
    "terminal or not": "import os, sys; assert not sys.stdout.isatty(); os.isatty(0); "
    "import shutil; shutil.get_terminal_size()",
    "copies of the user's files": "import shutil; shutil.copy2('sales.csv', 'c.csv'); "
    "shutil.copytree('data', 'd'); shutil.copyfile('sales.csv', 'e.csv')",
    "pipes and duplicates": "import os; r, w = os.pipe(); os.set_inheritable(r, True); "
    "os.set_blocking(w, False); os.dup2(r, 90); os.write(w, b'x'); assert os.read(90, 9) == b'x'",
    "temporary folder": "import tempfile\nwith tempfile.TemporaryDirectory() as t:\n"
    "    with tempfile.NamedTemporaryFile(dir=t) as f: f.write(b'x')",
    "asyncio": "import asyncio\nasync def f():\n    await asyncio.sleep(0.01)\nasyncio.run(f())",
    "threads": "from concurrent.futures import ThreadPoolExecutor as T; "
    "assert sum(T(4).map(abs, range(9))) == 36",
    "json": "import json; assert json.loads(json.dumps({'a': [1]})) == {'a': [1]}",
    "csv": "import csv; assert len(list(csv.reader(open('sales.csv')))) == 3",
    "datetime": "from datetime import datetime, UTC; datetime.now(UTC).isoformat()",
    "zoneinfo": "from zoneinfo import ZoneInfo; ZoneInfo('Europe/Berlin')",
    "locale": "import locale; locale.setlocale(locale.LC_ALL, 'C.UTF-8')",
    "random": "import random, secrets, uuid; random.random(); secrets.token_hex(); uuid.uuid4()",
    "hashlib": "import hashlib; hashlib.sha256(b'x').hexdigest()",
    "ssl": "import ssl; ssl.create_default_context()",
    "logging": "import logging; logging.warning('x')",
    "mimetypes": "import mimetypes; mimetypes.guess_type('a.csv')",
    "signal to oneself": "import signal, os; signal.signal(signal.SIGUSR1, lambda *a: None); "
    "os.kill(os.getpid(), signal.SIGUSR1)",
    "cpu count": "import os; assert os.cpu_count() >= 1",
    "pickle": "import pickle\nclass C: pass\npickle.loads(pickle.dumps(C()))",
    "dataclasses": "from dataclasses import dataclass\n@dataclass\nclass D:\n    a: int\nD(1)",
    "doctest": "import doctest; doctest.testmod()",
    "subinterpreter-free import": "import xml.etree.ElementTree as e; e.fromstring('<a/>')",
    "decimal": "from decimal import Decimal; assert Decimal('0.1') * 3 == Decimal('0.3')",
    "mmap": "import mmap; mmap.mmap(-1, 4096)",
    "100 MB": "x = bytearray(100_000_000); del x",
    "numpy": "import numpy as np; (np.ones((300, 300)) @ np.ones((300, 300))).sum()",
    "numpy file": "import numpy as np; np.save('n.npy', np.arange(3)); np.load('n.npy')",
    "pandas": "import pandas as pd; pd.read_csv('sales.csv').groupby('product').sum()",
    "pandas file": "import pandas as pd; pd.read_csv('sales.csv').to_csv('out.csv')",
    "numpy linear algebra": "import numpy as np; "
    "np.linalg.svd(np.random.default_rng(1).random((50, 50)))",
    "pandas dates": "import pandas as pd; "
    "d = pd.date_range('2024', periods=9).tz_localize('Europe/Berlin'); "
    "d.to_series().resample('W').size()",
    "matplotlib": "import matplotlib.pyplot as plt; plt.plot([1]); plt.title('x'); "
    "plt.savefig('p.png'); plt.savefig('p.svg')",
    "regular expressions": "import re; assert re.findall(r'\\d+', 'a1b22') == ['1', '22']",
    "csv writing": "import csv; csv.writer(open('w.csv', 'w')).writerow([1, 'a'])",
    "shelve": "import shelve; s = shelve.open('s'); s['a'] = 1; s.close()",
    "queue between threads": "import queue, threading; q = queue.Queue(); "
    "threading.Thread(target=q.put, args=(1,)).start(); assert q.get(timeout=5) == 1",
    "statistics": "import statistics, fractions, itertools; statistics.stdev([1, 2, 4])",
    "glob": "import glob; assert 'sales.csv' in glob.glob('*.csv')",
}


@pytest.mark.parametrize("name", HARMLESS)
def test_harmless_code_runs(worker: PythonWorker, name: str) -> None:
    """Ordinary programs run without a refusal."""
    result = run(worker, HARMLESS[name])
    assert result.exit_code == 0, result.stderr


# what a result says


def test_output_error_and_value_are_separate(worker: PythonWorker) -> None:
    """Printed text, standard error and the last value are returned in separate fields."""
    result = run(worker, "import sys; print('out'); print('err', file=sys.stderr); 40 + 2")
    told = (result.stdout, result.stderr, result.value, result.exit_code, result.error)
    assert told == ("out\n", "err\n", "42", 0, "")


@pytest.mark.parametrize(
    ("code", "value"),
    [("None", ""), ("'a'", "'a'"), ("x = 1", ""), ("import numpy as n; n.float64(1.5)", "1.5")],
)
def test_the_value_is_that_of_a_last_expression(
    worker: PythonWorker, code: str, value: str
) -> None:
    """Only a last expression has a value; numpy numbers are shown as plain numbers."""
    assert good(worker, code) == value


def test_a_syntax_error_fails_before_anything_runs(worker: PythonWorker) -> None:
    """Code that does not parse has exit code 1 and no effect."""
    result = run(worker, "print('ran')\nprint(")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.error.startswith("SyntaxError")


def test_traceback_shows_only_the_users_frames(worker: PythonWorker) -> None:
    """A failure inside a library is reported with the user's own lines only."""
    result = run(worker, "import json\ndef f():\n    return json.loads('{')\nf()")
    assert "return json.loads('{')" in result.stderr
    assert "decoder.py" not in result.stderr
    assert "session.py" not in result.stderr
    assert result.error.startswith("json.decoder.JSONDecodeError")


@pytest.mark.parametrize(
    ("code", "exit_code"),
    [
        *(("0", 0), ("", 0), ("3", 3), ("'sorry'", 1), ("None", 0), ("True", 1), ("-1", -1)),
        *(("2**31 - 1", 2**31 - 1), ("2**70", 255), ("-2**70", 255)),
    ],
)
def test_sys_exit_keeps_its_code_and_the_state(
    worker: PythonWorker, code: str, exit_code: int
) -> None:
    """sys.exit ends the call with its exit code, but not the worker."""
    result = run(worker, f"import sys; kept = 1; sys.exit({code})")
    assert (result.exit_code, result.lost_state) == (exit_code, False)
    assert good(worker, "kept") == "1"


# state


def test_a_failed_call_keeps_earlier_state(worker: PythonWorker) -> None:
    """Variables survive a call that raises."""
    good(worker, "x = 41")
    assert run(worker, "y = 1; 1 / 0").exit_code == 1
    assert good(worker, "x + y") == "42"


def test_a_crash_is_reported_as_lost_state(worker: PythonWorker) -> None:
    """A worker that died is reported and replaced, and its variables are lost."""
    good(worker, "x = 1")
    crash = run(worker, "import os; os._exit(0)")
    assert crash.exit_code != 0
    assert crash.lost_state
    was_alive = worker.alive
    after = run(worker, "x")
    assert after.lost_state
    assert after.error.startswith("NameError")
    assert (was_alive, worker.alive) == (False, True)
    assert not run(worker, "1").lost_state


def test_a_segmentation_fault_is_a_failed_call(worker: PythonWorker) -> None:
    """A crash in native code returns the signal's exit code."""
    result = run(worker, "import ctypes; ctypes.string_at(0)")
    assert (result.exit_code, result.lost_state) == (139, True)


def test_a_time_out_ends_a_call_and_keeps_its_output(worker: PythonWorker) -> None:
    """A call that sleeps beyond its time-out is killed, and its output so far is kept."""
    started_s = time.monotonic()
    result = run(worker, "print('so far')\nimport time; time.sleep(60)", timeout_s=0.5)
    assert time.monotonic() - started_s < 5
    assert (result.exit_code, result.timed_out, result.lost_state) == (124, True, True)
    assert result.stdout == "so far\n"


def test_cancelling_ends_a_call(worker: PythonWorker) -> None:
    """A call that is cancelled from another thread ends soon."""
    cancelled = threading.Event()
    threading.Timer(0.3, cancelled.set).start()
    result = worker.run("while True: pass", timeout_s=30, cancelled=cancelled)
    assert (result.error, result.lost_state, result.timed_out) == ("stopped", True, False)
    assert result.duration_s < 5


def test_closing_ends_a_running_call(worker: PythonWorker) -> None:
    """close() from another thread does not wait for the code to finish."""
    threading.Timer(0.3, worker.close).start()
    result = run(worker, "while True: pass")
    assert (result.exit_code, result.lost_state) == (137, True)
    assert result.duration_s < 5


def test_the_workers_compiler_flags_do_not_apply(worker: PythonWorker) -> None:
    """Annotations are evaluated: the worker's compiler flags do not apply to the code."""
    assert good(worker, "def f(a: int): pass\nf.__annotations__['a']") == "<class 'int'>"


def test_a_closed_worker_refuses(worker: PythonWorker) -> None:
    """A closed worker has no process and refuses calls."""
    worker.close()
    worker.close()
    assert not worker.alive
    with pytest.raises(ToolRefusedError, match="closed"):
        run(worker, "1")


@pytest.mark.parametrize("code", ["x" * ((1 << 20) + 1), "'\ud800'"])
def test_code_that_cannot_be_sent_is_an_input_error(worker: PythonWorker, code: str) -> None:
    """Code that is too long or not valid Unicode is not sent to the worker."""
    with pytest.raises(ToolInputError, match="the code"):
        run(worker, code)
    assert worker.alive


def test_the_environment_contains_no_secret(worker: PythonWorker) -> None:
    """The code cannot read the kernel's environment, by any route."""
    os.environ["OKSO_TEST_KEY"] = "canary-value"
    try:
        run(worker, "import os; os._exit(1)")
        assert good(worker, "import os; 'OKSO_TEST_KEY' in os.environ") == "False"
        assert run(worker, "open('/proc/self/environ').read()").exit_code == 1
    finally:
        del os.environ["OKSO_TEST_KEY"]


# the user's files


def test_relative_and_absolute_paths_read_the_users_files(worker: PythonWorker, root: Path) -> None:
    """The code reads files in the root by relative and by absolute paths."""
    assert good(worker, "open('data/a.txt').read()") == "'inner'"
    assert good(worker, f"open({str(root / 'data' / 'a.txt')!r}).read()") == "'inner'"


def test_new_changed_and_removed_files_are_seen(worker: PythonWorker, root: Path) -> None:
    """A call sees files that were created, replaced or removed after the start."""
    good(worker, "1")
    (root / "new.txt").write_text("new", "utf-8")
    (root / "fresh.csv").write_text("price\n99\n", "utf-8")
    (root / "fresh.csv").replace(root / "sales.csv")
    (root / "late").mkdir()
    (root / "late" / "b.txt").write_text("late", "utf-8")
    assert good(worker, "open('new.txt').read() + open('late/b.txt').read()") == "'newlate'"
    assert "99" in good(worker, "open('sales.csv').read()")
    (root / "new.txt").write_text("changed", "utf-8")
    assert good(worker, "open('new.txt').read()") == "'changed'"
    (root / "new.txt").unlink()
    (root / "late" / "b.txt").write_text("later", "utf-8")
    assert good(worker, "open('late/b.txt').read()") == "'later'"
    assert run(worker, "open('new.txt')").error.startswith("FileNotFoundError")


@pytest.mark.parametrize("name", ["sales.csv", "data/a.txt", "new.txt", "late/b.txt"])
def test_mirrored_files_cannot_be_written(worker: PythonWorker, root: Path, name: str) -> None:
    """Writing to the user's files fails, whether linked or copied, and changes nothing."""
    (root / "late").mkdir()
    (root / "late" / "b.txt").write_text("mine", "utf-8")
    (root / "new.txt").write_text("mine", "utf-8")
    before = (root / name).read_text("utf-8")
    # Landlock says "permission denied", bubblewrap's view "read-only file system"
    assert run(worker, f"open({name!r}, 'w')").error.startswith(("PermissionError", "OSError"))
    assert (root / name).read_text("utf-8") == before


def test_files_of_the_code_are_not_replaced(worker: PythonWorker, root: Path) -> None:
    """A file written by the code is not replaced by a newer one of the user."""
    good(worker, "open('mine.txt', 'w').write('code')")
    good(worker, "import os; os.remove('sales.csv'); open('sales.csv', 'w').write('code')")
    (root / "mine.txt").write_text("user", "utf-8")
    assert good(worker, "open('mine.txt').read() + open('sales.csv').read()") == "'codecode'"
    assert "pen" in (root / "sales.csv").read_text("utf-8")


def test_new_links_and_hidden_files_are_not_mirrored(worker: PythonWorker, root: Path) -> None:
    """A link, hidden file or file over 64 MiB that appears later is not mirrored either."""
    (root / "passwd").symlink_to("/etc/passwd")
    (root / ".env").write_text("KEY=1", "utf-8")
    (root / "big").write_bytes(b"")
    os.truncate(root / "big", (64 << 20) + 1)
    assert good(worker, "import os; sorted(os.listdir())") == "['data', 'sales.csv']"


@pytest.fixture(name="project")
def _project(root: Path) -> Path:
    """A user's folder with hidden names below, beside and beneath visible ones."""
    for path in ("repo/.git/config", "repo/src/.env", "repo/src/deep/a/.x/y", "data/.DS_Store"):
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text("secret", "utf-8")
    for path in ("repo/README.md", "repo/src/code.py", "repo/src/deep/a/b.txt", "clean/c/d.txt"):
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(path, "utf-8")
    return root


def test_visible_files_beside_hidden_names_are_readable(
    worker: PythonWorker, project: Path
) -> None:
    """All visible files can be listed and read by relative paths, at any depth."""
    run(worker, "import os; os._exit(0)")  # the next worker finds the folder as it is now
    walk = (
        "import os\nfound = sorted(os.path.relpath(os.path.join(f, n))\n"
        "    for f, _, ns in os.walk('.', followlinks=True) for n in ns)\nfound"
    )
    visible = [
        *("clean/c/d.txt", "data/a.txt", "repo/README.md", "repo/src/code.py"),
        *("repo/src/deep/a/b.txt", "sales.csv"),
    ]
    assert good(worker, walk) == repr(visible)
    assert good(worker, "open('repo/src/deep/a/b.txt').read()") == "'repo/src/deep/a/b.txt'"
    for path in ("repo/README.md", "repo/src/deep/a/b.txt", "clean/c/d.txt"):
        assert good(worker, f"open({str(project / path)!r}).read()") == repr(path)


def test_folders_are_walked_without_following_links(worker: PythonWorker, project: Path) -> None:
    """A folder that may be read as a whole is no link: every way to walk finds its files."""
    run(worker, "import os; os._exit(0)")
    walks = (
        "import os, glob\nfrom pathlib import Path\n"
        "[sum(n == 'd.txt' for _, _, ns in os.walk('.') for n in ns),\n"
        " len(list(Path('.').rglob('d.txt'))), len(glob.glob('**/d.txt', recursive=True))]"
    )
    assert good(worker, walks) == "[1, 1, 1]"
    (project / "clean/c/e.txt").write_text("later", "utf-8")
    (project / "clean/c/d.txt").unlink()
    assert good(worker, "os.listdir('clean/c')") == "['e.txt']"
    assert good(worker, "open('clean/c/e.txt').read()") == "'later'"
    assert run(worker, "open('clean/c/f.txt', 'w')").exit_code == 1


def test_large_folders_and_those_with_links_are_links(worker: PythonWorker, root: Path) -> None:
    """Their files are read by their paths as ever, those behind links as well."""
    (root / "many").mkdir()
    for number in range(mirror.MAX_WALKED + 1):
        (root / "many" / f"{number:05}").touch()
    (root / "linked").mkdir()
    (root / "linked" / "latest").symlink_to(root / "data" / "a.txt")
    run(worker, "import os; os._exit(0)")
    code = "import os; [os.path.islink(name) for name in ('many', 'linked', 'data')]"
    assert good(worker, code) == "[True, True, False]"
    assert good(worker, "open('linked/latest').read() == open('data/a.txt').read()") == "True"
    assert good(worker, "len(os.listdir('many'))") == str(mirror.MAX_WALKED + 1)


def test_changes_in_folders_with_hidden_names_are_seen(worker: PythonWorker, project: Path) -> None:
    """A call sees what was created, changed, replaced or removed in such folders."""
    run(worker, "import os; os._exit(0)")
    good(worker, "import os; os.chdir('repo/src')")
    (project / "repo/src/new.txt").write_text("new", "utf-8")
    (project / "repo/src/code.py").write_text("changed", "utf-8")
    (project / "fresh").write_text("replaced", "utf-8")
    (project / "fresh").replace(project / "repo/README.md")
    (project / "repo/src/made").mkdir()
    (project / "repo/src/made/e.txt").write_text("made", "utf-8")
    seen = "[open(p).read() for p in ('new.txt', 'code.py', '../README.md', 'made/e.txt')]"
    assert good(worker, seen) == "['new', 'changed', 'replaced', 'made']"
    (project / "repo/src/new.txt").write_text("newer", "utf-8")
    (project / "repo/src/made/e.txt").unlink()
    assert good(worker, "open('new.txt').read() + str(os.listdir('made'))") == "'newer[]'"
    for path in ("new.txt", "code.py", "made/f.txt", "g.txt"):
        assert run(worker, f"open({path!r}, 'w')").exit_code == 1
    assert not run(worker, "1").lost_state


def test_a_file_hidden_later_is_not_readable(worker: PythonWorker, project: Path) -> None:
    """A new hidden file in a readable folder is blocked; this loses the state once."""
    run(worker, "import os; os._exit(0)")
    good(worker, "x = 1; open('clean/c/d.txt').close()")
    (project / "clean/c/.env").write_text("secret", "utf-8")
    for path in ("clean/c/.env", str(project / "clean/c/.env")):
        assert run(worker, f"open({path!r}).read()").exit_code == 1
    assert run(worker, "x").error.startswith("NameError")
    assert good(worker, "open('clean/c/d.txt').read()") == "'clean/c/d.txt'"
    (project / "repo/src/.later").write_text("secret", "utf-8")
    assert not run(worker, "1").lost_state


def test_a_folder_with_many_files_is_shown_in_part(worker: PythonWorker, root: Path) -> None:
    """Files beyond the limit are left out and reported, and the call does not fail."""
    (root / "many").mkdir()
    for number in range(mirror.MAX_ENTRIES):
        (root / "many" / f"{number:05}").touch()
    result = run(worker, "import os; len(os.listdir('many'))")
    assert (result.exit_code, result.value) == (0, "9996")
    assert result.stderr.startswith("4 files and folders of the notebook's folder are left out")
    run(worker, "import os; os._exit(0)")
    result = run(worker, "import os; len(os.listdir('many'))")
    assert (result.value, result.stderr) == (str(mirror.MAX_ENTRIES), "")


def test_a_very_deep_folder_does_not_prevent_the_start(root: Path, tmp_path: Path) -> None:
    """Below the inspected levels no access is granted, and the worker starts."""
    (root / "deep").mkdir()
    nested(root / "deep", 3000)
    worker = PythonWorker.start(Folder(root), tmp_path / "sandbox")
    assert good(worker, "open('deep/d/d/file').read()") == "''"
    assert good(worker, "len(open('sales.csv').readlines())") == "3"
    worker.close()
    removal.remove(root / "deep")


# limits


@pytest.mark.parametrize(
    "code",
    [
        "bytearray(3 << 30)",
        "open('big', 'wb').write(bytes(1)); open('big', 'r+b').truncate(1 << 30)",
    ],
)
def test_limits_stop_excessive_memory_and_large_files(
    worker: PythonWorker, code: str, tmp_path: Path
) -> None:
    """Too much memory or too large a file fails in the call, due to the limits layer."""
    result = run(worker, code)
    assert result.exit_code != 0
    sizes = [path.stat().st_size for path in (tmp_path / "sandbox").glob("big")]
    assert all(size <= 64 << 20 for size in sizes)


def test_large_files_are_possible_without_the_limits_layer(root: Path, tmp_path: Path) -> None:
    """Only the limits layer prevents a large file."""
    layers = ("capabilities", "landlock", "seccomp")
    worker = PythonWorker.start(Folder(root), tmp_path / "s", _layers=layers, _self_test=False)
    assert good(worker, "open('big', 'wb').truncate(1 << 30)") == str(1 << 30)
    worker.close()


def test_output_is_limited_while_it_is_read(worker: PythonWorker) -> None:
    """Output over 1 MiB is cut and marked as truncated."""
    result = run(worker, "print('x' * (3 << 20))")
    assert result.exit_code == 0
    assert (len(result.stdout), result.truncated) == (1 << 20, True)


def test_too_many_files_end_the_call(worker: PythonWorker) -> None:
    """More than 20,000 small files end the call."""
    result = run(worker, "i = 0\nwhile True:\n    open(f'f{i}', 'w').close(); i += 1", 60)
    assert "more than 20000 files" in result.error
    assert result.lost_state
    code = "import time; time.sleep(0.3); open('sales.csv').readline()"
    assert good(worker, code) == "'product,price\\n'"


def test_a_huge_value_is_cut(worker: PythonWorker) -> None:
    """The text of a value is limited in length."""
    assert len(good(worker, "'x' * 10_000_000")) <= 200_000


def test_too_much_memory_ends_the_worker(worker: PythonWorker) -> None:
    """Memory that no system limit counts is detected from outside and reported."""
    good(worker, "x = 1")
    code = (
        "import mmap, time\nm = mmap.mmap(-1, 3 << 30)\n"
        "for i in range(0, 3 << 30, 4096):\n    m[i] = 1\ntime.sleep(20)"
    )
    result = run(worker, code, 60)
    assert "held more than 1536 MiB of memory" in result.error
    assert "its variables are lost" in result.error
    assert (result.lost_state, result.exit_code) == (True, 137)
    assert run(worker, "x").lost_state


def test_the_total_size_of_files_is_limited(worker: PythonWorker) -> None:
    """Files within the size limit fail by their sum and are removed; the variables stay."""
    good(worker, "x = 1")
    code = "b = bytes(2 << 20)\nfor i in range(100):\n    open(f'f{i}', 'wb').write(b)"
    result = run(worker, code)
    assert "wrote more than 192 MiB" in result.error
    assert result.exit_code != 0
    assert good(worker, "import os; [n for n in os.listdir() if n[0] == 'f']") == "[]"
