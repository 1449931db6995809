"""Files from the hub are complete and are kept; every failure is one clear error."""

from __future__ import annotations

import json
import os
import resource
import secrets
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from okso_jupyter.errors import ModelUnavailableError
from okso_jupyter.llm.specs import find_weights, look_up
from tests.llm.hub_server import COMMIT, REPO, Hub, serving

NAME = "tiny-Q4_K_M.gguf"
DATA = b"GGUF" + bytes(range(256)) * 4000
#: An address where nobody answers.
NOWHERE = "http://127.0.0.1:9"
SPEC = f"{REPO}:{NAME}"


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    """A hub with one small file."""
    made = Hub(files={NAME: DATA, "README.md": b"tiny"})
    monkeypatch.delenv("HF_TOKEN", raising=False)
    with serving(made) as address:
        monkeypatch.setenv("HF_ENDPOINT", address)
        yield made


def _refused(spec: str, home: Path, revision: str = "main") -> str:
    """Return message and hint of a spec that yields no model; check that no file remains."""
    with pytest.raises(ModelUnavailableError) as caught:
        find_weights(spec, revision=revision, home=home)
    assert repr(spec)[1:-1] in caught.value.message
    assert caught.value.hint
    return str(caught.value)


def _left(home: Path) -> list[str]:
    """Return the files of a folder that look like weights or a part of them."""
    return [p.name for p in home.rglob("*") if p.is_file() and p.stat().st_size > 1000]


def test_a_file_is_downloaded_once(hub: Hub, tmp_path: Path) -> None:
    """The first use downloads the file; the second one sends the hub no request at all."""
    first = find_weights(SPEC, home=tmp_path)
    asked = len(hub.log)
    second = find_weights(SPEC, home=tmp_path)

    assert first.read_bytes() == DATA
    assert first.is_relative_to(tmp_path)
    assert (second, len(hub.log)) == (first, asked)


