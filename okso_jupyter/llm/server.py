"""ServedModel: a GGUF file behind a llama.cpp server that this process starts and ends.

The server listens on the loopback address only and requires a random key. It is shared by every
session of the process, and restarted by the next request if it has ended.
"""

from __future__ import annotations

import secrets
import shutil
import socket
import threading
import time
from collections.abc import Sequence
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Final

from okso_jupyter.errors import ModelUnavailableError
from okso_jupyter.kernel import interrupt
from okso_jupyter.llm.child import ServerProcess
from okso_jupyter.llm.downloads import sha256_of
from okso_jupyter.llm.endpoint import Endpoint
from okso_jupyter.llm.http_model import HttpModel
from okso_jupyter.llm.openmp import short_spins
from okso_jupyter.llm.protocol import Completion, CompletionRequest, ModelIdentity
from okso_jupyter.settings import environment

_HOST: Final = "127.0.0.1"
#: Most seconds that a server may take to load its weights, if LLAMA_TIMEOUT_S sets no limit.
_START_S: Final = 300.0
_POLL_S: Final = 0.1
_HEALTH_S: Final = 2.0
_MOST_WORDS: Final = 300


class ServedModel:
    """A GGUF file that a llama.cpp server runs.

    Args:
        spec: The spec of the weights.
        weights: A GGUF file.
        binary: A llama.cpp server, as `find_binary` returns it.
        context_tokens: Tokens of its context.
        threads: Threads to compute with; None leaves the choice to the server.
        timeout_s: Most seconds that the start and each call may take; 0 for no limit of calls.

    Raises:
        ModelUnavailableError: The weights or the server are missing, or it does not start.
    """

    def __init__(  # noqa: PLR0913  what a server is started with
        self,
        spec: str,
        weights: Path,
        *,
        binary: Path,
        context_tokens: int,
        threads: int | None,
        timeout_s: float,
    ) -> None:
        self._binary = binary
        self._weights = weights
        self._context_tokens = context_tokens
        self._threads = threads
        self._timeout_s = timeout_s
        self._lock = threading.Lock()
        self._identity = ModelIdentity(
            spec=spec,
            name=self._weights.stem,
            sha256=sha256_of(self._weights),
            context_tokens=context_tokens,
            threads=threads or 0,
            weights_bytes=self._weights.stat().st_size,
            has_server=True,
        )
        self._child, self._model = self._start()

    @property
    def identity(self) -> ModelIdentity:
        """Which model this is."""
        return self._model.identity

    def complete(self, request: CompletionRequest) -> Sequence[Completion]:
        """Return one completion per seed, as `HttpModel.complete` does."""
        with interrupt.let_through(), self._lock:
            if self._child.exit_code is not None:
                self._child, self._model = self._start()
            child, model = self._child, self._model
        try:
            return model.complete(request)
        except ModelUnavailableError as error:
            if child.exit_code is None:
                raise
            raise self._failure(child, "ended while it was asked") from error

    def close(self) -> None:
        """End the server."""
        self._child.close()

    def _start(self) -> tuple[ServerProcess, HttpModel]:
        """Start a server and wait until it is ready."""
        port, key = _free_port(), secrets.token_urlsafe(24)
        command = [
            str(self._binary), "--host", _HOST, "--port", str(port), "-m", str(self._weights),
            "-c", str(self._context_tokens),
            *(["-t", str(self._threads)] if self._threads else []),
        ]  # fmt: skip
        with (
            interrupt.deferred()
        ):  # a process that is started and not yet known would be left behind
            try:
                # The key is not an argument: every user of the machine can see those.
                environ = environment()
                more = {**short_spins(environ), "LLAMA_API_KEY": key}
                child = ServerProcess(command, {**environ, **more})
            except OSError as error:
                msg = f"LLAMA_BIN {self._binary} cannot be run: {error.strerror}"
                raise ModelUnavailableError(msg) from error
            try:
                self._await_health(child, port)
            except BaseException:
                child.close()
                raise
        endpoint = Endpoint(address=f"http://{_HOST}:{port}/v1", model=self._identity.name, key=key)
        return child, HttpModel(endpoint, timeout_s=self._timeout_s, identity=self._identity)

    def _await_health(self, child: ServerProcess, port: int) -> None:
        """Wait until the server reports that it is ready.

        Raises:
            ModelUnavailableError: It ended, or the time is up.
            KeyboardInterrupt: Stop was pressed.
        """
        limit_s = self._timeout_s or _START_S
        deadline = time.monotonic() + limit_s
        while not _is_healthy(port):
            # raised here, as a finalizer of a connection would swallow it
            interrupt.raise_if_pending()
            if child.exit_code is not None:
                raise self._failure(child, "ended before it was ready")
            if time.monotonic() > deadline:
                raise self._failure(child, f"was not ready within {limit_s:g} s")
            time.sleep(_POLL_S)

    def _failure(self, child: ServerProcess, what: str) -> ModelUnavailableError:
        """Return the error for a failure of the server, with the end of its output."""
        ended = "" if child.exit_code is None else f" ({child.how_it_ended})"
        words = " ".join(child.last_words.split())[-_MOST_WORDS:]
        msg = f"LLAMA_BIN {self._binary} {what}{ended}{': …' if words else ''}{words}"
        hint = "is it a llama.cpp server for this machine? Leave LLAMA_BIN unset to do without it"
        return ModelUnavailableError(msg, hint=hint)


def _is_healthy(port: int) -> bool:
    """Return whether the server has loaded its weights."""
    connection = HTTPConnection(_HOST, port, timeout=_HEALTH_S)
    try:
        connection.request("GET", "/health")
        return connection.getresponse().status == HTTPStatus.OK
    except (OSError, HTTPException):
        return False
    finally:
        connection.close()


def find_binary(binary: str) -> Path:
    """Return the path of the program that LLAMA_BIN names.

    Raises:
        ModelUnavailableError: There is none, or it is not executable.
    """
    path = Path(binary).expanduser()
    found = shutil.which(path)
    if found:
        return Path(found).absolute()
    what = "is not executable" if path.is_file() else "is not a program"
    msg = f"LLAMA_BIN {binary!r} {what}"
    raise ModelUnavailableError(msg, hint="name a llama.cpp server, or leave LLAMA_BIN unset")


def _free_port() -> int:
    with socket.create_server((_HOST, 0)) as listener:
        port: int = listener.getsockname()[1]
        return port
