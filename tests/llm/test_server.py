"""LLAMA_BIN runs GGUF files behind a server that ends with the process.

The server is a double: a real program with the command line and the HTTP of llama.cpp's.
"""

from __future__ import annotations

import _thread
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import Any

import pytest

from okso_jupyter import Settings
from okso_jupyter.errors import ModelUnavailableError
from okso_jupyter.kernel import interrupt
from okso_jupyter.llm import server
from okso_jupyter.llm.registry import open_model
from okso_jupyter.llm.server import ServedModel, find_binary
from tests.llm import llama_server_double
from tests.llm.asking import question

pytestmark = pytest.mark.process

CODE = Path(__file__).parents[2]


@pytest.fixture
def weights(tmp_path: Path) -> Path:
    """A file that starts like a GGUF file."""
    file = tmp_path / "tiny.gguf"
    file.write_bytes(b"GGUF....")
    return file


@pytest.fixture
def binary(tmp_path: Path) -> Path:
    """The double as an executable program."""
    program = tmp_path / "llama-server"
    source = Path(llama_server_double.__file__).read_text("utf-8")
    program.write_text(f"#!{sys.executable}\n{source}")
    program.chmod(0o755)
    return program


def _served(
    monkeypatch: pytest.MonkeyPatch, weights: Path, binary: object, mode: str, **parts: Any
) -> ServedModel:
    monkeypatch.setenv("LLAMA_DOUBLE", mode)
    given = {"context_tokens": 512, "threads": 1, "timeout_s": 0.0, **parts}
    return ServedModel(str(weights), weights, binary=find_binary(str(binary)), **given)


def _ask(model: Any) -> dict[str, Any]:
    """Return what the double reports about its start."""
    told: dict[str, Any] = json.loads(model.complete(question(schema=None))[0].text)
    return told


def _wait_until_gone(pid: int) -> bool:
    """Return whether a process ends within a few seconds; a zombie counts as ended."""
    for _ in range(100):
        try:
            state = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            return True
        if state == "Z":
            return True
        time.sleep(0.05)
    return False


def _command_lines() -> Iterator[bytes]:
    """Yield the command lines of all processes."""
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(FileNotFoundError, ProcessLookupError):
            yield file.read_bytes()


def test_a_gguf_is_served_on_loopback_with_the_settings(
    monkeypatch: pytest.MonkeyPatch, weights: Path, binary: Path
) -> None:
    """File, context and threads are passed to the server; its command line has no key."""
    model = _served(monkeypatch, weights, binary, "fine")
    told = _ask(model)
    line = Path(f"/proc/{told['pid']}/cmdline").read_bytes()
    environ = Path(f"/proc/{told['pid']}/environ").read_bytes().split(b"\0")
    model.close()

    assert b"GOMP_SPINCOUNT=1000" in environ  # its threads yield on a busy machine
    assert (told["host"], told["m"], told["c"], told["t"]) == (
        "127.0.0.1", str(weights), "512", "1"
    )  # fmt: skip
    assert b"key" not in line
    assert _wait_until_gone(told["pid"])


def test_the_identity_of_a_served_model(
    monkeypatch: pytest.MonkeyPatch, weights: Path, binary: Path
) -> None:
    """Spec, hash, context and threads are those of the weights, the build is the server's."""
    model = _served(monkeypatch, weights, binary, "fine")
    _ask(model)
    identity = model.identity
    model.close()

    assert (identity.spec, identity.name, identity.build) == (str(weights), "tiny", "b1-double")
    assert (identity.context_tokens, identity.threads) == (512, 1)
    assert len(identity.sha256) == 64


def test_sessions_share_one_server(
    monkeypatch: pytest.MonkeyPatch, weights: Path, binary: Path
) -> None:
    """Sessions with the same spec and settings use the same server process."""
    monkeypatch.setenv("LLAMA_DOUBLE", "fine")
    settings = Settings.of({"LLAMA_BIN": str(binary)})
    one, two = (open_model(str(weights), settings) for _ in range(2))
    pids = {_ask(model)["pid"] for model in (one, two)}
    one.close()

    assert len(pids) == 1


def test_a_crashed_server_is_reported_and_restarted(
    monkeypatch: pytest.MonkeyPatch, weights: Path, binary: Path
) -> None:
    """The failed request reports the server's last output; the next one restarts it."""
    model = _served(monkeypatch, weights, binary, "dies")
    with pytest.raises(ModelUnavailableError, match=r"\(exit code 134\).*GGML_ASSERT failed"):
        _ask(model)
    monkeypatch.setenv("LLAMA_DOUBLE", "fine")
    told = _ask(model)
    model.close()

    assert told["c"] == "512"


@pytest.mark.parametrize(
    ("mode", "complaint"),
    [
        ("exits", r"ended before it was ready \(exit code 1\): …error: the weights are of a newer"),
        ("never", r"was not ready within 1 s"),
    ],
)
def test_a_server_that_does_not_start_is_reported(
    monkeypatch: pytest.MonkeyPatch, weights: Path, binary: Path, mode: str, complaint: str
) -> None:
    """The error names LLAMA_BIN and the server's output; no process remains."""
    with pytest.raises(ModelUnavailableError, match=complaint) as caught:
        _served(monkeypatch, weights, binary, mode, timeout_s=1.0)

    assert f"LLAMA_BIN {binary}" in caught.value.message
    assert all(str(weights).encode() not in line for line in _command_lines())


