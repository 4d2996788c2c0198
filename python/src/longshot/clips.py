# SPDX-License-Identifier: Apache-2.0
"""Clips, and the faces that are followed through them."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from typing import Any

from longshot import _longshot
from longshot.base import Plane, ProgressCallback, Result, Size
from longshot.pictures import PathLike, SizeLike, given
from longshot.results import FoundFace


@dataclass(frozen=True)
class TrackFace(Result):
    """A face on one frame of a clip.

    >>> TrackFace(3, 0.12, FoundFace((0, 0, 9, 9), (2, 3, 6, 3), 0.1, 0.9, 0.5), 1.0).frame
    3
    """

    frame: int  #: number, from 0
    time: float  #: seconds from the beginning of the clip
    face: FoundFace
    weight: float  #: how much it tells compared with the others of its track, 0 to 1


@dataclass(frozen=True)
class Track(Result):
    """One person, as far as it can be told, from frame to frame.

    >>> track = find_tracks("walk.avi", least_eye_distance=8).tracks[0]
    >>> track.number, len(track.crops()) == len(track.faces)
    (1, True)
    """

    source: str  #: the clip
    number: int  #: in it, from 1
    faces: tuple[TrackFace, ...]  #: in the order of time
    _track: _longshot.Track = field(repr=False, compare=False)

    def crops(self) -> tuple[Plane, ...]:
        """The faces as grey crops, upright, laid on each other, at their own size."""
        return self._track.crops()

    def to_dict(self) -> dict[str, Any]:
        faces = [face.to_dict() for face in self.faces]
        return {"source": self.source, "number": self.number, "faces": faces}


@dataclass(frozen=True)
class ClipTracks(Result):
    """What ``find_tracks`` found.

    >>> found = find_tracks("walk.avi", least_eye_distance=8)
    >>> found.frames, found.cut_short
    (12, None)
    """

    tracks: tuple[Track, ...]  #: by their first frame
    frames: int  #: that were looked at
    cut_short: str | None  #: why the rest is missing, one sentence


def is_clip(path: PathLike, any_word: bool = False) -> bool:
    """Whether a path is a clip: by the name of the file, or a folder of numbered frames.

    The images of such a folder are named "frame" and a number; with ``any_word``, by any one word.

    >>> is_clip("walk.avi"), is_clip("people")
    (True, False)
    """
    return _longshot.is_clip(Path(path), any_word)


def find_tracks(
    path: PathLike,
    *,
    every: int = 1,
    begin: float = 0.0,
    end: float = inf,
    detector: PathLike | None = None,
    least_eye_distance: float = 6.0,
    least_likeness: float = 0.5,
    progress: ProgressCallback | None = None,
) -> ClipTracks:
    """Follows the faces of a clip from frame to frame, for ``Gallery.identify_tracks``.

    Of its frames between ``begin`` and ``end``, in seconds, one in ``every`` is looked at. Where
    ``progress`` cancels, or the clip is damaged, what was found till then is the result.

    >>> len(find_tracks("walk.avi", least_eye_distance=8, end=0.2).tracks)
    1
    """
    return _longshot.find_tracks(
        Path(path),
        every,
        begin,
        end,
        given(detector),
        least_eye_distance,
        least_likeness,
        progress,
    )


def synthesize_clip(
    path: PathLike,
    *,
    people: int = 20,
    size: SizeLike = Size(240, 426),
    walk: int = 40,
    together: int = 2,
    far: float = 3.5,
    near: float = 7.0,
    noise: float = 0.02,
    rate: float = 25.0,
    seed: int = 1,
    progress: ProgressCallback | None = None,
) -> int:
    """Writes a clip of people who do not exist and walk, and returns how many frames it has.

    Motion JPEG for ``.avi``, H.264 otherwise; where the eyes are stands beside it, in ``.csv``.

    >>> synthesize_clip("two.avi", people=2, walk=3)
    3
    """
    return _longshot.write_synthetic_clip(
        Path(path), people, size, walk, together, far, near, noise, rate, seed, progress
    )
