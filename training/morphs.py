# SPDX-License-Identifier: Apache-2.0
"""Faces of people who do not exist: two photos of training people, blended by height.

Thousands of people with one or two photos each are few to learn from. A blend of two faces looks
like a third person, and the teachers say where that person lies. Blends are made where a teacher
looks at them and, from the same mask, in the grey faces that the student sees.
"""
import numpy as np

import lfw

SIMILAR_TURN = 0.15  # noses of both photos beside the middle by nearly the same


def blend_pairs(photos, count: int, seed: int) -> tuple:
    """`count` pairs of photos of two people each, alike in pose, and the coefficients of their
    masks: count x 2, offset and slope by height."""
    random = np.random.default_rng(seed)
    turn = np.array([photo.turn for photo in photos])
    pairs = []
    while len(pairs) < count:
        one, two = random.integers(len(photos), size=2)
        if photos[one].name != photos[two].name and abs(turn[one] - turn[two]) < SIMILAR_TURN:
            pairs.append((one, two))
    masks = random.normal(size=(count, 2)) * (0.7, 2.0)
    return np.array(pairs), masks.astype(np.float32)


def mask_rows(mask: np.ndarray, rows: int, eye_row: float, distance: float) -> np.ndarray:
    """The first face's share in each row; heights count from the eyes, in eye distances."""
    height = (np.arange(rows, dtype=np.float32) + 0.5 - eye_row) / distance
    return 1.0 / (1.0 + np.exp(-(mask[0] + mask[1] * (height - 0.3))))


def blended_faces(faces: np.ndarray, pairs: np.ndarray, masks: np.ndarray) -> np.ndarray:
    """Grey faces of the pairs, of faces as lfw.py cuts them out."""
    result = np.empty((len(pairs), *faces.shape[1:]), np.uint8)
    for k, ((one, two), mask) in enumerate(zip(pairs, masks)):
        share = mask_rows(mask, faces.shape[1], lfw.LEFT_EYE[1] + lfw.MARGIN, lfw.EYE_DISTANCE)
        result[k] = np.rint(share[:, None] * faces[one] + (1 - share[:, None]) * faces[two])
    return result
