"""`%okso models`: files and servers of this machine, what fits it, and the test of one model."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from okso_jupyter.magic.models_table import models_table
from okso_jupyter.settings import Settings
from tests.llm.hub_server import REPO
from tests.llm.openai_server import Answer, OpenAIServer, Reply, calls, falls_silent, refuses, says
from tests.llm.test_hub_cache import FILE, GGUF, put


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """OKSO_HOME; the Hugging Face cache beside it is empty."""
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))
    return tmp_path / "home"


@contextmanager
def listing(body: bytes) -> Iterator[int]:
    """Serve a list of models on loopback; yield the port."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200 if self.path == "/v1/models" else 404)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_args: object) -> None:
            """Write nothing to stderr."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        yield server.server_address[1]
        server.shutdown()


def test_files_and_servers_of_this_machine_are_listed(home: Path, tmp_path: Path) -> None:
    """Each model has its place; roles and the fit into memory are told."""
    put(tmp_path / "hub", FILE, GGUF)
    listed = json.dumps({"data": [{"id": "qwen3:4b"}, {"id": "phi"}]}).encode()
    settings = Settings(okso_home=str(home), executor_model_spec=f"{REPO}:{FILE}")
    with listing(listed) as port, listing(b"<html>a shop</html>") as other:
        table = models_table(settings, ports={"Ollama": port, "vLLM": other, "nobody": 9})

    served = [name for name in table.index if name.startswith("http")]
    assert served == [f"http://127.0.0.1:{port}/v1#{model}" for model in ("qwen3:4b", "phi")]
    assert table.loc[served[0], "place"] == "server on this machine (Ollama)"
    cached = table.loc[f"{REPO}:{FILE}"]
    assert (cached["place"], cached["fits"]) == ("in the Hugging Face cache", "yes")
    assert "executor" in str(cached["used_for"])
    assert "planner" in str(table.loc["bundled", "used_for"])
    assert table.loc["bundled", "fits"] == "yes"
    assert table.loc["auto", "found"]


@pytest.mark.parametrize(
    "body",
    [b"", b"[" * 10_000, b'{"data": [7]}', b'{"data": {"id": "x"}}', b'"' + b"x" * (2 << 20)],
)  # fmt: skip
def test_a_port_with_something_else_is_passed_over(home: Path, body: bytes) -> None:
    """Answers that are no list of models, or too long, add no row and raise no error."""
    with listing(body) as port:
        table = models_table(Settings(okso_home=str(home)), ports={"Ollama": port})
    assert not [name for name in table.index if name.startswith("http")]


def test_a_server_of_the_settings_is_shown_without_its_credentials(home: Path) -> None:
    """Passwords and keys in an address are not in the table, even if the address is wrong."""
    good = "https://me:pa55word@api.example.org/v1?key=k3y#big"
    wrong = "https://me:pa55word@api.example.org/v1?key=k3y"
    settings = Settings(
        okso_home=str(home), planner_model_spec=good, executor_model_spec=wrong,
        validator_model_spec="nowhere.gguf",
    )  # fmt: skip
    table = models_table(settings, ports={})

    shown = table.reset_index().to_csv()
    assert "pa55word" not in shown
    assert "k3y" not in shown
    server = table.loc["https://api.example.org/v1#big"]
    assert server["place"] == "server at api.example.org, not this machine"
    assert "planner" in str(server["used_for"])
    assert table.loc["nowhere.gguf", "place"] == "missing"


@pytest.mark.parametrize(
    ("answers", "timeout_s", "found"),
    [
        ([says('{"ready":"yes"}')], 30.0, "works: answers in"),
        ([refuses(400, "no response_format"), says('{"ready":"yes"}')], 30.0, "works: answers in"),
        ([says("I cannot say.")], 30.0, "but it is not JSON"),
        ([refuses(401, "no key")], 30.0, "does not work: "),
        ([falls_silent()], 0.5, "does not work: "),
    ],
)
def test_one_model_is_tested_by_one_question(
    home: Path, answers: list[Answer], timeout_s: float, found: str
) -> None:
    """A named model is asked once, and its row says what came back."""
    with OpenAIServer(answers) as server:
        table = models_table(Settings(okso_home=str(home), llama_timeout_s=timeout_s), server.spec)
    assert found in str(table.loc[server.spec, "found"])
    assert len(table) == 1


@pytest.mark.model
def test_the_bundled_model_works(home: Path) -> None:
    """The test of the bundled model is a real answer that obeys its schema."""
    table = models_table(Settings(okso_home=str(home)), "bundled")
    (found,) = table["found"]
    assert list(table["can"]) == ["schema, seeds, grammar"]
    assert found.startswith("works: answers in")
    assert "obeys its schema" in found


def _able(reply: Reply) -> None:
    """Answer like a server that can do everything it is asked for."""
    forced = '{"word":"okso-7f3a"}' if "grammar" in reply.body else ""
    by_schema = '{"ready":"yes"}' if "response_format" in reply.body else ""
    if "tools" in reply.body:
        calls('{"word":"okso-7f3a"}')(reply)
        return
    says(forced or by_schema or f"An animal of seed {reply.body['seed']}")(reply)


def _lying(reply: Reply) -> None:
    """Accept every field and ignore it."""
    says(f"Sure! {time.monotonic_ns()}")(reply)


@pytest.mark.parametrize(
    ("answer", "can"),
    [
        (_able, "schema, seeds, grammar, tools, JSON mode"),
        (_lying, "no schema (it is ignored), no seeds, no grammar, no tools, no JSON mode"),
        (says("yes"), "no schema (it is ignored), no grammar, no tools, no JSON mode"),
    ],
)
def test_what_a_server_can_do_is_seen_in_its_answers(home: Path, answer: Answer, can: str) -> None:
    """A field that a server accepts and ignores is no ability."""
    with OpenAIServer([answer]) as server:
        table = models_table(Settings(okso_home=str(home), llama_timeout_s=5.0), server.spec)
    assert table.loc[server.spec, "can"] == can
