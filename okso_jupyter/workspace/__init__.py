"""Access to files beneath one root, and nothing outside it.

In: paths as users and models write them. Out: bytes, `FolderEntry` records, one-sentence errors.
Every access starts at a handle of the root; no path is followed by name from outside.
"""

from okso_jupyter.workspace.atomic import MAX_KEPT_BYTES
from okso_jupyter.workspace.beneath import without_links
from okso_jupyter.workspace.entries import FolderEntry, Walk
from okso_jupyter.workspace.files import Workspace
from okso_jupyter.workspace.forecast import Forecast
from okso_jupyter.workspace.made_files import MadeFiles
from okso_jupyter.workspace.path_locks import PathLocks
from okso_jupyter.workspace.predictions import UnknownContentError, fingerprint_of
from okso_jupyter.workspace.protected import is_protected, is_run_by_name
from okso_jupyter.workspace.undo_images import Images

__all__ = [
    "MAX_KEPT_BYTES",
    "FolderEntry",
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
