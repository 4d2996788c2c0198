# SPDX-License-Identifier: Apache-2.0
"""What goes in: paths, bytes of image files, arrays, and lists of them."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Iterable, Iterator, Mapping, Sequence, Union

import numpy as np

from longshot import _longshot
from longshot._longshot import Picture
from longshot.base import Eyes, Plane, ProgressCallback, Rejection, Result, Size
from longshot.errors import BadInput
from longshot.results import FoundFace, Relit, Trained

if TYPE_CHECKING:
    import numpy.typing as npt

#: One picture.
Source = Union[str, "os.PathLike[str]", bytes, bytearray, memoryview, "npt.NDArray[Any]", Picture]
#: Several: a list of them, a stack of crops (an array), a folder or other path, or ``load``'s.
Sources = Union[Source, Iterable[Source]]
#: (rows, columns) or "12x10".
SizeLike = Union["tuple[int, int]", Size, str]
PathLike = Union[str, "os.PathLike[str]"]


@dataclass(frozen=True)
class Faces(Result):
    """Pictures that ``load`` found, and what it could not use.

    >>> [picture.person for picture in load("people")][:2]
    ['person_00000', 'person_00001']
    """

    pictures: tuple[Picture, ...]
    rejections: tuple[Rejection, ...]

    def __iter__(self) -> Iterator[Picture]:
        return iter(self.pictures)

    def __len__(self) -> int:
        return len(self.pictures)

    def __getitem__(self, index: int) -> Picture:
        return self.pictures[index]

    @property
    def people(self) -> tuple[str, ...]:
        """Everybody once, in the order of their first picture."""
        return tuple(dict.fromkeys(picture.person for picture in self.pictures))


def load(
    *paths: PathLike,
    purpose: str = "enroll",
    person_from: str = "anything",
    unusable: str = "reject",
) -> Faces:
    """The pictures of folders, manifests and MATLAB files, with the people and eyes they name.

    ``purpose`` (enroll, identify, train or any) says which pictures of a list with roles are
    meant, ``person_from`` what names the people: anything, layout, folder, stem or manifest.
    ``unusable="keep"``: a file that cannot be used keeps its place, where it is reported later.

    >>> faces = load("people")
    >>> len(faces), faces.people[0], faces[0].eyes is not None
    (6, 'person_00000', True)
    """
    pictures, rejections = _longshot.load(
        [Path(path) for path in paths], purpose, person_from, unusable
    )
    return Faces(tuple(pictures), rejections)


def given(path: PathLike | None) -> Path | str:
    """The path, or none: Path("") is the working folder, which is not the absence of a path."""
    return "" if path is None else Path(path)


def is_path(source: object) -> bool:
    return isinstance(source, (str, os.PathLike))


def is_one(source: object) -> bool:
    """Whether this is one picture and not several."""
    if isinstance(source, np.ndarray):
        return source.ndim < 3 or (source.ndim == 3 and source.shape[2] in (1, 3))
    if isinstance(source, (bytes, bytearray, memoryview, Picture)) or is_path(source):
        return True
    if not isinstance(source, Iterable):
        return True
    return hasattr(source, "__array__") or hasattr(source, "__array_interface__")


def listed(sources: Any) -> Iterable[object]:
    """Several pictures, or a list of one."""
    several: Iterable[object] = [sources] if is_one(sources) else sources
    return several


def gather(sources: Sources, aligned: bool, purpose: str) -> list[Picture]:
    """The pictures of one argument. A folder or list of faces is read as the program reads it."""
    if is_path(sources):
        path = Path(sources)  # type: ignore[arg-type]
        if path.is_dir() or path.suffix.lower() in (".csv", ".mat", ".xml"):
            return gather(load(path, purpose=purpose), aligned, purpose)
    return _longshot.pictures(listed(sources), aligned, "image")


def gather_people(
    people: Mapping[str, Source | Sequence[Source]] | Sources, aligned: bool
) -> list[Picture]:
    """The pictures of one argument of ``enroll``, with the names of a mapping."""
    if not isinstance(people, Mapping):
        return gather(people, aligned, "enroll")
    pictures: list[Picture] = []
    for name, photos in people.items():
        for one in _longshot.pictures(listed(photos), aligned, name):
            pictures.append(Picture(one, person=name))
    return pictures


def relight(
    photo: Source,
    lights: int | str | Sequence[tuple[float, float]] = 9,
    *,
    size: SizeLike = Size(48, 40),
    ambient: float = 0.0,
    aligned: bool = False,
    detector: PathLike | None = None,
) -> Relit:
    """A photographed face under other lights.

    ``lights`` is 5, 9, 10 or 28 for the sets of docs/method.md, a text like "0:0,30:-20", or a
    list of (azimuth, elevation) in degrees.

    >>> relit = relight("people/person_00000/00.png", lights=[(-60, 0), (60, 0)])
    >>> left, right = relit
    >>> bool(left[:, :20].mean() > left[:, 20:].mean()), left.shape
    (True, (48, 40))
    """
    if isinstance(lights, (int, str)):
        chosen = _longshot.parse_lights(str(lights))
    else:
        chosen = [(float(a), float(e)) for a, e in lights]
    if not chosen:
        raise BadInput("There is no light to relight with.")
    return _longshot.relight(
        Picture(photo, aligned=aligned), size, chosen, ambient, given(detector)
    )


def degrade(
    photo: Source,
    size: SizeLike,
    *,
    op: str = "imresize",
    noise: float = 0.0,
    seed: int = 1,
    face: bool = False,
    detector: PathLike | None = None,
) -> Plane:
    """The whole picture at a low resolution: imresize, area, gauss or gauss:S, and sensor noise.

    ``face``: the face alone, which is cut out first.

    >>> degrade(np.full((48, 40), 255, np.uint8), (12, 10)).shape
    (12, 10)
    """
    return _longshot.degrade(Picture(photo), size, op, noise, seed, face, given(detector))


def train(
    pictures: Sources,
    out: PathLike,
    *,
    high: SizeLike = Size(48, 40),
    detector: PathLike | None = None,
    progress: ProgressCallback | None = None,
) -> Trained:
    """Learns what people who are not to be enrolled teach about faces, for ``enroll(model=)``.

    The file holds their faces. Several photos of each, under the lights in which people will be
    seen, teach most.

    >>> try:
    ...     train(load("people", purpose="any"), "some.model")
    ... except BadInput as error:
    ...     print(str(error)[:44])
    Training needs photos of at least 20 people,
    """
    photos = gather(pictures, False, "train")
    return _longshot.train(photos, Path(out), high, given(detector), progress)


def find_faces(
    picture: Source,
    *,
    detector: PathLike | None = None,
    least_eye_distance: float = 3.5,
    least_likeness: float = 0.5,
) -> tuple[FoundFace, ...]:
    """All upright, roughly frontal faces of a picture, larger before smaller.

    Faces with less than ``least_eye_distance`` pixels between the eyes are not looked for; what is
    less likely to be a face than ``least_likeness``, 0 to 1, is none.

    >>> [len(find_faces(one)) for one in ("people/person_00000/00.png", np.zeros((50, 50), "u1"))]
    [1, 0]
    """
    return _longshot.find_faces(
        Picture(picture), given(detector), least_eye_distance, least_likeness
    )


def cut_out_faces(
    picture: Source, faces: Iterable[FoundFace], *, largest: SizeLike = Size(240, 200)
) -> tuple[Plane, ...]:
    """These faces of the picture as grey crops, upright, at their own size, at most ``largest``.

    >>> crop, = cut_out_faces("people/person_00000/00.png", find_faces("people/person_00000/00.png"))
    >>> crop.dtype.name, crop.shape[0] > crop.shape[1]
    ('float32', True)
    """
    return _longshot.cut_out_faces(Picture(picture), faces, largest)


def eyes_in_crop(crop: SizeLike) -> Eyes:
    """Where the eyes are in a face crop of that size, as galleries and cut_out_faces have it.

    >>> left_x, left_y, right_x, right_y = eyes_in_crop((48, 40))
    >>> left_y == right_y, left_x + right_x
    (True, 40.0)
    """
    return _longshot.eyes_in_crop(crop)


def write_plane(path: PathLike, plane: npt.ArrayLike) -> None:
    """Writes a grey image; the extension says the format: .png, .jpg, .pgm, ...

    Only its owner may read the file, as it may hold a face.

    >>> write_plane("small.png", degrade("people/person_00000/00.png", (12, 10), face=True))
    >>> image_size(open("small.png", "rb").read())
    Size(rows=12, cols=10)
    """
    _longshot.write_plane(Path(path), plane)


def encode_plane(plane: npt.ArrayLike, extension: str = ".png") -> bytes:
    """The bytes of such a file.

    >>> encode_plane(np.zeros((2, 3), np.float32), ".pgm")[:2]
    b'P5'
    """
    return _longshot.encode_plane(plane, extension)


def image_size(file: bytes) -> Size | None:
    """What the header of an image file says, before anything is decoded; None if it is none.

    >>> image_size(b"no image")
    """
    return _longshot.image_size(file)


def person_of_file(file: PathLike) -> str:
    """Whom a file shows by its name.

    >>> person_of_file("photos/anna_2.jpg")
    'anna'
    """
    return _longshot.person_of_file(Path(file))