def test_a_downloaded_file_needs_no_hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Downloaded models work without the hub, given by file or by repository."""
    with serving(Hub(files={NAME: DATA})) as address:
        monkeypatch.setenv("HF_ENDPOINT", address)
        there = [find_weights(spec, home=tmp_path) for spec in (SPEC, REPO)]

    monkeypatch.setenv("HF_ENDPOINT", NOWHERE)
    assert [find_weights(spec, home=tmp_path) for spec in (SPEC, REPO)] == there
    assert "cannot be reached" in _refused(f"{REPO}:other.gguf", tmp_path)


@pytest.mark.slow
def test_an_interrupted_transfer_is_resumed(hub: Hub, tmp_path: Path) -> None:
    """If the connection breaks during the transfer, the rest is requested by range."""
    hub.files[NAME] = large = DATA * 12
    hub.cut_after = [len(large) - 100]

    assert find_weights(SPEC, home=tmp_path).read_bytes() == large
    first, second = (get.get("range", "") for get in hub.gets())
    assert first == ""
    assert 0 < int(second.removeprefix("bytes=").rstrip("-")) < len(large)


def test_a_file_that_arrives_short_is_not_used(hub: Hub, tmp_path: Path) -> None:
    """Fewer bytes than the hub announced are an error; the next attempt starts over."""
    hub.sent = [DATA[:-1]]

    assert "the transfer broke off" in _refused(SPEC, tmp_path)
    assert _left(tmp_path) == []
    assert find_weights(SPEC, home=tmp_path).read_bytes() == DATA


def test_a_file_with_a_wrong_hash_is_not_used(hub: Hub, tmp_path: Path) -> None:
    """A file with the right size and a wrong hash is downloaded again, then refused."""
    wrong = DATA[:-1] + b"?"
    hub.sent = [wrong]
    assert find_weights(SPEC, home=tmp_path / "once").read_bytes() == DATA

    hub.sent = [wrong, wrong]
    assert "another hash" in _refused(SPEC, tmp_path / "twice")
    assert _left(tmp_path / "twice") == []


@pytest.mark.parametrize(
    "damage", [DATA[:-1], b"", DATA[:-1] + b"?"], ids=["cut", "empty", "other"]
)
def test_a_damaged_file_is_downloaded_again(hub: Hub, tmp_path: Path, damage: bytes) -> None:
    """A file that was changed on disk is not used but downloaded again."""
    path = find_weights(SPEC, home=tmp_path)
    path.write_bytes(damage)

    assert find_weights(SPEC, home=tmp_path).read_bytes() == DATA
    assert len(hub.gets()) == 2


@pytest.mark.parametrize("name", ["ETag", "X-Linked-ETag", "X-Repo-Commit"])
@pytest.mark.parametrize("up", ["../../../../../out/x", "..", "/srv/okso-out"])
def test_a_hub_cannot_choose_a_path_outside_the_downloads(
    hub: Hub, tmp_path: Path, name: str, up: str
) -> None:
    """A hub's header that names a path outside the download folder is refused.

    The library names files after the ETag, which has to be a hash.
    """
    (tmp_path / "out").mkdir()
    hub.headers = {name: f'"{up}"' if name == "ETag" else up}
    home = tmp_path / "a" / "home"
    assert "outside the folder of downloads" in _refused(SPEC, home)
    assert [p for p in tmp_path.rglob("*") if p.is_file() and not p.is_relative_to(home)] == []
    hub.headers = {}
    assert find_weights(SPEC, home=home).read_bytes() == DATA


@pytest.mark.parametrize("name", ["../../evil.gguf", "/srv/evil.gguf", "a/../../evil.gguf"])
def test_a_listed_file_outside_its_folder_is_refused(hub: Hub, tmp_path: Path, name: str) -> None:
    """If a file of the listing lies outside the download folder, the spec is refused."""
    hub.files[name] = DATA
    assert "outside the folder of downloads" in _refused(REPO, tmp_path)


def test_a_damaged_download_record_is_replaced(hub: Hub, tmp_path: Path) -> None:
    """A damaged download record is requested again; the model file is kept."""
    find_weights(SPEC, home=tmp_path)
    (record,) = (tmp_path / "models" / "records").iterdir()
    nothing = '{"commit": "main", "files": []}'
    nameless = '{"commit": 1, "files": [{"name": 7, "size_bytes": 1, "sha256": ""}]}'
    for text in ("", "[]", "{}", '{"commit": 1, "files": [{}]}', nothing, nameless):
        record.write_text(text)
        assert find_weights(SPEC, home=tmp_path).read_bytes() == DATA

    assert json.loads(record.read_text())["commit"] == COMMIT
    assert len(hub.gets()) == 1


def test_the_only_model_of_a_repository_is_chosen(hub: Hub, tmp_path: Path) -> None:
    """The only GGUF model is chosen; auxiliary GGUF files are not counted as models."""
    hub.files |= {"mmproj-tiny-f16.gguf": b"GGUF eyes", "sub/imatrix.gguf": b"GGUF matrix"}

    assert find_weights(REPO, home=tmp_path).name == NAME


def test_the_smallest_q4_k_m_model_is_chosen(hub: Hub, tmp_path: Path) -> None:
    """Of several models the smallest one with the usual quantization Q4_K_M is chosen."""
    hub.files = {"a-Q8_0.gguf": b"GGUF", "a-Q4_K_M.gguf": DATA, "b-q4_k_m.gguf": b"GGUF" + DATA}

    assert find_weights(REPO, home=tmp_path).name == "a-Q4_K_M.gguf"


def test_several_models_without_q4_k_m_are_listed(hub: Hub, tmp_path: Path) -> None:
    """Without a Q4_K_M model none is chosen: the error lists every model and its size."""
    hub.files = {"a-Q8_0.gguf": b"GGUF", "a-Q2_K.gguf": b"GGUF", "mmproj-a.gguf": b"GGUF"}
    hub.claimed = {"a-Q8_0.gguf": 8_000_000_000}

    said = _refused(REPO, tmp_path)
    assert "several GGUF files, none of them Q4_K_M" in said
    assert "a-Q8_0.gguf (8.0 GB), a-Q2_K.gguf (0.0 GB)" in said
    assert "mmproj" not in said


def test_a_split_model_is_downloaded_completely(hub: Hub, tmp_path: Path) -> None:
    """All parts are stored in one folder under their own names, and all are verified."""
    parts = {f"big-Q4_K_M-0000{n}-of-00003.gguf": b"GGUF" + bytes([n]) * 2000 for n in (1, 2, 3)}
    hub.files = dict(reversed(parts.items()))

    first = find_weights(REPO, home=tmp_path)
    assert {p.name: p.read_bytes() for p in first.parent.iterdir()} == parts
    assert first.name.endswith("00001-of-00003.gguf")
    (first.parent / "big-Q4_K_M-00003-of-00003.gguf").write_bytes(b"GGUF" + b"?" * 2000)
    find_weights(REPO, home=tmp_path)
    assert {p.name: p.read_bytes() for p in first.parent.iterdir()} == parts


def test_a_revision_is_requested(hub: Hub, tmp_path: Path) -> None:
    """A branch has its own download record; the error names a missing revision."""
    find_weights(SPEC, revision="v2", home=tmp_path)

    assert any("/revision/v2" in path for _, path, _ in hub.log)
    assert "no revision 'v3'" in _refused(SPEC, tmp_path, revision="v3")


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        (f"{REPO}:other.gguf", f"has no GGUF file 'other.gguf' (after a colon, name one of {NAME}"),
        (f"{REPO}:../../x.gguf", "has no GGUF file"),
        (f"{REPO}:README.md", "has no GGUF file"),
        ("acme/nothing", "there is no such repository, or it is private"),
        ("acme/nothing:x.gguf", "there is no such repository, or it is private"),
        ("a--b/c..d", "the hub accepts no names of that form (write owner/repository:file.gguf)"),
    ],
)
def test_a_missing_repository_or_file_is_reported(
    hub: Hub, tmp_path: Path, spec: str, said: str
) -> None:
    """The error says whether repository or file is missing, and what exists."""
    assert hub.files
    assert said in _refused(spec, tmp_path)


@pytest.mark.parametrize(
    ("status", "code", "said"),
    [
        (401, "GatedRepo", "is gated (accept its terms on its page, and set HF_TOKEN"),
        (403, "GatedRepo", "is gated"),
        (401, "", "the hub does not allow it (HTTP 401) (accept its terms"),
        (403, "", "the hub does not allow it (HTTP 403)"),
        (404, "", "no such repository"),
        (429, "", "the hub answers HTTP 429 (try again later)"),
        (503, "", "the hub answers HTTP 503 (try again later)"),
        (200, "", "the server that answers is not a hub (check HF_ENDPOINT"),
    ],
)
def test_a_refusal_of_the_hub_is_reported(
    hub: Hub, tmp_path: Path, status: int, code: str, said: str
) -> None:
    """For each status of the hub the error explains what to do."""
    hub.answer = (status, code)

    assert said in _refused(SPEC, tmp_path)


def test_without_a_network_alternatives_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the hub cannot be reached, the hint names models that need no network."""
    monkeypatch.setenv("HF_ENDPOINT", NOWHERE)

    said = _refused(SPEC, tmp_path)
    assert "the hub cannot be reached" in said
    assert "the bundled model" in said


