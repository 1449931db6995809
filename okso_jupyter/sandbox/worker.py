"""The program in the child process: confines itself, proves it, then serves calls one by one.

Started by file, as `python -I -X utf8 worker.py REQUEST_FD REPLY_FD`, so that nothing of
okso_jupyter or of the user's folder is imported. A frame is a four-byte length followed by that
many bytes of JSON. The first frame holds the set-up, each later one a call.
"""

from __future__ import annotations

import importlib.util
import json
import os
import select
import sys
import threading
from collections.abc import Callable
from types import ModuleType
from typing import Any, Final

_LENGTH_BYTES: Final = 4
_MAX_VALUE_ERROR_CHARS: Final = 1000

Answer = Callable[[dict[str, Any]], dict[str, object]]


def beside(name: str) -> ModuleType:
    """Import a file next to this one, by its path."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), f"{name}.py")  # noqa: PTH100, PTH118, PTH120  pathlib would cost a fifth of the start
    spec = importlib.util.spec_from_file_location(f"_okso_{name}", path)
    if spec is None or spec.loader is None:
        raise ImportError(path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


value_codec = beside("value_codec")
grants = beside("grants")
json_bounds = beside("json_bounds")
kernel_layers = beside("kernel_layers")
seccomp = beside("seccomp")
selftest = beside("selftest")


def read_frame(descriptor: int) -> dict[str, Any]:
    """Read one frame.

    Raises:
        EOFError: The broker is gone.
    """
    length = int.from_bytes(_read_exactly(descriptor, _LENGTH_BYTES), "big")
    frame: dict[str, Any] = json.loads(_read_exactly(descriptor, length))
    return frame


def _read_exactly(descriptor: int, size: int) -> bytes:
    """Read exactly `size` bytes; raise EOFError if the pipe ends."""
    parts = bytearray()
    while len(parts) < size:
        part = os.read(descriptor, size - len(parts))
        if not part:
            raise EOFError
        parts += part
    return bytes(parts)


def write_frame(descriptor: int, frame: dict[str, object]) -> None:
    """Write one complete frame."""
    body = json.dumps(frame).encode("ascii")
    rest = memoryview(len(body).to_bytes(_LENGTH_BYTES, "big") + body)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def _closed(setup: dict[str, Any]) -> tuple[int, int] | None:
    """Return device and inode of the folder that may not be read, or None."""
    return tuple(setup["closed"]) if setup.get("closed") else None


def enter_sandbox(setup: dict[str, Any]) -> dict[str, tuple[int, int]]:
    """Apply the layers to this process.

    Returns:
        Device and inode of what may be read of the user's folder, by path.

    Raises:
        LayerMissingError: The machine lacks a layer; the message names it.
    """
    wanted = setup["layers"]
    if "rlimits" in wanted:
        kernel_layers.limit_resources(setup.get("max_file_bytes", kernel_layers.MAX_FILE_BYTES))
    if sys.platform != "linux":
        # the broker started this process inside the system's own sandbox
        return grants.grant_entries(setup["root"], closed=_closed(setup)) if setup["root"] else {}
    libc = kernel_layers.load_libc()
    if "capabilities" in wanted:
        kernel_layers.drop_capabilities(libc)
    kernel_layers.forbid_new_privileges(libc)
    rules = kernel_layers.Landlock(libc) if "landlock" in wanted else None
    granted: dict[str, tuple[int, int]] = {}
    if setup["root"]:
        granted = grants.grant_entries(
            setup["root"], rules and rules.allow_reading_fd, _closed(setup)
        )
    if rules is not None:
        _allow(rules, setup)
        rules.enforce()
    if "seccomp" in wanted:
        try:
            seccomp.install(libc)
        except OSError as error:
            text = f"seccomp ({error.strerror})"
            raise kernel_layers.LayerMissingError(error.errno, text) from error
    return granted


def _allow(rules: Any, setup: dict[str, Any]) -> None:  # noqa: ANN401  loaded by file
    """Allow what every worker may read, and what the set-up adds for this one."""
    readable = (*setup["imports"], *setup.get("reads", ()))
    for path in (*kernel_layers.python_folders(), *kernel_layers.SYSTEM_FILES, *readable):
        rules.allow_reading(path)
    for descriptor in setup.get("descriptors", ()):
        rules.allow_reading_fd(descriptor)
    rules.allow_writing("/dev/null", file=True)
    if setup["folder"]:
        rules.allow_writing(setup["folder"])


def _die_with_broker(request_fd: int) -> None:
    """End this process as soon as the request pipe is closed, whatever runs here."""
    watch = select.poll()
    watch.register(request_fd, 0)
    watch.poll()
    os._exit(0)


def start(request_fd: int, reply_fd: int) -> bool:
    """Read the set-up, apply it, send the outcome, and return whether calls may follow."""
    setup = read_frame(request_fd)
    sys.path.extend(setup["imports"])
    sys.dont_write_bytecode = True
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    try:
        granted = enter_sandbox(setup)
    except kernel_layers.LayerMissingError as error:
        write_frame(reply_fd, {"missing": error.strerror})
        return False
    broken = selftest.breaches(setup["canary"], setup["hidden"]) if setup["canary"] else []
    write_frame(reply_fd, {"broken": broken, "granted": granted})
    return not broken


def serve(request_fd: int, reply_fd: int, answer: Answer) -> None:
    """Answer calls until the request pipe is closed."""
    threading.Thread(target=_die_with_broker, args=(request_fd,), daemon=True).start()
    while True:
        request = read_frame(request_fd)
        write_frame(reply_fd, {"id": request["id"], **answer(request)})


def python_answer(calls: Any, request: dict[str, Any]) -> dict[str, object]:  # noqa: ANN401  loaded by file
    """Serve one request: run code, set a variable, or return one."""
    if "code" in request:
        return calls.run(request["code"])  # type: ignore[no-any-return]  # loaded by file
    try:
        if "load" in request:
            calls.put(request["load"], value_codec.decode(request["body"]))
            return {"error": ""}
        return taken(calls.get(request["take"]), request["max_bytes"])
    except Exception as error:  # noqa: BLE001  a value of foreign code may raise anything at all
        text = (
            str(error)
            if isinstance(error, value_codec.ValueCodecError | NameError)
            else repr(error)
        )
        return {"error": text[:_MAX_VALUE_ERROR_CHARS]}


def taken(value: object, max_bytes: int) -> dict[str, object]:
    """Return a value encoded, or the reason why it is too large."""
    body = value_codec.encode(value)
    too_much = json_bounds.excess(json.dumps(body).encode("ascii"), max_bytes)
    return {"error": too_much} if too_much else {"error": "", "body": body}


def main(answer: Answer) -> None:
    """Run as a sandboxed worker: the program's arguments are the descriptors.

    Args:
        answer: Computes the answer to a request; called only inside the sandbox.
    """
    descriptors = int(sys.argv[1]), int(sys.argv[2])
    sys.argv[:] = [""]
    try:
        if start(*descriptors):
            serve(*descriptors, answer)
    except (EOFError, OSError):
        # the broker is gone, or the code closed the pipe: either way there is no reader
        os._exit(1)


if __name__ == "__main__":
    calls = beside("namespace").Namespace()
    main(lambda request: python_answer(calls, request))
