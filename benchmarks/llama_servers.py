"""Servers of the bundled model on loopback: llama.cpp's own, and that of llama-cpp-python.

llama.cpp's is built once from the source distribution of the installed llama-cpp-python, with CMake
and a compiler, and kept in the user's cache; this takes 10 to 25 minutes on two cores.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from importlib.metadata import distribution, version
from pathlib import Path
from typing import Final

import httpx

from benchmarks.environments import PeerUnavailableError, python_of

_START_S: Final = 120.0
_FLAGS: Final = (
    "-DCMAKE_BUILD_TYPE=Release",
    "-DLLAMA_CURL=OFF",
    "-DLLAMA_OPENSSL=OFF",
    "-DLLAMA_BUILD_TESTS=OFF",
    "-DLLAMA_BUILD_EXAMPLES=OFF",
)
#: Their threads spin for long while they wait, which costs most on a shared machine.
_SPINS: Final = {"GOMP_SPINCOUNT": "1000"}
_CONTEXT_TOKENS: Final = 8192


def llama_server(folder: Path) -> Path:
    """Return llama.cpp's server, built if it is missing.

    Args:
        folder: Where it is kept.

    Raises:
        PeerUnavailableError: It could not be built.
    """
    release = version("llama-cpp-python")
    place = folder / f"llama-server-{release}"
    binary = place / "build" / "bin" / "llama-server"
    if binary.exists():
        return binary
    print(f"Building llama-server, once, in {place} ...", flush=True)
    try:
        source = _source(place, release)
        build = ["cmake", "--build", str(place / "build"), "--target", "llama-server", "-j2"]
        _run(["cmake", "-S", str(source), "-B", str(place / "build"), *_FLAGS])
        _run(build)
    except (OSError, subprocess.CalledProcessError) as error:
        reason = getattr(error, "stderr", "") or str(error)
        msg = f"llama-server could not be built: {reason.strip().splitlines()[-1]}"
        raise PeerUnavailableError(msg) from error
    return binary


def _source(place: Path, release: str) -> Path:
    """Return llama.cpp's source, as llama-cpp-python brings it."""
    place.mkdir(parents=True, exist_ok=True)
    wanted = ["--no-deps", "--no-binary", "llama-cpp-python", f"llama-cpp-python=={release}"]
    with tempfile.TemporaryDirectory() as folder:
        _run([sys.executable, "-m", "pip", "download", "--quiet", "--dest", folder, *wanted])
        (archive,) = Path(folder).glob("*.tar.gz")
        with tarfile.open(archive) as files:
            files.extractall(place, filter="data")
    return next(place.glob("*/vendor/llama.cpp"))


def _run(command: Sequence[str]) -> None:
    subprocess.run(command, check=True, capture_output=True, text=True)  # noqa: S603  our own words


@contextmanager
def of_llama_cpp(binary: Path, gguf: Path, threads: int) -> Iterator[str]:
    """Yield the address of llama.cpp's server within the block."""
    port = _free_port()
    words = ["-m", str(gguf), "--port", str(port), "-t", str(threads), "-c", str(_CONTEXT_TOKENS)]
    with _running([str(binary), *words], port, {}) as address:
        yield address


@contextmanager
def of_llama_cpp_python(folder: Path, gguf: Path, threads: int) -> Iterator[str]:
    """Yield the address of llama-cpp-python's server within the block.

    Args:
        folder: Where the environment with its requirements is kept.
        gguf: The model.
        threads: Threads that it computes with.

    Raises:
        PeerUnavailableError: Its requirements could not be installed.
    """
    python = python_of("llama_cpp_server", folder)
    # the library itself is ours: it would be compiled a second time
    ours = str(distribution("llama-cpp-python").locate_file(""))
    port = _free_port()
    words = ["--model", str(gguf), "--port", str(port), "--n_ctx", str(_CONTEXT_TOKENS)]
    command = [str(python), "-m", "llama_cpp.server", *words, "--n_threads", str(threads)]
    with _running(command, port, {"PYTHONPATH": ours}) as address:
        yield address


@contextmanager
def _running(command: Sequence[str], port: int, more: Mapping[str, str]) -> Iterator[str]:
    """Yield the address of a server that runs within the block."""
    address = f"http://127.0.0.1:{port}/v1"
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(  # noqa: S603  our own words
            command, env={**os.environ, **_SPINS, **more}, stdout=log, stderr=subprocess.STDOUT
        )
        try:
            _wait(process, address)
            yield address
        finally:
            process.terminate()
            process.wait()


def _wait(process: subprocess.Popen[bytes], address: str) -> None:
    """Wait until a server lists its models.

    Raises:
        PeerUnavailableError: It ended, or does not in time.
    """
    until = time.monotonic() + _START_S
    while time.monotonic() < until and process.poll() is None:
        with suppress(httpx.HTTPError):  # it does not listen yet
            if httpx.get(f"{address}/models", timeout=5).is_success:
                return
        time.sleep(0.5)
    msg = f"the server at {address} did not start"
    raise PeerUnavailableError(msg)


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])
