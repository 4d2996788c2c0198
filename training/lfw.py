# SPDX-License-Identifier: Apache-2.0
"""The photos of LFW: their list, and the faces cut out as longshot cuts them out."""
import csv
import dataclasses
import pathlib

import cv2
import numpy as np

from split import part_of

# longshot's canonical frame (src/longshot/image/face_frame.h) at twice its 48x40 pixels, so that
# an eye distance is 40 pixels, about what LFW has; with a margin all around for framing errors.
FRAME_ROWS, FRAME_COLS, MARGIN = 96, 80, 16
LEFT_EYE = (0.25 * FRAME_COLS, 16.5 / 48.0 * FRAME_ROWS)
EYE_DISTANCE = 0.5 * FRAME_COLS

FRONTAL = 0.22  # the nose beside the middle of the eyes by less than this, in eye distances


@dataclasses.dataclass
class Photo:
    path: pathlib.Path
    name: str
    eyes: tuple  # left x, left y, right x, right y; origin at the corner of the first pixel
    turn: float  # the manifest's `condition`

    @property
    def frontal(self) -> bool:
        return abs(self.turn) < FRONTAL

    @property
    def part(self) -> str:
        return part_of(self.name)


def read_photos(data: pathlib.Path, name: str = "lfw") -> list:
    """All photos of the manifest.csv in a folder of `data`, in its order."""
    folder = data / name
    photos = []
    with open(folder / "manifest.csv", newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            eyes = tuple(float(row[f"{side}_eye_{axis}"]) for side in ("left", "right")
                         for axis in "xy")
            photos.append(Photo(folder / row["path"], row["subject"], eyes,
                                float(row["condition"]) if name == "lfw" else 0.0))
    return photos


def eye_transform(eyes, left_eye, distance) -> np.ndarray:
    """2x3, for cv2.warpAffine: brings the eyes to `left_eye` and `distance` to the right of it."""
    left, right = complex(eyes[0], eyes[1]), complex(eyes[2], eyes[3])
    turn = distance / (right - left)
    move = complex(*left_eye) - turn * left
    # OpenCV counts from the centre of the first pixel, we from its corner.
    half = complex(0.5, 0.5)
    move += turn * half - half
    return np.array([[turn.real, -turn.imag, move.real], [turn.imag, turn.real, move.imag]])


def cut_face(photo: np.ndarray, eyes) -> np.ndarray:
    """The frame with its margin; outside the photo its border is repeated, as in align.cc."""
    left_eye = (LEFT_EYE[0] + MARGIN, LEFT_EYE[1] + MARGIN)
    size = (FRAME_COLS + 2 * MARGIN, FRAME_ROWS + 2 * MARGIN)
    return cv2.warpAffine(photo, eye_transform(eyes, left_eye, EYE_DISTANCE), size,
                          flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)


def read_faces(photos, cache: pathlib.Path) -> np.ndarray:
    """n x 128 x 112 grey bytes, one face per photo; kept in `cache` (a .npy file)."""
    if cache.exists():
        faces = np.load(cache)
        if len(faces) == len(photos):
            return faces
    faces = np.array([cut_face(cv2.imread(str(p.path), cv2.IMREAD_GRAYSCALE), p.eyes)
                      for p in photos])
    cache.parent.mkdir(parents=True, exist_ok=True)
    np.save(cache, faces)
    return faces
