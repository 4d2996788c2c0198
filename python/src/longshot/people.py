# SPDX-License-Identifier: Apache-2.0
"""The people of a gallery."""

from __future__ import annotations

import datetime
from typing import TYPE_CHECKING, Any, Iterator, Mapping

from longshot.base import Plane
from longshot.results import Photo
from longshot.upkeep import Receipt

if TYPE_CHECKING:
    from longshot.gallery import Gallery


class People(Mapping[str, "Person"]):
    """The people of a gallery, in order of enrolment; names are compared byte by byte.

    >>> with Gallery("people.gallery") as gallery:
    ...     len(gallery.people), "person_00003" in gallery.people
    (6, True)
    """

    def __init__(self, gallery: Gallery) -> None:
        self._gallery = gallery

    def __getitem__(self, name: str) -> Person:
        """Raises NotFound, a LookupError, if there is nobody of that name."""
        return Person(self._gallery, name)

    def __contains__(self, name: object) -> bool:
        return name in list(self)

    def __iter__(self) -> Iterator[str]:
        return iter([name for name, _, _ in self._gallery._gallery.people()])

    def __len__(self) -> int:
        return self._gallery._gallery.person_count()

    def __repr__(self) -> str:
        return f"<{len(self)} people of {str(self._gallery.path)!r}>"


class Person:
    """Somebody who is enrolled.

    >>> with Gallery("another.gallery", create=True) as gallery:
    ...     report = gallery.enroll("people")
    ...     gallery.people["person_00005"].rename("ben")
    ...     receipt = gallery.people["ben"].remove()
    >>> receipt.person, receipt.erased
    ('ben', True)
    """

    def __init__(self, gallery: Gallery, name: str) -> None:
        self._gallery = gallery
        self._name, _, self._enrolled_at = gallery._gallery.person(name)

    @property
    def name(self) -> str:
        """As it was when this was asked for."""
        return self._name

    @property
    def enrolled_at(self) -> str:
        """UTC, "2026-01-31T12:00:00Z"."""
        return self._enrolled_at

    @property
    def photos(self) -> tuple[Photo, ...]:
        """The photos as they are kept now."""
        return self._gallery._gallery.photos(self._name)

    def face(self, photo: Photo | int) -> Plane:
        """The aligned face of a photo, as it is kept."""
        return self._gallery._gallery.face(self._name, _number(photo))

    def rename(self, name: str) -> None:
        """Raises AlreadyThere if somebody has that name."""
        self._gallery._gallery.rename(self._name, name)
        self._name = name

    def merge_into(self, person: str) -> None:
        """The photos become photos of another person, under new ids; this name is erased."""
        self._gallery._gallery.merge(self._name, person)

    def remove(self) -> Receipt:
        """Erases the person: name, photos and templates."""
        ids = tuple(photo.id for photo in self.photos)
        self._gallery._gallery.remove(self._name)
        return self._receipt(ids)

    def remove_photo(self, photo: Photo | int) -> Receipt:
        """Erases one photo of several, and makes the templates anew from the others."""
        number = _number(photo)
        self._gallery._gallery.remove_photo(self._name, number)
        return self._receipt((number,))

    def _receipt(self, photos: tuple[int, ...]) -> Receipt:
        now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
        erased = not self._gallery._gallery.erasure_pending()
        return Receipt(str(self._gallery.path), self._name, photos, now, erased)

    def to_dict(self) -> dict[str, Any]:
        """As the program's ``people show --json``."""
        photos = [photo.to_dict() for photo in self.photos]
        return {"name": self._name, "enrolled_at": self._enrolled_at, "photos": photos}

    def __repr__(self) -> str:
        return f"<{self._name!r} of {str(self._gallery.path)!r}>"


def _number(photo: Photo | int) -> int:
    return photo.id if isinstance(photo, Photo) else photo
