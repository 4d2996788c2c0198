# SPDX-License-Identifier: Apache-2.0
"""The housekeeping of a gallery, and what it returns."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from longshot import _longshot
from longshot.base import ProgressCallback, Rejection, Result
from longshot.pictures import PathLike


@dataclass(frozen=True)
class Checked(Result):
    """What a gallery holds that ``Gallery.check`` found to be whole.

    >>> with Gallery("people.gallery") as gallery:
    ...     gallery.check().people
    6
    """

    people: int
    photos: int
    indexes: int
    bytes: int  #: of the file


@dataclass(frozen=True)
class Compacted(Result):
    """What came of ``Gallery.compact``.

    >>> Compacted(2_000_000, 1_500_000, ("longshot 7x6",)).forgotten
    ('longshot 7x6',)
    """

    bytes_before: int  #: of the file
    bytes_after: int
    forgotten: tuple[str, ...]  #: indexes that will be built anew when they are next needed


@dataclass(frozen=True)
class Transferred(Result):
    """What came of ``Gallery.export_to`` and ``import_from``.

    >>> Transferred(people=6, photos=6, rejections=()).to_dict()["people"]
    6
    """

    people: int  #: that were written; of an import: new ones
    photos: int  #: likewise
    rejections: tuple[Rejection, ...]  #: photos and people that were left out


@dataclass(frozen=True)
class Finding(Result):
    """Something that ``examine_system`` or ``examine_gallery`` looked at.

    >>> sorted({finding.about for finding in examine_system()})[:2]
    ['clips', 'detector']
    """

    level: str  #: fine, remark (it works, and could do better) or problem
    about: str  #: one word: processor, libraries, detector, gallery and the like
    what: str  #: one sentence
    advice: str  #: what to do, one sentence; empty if it is fine


@dataclass(frozen=True)
class Receipt(Result):
    """What was removed from a gallery.

    >>> receipt = Receipt("people.gallery", "ben", (2,), "2026-01-31T12:00:00Z", erased=True)
    >>> receipt.to_dict()["photos"]
    [2]
    """

    gallery: str
    person: str
    photos: tuple[int, ...]  #: their ids
    removed_at: str  #: UTC
    #: False while another program still reads an older state, whose bytes go with the next change
    erased: bool


class Upkeep:
    """What a gallery can do about its file."""

    _gallery: _longshot.Gallery

    def check(self, *, progress: ProgressCallback | None = None) -> Checked:
        """Reads everything and compares it with its checksums. Raises Damaged.

        >>> with Gallery("people.gallery") as gallery:
        ...     gallery.check().photos
        6
        """
        return self._gallery.check(progress)

    def compact(
        self, *, cache_bytes: int = 64 << 20, progress: ProgressCallback | None = None
    ) -> Compacted:
        """Makes the file small; what it answers stays the same.

        The oldest indexes go until all take at most ``cache_bytes``.

        >>> with Gallery("people.gallery") as gallery:
        ...     gallery.compact(cache_bytes=0).forgotten
        ('longshot 12x10',)
        """
        return self._gallery.compact(cache_bytes, progress)

    def backup(self, out: PathLike, *, progress: ProgressCallback | None = None) -> None:
        """Writes the gallery as it is now to a new file, while others go on writing.

        Raises AlreadyThere.

        >>> with Gallery("people.gallery") as gallery:
        ...     gallery.backup("copy.gallery")
        >>> with Gallery("copy.gallery") as copy:
        ...     len(copy.people)
        6
        """
        self._gallery.backup(Path(out), progress)

    def export_to(
        self,
        out: PathLike,
        *,
        share: str = "photos",
        progress: ProgressCallback | None = None,
    ) -> Transferred:
        """Writes its people to a new folder of pictures, or to a new gallery without any.

        ``share="photos"``: names and aligned faces, a folder with manifest.csv. ``"templates"``: a
        gallery that answers as this one at the sizes it has been asked about, and can learn nothing
        new. Raises AlreadyThere.

        >>> with Gallery("people.gallery") as gallery:
        ...     gallery.export_to("exported").photos
        6
        """
        return self._gallery.export_to(Path(out), share, progress)

    def import_from(
        self, source: PathLike, *, progress: ProgressCallback | None = None
    ) -> Transferred:
        """Adds the people of another gallery or of an exported folder, all or nobody.

        >>> with Gallery("other.gallery", create=True) as gallery:
        ...     gallery.import_from("people.gallery").people
        6
        """
        return self._gallery.import_from(Path(source), progress)

    @property
    def indexes(self) -> tuple[str, ...]:
        """What is kept for searching: method and size of each.

        >>> with Gallery("people.gallery") as gallery:
        ...     gallery.prepare((12, 10))
        ...     gallery.indexes
        ('longshot 12x10',)
        """
        return self._gallery.indexes()
