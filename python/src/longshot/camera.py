# SPDX-License-Identifier: Apache-2.0
"""What was learnt of a camera from its own crops."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Callable

from longshot import _longshot
from longshot.base import Plane, Rejection, Result, Size
from longshot.results import CameraFigures


@dataclass(frozen=True, eq=False)
class Camera(Result):
    """A camera: ``Gallery.learn_camera`` learns one, ``Camera.read`` reads its file.

    >>> with Gallery("people.gallery") as gallery:
    ...     camera = gallery.learn_camera("crops")
    >>> str(camera.size), camera.crops
    ('12x10', 12)
    """

    _camera: _longshot.Camera = field(repr=False)
    #: The mean face, sharp and through the camera, the mean crop, and their difference.
    sheet: Plane | None = field(default=None, repr=False)
    other_sizes: int = 0  #: crops that were left out because they fill another size
    rejections: tuple[Rejection, ...] = ()

    @staticmethod
    def read(path: str | Path) -> Camera:
        """Reads a camera file."""
        return Camera(_longshot.Camera.read(Path(path)))

    def write(self, path: str | Path) -> None:
        """Writes a camera file, which the program's ``--camera`` reads too."""
        self._camera.write(Path(path))

    @property
    def size(self) -> Size:
        """Of the crops that it was learnt from."""
        return self._camera.size

    @property
    def crops(self) -> int:
        """How many they were."""
        return self._camera.crops

    @property
    def learnt(self) -> bool:
        """False: the crops said too little, and nothing changes by using it."""
        return self._camera.learnt

    @property
    def figures(self) -> CameraFigures:
        """What was measured."""
        return self._camera.figures()

    def to_dict(self) -> dict[str, Any]:
        """What the camera file holds."""
        figures: dict[str, Any] = json.loads(self._camera.json())
        return figures

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Camera) and self._camera.json() == other._camera.json()

    def __hash__(self) -> int:
        return hash(self._camera.json())

    def __reduce__(self) -> tuple[Callable[..., Camera], tuple[Any, ...]]:
        return _parsed, (self._camera.json(), self.sheet, self.other_sizes, self.rejections)


def _parsed(
    text: str, sheet: Plane | None, other_sizes: int, rejections: tuple[Rejection, ...]
) -> Camera:
    return Camera(_longshot.Camera.parse(text), sheet, other_sizes, rejections)
