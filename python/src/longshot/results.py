# SPDX-License-Identifier: Apache-2.0
"""What the calls return: frozen objects with ``to_dict()``."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable, Iterator, NamedTuple, overload

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    import pandas

    from longshot.camera import Camera

#: A grey image that comes out of the library: float32, 0 black to 1 white, read-only.
Plane = npt.NDArray[np.float32]
#: The centres of the eyes in pixels: x and y of the left one in the image, then of the right one.
Eyes = tuple[float, float, float, float]

#: Told the task, the steps done and their number; False cancels, and so does an exception.
ProgressCallback = Callable[[str, int, int], Any]


class Size(NamedTuple):
    """Rows and columns.

    >>> str(Size(12, 10))
    '12x10'
    """

    rows: int
    cols: int

    def __str__(self) -> str:
        return f"{self.rows}x{self.cols}"


def plain(value: Any) -> Any:
    """Dictionaries, lists, texts and numbers instead of results; arrays stay arrays."""
    if isinstance(value, Size):
        return str(value)
    if hasattr(value, "to_dict"):
        return value.to_dict()
    if isinstance(value, (tuple, list)):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return value


class Result:
    """What all results can do."""

    def to_dict(self) -> dict[str, Any]:
        """The same as a dictionary, which ``json`` can write unless there are arrays in it.

        >>> Candidate("anna", 0.75, 0.5).to_dict()
        {'person': 'anna', 'score': 0.75, 'residual': 0.5}
        """
        names = [field.name for field in dataclasses.fields(self)]
        return {name: plain(getattr(self, name)) for name in names}


@dataclass(frozen=True)
class Rejection(Result):
    """An input that was left out, and why, in one sentence.

    >>> print(Rejection("a.png", "It is no image.").reason)
    It is no image.
    """

    name: str
    reason: str


@dataclass(frozen=True)
class Trained(Result):
    """What ``train`` has learnt from.

    >>> Trained(people=20, photos=100, rejections=()).to_dict()["photos"]
    100
    """

    people: int
    photos: int
    rejections: tuple[Rejection, ...]


@dataclass(frozen=True)
class Enrolled(Result):
    """What came of ``Gallery.enroll``.

    >>> with Gallery("fourth.gallery", create=True) as gallery:
    ...     report = gallery.enroll({"anna": ["people/person_00000/00.png", b"no image"]})
    >>> report.photos, report.rejections[0].name
    (1, 'anna 1')
    """

    people: int  #: new ones
    photos: int  #: new ones
    rejections: tuple[Rejection, ...]  #: pictures that were left out
    warnings: tuple[Rejection, ...]  #: pictures that were enrolled although something is amiss


@dataclass(frozen=True)
class Candidate(Result):
    """Somebody whom a probe may show.

    >>> Candidate("anna", 0.75, 0.5).person
    'anna'
    """

    person: str
    score: float  #: probability of being right, if strangers are as frequent as others
    residual: float  #: 0 for a perfect match, 1 for the mean of people who are not enrolled

    @property
    def likelihood_ratio(self) -> float:
        """How many times as probable what was seen is with that person as with a stranger.

        >>> Candidate("anna", 0.75, 0.5).likelihood_ratio
        3.0
        """
        return min(max(self.score / max(1.0 - self.score, 1e-300), 1e-9), 1e9)


@dataclass(frozen=True)
class Answer(Result):
    """Whom a probe shows, or why that cannot be said.

    >>> answer = Answer("a.png", None, False, (), "It is no image.", 0, ())
    >>> answer.decision, answer.error
    (None, 'It is no image.')
    """

    name: str  #: of the probe, or of the folder
    size: Size | None  #: at which the gallery was searched
    known: bool
    candidates: tuple[Candidate, ...]  #: most alike first
    error: str | None  #: why there is no answer
    frames: int  #: images behind the answer
    rejections: tuple[Rejection, ...]  #: of the frames, those that could not be used
    warnings: tuple[Rejection, ...] = ()  #: frames that were used although something is amiss
    threshold: float = 0.0  #: score from which the first candidate is known at that rate
    margin: float = 0.0  #: powers of ten of its likelihood ratio above that; known: > 0
    fpir: float = 0.0  #: accepted rate of strangers taken for somebody
    people: int = 0  #: with whom it was compared

    @property
    def decision(self) -> str | None:
        """``"known"``, ``"unknown"``, or None if the probe could not be used.

        >>> Answer("a.png", Size(7, 6), True, (), None, 1, ()).decision
        'known'
        """
        if self.error is not None:
            return None
        return "known" if self.known else "unknown"

    def to_dict(self) -> dict[str, Any]:
        return {"decision": self.decision, **super().to_dict()}


@dataclass(frozen=True)
class Answers(Result):
    """The answers of ``Gallery.identify``, one per probe, or per folder, in their order.

    >>> with Gallery("people.gallery") as gallery:
    ...     answers = gallery.identify("crops", top=2)
    >>> len(answers), answers[8].candidates[0].person, len(answers.to_frame())
    (12, 'person_00004', 24)
    """

    answers: tuple[Answer, ...]
    cameras: tuple[Camera, ...]  #: that were used, one for each size

    def __iter__(self) -> Iterator[Answer]:
        return iter(self.answers)

    def __len__(self) -> int:
        return len(self.answers)

    @overload
    def __getitem__(self, index: int) -> Answer: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[Answer, ...]: ...

    def __getitem__(self, index: int | slice) -> Answer | tuple[Answer, ...]:
        return self.answers[index]

    def to_frame(self) -> pandas.DataFrame:
        """One row per candidate, or per error, as the command line's CSV. Needs pandas."""
        import pandas

        columns = ["name", "size", "decision", "rank", "person", "score", "residual", "error"]
        rows: list[tuple[Any, ...]] = []
        for answer in self.answers:
            if answer.error is not None:
                rows.append((answer.name, None, None, None, None, None, None, answer.error))
            for rank, one in enumerate(answer.candidates, 1):
                found = (rank, one.person, one.score, one.residual, None)
                rows.append((answer.name, str(answer.size), answer.decision, *found))
        return pandas.DataFrame(rows, columns=columns)


