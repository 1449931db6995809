"""A local dask cluster whose worker is a separate process."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest


@cache
def local_cluster() -> Any:
    """Return the cached cluster with one worker; dask closes it at the end."""
    distributed = pytest.importorskip("distributed", reason="dask is not installed")
    return distributed.LocalCluster(
        n_workers=1,
        threads_per_worker=2,
        processes=True,
        dashboard_address=":0",  # another cluster may be on the usual port
        silence_logs="WARNING",
    )
