"""A double of `osascript`: checks its command line, and runs the script in node.

Usage: osascript_double.py FOLDER ARGUMENT...

Where the folder holds a file `behaviour`, it does what that says in place of the script.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from pathlib import Path

from okso_jupyter.personal.apple.osascript import script_of

_APPLICATIONS = ("Notes", "Reminders", "Calendar", "Mail")
_MODEL = Path(__file__).with_name("applications.js")


def main(folder: Path, arguments: list[str]) -> int:
    """Return the exit code."""
    language, script, pieces = arguments[:3], arguments[3], arguments[4:]
    with (folder / "asked.jsonl").open("a") as asked:
        asked.write(json.dumps({"script": script, "pieces": pieces}) + "\n")
    assert language == ["-l", "JavaScript", "-e"], language
    assert script in map(script_of, _APPLICATIONS), "a script that is none of the package"
    assert pieces, "no request"
    assert all(piece.isascii() and len(piece) <= 65536 for piece in pieces), "a piece is unfit"
    assert isinstance(json.loads("".join(pieces)), dict), "the request is no object"
    behaviour = folder / "behaviour"
    if behaviour.exists():
        return _misbehaved(json.loads(behaviour.read_text()), folder)
    node = shutil.which("node")
    assert node, "there is no node"
    done = subprocess.run(  # noqa: S603  our own command line
        [node, str(_MODEL), str(folder / "state.json")],
        input=json.dumps({"script": script, "argv": pieces}).encode(),
        check=False,
    )
    return done.returncode


def _misbehaved(behaviour: dict[str, str], folder: Path) -> int:
    """Hang, or print something, and return the exit code."""
    if "hang" in behaviour:
        (folder / "hangs").touch()
        time.sleep(60)
    sys.stdout.write(behaviour.get("stdout", "") * int(behaviour.get("times", "1")))
    sys.stderr.write(behaviour.get("stderr", ""))
    return int(behaviour.get("exit", "0"))


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
