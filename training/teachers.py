# SPDX-License-Identifier: Apache-2.0
"""Where the teachers put photos and blends of photos; kept in the cache.

A teacher has a name, says `count` numbers of colour pictures of `side` pixels, cut out so that the
eyes lie at `left_eye` and `eye_distance` to the right of it.
"""
import pathlib

import cv2
import numpy as np
import torch
import torch.nn.functional as functional

from dlib_files import Dlib
from faceres import FaceRes
from morphs import mask_rows

BATCH = 16


def teachers_of(folder: pathlib.Path) -> list:
    """Those that training/run has fetched into a folder."""
    return [FaceRes(folder / "human" / "models"), Dlib(folder / "face-api" / "model")]


def _embed(teacher, count: int, cut, kind: str, cache: pathlib.Path) -> np.ndarray:
    file = cache / f"{teacher.name}_{kind}.npy"
    if file.exists() and len(kept := np.load(file)) == count:
        return kept
    result = np.zeros((count, teacher.count), np.float32)
    for first in range(0, count, BATCH):
        numbers = range(first, min(first + BATCH, count))
        values = teacher(torch.tensor(np.array([cut(k) for k in numbers])))
        result[first:first + BATCH] = functional.normalize(values).numpy()
        if first // BATCH % 50 == 0:
            print(f"{teacher.name}: {first} of {count} {kind}", flush=True)
    cache.mkdir(parents=True, exist_ok=True)
    np.save(file, result)
    return result


def _cut_photo(teacher, photo) -> np.ndarray:
    return teacher.cut(cv2.imread(str(photo.path)), photo.eyes)


def embed_photos(teacher, photos, cache: pathlib.Path, kind: str = "photos") -> np.ndarray:
    """n x teacher.count, of length 1."""
    return _embed(teacher, len(photos), lambda k: _cut_photo(teacher, photos[k]), kind, cache)


def embed_blends(teacher, photos, pairs, masks, cache: pathlib.Path, seed: int) -> np.ndarray:
    """The same of the blends that morphs.py describes."""

    def cut(k: int) -> np.ndarray:
        one, two = (_cut_photo(teacher, photos[number]) for number in pairs[k])
        share = mask_rows(masks[k], teacher.side, teacher.left_eye[1], teacher.eye_distance)
        return share[:, None] * one + (1 - share[:, None]) * two

    return _embed(teacher, len(pairs), cut, f"blends_{seed}", cache)