@pytest.mark.parametrize(
    ("content", "mode", "complaint"),
    [
        (None, 0, "is not a program"),
        ("#!/bin/sh\n", 0o644, "is not executable"),
        ("not a program", 0o755, "cannot be run|ended before it was ready"),
        ("#!/nowhere/python\n", 0o755, "cannot be run|ended before it was ready"),
    ],
)
def test_a_program_that_cannot_be_run_is_reported(
    tmp_path: Path, weights: Path, content: str | None, mode: int, complaint: str
) -> None:
    """The error names LLAMA_BIN if its path does not exist or cannot be run."""
    program = tmp_path / "nothing"
    if content is not None:
        program.write_text(content)
        program.chmod(mode)

    with pytest.raises(ModelUnavailableError, match=complaint) as caught:
        open_model(str(weights), Settings.of({"LLAMA_BIN": str(program)}))

    assert "LLAMA_BIN" in caught.value.message
    assert str(program) in caught.value.message


def test_missing_weights_start_no_server(tmp_path: Path, binary: Path) -> None:
    """The spec is checked before a server is started."""
    settings = Settings.of({"LLAMA_BIN": str(binary)})
    with pytest.raises(ModelUnavailableError, match="there is no such file"):
        open_model(str(tmp_path / "none.gguf"), settings)


_HOLDER = """
import os, signal, sys, threading, time
from okso_jupyter import Settings
from okso_jupyter.llm.registry import open_model
from tests.llm.test_server import _ask
models = []
settings = Settings.of({"LLAMA_BIN": sys.argv[1]})
opener = threading.Thread(target=lambda: models.append(open_model(sys.argv[2], settings)))
opener.start()
opener.join()
time.sleep(0.2)
print(_ask(models[0])["pid"], flush=True)
if sys.argv[3] == "waits":
    time.sleep(60)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux knows processes on a leash")
@pytest.mark.parametrize("ending", ["killed", "ends"])
def test_the_server_ends_with_the_process(weights: Path, binary: Path, ending: str) -> None:
    """The server ends when its process exits or is killed, but not when a thread ends."""
    with subprocess.Popen(  # noqa: S603  our own program
        [sys.executable, "-c", _HOLDER, str(binary), str(weights),
         "waits" if ending == "killed" else "ends"],
        stdout=subprocess.PIPE, text=True, start_new_session=True,
        env={**os.environ, "PYTHONPATH": str(CODE), "LLAMA_DOUBLE": "fine"},
    ) as holder:  # fmt: skip
        assert holder.stdout is not None
        pid = int(holder.stdout.readline())
        if ending == "killed":
            holder.send_signal(signal.SIGKILL)
        holder.wait(10)

    assert _wait_until_gone(pid)


def test_stop_does_not_reach_the_server(
    monkeypatch: pytest.MonkeyPatch, weights: Path, binary: Path
) -> None:
    """The server has its own process group, so a notebook's Stop does not reach it."""
    model = _served(monkeypatch, weights, binary, "fine")
    pid = _ask(model)["pid"]
    group = os.getpgid(pid)
    model.close()

    assert group == pid != os.getpgid(0)


@pytest.mark.parametrize("is_held", [False, True])
def test_stop_while_a_server_starts_leaves_none_behind(
    monkeypatch: pytest.MonkeyPatch, weights: Path, binary: Path, *, is_held: bool
) -> None:
    """Stop ends a starting server, also during a run, where Stop is deferred.

    Starting may take minutes.
    """
    monkeypatch.setenv("LLAMA_DOUBLE", "never")
    settings = Settings(llama_bin=str(binary))
    stopped_at = 0.0

    def stop() -> None:
        nonlocal stopped_at
        stopped_at = time.monotonic()
        _thread.interrupt_main()

    threading.Timer(1.0, stop).start()
    with (
        pytest.raises(KeyboardInterrupt),
        interrupt.deferred() if is_held else nullcontext(),
    ):
        open_model(str(weights), settings)

    assert time.monotonic() - stopped_at < 0.5
    assert not [line for line in _command_lines() if os.fsencode(weights) in line]


def test_stop_is_not_swallowed_by_a_finalizer(
    monkeypatch: pytest.MonkeyPatch, weights: Path, binary: Path
) -> None:
    """Stop that arrives while an object is finalized ends the start as well."""

    class Stops:
        def __del__(self) -> None:
            _thread.interrupt_main()
            for _ in range(10):  # here Python handles it
                pass

    def is_healthy(_port: int) -> bool:
        Stops()
        return False

    monkeypatch.setattr(server, "_is_healthy", is_healthy)
    with pytest.raises(KeyboardInterrupt):
        _ask(_served(monkeypatch, weights, binary, "never", timeout_s=3.0))
