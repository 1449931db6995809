"""What a kernel of tests has imported when it is forked: all that a cell which runs a plan imports.

The kernel itself, the package, and the module that becomes the kernel, with what that imports; not
llama.cpp, which is not made to be forked once it is loaded.
"""

from __future__ import annotations

import gc
import importlib
from typing import Final

from okso_jupyter.jsonschema_import import load_jsonschema
from okso_jupyter.session.tool_set import catalog

_IMPORTED: Final = (
    "ipykernel.kernelapp",
    "ipywidgets",
    "jinja2",
    "okso_jupyter.frames.candidates",
    "okso_jupyter.frames.run_tables",
    "okso_jupyter.magic.display.cell_display",
    "okso_jupyter.magic.line_magic",
    "okso_jupyter.magic.magics",
    "okso_jupyter.planning.calculations.relative_dates",
    "okso_jupyter.planning.file_commands.command_steps",
    "okso_jupyter.planning.file_commands.text_questions",
    "okso_jupyter.planning.replies.personal_data",
    "okso_jupyter.planning.table_questions.table_request",
    "okso_jupyter.planning.table_questions.unmatched_in_period",
    "okso_jupyter.session.session",
    "okso_jupyter.testing",
    "okso_jupyter.views.run_html",
    "okso_jupyter.widgets.live_panel",
    "pandas",
    "tests.approval.warm_kernel",
)

for _name in _IMPORTED:
    importlib.import_module(_name)
load_jsonschema()
catalog(None)  # imports the tools
# Each kernel would look at all of it for garbage, and so copy it.
gc.freeze()
