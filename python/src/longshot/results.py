# SPDX-License-Identifier: Apache-2.0
"""What the calls return: frozen objects with ``to_dict()``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Iterator, NamedTuple, overload

from longshot import _longshot
from longshot.base import Box, Eyes, Plane, Rejection, Result, Size

if TYPE_CHECKING:
    from pathlib import Path

    import pandas

    from longshot.camera import Camera


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


class Measured(NamedTuple):
    """A figure, and how well it is known: one deviation.

    >>> Measured(0.5, 0.1).value
    0.5
    """

    value: float
    deviation: float


@dataclass(frozen=True)
class CameraFigures(Result):
    """How a camera's crops differ from the gallery's photos.

    >>> with Gallery("people.gallery") as gallery:
    ...     figures = gallery.learn_camera("crops").figures
    >>> figures.op, figures.noise >= 0
    ('imresize', True)
    """

    op: str  #: how photos are brought down: "gauss:0.5"
    right: Measured  #: faces lie further to the right, of the width
    down: Measured  #: and further down, of the height
    wider: Measured  #: larger in width, 0.1: by a tenth
    taller: Measured  #: larger in height
    blur: Measured  #: pixels of the crop
    gamma: Measured  #: its greys are the gallery's to this power
    black: float  #: the level of what is black in the gallery, 0 to 1
    noise: float  #: in units of the mean brightness
    mean_face: bool  #: kept, which few crops or enrolled people do not allow
    faces: int  #: different faces on whose common centre answers rest; 0: they are not centred
    days: str  #: whether crops and gallery are of one day: "same", "other" or "unknown"


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
        return _longshot.likelihood_ratio(self.score)


@dataclass(frozen=True)
class FoundFace(Result):
    """One face of a picture, in its pixels.

    >>> face, = find_faces("people/person_00000/00.png")
    >>> face.likeness > 0.5, face.eyes[0] < face.eyes[2]
    (True, True)
    """

    box: Box  #: about brow to chin; a part of it may lie outside the picture
    eyes: Eyes
    eye_error: float  #: expected distance of an eye from its place, in eye distances
    likeness: float  #: probability that this is a face, 0 to 1
    quality: float  #: how much a recogniser can see on it, 0 to 1


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
    #: Of a single image, where it had to be looked for; of a track, the one that weighs most.
    face: FoundFace | None = None
    frame: int = 0  #: of a clip, with that face
    time: float = 0.0  #: of the frame, seconds from the beginning of the clip
    track: int = 0  #: number in its clip, from 1; 0: the probe is no clip
    annotated: tuple[str, ...] = ()  #: files of ``Gallery.annotate`` that show it

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

    def to_json(self) -> str:
        """The document of the program's ``identify --json``."""
        return _longshot.answers_json(self)

    def to_csv(self) -> str:
        """The table of the program's ``identify --csv``."""
        return _longshot.answers_csv(self)

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
class Remark(Result):
    """What is amiss with a photo, though it was enrolled.

    >>> Remark("dark", "The face is dark.").problem
    'dark'
    """

    problem: str  #: "dark", "overexposed", "flat", "blurred", "small", "several faces"
    reason: str  #: one sentence with the figure


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
    remarks: tuple[Remark, ...] = ()


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
    >>> bool(abs(both.probe - both.through_camera - both.difference).max() < 1e-6)
    True
    """

    photo: Plane  #: of the person, as it is kept
    relit: Plane  #: the same in the probe's light
    through_camera: Plane  #: that through the camera, as bright as the probe
    probe: Plane
    difference: Plane  #: probe - through_camera
    light: Light  #: of the probe


@dataclass(frozen=True, eq=False)
class Evidence(Result):
    """Why an answer is as it is, for a person to judge.

    >>> with Gallery("people.gallery") as gallery:
    ...     answers = gallery.identify("crops/person_00004/01.png")
    ...     shown, = gallery.evidence("crops/person_00004/01.png", answers, pictured=2)
    >>> len(shown.comparisons), shown.files[0][0]
    (2, 'crops/person_00004/01.png')
    """

    answer: Answer
    #: Of the first candidates, in their order; empty where there is no answer or no photo is kept.
    comparisons: tuple[Comparison, ...]
    files: tuple[tuple[str, str], ...]  #: name and SHA-256 of the files behind the answer
    steps: tuple[str, ...] = ()  #: what was done, in order, one sentence each


@dataclass(frozen=True)
class Annotated(Result):
    """What ``Gallery.annotate`` wrote.

    >>> Annotated(Answers((), ()), ("out/legend.csv",), ()).files
    ('out/legend.csv',)
    """

    answers: Answers  #: as they were given, with the files that show each
    files: tuple[str, ...]  #: all of them
    rejections: tuple[Rejection, ...]  #: what could not be drawn, or not to its end, and why


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
    source: tuple[float, float, float]  #: strength x direction: right, up, to the camera
    estimate: str  #: how the light was found, in a word or two

    def write(self, folder: str | Path) -> None:
        """Writes albedo.png, normals.png, light.json and relit_AZ_EL.png into a folder."""
        _longshot.write_relit(folder, self)

    def write_sheet(self, path: str | Path, low: Size | tuple[int, int] | str) -> None:
        """Writes one picture with all of them, and below the same at a low resolution."""
        _longshot.write_relit_sheet(path, self, low)

    def __iter__(self) -> Iterator[Plane]:
        return iter(self.images)

    def __len__(self) -> int:
        return len(self.images)
