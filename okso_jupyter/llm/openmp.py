"""How long OpenMP's threads spin while they wait for each other, where the user did not choose."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_WAITING: Final = ("GOMP_SPINCOUNT", "OMP_WAIT_POLICY")
_SPINS: Final = "1000"


def short_spins(environ: Mapping[str, str]) -> dict[str, str]:
    """Return the variables that let threads yield soon; none if the environment has such."""
    return {} if any(name in environ for name in _WAITING) else {_WAITING[0]: _SPINS}
