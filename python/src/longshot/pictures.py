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
from longshot.results import Plane, Rejection, Relit, Result, Size

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
    """Pictures that ``load`` found, and what it could not use."""

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


def load(*paths: PathLike, purpose: str = "enroll") -> Faces:
    """The pictures of folders, manifests and MATLAB files, with the people and eyes they name.

    ``purpose`` (enroll, identify or train) says which pictures of a list with roles are meant.

    >>> faces = load("people")
    >>> len(faces), faces.people[0], faces[0].eyes is not None
    (6, 'person_00000', True)
    """
    pictures, rejections = _longshot.load([Path(path) for path in paths], purpose)
    return Faces(tuple(pictures), rejections)


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
    lights: int | Sequence[tuple[float, float]] = 9,
    *,
    size: SizeLike = Size(48, 40),
    ambient: float = 0.0,
    aligned: bool = False,
    detector: PathLike = "",
) -> Relit:
    """A photographed face under other lights: the nine points of light, or (azimuth, elevation).

    >>> relit = relight("people/person_00000/00.png", lights=[(-60, 0), (60, 0)])
    >>> left, right = relit
    >>> bool(left[:, :20].mean() > left[:, 20:].mean()), left.shape
    (True, (48, 40))
    """
    if isinstance(lights, int) and lights != 9:
        raise _bad_input("The lights are 9, or a list of (azimuth, elevation) in degrees.")
    chosen = [] if isinstance(lights, int) else [(float(a), float(e)) for a, e in lights]
    if not isinstance(lights, int) and not chosen:
        raise _bad_input("There is no light to relight with.")
    return _longshot.relight(
        Picture(photo, aligned=aligned), size, chosen, ambient, Path(detector) if detector else ""
    )


def degrade(
    photo: Source,
    size: SizeLike,
    *,
    op: str = "imresize",
    noise: float = 0.0,
    seed: int = 1,
) -> Plane:
    """The whole picture at a low resolution: imresize, area, gauss or gauss:S, and sensor noise.

    >>> degrade(np.full((48, 40), 255, np.uint8), (12, 10)).shape
    (12, 10)
    """
    return _longshot.degrade(Picture(photo), size, op, noise, seed)


def _bad_input(sentence: str) -> Exception:
    from longshot.errors import BadInput

    return BadInput(sentence)
