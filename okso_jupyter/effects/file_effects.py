"""File effects: what a call would do to existing files, and which content would be lost."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Final, Literal, Self

from okso_jupyter.amounts import counted, size_in_words

#: Change of one path. "add" appends, "change" replaces a part of the content.
FileEffectKind = Literal["create", "add", "change", "replace", "remove", "move"]

_LOSING: Final = frozenset({"replace", "remove"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Extent:
    """Amount of a file's content.

    Attributes:
        size_bytes: Its size; None if not known yet.
        lines: Number of lines of a text; None if it is not a text or not known yet.
    """

    size_bytes: int | None = None
    lines: int | None = None

    def __str__(self) -> str:
        """Return the extent in words, such as "160 lines (8.1 kB)"."""
        if self.size_bytes is None:
            return "what an earlier step gives"
        size = size_in_words(self.size_bytes)
        return size if self.lines is None else f"{counted(self.lines, 'line')} ({size})"


@dataclass(frozen=True, slots=True, kw_only=True)
class FileEffect:
    """Expected effect of a call on one path.

    Attributes:
        kind: What the call does to the path.
        path: The path, relative to the root.
        before: Extent of the file before; None if there is none.
        after: Extent of the file afterwards; None if there is none.
        is_own: Whether the run itself created the existing content.
        is_same: Whether the content stays the same.
        breaks: Format that the file has before and not afterwards, such as "JSON"; else "".
        empties: Whether a change of a part leaves nearly nothing of the file.
    """

    kind: FileEffectKind
    path: str
    before: Extent | None = None
    after: Extent | None = None
    is_own: bool = False
    is_same: bool = False
    breaks: str = ""
    empties: bool = False

    @property
    def is_loss(self) -> bool:
        """Whether content is lost, or made unreadable, that the run did not create itself."""
        holds_something = self.before is not None and self.before.size_bytes != 0
        is_losing = self.kind in _LOSING or bool(self.breaks) or self.empties
        return is_losing and holds_something and not self.is_own and not self.is_same

    def __str__(self) -> str:
        """Return the effect in words, such as "replaces 160 lines (8.1 kB) of a.log by 1 line"."""
        broken = f" so that it is no longer valid {self.breaks}" if self.breaks else ""
        return f"{self._change}{broken}"

    @property
    def _change(self) -> str:
        match self.kind:
            case "replace":
                held = self.before or "what lies there"
                return f"replaces {held} of {self.path} by {self.after}"
            case "remove":
                held = f", which holds {self.before}" if self.before else ""
                return f"removes {self.path}{held}"
            case "create":
                return f"makes {self.path}"
            case "add":
                return f"adds to {self.path}"
            case "change":
                left = f"leaves {self.after} of {self.path}, which holds {self.before}"
                return left if self.empties else f"changes a part of {self.path}"
            case "move":
                return f"moves a file to {self.path}"

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Read the output of `dataclasses.asdict`."""
        extents = {
            side: None if data[side] is None else Extent(**data[side])
            for side in ("before", "after")
        }
        return cls(**{**data, **extents})


@dataclass(frozen=True, slots=True, kw_only=True)
class Rehearsal:
    """Result of a call on a forecast of the folder, without any real change.

    Attributes:
        effects: What the call would do, path by path, in order.
        looked: Fingerprints (`fingerprint_of`) of the existing files that it reads or changes, by
            path; an empty one if there is no file.
        touched: Every path that it reads or changes, including files that only earlier steps would
            create.
        problem: Why the call would fail; empty if it would not.
    """

    effects: tuple[FileEffect, ...] = ()
    looked: Mapping[str, str] = field(default_factory=dict)
    touched: tuple[str, ...] = ()
    problem: str = ""

    @property
    def losses(self) -> tuple[FileEffect, ...]:
        """The effects that lose content."""
        return losses_of(self.effects)

    @property
    def paths(self) -> frozenset[str]:
        """Every path that the call would change."""
        return frozenset(effect.path for effect in self.effects)

    def to_dict(self) -> dict[str, Any]:
        """Return the rehearsal as JSON data for `from_dict`."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Read the output of `to_dict`."""
        effects = tuple(map(FileEffect.from_dict, data["effects"]))
        return cls(**{**data, "effects": effects, "touched": tuple(data["touched"])})


def losses_of(effects: Iterable[FileEffect]) -> tuple[FileEffect, ...]:
    """Return the effects that lose content."""
    return tuple(effect for effect in effects if effect.is_loss)