def test_a_file_larger_than_the_disk_is_not_downloaded(hub: Hub, tmp_path: Path) -> None:
    """A file larger than the free space is refused with both sizes before any download."""
    hub.claimed = {NAME: 1 << 55}

    said = _refused(SPEC, tmp_path)
    assert "takes 36028797.0 GB" in said
    assert "OKSO_HOME" in said
    assert hub.gets() == []


def test_a_write_error_leaves_no_file(hub: Hub, tmp_path: Path) -> None:
    """If writing fails, the system's message is reported and no partial file remains."""
    assert hub.files
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, before[1]))
    try:
        said = _refused(SPEC, tmp_path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)

    assert "it cannot be kept: File too large (make room" in said
    assert _left(tmp_path) == []


def test_a_home_that_is_not_a_folder_is_reported(hub: Hub, tmp_path: Path) -> None:
    """If the home is a file or is not set, the error says so and names OKSO_HOME."""
    assert hub.files
    home = tmp_path / "file"
    home.write_text("")

    assert "it cannot be kept: Not a directory" in _refused(SPEC, home)
    with pytest.raises(ModelUnavailableError, match="no folder to keep it in"):
        find_weights(SPEC)


def test_a_file_that_is_not_gguf_is_refused(hub: Hub, tmp_path: Path) -> None:
    """A downloaded file with the right hash is refused if it is not in GGUF format."""
    hub.files = {NAME: b"<html>" + DATA}

    assert "the file is not in GGUF format" in _refused(SPEC, tmp_path)


