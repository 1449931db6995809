"""Code steps: reads clauses that look at files in a way that takes a few lines of Python."""

from __future__ import annotations

import posixpath
import shlex
from collections.abc import Callable, Mapping
from typing import Final

from okso_jupyter.planning.file_commands.clause import CommandClause, Found
from okso_jupyter.planning.file_commands.content_steps import has_lines
from okso_jupyter.planning.file_commands.list_steps import is_list
from okso_jupyter.planning.file_commands.phrase_parts import ENDS, SUFFIXES


def _compared(clause: CommandClause) -> Found:
    """Read a request for the largest, smallest, newest or oldest files."""
    folder = clause.path("within") if clause.said("within") else "."
    if not clause.before.is_folder(folder):
        return None
    word = clause.said("end").lower()
    by, is_descending = ENDS[word]
    number = clause.said("number")
    many = int(number) if number.isdigit() else 5 if clause.said("several") else 1
    suffixes = SUFFIXES.get(clause.said("kind").lower(), ())
    code = _CODE.format(
        folder=folder,
        suffixes=f" and p.name.lower().endswith({suffixes!r})" if suffixes else "",
        by=by,
        reverse=is_descending,
        many=many,
    )
    title = f"Find the {word} {f'{many} files' if many > 1 else 'file'} in {folder}"
    return _run(clause, code, title)


_CODE: Final = """\
from datetime import datetime
from pathlib import Path

files = [
    p for p in Path({folder!r}).rglob("*")
    if p.is_file() and not any(part.startswith(".") for part in p.parts){suffixes}
]
for p in sorted(files, key=lambda p: p.stat().st_{by}, reverse={reverse})[:{many}]:
    changed = datetime.fromtimestamp(p.stat().st_mtime)
    print(f"{{p}}: {{p.stat().st_size:,}} bytes, changed {{changed:%Y-%m-%d %H:%M}}")
"""


def _repeated(clause: CommandClause) -> Found:
    """Read a question for the lines that a file has more than once."""
    return _of_lines(clause, _REPEATED, "Find what stands in {file} more than once")


def _distinct(clause: CommandClause) -> Found:
    """Read a question for the number of different lines of a file, or for these lines."""
    code = _COUNT if clause.said("count") else _DISTINCT
    return _of_lines(clause, code, "Find the different lines of {file}")


def _of_lines(clause: CommandClause, code: str, title: str) -> Found:
    files = clause.files()
    if len(files) != 1 or not clause.before.have(files) or not has_lines(files[0]):
        return None
    (file,) = files
    if not is_list(clause.before.folder.text(file)):
        return None
    return _run(clause, _READ.format(file=file) + code, title.format(file=file))


_READ: Final = """\
from collections import Counter
from pathlib import Path

lines = Path({file!r}).read_text("utf-8").splitlines()
counts = Counter(line.strip() for line in lines if line.strip())
"""
_REPEATED: Final = """\
repeated = [f"{line}: {times} times" for line, times in counts.items() if times > 1]
print("\\n".join(repeated) or "nothing stands there more than once")
"""
_COUNT: Final = """\
print(f"{len(counts)} different lines of {counts.total()}")
"""
_DISTINCT: Final = """\
print("\\n".join(counts))
"""


def _file_count(clause: CommandClause) -> Found:
    """Read a question for the number of files, in a folder and beneath it."""
    folder = clause.path("within") if clause.said("within") else "."
    if not clause.before.is_folder(folder):
        return None
    kind = clause.said("kind").lower()
    suffixes = SUFFIXES.get(kind, ())
    condition = f" and p.name.lower().endswith({suffixes!r})" if suffixes else ""
    code = _FILE_COUNT.format(folder=folder, suffixes=condition)
    where = "this folder" if folder == "." else folder
    return _run(clause, code, f"Count the {kind + ' ' if kind else ''}files in {where}")


_FILE_COUNT: Final = """\
from pathlib import Path

folder = Path({folder!r})
files = [
    p for p in folder.rglob("*")
    if p.is_file() and not any(part.startswith(".") for part in p.parts){suffixes}
]
here = [p for p in files if p.parent == folder]
print(len(here))
if len(files) > len(here):
    print(f"{{len(files)}} with those in its folders")
"""


def _line_by_length(clause: CommandClause) -> Found:
    """Read a question for the longest or shortest line or word of a text."""
    files = clause.files()
    if len(files) != 1 or not clause.before.have(files):
        return None
    if not (clause.before.folder.text(files[0]) or "").strip():
        return None
    end, unit = clause.said("end").lower(), clause.said("unit").lower()
    parts = "splitlines()" if unit == "line" else "split()"
    code = _BY_LENGTH.format(
        file=files[0], parts=parts, choose="max" if end == "longest" else "min"
    )
    return _run(clause, code, f"Find the {end} {unit} of {files[0]}")


_BY_LENGTH: Final = """\
from pathlib import Path

parts = Path({file!r}).read_text("utf-8").{parts}
print({choose}((part for part in parts if part.strip()), key=len))
"""


def _difference(clause: CommandClause) -> Found:
    """Read a request to compare two texts, line by line."""
    files = clause.files()
    if len(files) != 2 or not clause.before.have(files):  # noqa: PLR2004  two are compared
        return None
    if any(clause.before.folder.text(file) is None for file in files):
        return None
    code = _DIFFERENCE.format(old=files[0], new=files[1])
    return _run(clause, code, f"Compare {files[0]} with {files[1]}")


_DIFFERENCE: Final = """\
import difflib
from pathlib import Path

old, new = (Path(path).read_text("utf-8").splitlines() for path in ({old!r}, {new!r}))
changes = difflib.unified_diff(old, new, {old!r}, {new!r}, lineterm="", n=0)
print("\\n".join(changes) or "there is no difference")
"""


def _program_run(clause: CommandClause) -> Found:
    """Read "run a.py": its text is the code that is shown, approved and run.

    Arguments are set in a line before it.
    """
    files = clause.files()
    if len(files) != 1 or not clause.before.have(files):
        return None
    (file,) = files
    is_python = posixpath.splitext(file)[1].lower() == ".py"
    text = clause.before.folder.text(file) if is_python and not clause.before.taken else None
    if not text or not text.strip():
        return None
    arguments = _words(clause.text("arguments"))
    if not arguments:
        return _run(clause, text, f"Run {file}")
    if "from __future__" in text:
        return None  # it has to be the first line
    given = f"import sys\n\nsys.argv = {[file, *arguments]!r}\n\n"
    return _run(clause, given + text, f"Run {file} with {' '.join(arguments)}")


def _words(text: str) -> list[str]:
    """Return the arguments of a command line; one where its quotation marks do not match."""
    try:
        return shlex.split(text)
    except ValueError:
        return [text]


def _run(clause: CommandClause, code: str, title: str) -> Found:
    step = {"tool": "python_repl", "args": {"input": code}, "title": title}
    return (step,), clause.before


#: The reader of each kind of clause.
READERS: Final[Mapping[str, Callable[[CommandClause], Found]]] = {
    "compare": _compared,
    "repeated": _repeated,
    "distinct": _distinct,
    "file count": _file_count,
    "line by length": _line_by_length,
    "difference": _difference,
    "run": _program_run,
}
