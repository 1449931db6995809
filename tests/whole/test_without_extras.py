"""Without the extras, every module is imported but those that are loaded once one is used."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.whole.code import PACKAGE

#: What is imported only after a store, a document, a server or an endpoint is asked for.
OF_AN_EXTRA = {
    "okso_jupyter.documents.readers.docx",
    "okso_jupyter.documents.readers.pdf",
    "okso_jupyter.documents.readers.pptx",
    "okso_jupyter.documents.readers.xlsx",
    "okso_jupyter.mcp_server.served_tools",
    "okso_jupyter.personal.calendar.apple_calendar",
    "okso_jupyter.personal.calendar.vevent_folder",
    "okso_jupyter.personal.ical.ical_files",
    "okso_jupyter.personal.ical.ical_limits",
    "okso_jupyter.personal.mail.imap",
    "okso_jupyter.personal.mail.imap_connection",
    "okso_jupyter.personal.mail.imap_drafts",
    "okso_jupyter.personal.notes.markdown_folder",
    "okso_jupyter.personal.reminders.vtodo_folder",
    "okso_jupyter.telemetry.otlp_exporter",
}

#: Hides each package that a plain installation does not bring, then imports every module.
IMPORTS = """
import importlib, json, pathlib, sys, tomllib
from importlib import metadata
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

def needed(wanted):
    seen, todo = set(), [Requirement(text) for text in wanted]
    while todo:
        one = todo.pop()
        if canonicalize_name(one.name) in seen and not one.extras:
            continue
        seen.add(canonicalize_name(one.name))
        for text in metadata.requires(one.name) or ():
            part = Requirement(text)
            extras = one.extras or {""}
            if not part.marker or any(part.marker.evaluate({"extra": e}) for e in extras):
                todo.append(part)
    return seen

project = tomllib.loads(pathlib.Path("pyproject.toml").read_text())["project"]
plain = needed(project["dependencies"])
for name, owners in metadata.packages_distributions().items():
    if not plain & {canonicalize_name(owner) for owner in owners}:
        sys.modules[name] = None
failed = []
for file in sorted(pathlib.Path("okso_jupyter").rglob("*.py")):
    name = ".".join(file.with_suffix("").parts).removesuffix(".__init__")
    try:
        if file.name != "__main__.py":
            importlib.import_module(name)
    except ModuleNotFoundError:
        failed.append(name)
print(json.dumps(failed))
"""


@pytest.mark.process
def test_only_modules_of_an_extra_need_one() -> None:
    """A module that everyone imports must not import, or import from, one of these."""
    told = subprocess.run(  # noqa: S603  our own code
        [sys.executable, "-c", IMPORTS],
        capture_output=True,
        text=True,
        check=True,
        cwd=PACKAGE.parent,
    )
    assert set(json.loads(told.stdout)) == OF_AN_EXTRA
