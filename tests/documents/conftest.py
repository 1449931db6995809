"""A converter with a sandboxed reader; tests are skipped if a layer is missing."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from okso_jupyter.documents import Converter
from okso_jupyter.errors import ToolRefusedError


@pytest.fixture(name="converter", scope="module")
def _converter(_process: None) -> Iterator[Converter]:
    """A converter whose worker has already answered, shared by the tests of a file."""
    with Converter() as converter:
        try:
            converter.to_markdown(b"<p>probe", "html")
        except ToolRefusedError as error:
            pytest.skip(f"NOT TESTED, a layer is missing here: {error}")
        yield converter
