"""A real kernel and the messages of a front end, without a browser."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import Empty
from types import TracebackType
from typing import Any, Self

from jupyter_client.blocking import BlockingKernelClient
from jupyter_client.manager import KernelManager
from zmq.constants import Event, SocketType

from tests import ipykernels
from tests.approval.warm_kernel import make_warm

_REPOSITORY = Path(__file__).resolve().parents[2]
#: Far beyond what any wait takes: the machine may be busy.
_WAIT_S = 180.0
#: ipykernel 7.0 to 7.3 may overlook a request that comes in while it sends a reply, until somebody
#: connects anew (ipykernel #1554). A user would reload the page; here it is after this time.
_OVERLOOKED_S = 5.0


class KernelOnWire:
    """A kernel process and its client; clicks are the messages that a browser would send.

    Args:
        folder: Working folder of the kernel.
        ipykernel: Version of ipykernel; empty for the installed one.
        warm: Whether a kernel of the installed version has imported already what a session needs.
    """

    def __init__(self, folder: Path, *, ipykernel: str = "", warm: bool = True) -> None:
        folders = [ipykernels.folder_of(ipykernel), str(_REPOSITORY)]
        self._path = os.pathsep.join(filter(None, folders))
        self._manager = KernelManager(kernel_name="python3")
        if warm and not ipykernel:
            make_warm(self._manager)
        self._folder = folder
        self._overlooks = (7, 0) <= ipykernels.release_of(ipykernel) < (7, 4)
        self._replies: dict[str, Any] = {}
        self.iopub: list[Any] = []

    def __enter__(self) -> Self:
        environment = {
            **os.environ,
            "PYTHONPATH": self._path,
            "IPYTHONDIR": str(self._folder / "ipython"),
            "OKSO_HOME": str(self._folder / "home"),
        }
        self._manager.start_kernel(env=environment, cwd=str(self._folder))
        self._client = self._manager.client()
        self._client.start_channels()
        self._client.wait_for_ready(timeout=_WAIT_S)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._client.stop_channels()
        self._manager.shutdown_kernel(now=True)
        self._manager.cleanup_resources()

    def send(self, code: str, *, allow_stdin: bool = True) -> str:
        """Queue a cell and return the id of its request."""
        return str(self._client.execute(code, allow_stdin=allow_stdin))

    def send_cell(self, code: str, cell: str) -> str:
        """Queue the cell with an id, as notebooks do, and return the id of the request."""
        content = {
            "code": code, "silent": False, "store_history": True, "user_expressions": {},
            "allow_stdin": True, "stop_on_error": True,
        }  # fmt: skip
        message = self._client.session.msg(
            "execute_request", content, metadata={"cellId": cell, "deletedCells": []}
        )
        self._client.shell_channel.send(message)
        return str(message["header"]["msg_id"])

    def run(self, code: str, *, allow_stdin: bool = True) -> Any:
        """Run a cell and return the content of its reply, which must be "ok"."""
        reply = self._ran(lambda: self.send(code, allow_stdin=allow_stdin))
        assert reply["status"] == "ok", reply
        return reply

    def _ran(self, send: Callable[[], str]) -> Any:
        """Return the content of the reply to a cell that the kernel does not drop.

        For a moment after a cell that failed it drops those that come (`stop_on_error`).
        """
        deadline_s = time.monotonic() + _WAIT_S
        while (reply := self.reply(send()))["status"] == "aborted":
            assert time.monotonic() < deadline_s, reply
        return reply

    def reply(self, request: str) -> Any:
        """Return the content of the reply to a request."""
        deadline_s = time.monotonic() + _WAIT_S
        while request not in self._replies:
            message = self._receive(self._client.get_shell_msg, deadline_s)
            self._replies[message["parent_header"]["msg_id"]] = message["content"]
        return self._replies[request]

    def value(self, expression: str) -> str:
        """Return the repr of an expression, evaluated after everything queued before."""
        reply = self._ran(
            lambda: str(self._client.execute("", user_expressions={"value": expression}))
        )
        result = reply["user_expressions"]["value"]
        return str(result.get("data", result)["text/plain"] if "data" in result else result)

    def until(self, wanted: Any) -> Any:
        """Return the first message on iopub for which `wanted` holds."""
        deadline_s = time.monotonic() + _WAIT_S
        while True:
            message = self._receive(self._client.get_iopub_msg, deadline_s)
            self.iopub.append(message)
            if wanted(message):
                return message

    def _receive(self, receive: Callable[..., Any], deadline_s: float) -> Any:
        """Return the next message of a channel; raise queue.Empty after the deadline."""
        while (left_s := deadline_s - time.monotonic()) > _OVERLOOKED_S and self._overlooks:
            with suppress(Empty):
                return receive(timeout=_OVERLOOKED_S)
            self._knock()
        return receive(timeout=max(0.1, left_s))

    def _knock(self) -> None:
        """Connect to the kernel's shell channel and disconnect again."""
        at = self._manager.get_connection_info()
        with (
            self._client.context.socket(SocketType.DEALER) as shell,
            shell.get_monitor_socket(Event.CONNECTED) as connected,
        ):
            shell.connect(f"{at['transport']}://{at['ip']}:{at['shell_port']}")
            connected.poll(_OVERLOOKED_S * 1000)
            shell.disable_monitor()

    def form(self) -> tuple[str, dict[str, Any]]:
        """Wait for a form; return its comm id and the state that it shows."""
        opened = self.until(lambda message: "round" in _state(message).get("state", {}))
        return opened["content"]["comm_id"], _state(opened)["state"]

    def displayed_form(self) -> tuple[str, dict[str, Any]]:
        """Wait for a form as a page does, until it is displayed; return the same as `form`.

        The comm of a form is open before the form listens. That is seen where the kernel handles
        messages meanwhile, because the form waits on another thread.
        """
        found = self.form()
        self.until(lambda message: message["msg_type"] == "display_data")
        return found

    def answer(self, comm: str, content: object) -> None:
        """Send a message as the form does."""
        data = {"method": "custom", "content": content}
        self.request("comm_msg", {"comm_id": comm, "data": data})

    def act(self, comm: str, state: dict[str, Any], action: str, text: str = "") -> None:
        """Send an action of an unedited form that shows this state."""
        self.answer(comm, message(state, action, text))

    def next_state(self, comm: str) -> dict[str, Any]:
        """Wait for the state that the kernel sends in answer to the form."""
        answered = self.until(
            lambda m: (
                m["msg_type"] == "comm_msg"
                and m["content"]["comm_id"] == comm
                and "state" in m["content"]["data"].get("state", {})
            )
        )
        state: dict[str, Any] = answered["content"]["data"]["state"]["state"]
        return state

    def request(self, kind: str, content: dict[str, Any]) -> str:
        """Send a request of any kind on the shell channel and return its id."""
        message = self._client.session.msg(kind, content)
        self._client.shell_channel.send(message)
        return str(message["header"]["msg_id"])

    @contextmanager
    def other_window(self) -> Iterator[None]:
        """Send the block's messages from a second client of the same kernel."""
        first, self._client = self._client, BlockingKernelClient()
        self._client.load_connection_info(self._manager.get_connection_info())
        self._client.start_channels()
        self._client.wait_for_ready(timeout=_WAIT_S)
        yield
        self._client.stop_channels()
        self._client = first

    def type(self, text: str) -> str:
        """Wait for a prompt, type a line into its field and return the prompt."""
        asked = self._receive(self._client.get_stdin_msg, time.monotonic() + _WAIT_S)
        self._client.input(text)
        return str(asked["content"]["prompt"])

    def interrupt(self) -> None:
        """Interrupt the kernel once every request sent so far is in its queue."""
        if self._overlooks:
            self._knock()
        self._manager.interrupt_kernel()

    def drain(self) -> list[Any]:
        """Return everything published so far, once the kernel is idle."""
        request = self.send("")
        self.until(
            lambda message: (
                message["parent_header"].get("msg_id") == request
                and message["content"].get("execution_state") == "idle"
            )
        )
        return self.iopub


def message(state: dict[str, Any], action: str, text: str = "") -> dict[str, Any]:
    """Return the message that an unedited form showing this state would send."""
    steps = [
        {
            "id": step["id"],
            "ticked": step["ticked"],
            "args": {one["name"]: one["text"] for one in step["args"]},
        }
        for step in state["steps"]
    ]
    draft = {"candidate": state["candidate"], "up_to": state["up_to"], "steps": steps}
    seen = {name: state[name] for name in ("shown", "round")}
    return {"action": action, **seen, "text": text, "draft": draft}


def _state(message: Any) -> Any:
    """Return the widget state in a message that opens a comm, or an empty one."""
    if message["msg_type"] != "comm_open":
        return {}
    return message["content"]["data"].get("state", {})
