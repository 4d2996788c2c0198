# SPDX-License-Identifier: Apache-2.0
"""The enrolled people in one file, and all that can be asked about them."""

from __future__ import annotations

from math import inf
from pathlib import Path
from types import TracebackType
from typing import Callable, Iterable, Mapping, Sequence, Union

from longshot import _longshot
from longshot._longshot import Picture
from longshot.audit import Audited
from longshot.base import ProgressCallback
from longshot.camera import Camera
from longshot.clips import ClipTracks, Track
from longshot.people import People
from longshot.pictures import (
    PathLike,
    SizeLike,
    Source,
    Sources,
    gather,
    gather_people,
    given,
)
from longshot.results import Annotated, Answers, Comparison, Enrolled, Evidence, Verification
from longshot.system import KeyLike, key_of
from longshot.upkeep import Upkeep

#: A camera, or its file.
CameraLike = Union[Camera, str, Path]


class Gallery(Upkeep, Audited):
    """A gallery file. Any thread may use it, and identify while another enrols.

    A file that ``create=True`` makes goes again if nobody was enrolled in it. ``read_only=None``
    reads where file or folder are write-protected, and writes otherwise. ``key`` is a ``Key`` of an
    encrypted gallery, or the file that holds it, 32 bytes or more.

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
        read_only: bool | None = False,
        key: KeyLike | None = None,
    ) -> None:
        self._path = Path(path)
        self._read_only = read_only
        self._key = key
        self._gallery = _longshot.Gallery(self._path, create, read_only, key_of(key))

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

    def __reduce__(self) -> tuple[Callable[..., Gallery], tuple[Path, bool | None, KeyLike | None]]:
        """Another process opens the file again. A ``Key`` leaves no process, its file may."""
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
        allow_none: bool = False,
        refresh: bool = False,
        detector: PathLike | None = None,
        progress: ProgressCallback | None = None,
    ) -> Enrolled:
        """Adds people, or photos of people who are there.

        ``people`` maps names to a photo or a list of photos; or it is a folder, what ``load``
        returned, or with ``person`` photos of that one person. A photo that cannot be used is a
        rejection; raises BadInput if that is all of them, unless ``allow_none``.

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
            allow_none,
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
        faces: str = "largest",
        aligned: bool = False,
        detector: PathLike | None = None,
        progress: ProgressCallback | None = None,
    ) -> Answers:
        """Ranked people for each probe, and whether it shows one of them at all.

        ``probes`` is a list of pictures, a stack of crops, or a folder. A bad probe is an error in
        its place. ``camera`` took the probes; ``"auto"`` learns it from them first.
        ``faces="all"``: one answer for each face of a picture.

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
            faces,
            None if learn else _camera(camera),
            learn,
            given(detector),
            progress,
        )

    def identify_tracks(
        self,
        tracks: Iterable[Track],
        *,
        method: str = "longshot",
        size: SizeLike | None = None,
        top: int = 5,
        fpir: float = 0.01,
        camera: CameraLike | None = None,
        progress: ProgressCallback | None = None,
    ) -> Answers:
        """One answer for each track that ``find_tracks`` found, from all its faces.

        >>> with Gallery("people.gallery") as gallery:
        ...     tracks = find_tracks("walk.avi", least_eye_distance=8).tracks
        ...     answer, = gallery.identify_tracks(tracks, top=1)
        >>> answer.track, answer.candidates[0].person
        (1, 'person_00000')
        """
        learn = isinstance(camera, str) and camera == "auto"
        return self._gallery.identify_tracks(
            [track._track for track in tracks],
            method,
            size,
            top,
            fpir,
            None if learn else _camera(camera),
            learn,
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

    def evidence(
        self,
        probes: Sources,
        answers: Answers,
        *,
        camera: CameraLike | None = None,
        fuse_folders: bool = False,
        aligned: bool = False,
        pictured: int = 3,
        detector: PathLike | None = None,
        progress: ProgressCallback | None = None,
    ) -> tuple[Evidence, ...]:
        """Why ``identify`` gave these answers to these probes, with the same options.

        At most ``pictured`` candidates of each are compared with it.

        >>> with Gallery("people.gallery") as gallery:
        ...     shown, = gallery.evidence("crops/person_00004/01.png",
        ...                               gallery.identify("crops/person_00004/01.png"))
        >>> shown.comparisons[0].difference.shape
        (12, 10)
        """
        return self._gallery.evidence(
            gather(probes, aligned, "identify"),
            answers,
            fuse_folders,
            _used_camera(camera),
            given(detector),
            pictured,
            progress,
        )

    def report(
        self,
        path: PathLike,
        probes: Sources,
        answers: Answers,
        *,
        method: str = "longshot",
        camera: CameraLike | None = None,
        fuse_folders: bool = False,
        aligned: bool = False,
        pictured: int = 3,
        command: str = "",
        detector: PathLike | None = None,
        progress: ProgressCallback | None = None,
    ) -> None:
        """Writes the evidence as one page of HTML that stands for itself; it holds faces and names.

        ``command`` says how the gallery was asked.

        >>> with Gallery("people.gallery") as gallery:
        ...     gallery.report("why.html", "crops", gallery.identify("crops"))
        >>> "person_00004" in open("why.html").read()
        True
        """
        self._gallery.report(
            Path(path),
            gather(probes, aligned, "identify"),
            answers,
            fuse_folders,
            _used_camera(camera),
            given(detector),
            pictured,
            method,
            command,
            progress,
        )

    def annotate(
        self,
        folder: PathLike,
        answers: Answers,
        *,
        pictures: Sources | None = None,
        clips: Iterable[ClipTracks] = (),
        camera: CameraLike | None = None,
        fuse_folders: bool = False,
        aligned: bool = False,
        every: int = 1,
        begin: float = 0.0,
        end: float = inf,
        progress: ProgressCallback | None = None,
    ) -> Annotated:
        """Draws what was answered about pictures and clips, with the same options, into a folder.

        The folder is new or empty. Each picture and each frame that was looked at gets a box, a
        number and a name per face, each track a sheet; ``legend.csv`` has the names as they are.

        >>> with Gallery("people.gallery") as gallery:
        ...     answers = gallery.identify("crops/person_00004/01.png")
        ...     drawn = gallery.annotate("drawn", answers, pictures="crops/person_00004/01.png")
        >>> drawn.files
        ('drawn/0001_01.png', 'drawn/legend.csv')
        """
        return self._gallery.annotate(
            Path(folder),
            [] if pictures is None else gather(pictures, aligned, "identify"),
            [([track._track for track in clip.tracks], clip.frames) for clip in clips],
            answers,
            fuse_folders,
            _used_camera(camera),
            every,
            begin,
            end,
            progress,
        )

    @property
    def people(self) -> People:
        """The enrolled people by their names.

        >>> with Gallery("people.gallery") as gallery:
        ...     list(gallery.people)[:2], gallery.people["person_00001"].photos[0].size
        (['person_00000', 'person_00001'], Size(rows=48, cols=40))
        """
        return People(self)


def _opened(path: Path, read_only: bool | None, key: KeyLike | None) -> Gallery:
    return Gallery(path, read_only=read_only, key=key)


def _camera(camera: CameraLike | None) -> _longshot.Camera | None:
    if camera is None:
        return None
    return (camera if isinstance(camera, Camera) else Camera.read(camera))._camera


def _used_camera(camera: CameraLike | None) -> _longshot.Camera | None:
    """One that was learnt from the probes is with the answers."""
    return None if isinstance(camera, str) and camera == "auto" else _camera(camera)
