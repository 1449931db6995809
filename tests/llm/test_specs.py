"""A model spec is resolved to a GGUF file, or an error says why not."""

from __future__ import annotations

from importlib.metadata import distribution
from pathlib import Path

import pytest

from okso_jupyter.errors import ModelUnavailableError
from okso_jupyter.llm.downloads import HubSpec
from okso_jupyter.llm.protocol import CompletionRequest, Message
from okso_jupyter.llm.registry import open_model
from okso_jupyter.llm.specs import BUNDLED_PACKAGE, find_weights, hub_spec
from okso_jupyter.settings import Settings
from tests.each_row import each_row


def test_bundled_is_the_file_of_its_package() -> None:
    """`bundled` is found among the files of the package that contains it."""
    path = find_weights("bundled")

    assert path.suffix == ".gguf"
    assert path.is_relative_to(Path(str(distribution(BUNDLED_PACKAGE).locate_file(""))))


def test_a_path_means_its_file(tmp_path: Path) -> None:
    """A path to a GGUF file is returned unchanged."""
    file = tmp_path / "my model.gguf"
    file.write_bytes(b"GGUF....")

    assert find_weights(str(file)) == file


@each_row(
    "spec",
    [
        "nowhere.gguf", "", ".", "~/nowhere.gguf", "~nobody-has-this-name/x.gguf", "a\0b",
        "models/nowhere.gguf", "./owner/name", "/owner/name", "../owner/name:x.gguf", "gpt2",
        "owner/name/file", "owner/name:", "x" * 5000, "https://host/v1#model", "C:/models/x.gguf",
    ],
)  # fmt: skip
def test_a_missing_file_is_reported(spec: str) -> None:
    """A spec that is not a hub spec is a path; the hint shows the form of a hub spec."""
    with pytest.raises(ModelUnavailableError, match="there is no such file") as caught:
        find_weights(spec)

    assert repr(spec)[:50] in caught.value.message  # a long one is cut
    assert "bundled" in caught.value.hint
    assert "owner/repository:file.gguf" in caught.value.hint


@pytest.mark.parametrize(
    ("spec", "repo", "file"),
    [
        ("owner/name", "owner/name", ""),
        ("owner/name-GGUF:a.b-Q4_K_M.gguf", "owner/name-GGUF", "a.b-Q4_K_M.gguf"),
        ("o_w.n-er/n.a_m-e:sub/folder/x.gguf", "o_w.n-er/n.a_m-e", "sub/folder/x.gguf"),
        ("models/nowhere.gguf:x.gguf", "models/nowhere.gguf", "x.gguf"),
    ],
)
def test_a_hub_spec_has_a_repository_and_perhaps_a_file(spec: str, repo: str, file: str) -> None:
    """A hub spec is owner/name, optionally with :file; it is parsed without a request."""
    assert hub_spec(spec, "v1") == HubSpec(repo=repo, file=file, revision="v1")


def test_an_existing_file_is_a_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An existing file is used, without download, even if its name fits a repository."""
    monkeypatch.chdir(tmp_path)
    for spec in ("owner/name", "owner/name:x.gguf"):
        file = tmp_path / spec
        file.parent.mkdir(exist_ok=True)
        assert hub_spec(spec) is not None
        file.write_bytes(b"GGUF....")
        assert hub_spec(spec) is None
        assert find_weights(spec) == Path(spec)


@pytest.mark.parametrize("content", [b"", b"GGU", b"not a model", b"PK\3\4GGUF"])
def test_a_file_that_is_not_gguf_is_refused(tmp_path: Path, content: bytes) -> None:
    """The first bytes decide; the file is not passed to the library."""
    file = tmp_path / "model.gguf"
    file.write_bytes(content)

    with pytest.raises(ModelUnavailableError, match="the file is not in GGUF format"):
        open_model(str(file), Settings.of({"LLAMA_DEFAULT_CONTEXT_SIZE": 512}))


@pytest.mark.parametrize("share", [0.0001, 0.01, 0.5, 0.999])
def test_a_truncated_gguf_is_refused(tmp_path: Path, share: float) -> None:
    """A truncated download is a clear error, wherever it was cut."""
    whole = find_weights("bundled")
    file = tmp_path / "cut.gguf"
    with whole.open("rb") as source:
        file.write_bytes(source.read(int(whole.stat().st_size * share)))

    with pytest.raises(ModelUnavailableError, match=r"llama\.cpp cannot load the file") as caught:
        open_model(str(file), Settings.of({"LLAMA_DEFAULT_CONTEXT_SIZE": 512}))

    assert "cut short" in caught.value.hint


@pytest.mark.parametrize(
    ("present", "named", "complaint"),
    [
        ((1,), 1, "m-00002-of-00002.gguf is not beside it"),
        ((2,), 2, "m-00001-of-00002.gguf is not beside it"),
        ((1, 2), 2, "is part 2 of 2"),
    ],
)
def test_a_part_of_a_split_file_is_refused(
    tmp_path: Path, present: tuple[int, ...], named: int, complaint: str
) -> None:
    """A missing part is named; so is the first file where another part was given."""
    for number in present:
        (tmp_path / f"m-0000{number}-of-00002.gguf").write_bytes(b"GGUF")

    with pytest.raises(ModelUnavailableError, match=complaint):
        find_weights(str(tmp_path / f"m-0000{named}-of-00002.gguf"))


@pytest.mark.slow
@pytest.mark.parametrize("key", [b"tokenizer.ggml.model", b"tokenizer.ggml.pre"])
def test_a_foreign_tokenizer_is_refused(tmp_path: Path, key: bytes) -> None:
    """A file whose tokenizer llama.cpp does not know is one clear error."""
    data = find_weights("bundled").read_bytes()
    start = data.index(key) + len(key) + 4 + 8
    length = int.from_bytes(data[start - 8 : start], "little")
    file = tmp_path / "foreign.gguf"
    file.write_bytes(data[:start] + b"x" * length + data[start + length :])

    with pytest.raises(ModelUnavailableError, match=r"llama\.cpp cannot load the file") as caught:
        open_model(str(file), Settings.of({"LLAMA_DEFAULT_CONTEXT_SIZE": 512}))

    assert "unknown tokenizer" in caught.value.hint


@pytest.mark.model
def test_weights_damaged_in_the_middle_are_an_error(tmp_path: Path) -> None:
    """Weights that give no numbers are an error at the first question, and no empty answer."""
    data = bytearray(find_weights("bundled").read_bytes())
    middle = len(data) // 2
    data[middle : middle + 200_000] = b"\xff" * 200_000
    file = tmp_path / "damaged.gguf"
    file.write_bytes(data)
    model = open_model(str(file), Settings.of({"LLAMA_DEFAULT_CONTEXT_SIZE": 512}))
    question = CompletionRequest(
        role="planner", messages=(Message("user", "Say yes."),), seeds=(0,), temperature=0,
        max_tokens=4,
    )  # fmt: skip

    with pytest.raises(ModelUnavailableError, match="its file is damaged"):
        model.complete(question)
    model.close()
