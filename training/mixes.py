#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Faces of people who do not exist: regions of up to three photos of training people, warped.

The student learns the teacher's function only as far as it is shown it, and thousands of people
are few. Here the eyes of one person, the mouth of another and the outline of a third are joined
along smooth masks, their colours brought together, and the whole is made wider, longer, with eyes
further apart, as a detector of eyes would then align it. The teacher says where such a face lies.
"""
import argparse
import functools
import multiprocessing
import pathlib

import cv2
import numpy as np
import torch
import torch.nn.functional as functional

import faceres
import lfw

ROWS, COLS = 240, faceres.SIDE  # what the teacher sees, and below it what the student does
FACE = (lfw.FRAME_ROWS + 2 * lfw.MARGIN, lfw.FRAME_COLS + 2 * lfw.MARGIN)
SOURCES = (0.15, 0.45, 0.4)  # shares of faces of one, two and three photos
SIMILAR_TURN = 0.15  # noses of the photos beside the middle by nearly the same
COARSE_STEP = 8  # pixels between places where masks and colours are computed
PART = 2000  # faces of a file
# Middle and extent of regions, in eye distances from the middle of the eyes, to the right and down;
# both eyes and both cheeks go together.
REGIONS = np.array([[0.5, 0.0, 0.45, 0.3], [0.0, 0.55, 0.35, 0.4], [0.0, 1.1, 0.5, 0.25],
                    [0.0, 1.6, 0.7, 0.3], [0.0, -0.8, 1.0, 0.4], [0.95, 0.6, 0.35, 0.7]])
FIRMNESS = 3.5  # deviation of the logarithm of a source's share within a region
STRETCH = 0.06  # deviations: of the height, and of a smooth field, in eye distances
BEND = 0.035
UNEVEN = 0.35  # share of the field that is not the same on both sides


def place_grid() -> tuple:
    """x and y of all pixels from the middle of the eyes, in eye distances."""
    y, x = np.mgrid[:ROWS, :COLS].astype(np.float32)
    middle = faceres.LEFT_EYE[0] + faceres.EYE_DISTANCE / 2
    return ((x + 0.5 - middle) / faceres.EYE_DISTANCE,
            (y + 0.5 - faceres.LEFT_EYE[1]) / faceres.EYE_DISTANCE)


X, Y = place_grid()
COARSE = slice(COARSE_STEP // 2, None, COARSE_STEP)
BUMPS = np.array([np.exp(-0.5 * (((np.abs(X) - x) / width) ** 2 + ((Y - y) / height) ** 2))
                  for x, y, width, height in REGIONS], np.float32)[:, COARSE, COARSE]
OVAL = ((X / 0.9) ** 2 + ((Y - 0.5) / 1.3) ** 2 < 1)[COARSE, COARSE]  # where colours are compared


def cut_pictures(photos) -> np.ndarray:
    """n x ROWS x COLS x 3 bytes, aligned as the teacher sees them."""
    result = np.empty((len(photos), ROWS, COLS, 3), np.uint8)
    for picture, photo in zip(result, photos):
        transform = lfw.eye_transform(photo.eyes, faceres.LEFT_EYE, faceres.EYE_DISTANCE)
        cv2.warpAffine(cv2.imread(str(photo.path)), transform, (COLS, ROWS), picture,
                       flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return result


class Mixer:
    def __init__(self, photos, pictures: np.ndarray, random: np.random.Generator):
        self.pictures, self.random = pictures, random
        self.names = np.array([photo.name for photo in photos])
        self.turn = np.array([photo.turn for photo in photos])

    def sources(self) -> list:
        """One to three photos of different people, alike in pose, some of them mirrored."""
        count = 1 + self.random.choice(len(SOURCES), p=SOURCES)
        while True:
            numbers, mirrored = (self.random.integers(most, size=count)
                                 for most in (len(self.turn), 2))
            turn = np.where(mirrored, -self.turn[numbers], self.turn[numbers])
            if len(set(self.names[numbers])) == count and np.ptp(turn) < SIMILAR_TURN:
                break
        pictures = (self.pictures[number] for number in numbers)
        return [(picture[:, ::-1] if mirror else picture).astype(np.float32)
                for picture, mirror in zip(pictures, mirrored)]

    def shares(self, count: int) -> np.ndarray:
        """ROWS x COLS x count, with sum 1: smooth, most regions mostly of one source."""
        strength = self.random.normal(size=(count, len(REGIONS))) * FIRMNESS
        logarithm = np.tensordot(strength.astype(np.float32), BUMPS, 1)
        logarithm += self.random.normal(size=(count, 1, 1)).astype(np.float32) * 0.7
        share = np.exp(logarithm - logarithm.max(0))
        share = np.ascontiguousarray((share / share.sum(0)).transpose(1, 2, 0))
        return cv2.resize(share, (COLS, ROWS), interpolation=cv2.INTER_LINEAR).reshape(
            ROWS, COLS, count)

    def tone(self, picture: np.ndarray, like: np.ndarray) -> np.ndarray:
        """The picture with the colours' mean and deviation mostly those of another face."""
        share = self.random.uniform(0.6, 1.0)
        (mean, deviation), (other, others) = (
            (p.mean(0), p.std(0) + 1) for p in (p[COARSE, COARSE][OVAL] for p in (picture, like)))
        scale = (others / deviation) ** share
        return picture * scale + (mean * (1 - scale) + share * (other - mean))

    def warp(self, picture: np.ndarray) -> np.ndarray:
        """Bent smoothly, and aligned again by the eyes."""
        knots = self.random.normal(size=(2, 6, 5)) * BEND
        mirrored = knots[:, :, ::-1] * np.array([-1, 1])[:, None, None]
        knots = (1 - UNEVEN / 2) * 0.5 * (knots + mirrored) * 2 ** 0.5 + UNEVEN / 2 * knots
        x, y = (cv2.resize(part.astype(np.float32), (COLS, ROWS), interpolation=cv2.INTER_CUBIC)
                for part in knots)
        y = y + Y * self.random.normal() * STRETCH
        move, place = x + 1j * y, X + 1j * Y
        eye = int(faceres.LEFT_EYE[1]), int(faceres.LEFT_EYE[0])
        left, right = move[eye], move[eye[0], COLS - 1 - eye[1]]
        move = move - (left + right) / 2 - (right - left) * place
        pixels = faceres.EYE_DISTANCE * (place + move)
        middle = faceres.LEFT_EYE[0] + faceres.EYE_DISTANCE / 2
        return cv2.remap(picture, (pixels.real + middle - 0.5).astype(np.float32),
                         (pixels.imag + faceres.LEFT_EYE[1] - 0.5).astype(np.float32),
                         cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)

    def mix(self) -> np.ndarray:
        """ROWS x COLS x 3, 0..255."""
        sources = self.sources()
        shares = self.shares(len(sources))
        mixed = sum(shares[..., k, None] * (source if k == 0 else self.tone(source, sources[0]))
                    for k, source in enumerate(sources))
        return self.warp(mixed).clip(0, 255).round()


