# SPDX-License-Identifier: Apache-2.0
"""The enrolled people in one file, and all that can be asked about them."""

from __future__ import annotations

import datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Callable, Iterator, Mapping, Sequence, Union

from longshot import _longshot
from longshot._longshot import Picture
from longshot.camera import Camera
from longshot.pictures import (
    PathLike,
    SizeLike,
    Source,
    Sources,
    gather,
    gather_people,
    given,
)
from longshot.results import (
    Answers,
    Comparison,
    Enrolled,
    Photo,
    ProgressCallback,
    Receipt,
    Verification,
)

#: A camera, or its file.
CameraLike = Union[Camera, str, Path]


class Gallery:
    """A gallery file. Any thread may use it, and identify while another enrols.

    A file that ``create=True`` makes goes again if nobody was enrolled in it. ``key`` is the file
    with the key of an encrypted gallery, 32 bytes or more.

    >>> with Gallery("new.gallery", create=True) as gallery:
    ...     report = gallery.enroll("people")
    >>> report.people, report.photos
    (6, 6)
    """

    def __init__(
        self,
        path: PathLike,
        *,
        create: bool = False,
        read_only: bool = False,
        key: PathLike | None = None,
    ) -> None:
        self._path = Path(path)
        self._read_only = read_only
        self._key = None if key is None else Path(key)
        self._gallery = _longshot.Gallery(self._path, create, read_only, given(self._key))

    @property
    def path(self) -> Path:
        """The file."""
        return self._path

    @property
    def closed(self) -> bool:
        """Whether ``close`` was called."""
        return self._gallery.closed

    def close(self) -> None:
        """Closes the file. Calls that are under way are finished first."""
        self._gallery.close()

    def __enter__(self) -> Gallery:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Gallery({str(self._path)!r}{', closed' if self.closed else ''})"

    def __reduce__(self) -> tuple[Callable[..., Gallery], tuple[Path, bool, Path | None]]:
        """Another process opens the file again."""
        return _opened, (self._path, self._read_only, self._key)

    def enroll(
        self,
        people: Mapping[str, Source | Sequence[Source]] | Sources,
        *,
        person: str = "",
        aligned: bool = False,
        force: bool = False,
        high: SizeLike | None = None,
        model: PathLike | None = None,
        refresh: bool = False,
        detector: PathLike | None = None,
        progress: ProgressCallback | None = None,
    ) -> Enrolled:
        """Adds people, or photos of people who are there.

        ``people`` maps names to a photo or a list of photos; or it is a folder, what ``load``
        returned, or with ``person`` photos of that one person. A photo that cannot be used is a
        rejection; raises BadInput if that is all of them.

        >>> with Gallery("third.gallery", create=True) as gallery:
        ...     gallery.enroll({"anna": "people/person_00000/00.png"}).people
        1
        """
        return self._gallery.enroll(
            gather_people(people, aligned),
            person,
            force,
            high,
            given(model),
            refresh,
            given(detector),
            progress,
        )

    def identify(
        self,
        probes: Sources,
        *,
        method: str = "longshot",
        size: SizeLike | None = None,
        top: int = 5,
        fpir: float = 0.01,
        camera: CameraLike | None = None,
        fuse_folders: bool = False,
        aligned: bool = False,
        detector: PathLike | None = None,
        progress: ProgressCallback | None = None,
    ) -> Answers:
        """Ranked people for each probe, and whether it shows one of them at all.

        ``probes`` is a list of pictures, a stack of crops, or a folder. A bad probe is an error in
        its place. ``camera`` took the probes; ``"auto"`` learns it from them first.

        >>> with Gallery("people.gallery") as gallery:
        ...     answer, = gallery.identify("crops/person_00004/01.png", top=1)
        >>> answer.decision, answer.candidates[0].person
        ('known', 'person_00004')
        """
        learn = isinstance(camera, str) and camera == "auto"
        return self._gallery.identify(
            gather(probes, aligned, "identify"),
            method,
            size,
            top,
            fpir,
            fuse_folders,
            None if learn else _camera(camera),
            learn,
            given(detector),
            progress,
        )

    def verify(
        self,
        pictures: Sources,
        person: str,
        *,
        method: str = "longshot",
        size: SizeLike | None = None,
        camera: CameraLike | None = None,
        fmr: float = 0.001,
        aligned: bool = False,
        detector: PathLike | None = None,
        progress: ProgressCallback | None = None,
    ) -> Verification:
        """Do these pictures, all of one person, show that one? The result is true or false.

        >>> with Gallery("people.gallery") as gallery:
        ...     bool(gallery.verify("crops/person_00004/01.png", "person_00001"))
        False
        """
        return self._gallery.verify(
            gather(pictures, aligned, "identify"),
            person,
            method,
            size,
            _camera(camera),
            fmr,
            given(detector),
            progress,
        )

    def learn_camera(
        self,
        crops: Sources,
        *,
        size: SizeLike | None = None,
        aligned: bool = False,
        detector: PathLike | None = None,
        progress: ProgressCallback | None = None,
    ) -> Camera:
        """Learns a camera from its crops, of whomever they show; the gallery is not changed.

        >>> with Gallery("people.gallery") as gallery:
        ...     gallery.learn_camera("crops").sheet.ndim
        2
        """
        camera, sheet, other_sizes, rejections = self._gallery.learn_camera(
            gather(crops, aligned, "identify"), size, given(detector), progress
        )
        return Camera(camera, sheet, other_sizes, rejections)

    def compare(
        self,
        probe: Source,
        person: str,
        *,
        size: SizeLike | None = None,
        camera: CameraLike | None = None,
        photo: int = 0,
        aligned: bool = False,
        detector: PathLike | None = None,
    ) -> Comparison:
        """Why the gallery answers as it does: the probe beside what a person's photo predicts.

        ``photo`` is the id of the photo, or 0: the first.

        >>> with Gallery("people.gallery") as gallery:
        ...     both = gallery.compare("crops/person_00004/01.png", "person_00004")
        >>> both.photo.shape, both.through_camera.shape
        ((48, 40), (12, 10))
        """
        return self._gallery.compare(
            Picture(probe, aligned=aligned), person, size, _camera(camera), photo, given(detector)
        )

    def prepare(
        self,
        size: SizeLike,
        *,
        method: str = "longshot",
        progress: ProgressCallback | None = None,
    ) -> None:
        """Learns what questions at that size need, for which the first one would wait.

        >>> with Gallery("people.gallery") as gallery:
        ...     gallery.prepare((12, 10))
        """
        self._gallery.prepare(size, method, progress)

    @property
    def people(self) -> People:
        """The enrolled people by their names.

        >>> with Gallery("people.gallery") as gallery:
        ...     list(gallery.people)[:2], gallery.people["person_00001"].photos[0].size
        (['person_00000', 'person_00001'], Size(rows=48, cols=40))
        """
        return People(self)


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

    def rename(self, name: str) -> None:
        """Raises AlreadyThere if somebody has that name."""
        self._gallery._gallery.rename(self._name, name)
        self._name = name

    def remove(self) -> Receipt:
        """Erases the person: name, photos and templates."""
        ids = tuple(photo.id for photo in self.photos)
        self._gallery._gallery.remove(self._name)
        return self._receipt(ids)

    def remove_photo(self, photo: Photo | int) -> Receipt:
        """Erases one photo of several, and makes the templates anew from the others."""
        number = photo.id if isinstance(photo, Photo) else photo
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


def _opened(path: Path, read_only: bool, key: Path | None) -> Gallery:
    return Gallery(path, read_only=read_only, key=key)


def _camera(camera: CameraLike | None) -> _longshot.Camera | None:
    if camera is None:
        return None
    return (camera if isinstance(camera, Camera) else Camera.read(camera))._camera
