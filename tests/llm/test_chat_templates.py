"""A file's own chat template: missing, failing, or without system messages."""

from __future__ import annotations

from pathlib import Path

import pytest

from okso_jupyter.errors import ModelUnavailableError
from okso_jupyter.llm.context_size import ContextLimits
from okso_jupyter.llm.llama import LlamaModel
from okso_jupyter.llm.protocol import Completion, CompletionRequest, Message
from okso_jupyter.llm.specs import find_weights

pytestmark = pytest.mark.model

KEY = b"tokenizer.chat_template"
NO_SYSTEM = (
    "{% for m in messages %}{% if m['role'] == 'system' %}{{ raise_exception('no system') }}"
    "{% endif %}<{{ m['role'] }}>{{ m['content'] }}{% endfor %}"
)


def _with_template(path: Path, template: str) -> Path:
    """Write the bundled file with another chat template, padded to the same length."""
    data = find_weights("bundled").read_bytes()
    start = data.index(KEY) + len(KEY) + 4 + 8
    length = int.from_bytes(data[start - 8 : start], "little")
    path.write_bytes(data[:start] + template.encode().ljust(length) + data[start + length :])
    return path


def _asked(path: Path) -> Completion:
    model = LlamaModel(
        str(path), limits=ContextLimits(default_tokens=256, cap_tokens=256), threads=1
    )
    try:
        return model.complete(
            CompletionRequest(
                role="planner", messages=(Message("system", "Be brief."), Message("user", "Hi.")),
                seeds=(1,), temperature=0, max_tokens=4,
            )
        )[0]  # fmt: skip
    finally:
        model.close()


def test_a_file_without_a_template_is_an_error(tmp_path: Path) -> None:
    """A file without a chat template is refused; no template is guessed."""
    path = tmp_path / "none.gguf"
    path.write_bytes(find_weights("bundled").read_bytes().replace(KEY, b"tokenizer.chat_templatX"))

    with pytest.raises(ModelUnavailableError, match="has no chat template"):
        _asked(path)


@pytest.mark.parametrize(
    "template", ["{% if %}", "{{ a.b.c }}", "{{ 1 + 'a' }}", "{{ raise_exception('never') }}"]
)
def test_a_failing_template_is_reported(tmp_path: Path, template: str) -> None:
    """Whatever the template raises, the error says so and its hint names the setting."""
    with pytest.raises(ModelUnavailableError, match=r"its chat template fails: \S") as caught:
        _asked(_with_template(tmp_path / "bad.gguf", template))

    assert "PLANNER_MODEL_SPEC" in caught.value.hint


def test_system_text_is_added_to_the_users_message(tmp_path: Path) -> None:
    """If a template takes no system message, its text is put before the user's."""
    completion = _asked(_with_template(tmp_path / "nosystem.gguf", NO_SYSTEM))

    assert completion.prompt.strip() == "<user>Be brief.\n\nHi."
