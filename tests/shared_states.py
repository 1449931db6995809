"""States of prompts that tests share: a prompt's beginning is computed once for all homes."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

#: The variable with their folder.
STATES: Final = "TESTED_PROMPT_STATES"


def share_states(home: Path) -> Path:
    """Have the processes whose OKSO_HOME a folder is use these states; return the folder."""
    home.mkdir(exist_ok=True)
    (home / "prompt-states").symlink_to(os.environ[STATES])
    return home
