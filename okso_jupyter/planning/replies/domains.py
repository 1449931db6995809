"""Domains of requests that need an account, a device or another program, as word patterns.

The built-in catalogue has no tools for them. A request of a domain is therefore out of reach
unless a tool's name or description names the domain.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class Domain:
    """One kind of request that needs more than files and calculations.

    Attributes:
        what: What cannot be done; follows "I cannot" in the reply.
        why: The reason; follows a colon in the reply.
        name: Nouns of the domain; a tool belongs to it if its name or description has one.
        does: Verbs that at the start of a request are enough to match it.
        may_do: Verbs that do so only if the request names no file: they have other meanings.
        handles: Verbs that match together with one of the domain's nouns.
        handles_files: Whether `handles` also matches if the request names a file.
        german: German words that match anywhere in the request.
        near: Example request for an alternative, in the words of the built-in tools.
    """

    what: str
    why: str
    name: str
    does: str = ""
    may_do: str = ""
    handles: str = ""
    handles_files: bool = False
    german: str = ""
    near: str = "Add 'call the plumber' to todo.txt"

    def wants(self, verb: str, request: str, *, names_path: bool) -> bool:
        """Return whether a request belongs to this domain.

        Args:
            verb: Its first word after polite phrases.
            request: The request without quoted texts and file names.
            names_path: Whether it names a file by its path.
        """
        if _is_one(verb, self.does) or _has(request, self.german):
            return True
        if _is_one(verb, self.handles) and (self.handles_files or not names_path):
            return self.is_named_in(request)
        return not names_path and _is_one(verb, self.may_do)

    def is_named_in(self, text: str) -> bool:
        """Return whether a text, such as a tool's description, names the domain."""
        return _has(text.replace("_", " "), self.name)


def _is_one(word: str, words: str) -> bool:
    return bool(words) and re.fullmatch(rf"(?:{words})", word) is not None


def _has(text: str, words: str) -> bool:
    return bool(words) and re.search(rf"(?i)(?<![\w-])(?:{words})(?![\w-])", text) is not None


DOMAINS: Final = (
    Domain(
        what="read or send mail",
        why="no tool of this session reaches a mail account",
        name=r"e-?mails?|mails?|gmail|outlook|inbox|newsletters?|attachments?",
        does=r"e-?mail|mail|forward|fax",
        handles="send|write|draft|compose|reply|answer|check|read|show|delete|sort|clean",
        handles_files=True,
        german=r"(?:ver)?schick\w* .*mails?|send\w* .*mails?|schreib\w* .*mails?|maile\w*",
        near="Write 'Dear Ann' into mail.txt",
    ),
    Domain(
        what="call or message anybody",
        why="no tool of this session reaches a phone or a chat",
        name=r"phone|sms|whats ?app|messages?|chat|telegram|skype|facetime|slack|discord",
        does=r"phone|dial|sms|whatsapp|skype|facetime",
        may_do=r"call|ring|text|message|dm|notify",
        handles="send|make|write|leave",
        german=r"ruf\w* .* an|anrufen|telefonier\w*",
    ),
    Domain(
        what="set reminders or keep a calendar",
        why="no tool of this session has a calendar or a clock that rings",
        name=r"calendars?|appointments?|reminders?|alarms?|timers?|kalender|termine?|wecker",
        does=r"remind|reschedule|schedule|wake",
        handles="put|add|set|create|make|book|cancel|move|show|check|start|enter|what|whats|when|do",
        handles_files=True,
        german=r"erinner\w* mich|mich .* erinner\w*|weck\w* mich|(?:trag|stell|leg|mach|setz)\w* "
        r".*(?:kalender|termine?|wecker)",
        near="Add 'dentist at 9' to todo.txt",
    ),
    Domain(
        what="book, order, buy or pay anything",
        why="no tool of this session reaches a shop, a bank or a booking system",
        name=r"flights?|hotels?|tickets?|bookings?|reservations?|payments?|taxi|cab|table for \w+",
        may_do=r"book|reserve|buy|purchase|order|pay|rent|hire|sell|subscribe|donate|invest|transfer",
        handles="make|get|cancel|place|find",
        german=r"buche|buchen|bestell(?:e|en|st)?|kaufe?|kaufen|bezahle?|bezahlen|überweis\w*|reservier\w*",
        near="Add 'book a table' to todo.txt",
    ),
    Domain(
        what="post or upload anything",
        why="no tool of this session reaches an account on the internet",
        name=r"twitter|facebook|instagram|linkedin|tiktok|youtube|reddit|mastodon|bluesky|blog|"
        r"dropbox|google drive|onedrive|icloud|cloud|social media|github",
        does=r"tweet|post|publish|upload|share",
        handles="put|send|write|save|copy|back|add|push|move",
        handles_files=True,
        german=r"poste|posten|lade?\w* .* hoch|hochladen|veröffentlich\w*|teile?\w* .* (?:auf|mit)",
        near="Write 'hello world' into post.txt",
    ),
    Domain(
        what="print on paper",
        why="no tool of this session reaches a printer",
        name=r"printers?|drucker|on paper|auf papier",
        handles="print|send|use",
        handles_files=True,
        german=r"drucke?\w* .* aus|ausdrucken",
        near="Show the content of letter.txt",
    ),
    Domain(
        what="speak or listen",
        why="no tool of this session reaches a loudspeaker or a microphone",
        name=r"aloud|out loud|voice|dictation|laut",
        handles="read|say|speak|lies|lese|sprich",
        handles_files=True,
        does=r"dictate|listen|hum|whistle",
        german=r"vorlesen|laut vor",
        near="Show the content of letter.txt",
    ),
    Domain(
        what="control devices or play anything",
        why="no tool of this session reaches a device",
        name=r"lights?|lamps?|heating|thermostat|music|songs?|playlists?|radio|tv|camera|speakers?|"
        r"volume|door|window|car|microphone|screenshots?|photos?|selfie",
        does=r"play|turn|switch|dim|mute|unmute|unlock",
        may_do=r"lock|pause|stop|stream|film|scan",
        handles="open|close|start|take|make|record|set|raise|lower",
        german=r"spiele? .*(?:musik|lied\w*)|schalte? .* (?:an|aus|ein)|mache? .* (?:an|aus)",
    ),
    Domain(
        what="install, start or control other programs",
        why="the tools of this session run by themselves and reach no other program",
        name=r"browser|computer|laptop|kernel|docker|git|apps?|software|packages?|wifi|bluetooth",
        does=r"install|uninstall|reboot|restart|deploy|compile|ssh|commit",
        may_do=r"launch|upgrade|connect|log|sign|register|shut|kill|boot",
        handles="open|start|stop|close|run|reset|update|delete|push|use",
        german=r"installier\w*|fahr\w* .* herunter",
        near="List the files in this folder",
    ),
    Domain(
        what="send anything",
        why="no tool of this session reaches a person or another machine",
        name=r"parcels?",
        may_do=r"send|deliver|ship",
        german=r"(?:ver)?schicke?|sende",
        near="Copy notes.txt to notes_old.txt",
    ),
)
