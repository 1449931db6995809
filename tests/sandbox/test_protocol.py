"""A worker whose protocol is attacked, and a worker on machines that lack a layer."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest

from okso_jupyter.errors import ToolRefusedError
from okso_jupyter.sandbox import PythonWorker
from tests.sandbox.workers import Folder, good, run

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(sys.platform != "linux", reason="NOT TESTED: needs Linux"),
]


# attacks on the protocol: whatever the code writes, the broker answers in time

_FRAME = "(lambda b: len(b).to_bytes(4, 'big') + b)"
PROTOCOL_ATTACKS = {
    "forged answer on every descriptor": (
        f'import os\nf = {_FRAME}(b\'{{"id": "x", "exit_code": 0, "value": "forged"}}\')\n'
        "for d in range(3, 4096):\n    try: os.write(d, f)\n    except OSError: pass"
    ),
    "noise on every descriptor": (
        "import os\nfor d in range(1, 4096):\n    try: os.write(d, b'\\xff' * 64)\n"
        "    except OSError: pass"
    ),
    "all descriptors closed": "import os; os.closerange(0, 4096)",
    "exit": "import os; os._exit(0)",
    "killed by itself": "import os, signal; os.kill(os.getpid(), signal.SIGKILL)",
    "stopped by itself": "import os, signal; os.kill(os.getpid(), signal.SIGSTOP)",
    "encoder gives rubbish": (
        "import json; json.JSONEncoder.encode = lambda *a: 'rubbish'; "
        "json._default_encoder.encode = lambda *a: 'rubbish'"
    ),
    "encoder gives a list": "import json; json._default_encoder.encode = lambda *a: '[1]'",
    "descriptors swapped": "import os\nfor d in range(3, 4096):\n    os.dup2(1, d)",
    "half a frame": (
        "import os\nfor d in range(3, 4096):\n    try: os.write(d, b'\\0\\0\\1\\0{')\n"
        "    except OSError: pass\nimport time; time.sleep(60)"
    ),
}


@pytest.mark.parametrize("name", PROTOCOL_ATTACKS)
def test_a_protocol_attack_ends_the_worker(worker: PythonWorker, name: str) -> None:
    """A protocol violation ends the worker in time and is an error; the next call works."""
    started_s = time.monotonic()
    result = run(worker, PROTOCOL_ATTACKS[name], timeout_s=2)
    assert time.monotonic() - started_s < 10
    assert result.exit_code != 0
    assert result.value == ""
    assert result.lost_state
    assert good(worker, "1 + 1") == "2"


@pytest.mark.parametrize(
    "code",
    [
        "import json; json.dumps = lambda *a, **k: 'rubbish'",
        "import sys, io; sys.stdout = io.StringIO(); print('hidden')",
        "import sys; sys.stdout.close()",
        "import os; os.close(1); os.close(2)",
        'print(\'{"id": 1, "exit_code": 0}\')',
        "import sys; sys.modules.clear()",
        "import builtins; builtins.len = builtins.open = None",
    ],
)
def test_broken_code_does_not_block_the_broker(worker: PythonWorker, code: str) -> None:
    """The next call is answered after code that breaks its own Python, failed or not."""
    run(worker, code, timeout_s=3)
    started_s = time.monotonic()
    run(worker, "1 + 1", timeout_s=3)
    assert time.monotonic() - started_s < 8


def test_input_raises_eof_error(worker: PythonWorker) -> None:
    """input() fails at once, so that it cannot read requests."""
    assert run(worker, "input()").error.startswith("EOFError")
    assert good(worker, "1 + 1") == "2"


def test_an_unrequested_answer_ends_the_worker(worker: PythonWorker) -> None:
    """An answer that a thread writes between two calls is detected before the next call."""
    good(
        worker,
        "import threading, os, time\ndef f():\n    time.sleep(0.2)\n    for d in range(3, 4096):\n"
        "        try: os.write(d, b'\\0\\0\\0\\2{}')\n        except OSError: pass\n"
        "threading.Thread(target=f).start()",
    )
    time.sleep(0.5)
    result = run(worker, "1 + 1")
    assert (result.value, result.lost_state) == ("2", True)


def test_a_worker_ends_with_its_broker(root: Path, tmp_path: Path) -> None:
    """When the broker closes its end of the pipe, running code is ended."""
    worker = PythonWorker.start(Folder(root), tmp_path / "sandbox")
    good(worker, "import threading, time; threading.Thread(target=time.sleep, args=(60,)).start()")
    child = worker._live_child()
    os.close(child._request)
    child._request = os.open("/dev/null", os.O_WRONLY)
    deadline_s = time.monotonic() + 5
    while child.alive and time.monotonic() < deadline_s:
        time.sleep(0.02)
    assert not child.alive
    worker.close()


# missing layers


@pytest.mark.parametrize("left_out", ["capabilities", "landlock", "seccomp"])
def test_a_worker_that_lacks_a_layer_is_refused(root: Path, tmp_path: Path, left_out: str) -> None:
    """The self-test refuses to start a worker that lacks a layer."""
    if left_out == "capabilities" and os.geteuid() != 0:
        pytest.skip("NOT TESTED: only root has capabilities to keep")
    layers = [name for name in ("capabilities", "landlock", "seccomp") if name != left_out]
    with pytest.raises(ToolRefusedError, match="does not hold: it could") as caught:
        PythonWorker.start(Folder(root), tmp_path / "sandbox", _layers=layers)
    assert "file tools" in caught.value.hint


def test_a_missing_layer_is_named(root: Path, tmp_path: Path) -> None:
    """If the kernel lacks Landlock, the error names the missing layer and version."""
    worker = PythonWorker.start(Folder(root), tmp_path / "a", _layers=(), _self_test=False)
    layers_file = Path(sys.modules[PythonWorker.__module__].__file__ or "").with_name(
        "kernel_layers.py"
    )
    # a filter that answers ENOSYS to landlock_create_ruleset stands for an older kernel
    code = (
        "import ctypes, errno, importlib.util, struct\n"
        f"spec = importlib.util.spec_from_file_location('layers', {str(layers_file)!r})\n"
        "layers = importlib.util.module_from_spec(spec); spec.loader.exec_module(layers)\n"
        "libc = layers.load_libc(); layers.forbid_new_privileges(libc)\n"
        "op = lambda c, k, t=0, f=0: struct.pack('HBBI', c, t, f, k)\n"
        "code = op(32, 0) + op(21, 444, 0, 1) + op(6, 0x50000 | errno.ENOSYS) + op(6, 0x7fff0000)\n"
        "memory = ctypes.create_string_buffer(code, len(code))\n"
        "class P(ctypes.Structure): _fields_ = [('n', ctypes.c_ushort), ('p', ctypes.c_void_p)]\n"
        "libc.prctl(22, 2, ctypes.byref(P(4, ctypes.cast(memory, ctypes.c_void_p))), 0, 0)\n"
        "layers.Landlock(libc)"
    )
    result = run(worker, code)
    worker.close()
    assert "Landlock version 3 (this kernel offers 0)" in result.error
