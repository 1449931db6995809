"""Zip archives of Office documents: checks before a library unpacks one."""

from __future__ import annotations

import zipfile
from io import BytesIO
from typing import Final

from lxml import etree

from . import UnreadableError

_MAX_ENTRIES: Final = 10_000
_MAX_UNPACKED_BYTES: Final = 256 << 20
_ENCRYPTED: Final = 1
#: Start of the older container, as of Word 97, and of present documents with a password.
_OLD_CONTAINER: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_TITLE: Final = "{http://purl.org/dc/elements/1.1/}title"


def opened(data: bytes) -> zipfile.ZipFile:
    """Return an archive after checking that it is not a zip bomb; nothing is unpacked yet.

    The declared size of an entry binds the library that unpacks it.

    Raises:
        UnreadableError: It is not an archive, is locked, or is too large.
    """
    if data.startswith(_OLD_CONTAINER):
        msg = "it is locked with a password, or of the older binary format"
        raise UnreadableError(msg)
    try:
        archive = zipfile.ZipFile(BytesIO(data))
    except zipfile.BadZipFile as error:
        msg = "it is damaged, or something else under this name"
        raise UnreadableError(msg) from error
    entries = archive.infolist()
    unpacked_bytes = sum(entry.file_size for entry in entries)
    if len(entries) > _MAX_ENTRIES or unpacked_bytes > _MAX_UNPACKED_BYTES:
        msg = f"unpacked it would be {unpacked_bytes >> 20:,} MiB in {len(entries):,} files"
        raise UnreadableError(msg)
    if any(entry.flag_bits & _ENCRYPTED for entry in entries):
        msg = "it is locked with a password"
        raise UnreadableError(msg)
    return archive


def title_of(archive: zipfile.ZipFile) -> str:
    """Return the title of an office document, or ""."""
    try:
        tree = parsed(archive.read("docProps/core.xml"))
    except (KeyError, etree.XMLSyntaxError):
        return ""
    return tree.findtext(_TITLE) or ""


def parsed(data: bytes) -> etree._Element:
    """Return XML as a tree: without entities or external content, and of limited depth.

    Raises:
        lxml.etree.XMLSyntaxError: It is damaged.
    """
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
    return etree.fromstring(data, parser)
