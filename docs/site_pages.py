"""Pages of the site that lie outside docs/, and links as the site needs them; a hook of mkdocs."""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath
from typing import Final

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

_ROOT: Final = Path(__file__).resolve().parents[1]
#: Files of the repository that are pages, by their addresses in the site.
_PAGES: Final = {
    "index.md": "README.md",
    "contributing.md": "CONTRIBUTING.md",
    "changelog.md": "CHANGELOG.md",
}
_DECISIONS: Final = "decisions"
_LINK: Final = re.compile(r"(!?)\[([^\]]*)\]\(([^)#:]+)(#[^)]*)?\)")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages from outside docs/."""
    for address, name in _PAGES.items():
        files.append(File.generated(config, address, abs_src_path=str(_ROOT / name)))
    index = File.generated(
        config, f"{_DECISIONS}/index.md", content=_decisions(Path(config.docs_dir))
    )
    files.append(index)
    return files


def _decisions(docs: Path) -> str:
    """Return the page that lists the decisions, in the order of their numbers."""
    rows = []
    for page in sorted((docs / _DECISIONS).glob("[0-9]*.md")):
        title = re.sub(r"^# ([0-9]+[.] )?", "", page.read_text("utf-8").splitlines()[0])
        rows.append(f"- {page.name[:4].lstrip('0')}: [{title}]({page.name})")
    return "\n".join(["# Decisions", "", "Why it is built this way.", "", *rows])


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Return the text of a page with its links to files of the repository as links of the site.

    A link to a file that is not part of the site keeps its words alone.
    """
    source = _PAGES.get(page.file.src_uri)
    folder = _ROOT / source if source else Path(config.docs_dir) / page.file.src_uri
    depth = len(PurePosixPath(page.file.src_uri).parts) - 1

    def as_in_site(match: re.Match[str]) -> str:
        image, words, target, part = match.groups()
        path = (folder.parent / target).resolve()
        address = next((at for at, name in _PAGES.items() if _ROOT / name == path), None)
        if address is None and path.is_relative_to(config.docs_dir):
            address = path.relative_to(config.docs_dir).as_posix()
        if address is not None and path.is_dir():
            address = f"{address}/index.md"
        if address is None or (path.exists() and files.get_file_from_path(address) is None):
            return words
        return f"{image}[{words}]({'../' * depth}{address}{part or ''})"

    return _LINK.sub(as_in_site, markdown)