@dataclass(frozen=True)
class Verification(Result):
    """Whether pictures show a certain person.

    >>> with Gallery("people.gallery") as gallery:
    ...     answer = gallery.verify("crops/person_00004/01.png", "person_00004")
    >>> "match" if answer else "no match", answer.frames
    ('match', 1)
    """

    person: str
    match: bool
    score: float  #: probability of being that person, if as many claims are true as not
    size: Size  #: at which they were compared
    frames: int  #: images behind the answer
    rejections: tuple[Rejection, ...]
    warnings: tuple[Rejection, ...] = ()  #: pictures that were used although something is amiss
    threshold: float = 0.0  #: score from which it is a match at that rate
    margin: float = 0.0  #: powers of ten of its likelihood ratio above that; match: > 0
    fmr: float = 0.0  #: accepted rate of false matches

    def __bool__(self) -> bool:
        return self.match


@dataclass(frozen=True)
class Photo(Result):
    """A photo that is kept of a person.

    >>> with Gallery("people.gallery") as gallery:
    ...     photo, = gallery.people["person_00001"].photos
    >>> str(photo.size), sorted(photo.quality)[0]
    ('48x40', 'brightness')
    """

    id: int
    added_at: str  #: UTC, "2026-01-31T12:00:00Z"
    source: str  #: path or other name of the picture
    size: Size  #: of the aligned face that is kept
    eyes: Eyes | None
    quality: dict[str, float]


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


@dataclass(frozen=True)
class Light(Result):
    """Where a distant light stands, in degrees.

    >>> Light(azimuth=-30.0, elevation=10.0).azimuth
    -30.0
    """

    azimuth: float  #: towards the image's right
    elevation: float  #: up


@dataclass(frozen=True, eq=False)
class Comparison(Result):
    """A probe beside what a person's photo predicts.

    >>> with Gallery("people.gallery") as gallery:
    ...     both = gallery.compare("crops/person_00004/01.png", "person_00004")
    >>> bool(np.allclose(both.probe - both.through_camera, both.difference, atol=1e-6))
    True
    """

    photo: Plane  #: of the person, as it is kept
    relit: Plane  #: the same in the probe's light
    through_camera: Plane  #: that through the camera, as bright as the probe
    probe: Plane
    difference: Plane  #: probe - through_camera
    light: Light  #: of the probe


@dataclass(frozen=True, eq=False)
class Relit(Result):
    """A face under other lights.

    >>> relit = relight("people/person_00000/00.png", lights=5)
    >>> len(relit), relit.images[0].shape, relit.normals[2].shape
    (5, (48, 40), (48, 40))
    """

    face: Plane  #: as it was cut out
    albedo: Plane  #: on no scale of its own
    images: tuple[Plane, ...]  #: one per light, on the face's scale
    lights: tuple[Light, ...]
    light: Light  #: of the photo
    strength: float  #: of that light
    ambient: float  #: of the light from everywhere beside it
    #: of the mean face: (n + 1) / 2 to the right, up and to the camera
    normals: tuple[Plane, Plane, Plane]

    def __iter__(self) -> Iterator[Plane]:
        return iter(self.images)

    def __len__(self) -> int:
        return len(self.images)
