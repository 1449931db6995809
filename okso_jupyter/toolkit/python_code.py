"""Static analysis of the effects of Python code, by its syntax tree.

Scoring, form and approval use it before anything runs; what confines the code is the sandbox.
Names are judged as written, with import aliases resolved: code that hides its actions behind
getattr or strings is marked only for the use of those.
"""

from __future__ import annotations

import ast
import importlib.util
from collections.abc import Iterator
from typing import Final

from okso_jupyter.effects.effect import Effect, Effects

#: Functions that read files, by full name; any function called read_... counts too.
_READERS: Final = frozenset(
    {
        "glob.glob",
        "glob.iglob",
        "numpy.genfromtxt",
        "numpy.load",
        "numpy.loadtxt",
        "os.listdir",
        "os.open",
        "os.scandir",
        "os.stat",
        "os.walk",
        "sqlite3.connect",
        "tarfile.open",
    }
)
_READING_METHODS: Final = frozenset({"glob", "iterdir", "rglob"})
_READING_PREFIX: Final = "read_"

#: Functions that open a file with a mode as second argument.
_OPENERS: Final = frozenset(
    {"bz2.open", "gzip.open", "io.open", "lzma.open", "open", "zipfile.ZipFile"}
)

#: Functions that may change files or processes, by full name.
_WRITERS: Final = frozenset(
    {
        "numpy.save",
        "numpy.savetxt",
        "numpy.savez",
        "numpy.savez_compressed",
        "os.chmod",
        "os.chown",
        "os.execv",
        "os.execve",
        "os.execvp",
        "os.fork",
        "os.kill",
        "os.killpg",
        "os.link",
        "os.makedirs",
        "os.mkdir",
        "os.mkfifo",
        "os.open",
        "os.popen",
        "os.posix_spawn",
        "os.putenv",
        "os.remove",
        "os.removedirs",
        "os.rename",
        "os.renames",
        "os.replace",
        "os.rmdir",
        "os.spawnl",
        "os.spawnv",
        "os.symlink",
        "os.system",
        "os.truncate",
        "os.unlink",
        "os.utime",
        "sqlite3.connect",
    }
)
#: Modules whose functions all count as changes.
_WRITING_MODULES: Final = ("ctypes", "multiprocessing", "shutil", "subprocess")
_WRITING_METHODS: Final = frozenset(
    {
        "hardlink_to",
        "mkdir",
        "rmdir",
        "savefig",
        "symlink_to",
        "to_excel",
        "to_feather",
        "to_hdf",
        "to_parquet",
        "to_pickle",
        "to_sql",
        "to_stata",
        "touch",
        "unlink",
        "write_bytes",
        "write_text",
    }
)
#: Methods that return text unless a target to write to is given.
_WRITING_IF_PLACED: Final = frozenset(
    {"to_csv", "to_html", "to_json", "to_latex", "to_markdown", "to_string", "to_xml"}
)
_PLACES: Final = frozenset({"buf", "path_or_buf", "path_or_buffer"})
#: Methods that strings or tables have too: they count only on a path.
_WRITING_ON_PATHS: Final = frozenset({"chmod", "rename", "replace"})

_PATH_CLASSES: Final = frozenset({"pathlib.Path", "pathlib.PosixPath", "pathlib.WindowsPath"})
#: Attributes and methods of a path that return another path.
_PATH_TO_PATH: Final = frozenset(
    {
        "absolute",
        "cwd",
        "expanduser",
        "glob",
        "home",
        "iterdir",
        "joinpath",
        "parent",
        "resolve",
        "rglob",
        "with_name",
        "with_stem",
        "with_suffix",
    }
)

#: Functions that execute or fetch what a string names.
_RUNNERS: Final = frozenset({"compile", "eval", "exec"})
_IMPORTERS: Final = frozenset({"__import__", "importlib.import_module"})

_NETWORK_MODULES: Final = (
    "aiohttp",
    "ftplib",
    "http.client",
    "httpx",
    "imaplib",
    "paramiko",
    "requests",
    "smtplib",
    "socket",
    "telnetlib",
    "urllib.request",
    "urllib3",
    "websocket",
    "websockets",
    "xmlrpc.client",
)
_WEB_ADDRESS: Final = ("ftp://", "http://", "https://", "s3://")