def student_face(mixed: np.ndarray) -> np.ndarray:
    """The grey face as lfw.py cuts it out."""
    grey = cv2.cvtColor(mixed.astype(np.uint8), cv2.COLOR_BGR2GRAY)
    x, y = faceres.LEFT_EYE
    return lfw.cut_face(grey, (x, y, x + faceres.EYE_DISTANCE, y))


def part_file(cache: pathlib.Path, seed: int, part: int) -> pathlib.Path:
    return cache / f"mixes_{seed}_{part:03}.npz"


def write_part(photos, pictures, teacher: pathlib.Path, cache: pathlib.Path, seed: int, part: int,
               batch: int = 16):
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    network = faceres.FaceRes(teacher)
    mixer = Mixer(photos, pictures, np.random.default_rng((seed, part)))
    faces, values = np.empty((PART, *FACE), np.uint8), np.empty((PART, faceres.COUNT), np.float16)
    for first in range(0, PART, batch):
        mixed = [mixer.mix() for _ in range(batch)]
        faces[first:first + batch] = [student_face(face) for face in mixed]
        seen = np.array([(face[:faceres.SIDE] - faceres.MEAN).transpose(2, 0, 1)
                         for face in mixed], np.float32)
        values[first:first + batch] = functional.normalize(network(torch.tensor(seen))).numpy()
    file = part_file(cache, seed, part)
    unfinished = file.with_suffix(".part.npz")
    np.savez(unfinished, faces=faces, values=values)
    unfinished.rename(file)
    print(f"teacher: part {part} of the mixes", flush=True)


def read_parts(cache: pathlib.Path, seed: int, parts: int) -> tuple:
    """Faces and the teacher's embeddings of the first parts."""
    faces = np.empty((parts * PART, *FACE), np.uint8)
    values = np.empty((parts * PART, faceres.COUNT), np.float32)
    for part in range(parts):
        file, place = np.load(part_file(cache, seed, part)), slice(part * PART, (part + 1) * PART)
        faces[place], values[place] = file["faces"], file["values"]
    return faces, values


def main():
    from train_network import training_photos

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=pathlib.Path, required=True, help="the folder of lfw/")
    parser.add_argument("--cache", type=pathlib.Path, required=True)
    parser.add_argument("--teacher", type=pathlib.Path, required=True,
                        help="the folder of faceres.json and faceres.bin")
    parser.add_argument("--parts", type=int, default=14, help=f"of {PART} faces each")
    parser.add_argument("--threads", type=int, default=1, help="workers")
    parser.add_argument("--seed", type=int, default=5)
    arguments = parser.parse_args()
    missing = [part for part in range(arguments.parts)
               if not part_file(arguments.cache, arguments.seed, part).exists()]
    if not missing:
        return
    photos = lfw.read_photos(arguments.data)
    known = [photos[number] for number in training_photos(photos)]
    write = functools.partial(write_part, known, cut_pictures(known), arguments.teacher,
                              arguments.cache, arguments.seed)
    workers = [multiprocessing.Process(target=lambda own: [write(part) for part in own],
                                       args=(missing[k::arguments.threads],))
               for k in range(arguments.threads)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    if any(worker.exitcode for worker in workers):
        raise SystemExit("the teacher did not see all mixes")


if __name__ == "__main__":
    main()
