"""Steps: the steps that a request asks for in so many words, as JSON data of a plan."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Steps = tuple[Mapping[str, Any], ...]