def effects_of_code(code: str) -> Effects:
    """Return the effects of code: always that it runs code, plus what the source shows.

    Args:
        code: Python statements; empty or unparsable code also has undeclared effects.
    """
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        tree = ast.Module([], [])
    if not tree.body:
        return frozenset({Effect.RUNS_CODE, Effect.UNDECLARED})
    judge = _Judge(_Names(tree))
    try:
        judge.visit(tree)
    except RecursionError:
        judge.found.add(Effect.UNDECLARED)
    return frozenset(judge.found)


def missing_module(code: str) -> str:
    """Return a module that code imports and that is not installed; "" if all are there.

    Code that handles exceptions may provide for a missing module, and is not judged.

    Args:
        code: Python statements that can be parsed.
    """
    tree = ast.parse(code)
    if any(isinstance(node, ast.Try | ast.TryStar) for node in ast.walk(tree)):
        return ""
    tops = [name.partition(".")[0] for name in _imported(tree)]
    return next((top for top in tops if importlib.util.find_spec(top) is None), "")


def _imported(tree: ast.Module) -> Iterator[str]:
    """Yield the full names of imported modules."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module


class _Names:
    """Name resolution for one tree: modules, functions, paths."""

    def __init__(self, tree: ast.Module) -> None:
        self._aliases = dict(_aliases(tree))
        self._paths: set[str] = set()
        for node in ast.walk(tree):
            if isinstance(node, ast.Assign) and self.is_path(node.value):
                self._paths.update(t.id for t in node.targets if isinstance(t, ast.Name))
            elif isinstance(node, ast.For | ast.comprehension) and self.is_path(node.iter):
                self._paths.update({node.target.id} if isinstance(node.target, ast.Name) else ())

    def full(self, node: ast.expr) -> str:
        """Return the full dotted name of an expression, or "" if it is not a name."""
        if isinstance(node, ast.Name):
            return self._aliases.get(node.id, node.id)
        if isinstance(node, ast.Attribute):
            return _joined(self.full(node.value), node.attr)
        if not isinstance(node, ast.Call):
            return ""
        texts = [arg.value for arg in node.args if isinstance(arg, ast.Constant)]
        if self.full(node.func) in _IMPORTERS and texts:
            return str(texts[0])
        if self.full(node.func) == "getattr" and texts:
            return _joined(self.full(node.args[0]), str(texts[0]))
        return ""

    def is_module(self, node: ast.expr) -> bool:
        """Return whether an expression is an imported name."""
        return isinstance(node, ast.Name) and node.id in self._aliases

    def is_path(self, node: ast.expr) -> bool:
        """Return whether an expression is a pathlib path or several, as far as the source shows."""
        if isinstance(node, ast.Name):
            return node.id in self._paths or self.full(node) in _PATH_CLASSES
        if isinstance(node, ast.BinOp):
            return isinstance(node.op, ast.Div) and (
                self.is_path(node.left) or self.is_path(node.right)
            )
        if isinstance(node, ast.Call):
            return self.full(node.func) in _PATH_CLASSES or self.is_path(node.func)
        if isinstance(node, ast.Attribute):
            is_class = self.full(node) in _PATH_CLASSES
            return is_class or (node.attr in _PATH_TO_PATH and self.is_path(node.value))
        return False


class _Judge(ast.NodeVisitor):
    """Collects the effects of a tree."""

    def __init__(self, names: _Names) -> None:
        self.found = {Effect.RUNS_CODE}
        self._names = names

    def visit_Import(self, node: ast.Import) -> None:
        """Judge imported modules: a network module counts as network use."""
        for alias in node.names:
            self._note_name(alias.name, network_only=True)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        """Judge imported names; a star import hides which functions are used."""
        module = node.module or ""
        for alias in node.names:
            self._note_name(f"{module}.{alias.name}", network_only=True)
            if alias.name == "*" and (module == "os" or module in _WRITING_MODULES):
                self.found.add(Effect.WRITES)

    def visit_Name(self, node: ast.Name) -> None:
        """Judge a name, called or passed on, as in map(remove, names)."""
        self._note_name(self._names.full(node))

    def visit_Attribute(self, node: ast.Attribute) -> None:
        """Judge a dotted name, called or passed on, as in map(os.remove, names)."""
        self._note_name(self._names.full(node))
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        """Judge a call by the function's full name, the method's name, and the arguments."""
        name = self._names.full(node.func)
        self._note_name(self._names.full(node))
        if name in _OPENERS:
            self._note_open(node, place=1)
        elif name in _RUNNERS | _IMPORTERS | {"getattr"}:
            self._note_dynamic(node, name)
        if isinstance(node.func, ast.Attribute):
            self._note_method(node, node.func)
        elif name in _OPENERS and isinstance(node.func, ast.Name):
            # the name itself is judged with its mode, above
            for child in (*node.args, *node.keywords):
                self.visit(child)
            return
        self.generic_visit(node)

    def _note_name(self, name: str, *, network_only: bool = False) -> None:
        """Add the effects of mentioning a full name."""
        name = name.removeprefix("builtins.")
        if _lies_in(name, _NETWORK_MODULES):
            self.found.add(Effect.NETWORK)
        if network_only:
            return
        if name in _WRITERS or (_lies_in(name, _WRITING_MODULES) and "." in name):
            self.found.add(Effect.WRITES)
        if name in _READERS or name.rpartition(".")[2].startswith(_READING_PREFIX):
            self.found.add(Effect.READS)
        if name == "open":
            # passed on as a value: its caller chooses the mode
            self.found |= {Effect.READS, Effect.WRITES}

    def _note_open(self, call: ast.Call, *, place: int) -> None:
        """Add the effects of an open() by its mode; a mode that is not a literal may be any."""
        modes = [keyword.value for keyword in call.keywords if keyword.arg in {"mode", None}]
        modes += call.args[place : place + 1]
        modes += [arg for arg in call.args if isinstance(arg, ast.Starred)]
        mode = modes[0] if modes else ast.Constant("r")
        letters = mode.value if isinstance(mode, ast.Constant) else None
        known = isinstance(letters, str)
        if not known or set(str(letters)) & set("wax+"):
            self.found.add(Effect.WRITES)
        if not known or "+" in str(letters) or not set(str(letters)) & set("wax"):
            self.found.add(Effect.READS)

    def _note_dynamic(self, call: ast.Call, name: str) -> None:
        """Add the effects of executing or fetching a string; a computed string may be anything."""
        first = call.args[0] if call.args else None
        if name == "getattr":
            is_open = len(call.args) > 1 and not isinstance(call.args[1], ast.Constant)
            if is_open and first is not None and self._names.is_module(first):
                self.found.add(Effect.WRITES)
        elif not (isinstance(first, ast.Constant) and isinstance(first.value, str)):
            self.found.add(Effect.WRITES)
        elif name in _RUNNERS:
            self.found |= effects_of_code(first.value)

    def _note_method(self, call: ast.Call, function: ast.Attribute) -> None:
        """Add the effects of a method, by its name and, if that is ambiguous, its owner."""
        method = function.attr
        if method in _READING_METHODS or method.startswith(_READING_PREFIX):
            self.found.add(Effect.READS)
            if any(_is_web_address(argument) for argument in call.args):
                self.found.add(Effect.NETWORK)
        placed = bool(call.args) or any(keyword.arg in _PLACES for keyword in call.keywords)
        on_path = self._names.is_path(function.value)
        if (
            method in _WRITING_METHODS
            or (method in _WRITING_IF_PLACED and placed)
            or (method in _WRITING_ON_PATHS and on_path)
        ):
            self.found.add(Effect.WRITES)
        if method == "open" and on_path:
            self._note_open(call, place=0)


def _aliases(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Yield each imported name with the full name it stands for."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                top = alias.name.partition(".")[0]
                yield (alias.asname, alias.name) if alias.asname else (top, top)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                yield alias.asname or alias.name, _joined(node.module, alias.name)


def _joined(owner: str, name: str) -> str:
    """Return a dotted name; built-in functions are known by their bare name."""
    if owner in {"builtins", "__builtins__"}:
        return name
    return f"{owner}.{name}" if owner else ""


def _lies_in(name: str, modules: tuple[str, ...]) -> bool:
    """Return whether a dotted name is one of these modules or inside one."""
    return any(name == module or name.startswith(f"{module}.") for module in modules)


def _is_web_address(node: ast.expr) -> bool:
    """Return whether an expression is a literal network address."""
    return (
        isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and node.value.startswith(_WEB_ADDRESS)
    )
