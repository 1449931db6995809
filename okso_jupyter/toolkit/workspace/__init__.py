"""Files beneath one root, and nothing outside it.

In: paths as people and models write them. Out: bytes, `Entry` records, one-sentence errors.
Every access starts at a handle of the root; no path is ever followed by name from outside.
"""

from okso_jupyter.toolkit.workspace.atomic import MAX_KEPT_BYTES
from okso_jupyter.toolkit.workspace.beneath import without_links
from okso_jupyter.toolkit.workspace.entries import Entry, Walk
from okso_jupyter.toolkit.workspace.files import Workspace
from okso_jupyter.toolkit.workspace.forecast import Forecast
from okso_jupyter.toolkit.workspace.images import Images
from okso_jupyter.toolkit.workspace.made_files import MadeFiles
from okso_jupyter.toolkit.workspace.path_locks import PathLocks
from okso_jupyter.toolkit.workspace.predictions import UnknownContentError, fingerprint_of
from okso_jupyter.toolkit.workspace.protected import is_protected, is_run_by_name

__all__ = [
    "MAX_KEPT_BYTES",
    "Entry",
    "Forecast",
    "Images",
    "MadeFiles",
    "PathLocks",
    "UnknownContentError",
    "Walk",
    "Workspace",
    "fingerprint_of",
    "is_protected",
    "is_run_by_name",
    "without_links",
]
