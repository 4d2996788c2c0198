# SPDX-License-Identifier: Apache-2.0
"""The log of who did what with a gallery that asks for one."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import Iterator, Mapping

from longshot import _longshot
from longshot._longshot import Picture
from longshot.base import Result
from longshot.pictures import Source


@contextlib.contextmanager
def run_as(actor: str) -> Iterator[None]:
    """What this thread does with galleries meanwhile is logged as done by that actor.

    Otherwise it is the user of the process.

    >>> with Gallery("people.gallery") as gallery:
    ...     gallery.set_audit(True)
    ...     with run_as("anna"):
    ...         gallery.people["person_00005"].rename("ben")
    ...     entry = gallery.audit(limit=1).entries[0]
    ...     gallery.set_audit(False)
    >>> entry.act, entry.actor
    ('rename', 'anna')
    """
    before = _longshot.set_actor(actor)
    try:
        yield
    finally:
        _longshot.set_actor(before)


@dataclass(frozen=True)
class AuditEntry(Result):
    """One line of the log.

    >>> AuditEntry(1, "2026-01-31T12:00:00Z", "anna", 1000, "remove", 7, ("#0f",), (), {}, 0).act
    'remove'
    """

    number: int  #: of the line, from 1
    time: str  #: UTC
    actor: str  #: the user, or whom ``run_as`` named
    uid: int  #: the user's number for the operating system
    act: str  #: enroll, identify, remove and the like, or what ``Gallery.record`` said
    revision: int  #: of the gallery: as it was asked, or as it became
    people: tuple[str, ...]  #: whom it was about; who is no longer there, as "#" and a hash
    inputs: tuple[str, ...]  #: hashes of the pictures: ``Gallery.input_hash``
    details: dict[str, str]  #: such as "photos": "3"
    unconfirmed: int  #: lines right before this one that the gallery did not confirm


@dataclass(frozen=True)
class AuditPage(Result):
    """Lines of the log that were asked for.

    >>> AuditPage((), more=False).more
    False
    """

    entries: tuple[AuditEntry, ...]
    more: bool  #: there are others that the query would take


@dataclass(frozen=True)
class AuditVerdict(Result):
    """Whether the log is whole; it is true or false.

    >>> bool(AuditVerdict(False, 3, 0, "Line 4 was changed."))
    False
    """

    whole: bool
    lines: int  #: that are whole, from the first
    unconfirmed: int  #: bytes after the last line that the gallery confirmed
    finding: str  #: one sentence that names the first bad line

    def __bool__(self) -> bool:
        return self.whole


class Audited:
    """What a gallery can do about its log."""

    _gallery: _longshot.Gallery

    def set_audit(self, on: bool) -> None:
        """Whether every act from now on adds a line to the log, whoever does it.

        An act that cannot be logged is refused. The gallery keeps the setting.

        >>> with Gallery("people.gallery") as gallery:
        ...     gallery.set_audit(True)
        ...     on = gallery.audited
        ...     gallery.set_audit(False)
        >>> on
        True
        """
        self._gallery.set_audit(on)

    @property
    def audited(self) -> bool:
        """Whether there is a log of what is done."""
        return self._gallery.audited()

    def record(self, act: str, details: Mapping[str, str] = {}) -> None:
        """Adds a line of one's own, such as a failed login, if the gallery asks for a log.

        >>> with Gallery("people.gallery") as gallery:
        ...     gallery.record("login failed", {"from": "somewhere"})
        """
        self._gallery.record(act, dict(details))

    def audit(
        self,
        *,
        after: int = 0,
        before: int = 0,
        actor: str = "",
        act: str = "",
        person: str = "",
        input: str = "",
        camera: str = "",
        newest_first: bool = True,
        limit: int = 100,
    ) -> AuditPage:
        """Lines of the log; what is empty or 0 restricts nothing.

        Raises NotFound if there never was a log, and Damaged for one that is not whole.

        >>> with Gallery("people.gallery") as gallery:
        ...     gallery.set_audit(True)
        ...     answers = gallery.identify("crops/person_00004/01.png")
        ...     page = gallery.audit(act="identify")
        ...     gallery.set_audit(False)
        >>> len(page.entries), len(page.entries[0].inputs)
        (1, 1)
        """
        return self._gallery.audit(
            after, before, actor, act, person, input, camera, newest_first, limit
        )

    def verify_audit(self) -> AuditVerdict:
        """Whether the log is whole; damage is an answer. Raises NotFound if there never was one.

        >>> with Gallery("people.gallery") as gallery:
        ...     gallery.set_audit(True)
        ...     whole = bool(gallery.verify_audit())
        ...     gallery.set_audit(False)
        >>> whole
        True
        """
        return self._gallery.verify_audit()

    def input_hash(self, picture: Source) -> str:
        """What ``AuditEntry.inputs`` says of a picture; empty for one that cannot be read.

        >>> with Gallery("people.gallery") as gallery:
        ...     gallery.set_audit(True)
        ...     gallery.set_audit(False)
        ...     len(gallery.input_hash("crops/person_00004/01.png")) > 0
        True
        """
        return self._gallery.input_hash(Picture(picture))
