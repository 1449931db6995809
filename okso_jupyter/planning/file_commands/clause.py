"""CommandClause: one clause of a request about files, and what the clauses before it have done."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from okso_jupyter.planning.file_commands.command_phrases import BEHIND_FOLDER
from okso_jupyter.planning.file_commands.folder_view import FolderView, are_several
from okso_jupyter.planning.file_commands.named_parts import PATH, NamedParts
from okso_jupyter.planning.file_commands.phrase_parts import MANY, SUFFIXES
from okso_jupyter.planning.file_commands.steps import Steps

#: More files than these are not written out in a call.
MOST_FILES: Final = 60
#: What stands between an old text and the new one.
_BETWEEN: Final = (
    re.compile(r"(?i) (with|by|durch|mit) (?:the (?:word|text) )?"),
    re.compile(r"(?i) (to|into|in|zu|gegen) "),
)
_SEVERAL: Final = 2
#: Words and numbers that say that all files are meant that are called so.
_WHOLE: Final = re.compile(rf"(?i)(?:.* )?(?:all|every|alle|{'|'.join(MANY)}) ")
#: Another clause behind the new text, which is none of it: "tea, then sort the lines".
_MORE: Final = re.compile(
    r"(?i)(?:,|;|\.| and| und) (?:then |also |dann |danach |auch )*"
    r"(?:save|write|store|put|sort|order|delete|remove|copy|move|rename|replace|change|add|append|"
    r"create|make|show|tell|print|count|list|give|send|run|speicher\w*|schreib\w*|sicher\w*|"
    r"sortier\w*|lösch\w*|entfern\w*|kopier\w*|verschieb\w*|benenn\w*|ersetz\w*|änder\w*|füg\w*|"
    r"erstell\w*|leg\w*|zeig\w*|sag\w*|zähl\w*|nenn\w*|setz\w*|trag\w*|häng\w*|notier\w*|"
    r"schick\w*|druck\w*)\b"
)
#: Such a clause about what is found, behind the text that is looked for.
_MORE_WITH_IT: Final = re.compile(
    rf"{_MORE.pattern} (?:them|it|these|those|the|sie|es|diese|die)\b"
)
#: A second replacement or another file behind the new text: "tea and milk to juice".
_SECOND: Final = re.compile(
    r"(?i)(?:,|;| and| und| but| aber| sowie| plus| as well as) "
    r".*\b(?:with|by|durch|mit|to|into|in|zu|gegen) |"
    rf" (?:in|on|auf|aus|from) .*{PATH}"
)
#: Words for the folder that was made last; those of "this folder" without the word for it.
_THERE: Final = frozenset(
    "it there dorthin dahin hinein rein ihn the this that den diesen das dieses".split()
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClausesBefore:
    """What the clauses before have done.

    Attributes:
        folder: What is in the folder when the first of them begins.
        made: Folders that they made.
        files: Files that the last of them speaks of, as they are called after it.
        gone: Paths that are free now.
        taken: Paths of the files that they wrote.
        copies: Those of them that are copies.
        steps: How many steps they are.
        says: Whether the last step gives something that can be saved.
    """

    folder: FolderView
    made: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    gone: frozenset[str] = frozenset()
    taken: frozenset[str] = frozenset()
    copies: frozenset[str] = frozenset()
    steps: int = 0
    says: bool = False

    def is_folder(self, path: str) -> bool:
        """Return whether a folder is there now."""
        return path in self.made or self.folder.is_folder(path)

    def is_free(self, path: str) -> bool:
        """Return whether nothing is at a path now."""
        is_there = path not in self.gone and self.folder.is_there(path)
        return not (is_there or path in self.taken or path in self.made)

    def can_hold(self, path: str) -> bool:
        """Return whether nothing is at a path now, and its folder is there."""
        return self.is_free(path) and self.is_folder(posixpath.dirname(path) or ".")

    def have(self, paths: tuple[str, ...]) -> bool:
        """Return whether there are paths, and something is at each of them now."""
        return bool(paths) and not any(map(self.is_free, paths))

    def moved(self, old: tuple[str, ...], new: tuple[str, ...]) -> ClausesBefore:
        """Return the state after files got new paths; those that were there are gone."""
        gone = (self.gone | frozenset(old)) - frozenset(new)
        taken = (self.taken - frozenset(old)) | frozenset(new)
        return replace(self, files=new, gone=gone, taken=taken)

    def copied(self, new: tuple[str, ...]) -> ClausesBefore:
        """Return the state after files were copied to new paths."""
        return replace(self.moved((), new), copies=self.copies | frozenset(new))


#: The steps of a clause and what has been done after it; None where it is not understood.
Found = tuple[Steps, ClausesBefore] | None


@dataclass(frozen=True, slots=True)
class CommandClause:
    """One clause that a pattern matches.

    Attributes:
        match: The match of its words.
        parts: The request in marks.
        before: What the clauses before have done.
    """

    match: re.Match[str]
    parts: NamedParts
    before: ClausesBefore

    def said(self, group: str) -> str:
        """Return the words of a group; "" where the pattern or the clause has none."""
        return self.match.groupdict().get(group) or ""

    def files(self) -> tuple[str, ...]:
        """Return the files that it is about: by name, as a group, or of the clause before.

        A group of which the number is said has so many, or is none.
        """
        if self.said("files") or not (self.said("kind") or self.said("called")):
            return tuple(self.parts.all_in(self.said("files"))) or self.before.files
        found = self._group()
        many = MANY.get(self.said("many").lower(), len(found))
        return tuple(found) if len(found) == many <= MOST_FILES else ()

    def _group(self) -> list[str]:
        """Return the files of a kind, or those that a folder or their names are called by.

        A word for one thing, as "the draft" or "the csv file", is none for several files.
        """
        folder, is_whole = self.before.folder, _WHOLE.match(self.said("whole"))
        if self.said("called"):
            word = self.parts.value(self.said("called"))
            found = folder.files_called(word)
            return found if is_whole or are_several(word, found) else []
        within = self.path("within") if self.said("within") else "."
        found = folder.files_with(SUFFIXES[self.said("kind").lower()], within)
        return [] if self.said("one") and not is_whole and len(found) > 1 else found

    def is_sure(self) -> bool:
        """Return whether each file that is named without its folder is the only one of its name.

        Nor may the text that is looked for hold what is to be done with what is found.
        """
        is_one = not any(map(self.before.folder.is_one_of_several, self._by_name()))
        return is_one and not _MORE_WITH_IT.search(self.said("needle"))

    def _by_name(self) -> Iterator[str]:
        """Yield the files that are named without their folder."""
        for mark in re.findall(PATH, self.said("files")):
            path = self.parts.value(mark)
            name = self.parts.quoted(mark) or self.parts.original(mark)
            if "/" in path and "/" not in name:
                yield path

    def text(self, group: str) -> str:
        """Return a text to write or to replace, without its quotation marks."""
        return self._text(self.said(group))

    def _text(self, said: str) -> str:
        return self.parts.quoted(said) or self.parts.original(said)

    def is_quoted(self, group: str) -> bool:
        """Return whether a text stands in quotation marks."""
        return bool(self.parts.quoted(self.said(group)))

    def old_and_new(self) -> tuple[str, str]:
        """Return the text to replace and the new one; ("", "") where it is not certain.

        A word between them may stand in one of them as well: then the old text is the longest one
        that the files have, or what is before the only "durch". A new text that another clause,
        another replacement or another file may be in is not certain.
        """
        old, new = self._old_and_new()
        is_quoted = bool(self.parts.quoted(new))
        if not is_quoted and (_MORE.search(new) or _SECOND.search(new)):
            return "", ""
        return self._text(old), self._text(new)

    def _old_and_new(self) -> tuple[str, str]:
        """Return the text to replace and the new one in marks; ("", "") where they are unsure."""
        between = self.match.string[self.match.end("old") : self.match.start("new")]
        words = next((words for words in _BETWEEN if words.fullmatch(between)), None)
        said = self.match.string[self.match.start("old") : self.match.end("new")]
        places = [*words.finditer(said)] if words else []
        if len(places) < _SEVERAL:
            return self.said("old"), self.said("new")
        german = [place for place in places if place[1].lower() == "durch"]
        held = [p for p in places if self._is_held(self._text(said[: p.start()]))]
        place = german[0] if len(german) == 1 else held[-1] if held else None
        if place is None or (not german and _others(places, place)):
            return "", ""
        return said[: place.start()], said[place.end() :]

    def _is_held(self, text: str) -> bool:
        return any(self.before.folder.holds(file, text) for file in self.files())

    def path(self, group: str) -> str:
        """Return the path at the end of a group of words; the last folder made for "it"."""
        said = BEHIND_FOLDER.sub("", self.said(group)).rpartition(" ")[2]
        if said.lower() in _THERE:
            return self.before.made[-1] if self.before.made else ""
        return self.parts.value(said).rstrip("/")


def _others(places: Sequence[re.Match[str]], place: re.Match[str]) -> bool:
    """Return whether another word that may stand between two texts is behind a place."""
    return any(p.start() > place.start() and p[1].lower() != place[1].lower() for p in places)
