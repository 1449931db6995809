"""One model for all tests of this folder: loading it takes a second."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from okso_jupyter.llm.context_size import ContextLimits
from okso_jupyter.llm.llama import LlamaModel
from okso_jupyter.settings import Settings


@pytest.fixture(scope="session")
def model() -> Iterator[LlamaModel]:
    """The bundled model with a small context."""
    loaded = LlamaModel(
        "bundled",
        limits=ContextLimits(default_tokens=1024, cap_tokens=1024),
        threads=1,
        cache=Settings().cache,
    )
    yield loaded
    loaded.close()


@pytest.fixture(name="_shared_states")
def _share_nothing() -> None:
    """These tests are about what a model computes and what it finds saved."""
