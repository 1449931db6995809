"""What a server can do is found once and remembered, until its models change or it lies."""

from __future__ import annotations

import json
import stat
from collections.abc import Mapping
from pathlib import Path

import pytest

from okso_jupyter import Settings
from okso_jupyter.errors import ModelUnavailableError
from okso_jupyter.llm.endpoint import Endpoint
from okso_jupyter.llm.http_model import HttpModel
from okso_jupyter.llm.registry import open_model
from okso_jupyter.llm.server_memory import ServerMemory
from tests.llm.asking import KEY, ROME, question
from tests.llm.openai_server import OpenAIServer, Reply, calls, is_probe, refuses, says

_MODELS = "/v1/models"
_SHOW = "/api/show"


def _listed(*ids: str, **more: object) -> dict[str, object]:
    return {_MODELS: {"object": "list", "data": [{"id": one, **more} for one in ids]}}


def _tools_alone(reply: Reply) -> None:
    """Answer like a server that has tool calling and nothing else."""
    text = '{"word":"okso-7f3a"}' if is_probe(reply.body) else ROME
    (calls(text) if "tools" in reply.body else refuses(400, "no response_format"))(reply)


def _kernel(server: OpenAIServer, home: Path, key: str = "") -> HttpModel:
    """Return the model as a new kernel opens it."""
    endpoint = Endpoint.from_spec(server.spec, key)
    return HttpModel(endpoint, memory=ServerMemory(home), timeout_s=10)


def _forms(server: OpenAIServer) -> list[str]:
    """Return how each question so far was asked, probes as well; the list begins anew."""
    forms = [
        "tools" if "tools" in one.body else one.body.get("response_format", {}).get("type", "words")
        for one in server.seen
    ]
    server.seen.clear()
    return forms


def test_the_next_kernel_asks_in_the_way_that_worked(tmp_path: Path) -> None:
    """The first kernel is refused once and looks for another way; the next one has it."""
    with OpenAIServer([_tools_alone], told=_listed("tiny")) as server:
        (first,) = _kernel(server, tmp_path).complete(question())
        looked = _forms(server)
        (second,) = _kernel(server, tmp_path).complete(question())
        known = _forms(server)

    assert [first.text, second.text] == [ROME, ROME]
    assert looked == ["json_schema", "json_object", "tools", "tools"]
    assert known == ["tools"]


def test_one_private_file_has_no_secrets(tmp_path: Path) -> None:
    """Only the user can read it, and neither key nor query of the address are in it."""
    with OpenAIServer([_tools_alone], key=KEY, told=_listed("tiny")) as server:
        spec = server.spec.replace("#", "?version=of-ann#")
        endpoint = Endpoint.from_spec(spec, KEY)
        HttpModel(endpoint, memory=ServerMemory(tmp_path / "home")).complete(question())

    (file,) = (tmp_path / "home").iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert list(json.loads(file.read_text())) == [server.spec]
    assert KEY not in file.read_text()
    assert "of-ann" not in file.read_text()


def test_another_list_of_models_is_another_server(tmp_path: Path) -> None:
    """What was remembered of the server before counts no longer."""
    with OpenAIServer([_tools_alone], told=_listed("tiny")) as server:
        _kernel(server, tmp_path).complete(question())
        _forms(server)
        server.told, server.answers = _listed("tiny", "large"), [says(ROME)]
        (again,) = _kernel(server, tmp_path).complete(question())

    assert again.text == ROME
    assert _forms(server) == ["json_schema"]


def test_a_list_that_only_counts_time_is_the_same(tmp_path: Path) -> None:
    """llama-server and vLLM write the time of the answer into it."""
    with OpenAIServer([_tools_alone], told=_listed("tiny", created=1)) as server:
        _kernel(server, tmp_path).complete(question())
        _forms(server)
        server.told = _listed("tiny", created=2)
        _kernel(server, tmp_path).complete(question())

    assert _forms(server) == ["tools"]


def test_a_server_that_lies_is_remembered_as_it_is(tmp_path: Path) -> None:
    """A server that takes every form and holds no text to any is asked in words from then on."""
    with OpenAIServer([says("Rome, I think.")], told=_listed("tiny")) as server:
        _kernel(server, tmp_path).complete(question())
        _forms(server)
        _kernel(server, tmp_path).complete(question())

    assert _forms(server) == ["words"]