def test_look_up_sends_no_request(hub: Hub, tmp_path: Path) -> None:
    """`look_up` has a path only for a complete downloaded file, and sends no request."""
    assert look_up(SPEC, home=tmp_path).path is None
    assert hub.log == []
    path = find_weights(SPEC, home=tmp_path)
    assert look_up(SPEC, home=tmp_path).path == path
    path.write_bytes(DATA[:-1])
    assert look_up(SPEC, home=tmp_path).path is None


_GET = """
import sys
from okso_jupyter import Session
from okso_jupyter.errors import OksoError
with Session() as session:
    try:
        session.model("planner")
    except OksoError as error:
        print(error)
"""


def _process(home: Path, hub: Hub, **environment: str) -> subprocess.CompletedProcess[str]:
    """Request the model in a separate process, as a notebook would."""
    return subprocess.run(  # noqa: S603  our own command line
        [sys.executable, "-c", _GET],
        capture_output=True,
        text=True,
        check=True,
        env={
            **os.environ,
            "PYTHONPATH": str(Path(__file__).parents[2]),
            "HF_ENDPOINT": hub.address,
            "OKSO_HOME": str(home),
            "PLANNER_MODEL_SPEC": SPEC,
            **environment,
        },
    )


@pytest.mark.process
def test_a_token_is_sent_and_not_shown(hub: Hub, tmp_path: Path) -> None:
    """HF_TOKEN opens a gated repository; neither output nor any stored file contains it."""
    hub.token = "hf_" + secrets.token_hex(16)
    wrong = hub.token[::-1]
    refused = _process(tmp_path, hub, HF_TOKEN=wrong, VERBOSITY="2")
    given = _process(tmp_path, hub, HF_TOKEN=hub.token, VERBOSITY="2")

    assert "is gated" in refused.stdout
    assert "llama.cpp cannot load the file" in given.stdout  # it was downloaded, and is no model
    assert any(h.get("authorization") == f"Bearer {hub.token}" for _, _, h in hub.log)
    said = refused.stdout + refused.stderr + given.stdout + given.stderr
    kept = [p.read_bytes() for p in tmp_path.rglob("*") if p.is_file()]
    for token in (hub.token, wrong):
        assert token not in said
        assert all(token.encode() not in data for data in kept)


@pytest.mark.process
def test_progress_is_shown_unless_quiet(hub: Hub, tmp_path: Path) -> None:
    """A download shows a progress bar on standard error, and none at VERBOSITY=0."""
    assert "100%" in _process(tmp_path / "told", hub).stderr
    assert "%" not in _process(tmp_path / "quiet", hub, VERBOSITY="0").stderr


@pytest.mark.model
def test_a_model_from_the_hub_plans(tmp_path: Path, hub: Hub) -> None:
    """The bundled weights, served by the hub, give the same plan as the bundled model."""
    from okso_jupyter import Session  # noqa: PLC0415  heavy, and for this test alone

    hub.files = {"SmolLM2-135M-Instruct-Q4_K_M.gguf": find_weights("bundled").read_bytes()}
    (tmp_path / "notes.txt").write_text("one\ntwo\n")
    plans = []
    for spec in (REPO, "bundled"):
        settings = {"OKSO_HOME": str(tmp_path / "home"), "PLANNER_SAMPLE_COUNT": 1,
                    "LLAMA_DEFAULT_CONTEXT_SIZE": 2048, "PLANNER_MODEL_SPEC": spec}  # fmt: skip
        with Session(settings, root=tmp_path) as session:
            plans.append(session.plan("Read notes.txt", seed=1).plan)

    assert plans[0] == plans[1]
    assert plans[0].tools[-1] == "final_answer"
    assert len(hub.gets()) == 1
