"""The states of prompts are kept on disk, and a file that is not sound is never used."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from okso_jupyter.llm.context_size import ContextLimits
from okso_jupyter.llm.llama import LlamaModel
from okso_jupyter.llm.prompt_states import PromptStates
from okso_jupyter.llm.protocol import Completion, CompletionRequest, Message
from okso_jupyter.settings import Settings

CATALOGUE = "Here are the tools, one after another, each with its use. " * 12
COLOUR = {"enum": ["red", "green", "blue", "white", "black", "yellow"]}


@pytest.fixture
def states(tmp_path: Path) -> PromptStates:
    """The states in a folder that does not exist yet."""
    return PromptStates(folder=tmp_path / "home" / "prompt-states")


def test_what_is_saved_is_loaded_again(states: PromptStates) -> None:
    """A state is loaded byte for byte from a private file in a private folder."""
    states.save("ab12", b"state" * 100)

    (file,) = states.folder.iterdir()
    assert states.load("ab12") == b"state" * 100
    assert states.load("cd34") is None
    assert (file.stat().st_mode & 0o777, states.folder.stat().st_mode & 0o777) == (0o600, 0o700)


def _flip(file: Path) -> None:
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    file.write_bytes(data)


DAMAGES: dict[str, Callable[[Path], object]] = {
    "one bit": _flip,
    "cut short": lambda file: file.write_bytes(file.read_bytes()[:-1]),
    "longer": lambda file: file.write_bytes(file.read_bytes() + b"\0"),
    "empty": lambda file: file.write_bytes(b""),
    "another program's": lambda file: file.write_bytes(b"GGUF" * 100),
    "writable by others": lambda file: file.chmod(0o666),
    "a folder": lambda file: file.rename(file.with_name("was")).with_name(file.name).mkdir(),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_an_unsound_file_is_not_used(
    states: PromptStates, damage: Callable[[Path], object]
) -> None:
    """A file that is damaged, foreign or accessible to others is treated as missing."""
    states.save("ab12", b"state" * 100)
    damage(next(states.folder.iterdir()))

    assert states.load("ab12") is None


def test_a_state_under_another_name_is_not_used(states: PromptStates) -> None:
    """A renamed file is not used, since its content belongs to another prompt."""
    states.save("ab12", b"state")
    file = next(states.folder.iterdir())
    file.rename(file.with_stem("cd34"))

    assert states.load("cd34") is None


def test_the_folder_stays_within_its_limit(tmp_path: Path) -> None:
    """The least recently used states are removed; one that is too large is not kept."""
    states = PromptStates(folder=tmp_path, max_bytes=1000)
    for place, key in enumerate(("aa", "bb", "cc")):
        states.save(key, b"x" * 400)
        os.utime(next(tmp_path.glob(f"{key}*")), (place, place))
    states.save("dd", b"x" * 2000)

    kept = {key for key in ("aa", "bb", "cc", "dd") if states.load(key) is not None}
    assert kept == {"bb", "cc"}
    assert sum(file.stat().st_size for file in tmp_path.iterdir()) <= 1000


def test_a_folder_that_cannot_be_made_raises_no_error(tmp_path: Path) -> None:
    """If a file is in the folder's place, nothing is kept and no error is raised."""
    (tmp_path / "home").write_text("in the way")
    states = PromptStates(folder=tmp_path / "home" / "prompt-states")
    states.save("ab12", b"state")

    assert states.load("ab12") is None


def _complete(states: PromptStates, *, damaged: bool = False) -> list[Completion]:
    """Return the completions of a newly loaded model."""
    if damaged:
        _flip(next(states.folder.iterdir()))
    loaded = LlamaModel(
        "bundled",
        limits=ContextLimits(default_tokens=512, cap_tokens=512),
        threads=1,
        home=states.folder.parent,
        cache=Settings().cache,
    )
    messages = (Message("system", CATALOGUE), Message("user", "Name a colour."))
    request = CompletionRequest(
        role="planner", messages=messages, seeds=(1, 2, 3, 4), temperature=1.0, max_tokens=24,
        schema=COLOUR,
    )  # fmt: skip
    try:
        return [*loaded.complete(request)]
    finally:
        loaded.close()


@pytest.mark.model
def test_another_kernel_loads_the_catalogue_from_disk(states: PromptStates) -> None:
    """A new model loads the system message's state from disk and gives the same texts."""
    first, second = _complete(states), _complete(states)

    assert first[0].cached_tokens == 0
    assert second[0].cached_tokens >= 128
    assert [c.text for c in first] == [c.text for c in second]


@pytest.mark.model
def test_a_damaged_state_is_computed_and_written_again(states: PromptStates) -> None:
    """With one flipped bit on disk the prompt is computed in full and its state replaced."""
    first = _complete(states)
    damaged, repaired = _complete(states, damaged=True), _complete(states)

    assert (damaged[0].cached_tokens, repaired[0].cached_tokens >= 128) == (0, True)
    assert [c.text for c in first] == [c.text for c in damaged] == [c.text for c in repaired]


@pytest.fixture
def short() -> Iterator[LlamaModel]:
    """A model without a folder for states."""
    loaded = LlamaModel(
        "bundled",
        limits=ContextLimits(default_tokens=512, cap_tokens=512),
        threads=1,
        cache=Settings().cache,
    )
    yield loaded
    loaded.close()


@pytest.mark.model
def test_a_state_refused_by_the_library_is_computed_again(
    short: LlamaModel, states: PromptStates
) -> None:
    """A state that passes every check but is refused by llama.cpp does not harm the model."""
    held = short._memory
    held._states = states
    tokens = short._weights.tokenize(CATALOGUE)
    states.save(held._key(tokens), b"no state at all")

    assert held.recall([*tokens, 1], len(tokens)) == 0
    assert held.hold([*tokens, 1], len(tokens), lambda _: None).shape == (
        short._weights.vocab_size,
    )