@pytest.mark.parametrize(
    "content",
    [
        b"", b"[]", b"[" * 100_000, b"\xff", b'{"SPEC": 5}', b'{"SPEC": {"dialect": "shouting"}}',
        b'{"SPEC": {"dialect": "shouting", "models": ""}}',
        b'{"SPEC": {"dialect": 1, "models": 1}}',
    ],
)  # fmt: skip
def test_a_damaged_file_is_as_none(tmp_path: Path, content: bytes) -> None:
    """It costs the questions of a first time, and is replaced."""
    file = tmp_path / "model_servers.json"
    with OpenAIServer([_tools_alone], told=_listed("tiny")) as server:
        file.write_bytes(content.replace(b"SPEC", server.spec.encode()))
        (found,) = _kernel(server, tmp_path).complete(question())

    assert found.text == ROME
    assert json.loads(file.read_text())[server.spec]["dialect"] == "tools"


def test_a_folder_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    """The model answers as without a memory."""
    (tmp_path / "home").write_text("a file")
    with OpenAIServer([_tools_alone], told=_listed("tiny")) as server:
        (found,) = _kernel(server, tmp_path / "home").complete(question())

    assert found.text == ROME


#: What real servers say of a model of 494 million parameters, which the spec calls `tiny`.
_OLLAMA: Mapping[str, object] = {
    _MODELS: {
        "object": "list",
        "data": [
            {"id": "tiny", "object": "model", "created": 1, "owned_by": "library"},
            {"id": "llama3:8b", "object": "model", "created": 1, "owned_by": "library"},
        ],
    },
    _SHOW: {
        "details": {"format": "gguf", "family": "qwen2", "parameter_size": "494.03M"},
        "model_info": {"general.architecture": "qwen2", "general.parameter_count": 494032768},
    },
}
_OLD_OLLAMA: Mapping[str, object] = {**_OLLAMA, _SHOW: {"details": {"parameter_size": "494.03M"}}}
_LLAMA_SERVER = _listed("/models/tiny.gguf", owned_by="llamacpp", meta={"n_params": 494032768})
_VLLM = _listed("tiny", owned_by="vllm", root="Qwen/Qwen2.5-0.5B-Instruct", max_model_len=32768)
_LLAMA_CPP_PYTHON = _listed("/models/Qwen2.5-0.5B-Instruct.Q4_1.gguf", owned_by="me")


@pytest.mark.parametrize(
    ("told", "is_small"),
    [
        (_OLLAMA, True),
        (_OLD_OLLAMA, True),
        (_LLAMA_SERVER, True),
        (_VLLM, True),
        (_LLAMA_CPP_PYTHON, True),
        (_listed("tiny", meta={"n_params": 8_030_261_248}), False),
        (_listed("gpt-4o", "o3"), False),
        (_listed("tiny", meta={"n_params": -5}), False),
        ({_MODELS: [1]}, False),
        ({_MODELS: {"data": [[], 3]}}, False),
        ({}, False),
    ],
)
def test_a_server_tells_the_size_that_the_name_does_not(
    tmp_path: Path,
    told: Mapping[str, object],
    is_small: bool,  # noqa: FBT001  pytest names it
) -> None:
    """Ollama, llama-server, vLLM and llama-cpp-python each say it in their own place."""
    with OpenAIServer([says(ROME)], told=told) as server:
        model = open_model(server.spec, Settings(okso_home=str(tmp_path)))
        assert model.identity.is_small == is_small
        model.complete(question())

    assert server.asked.count(_MODELS) == 1


def test_a_size_in_the_name_needs_no_question(tmp_path: Path) -> None:
    """The list of models is asked for with the first question, not before."""
    with OpenAIServer([says(ROME)], told=_OLLAMA) as server:
        model = open_model(f"{server.spec}-70B", Settings(okso_home=str(tmp_path)))
        assert not model.identity.is_small
        assert server.asked == []


def test_a_server_that_is_not_there_is_asked_again_later(tmp_path: Path) -> None:
    """Its size is unknown and its address is kept; nothing is remembered of it."""
    with OpenAIServer([says(ROME)]) as server:
        pass
    model = _kernel(server, tmp_path)

    assert not model.identity.is_small
    with pytest.raises(ModelUnavailableError, match="does not answer"):
        model.complete(question())
    assert list(tmp_path.iterdir()) == []
