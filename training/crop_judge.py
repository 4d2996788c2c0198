#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Teaches a small network whether an image of a few pixels is a face that fills it.

Its input is the whole image, stretched to 24x24. Its output is the logarithm of the odds that it is
a face rather than noise, a texture or another place of a photo, if either is as likely.
"""
import argparse
import math
import pathlib

import cv2
import numpy as np
import torch
import torch.nn.functional as functional

from camera import CANVAS_COLS, CANVAS_ROWS, CameraRange, RandomCameras
from face_judge import GRID, Judge, Scenes
from lfw import cut_face, read_faces, read_photos
from network import normalise_grid

CANVAS = (128, 112)  # rows, columns of a face with its margin (lfw.py)
# Worse than the recogniser learns from: what it would fail on is a face all the same.
HARSH = CameraRange(contrast=(-1.6, 0.1), noise=(-1.2, 2.8), jpeg=0.5, quality=(25.0, 95.0))
SHOULDERS = (1.0, 0.9, 1.7)  # beside, above and below the eyes there is no face, in eye distances


def other_places(photos, count: int, seed: int) -> np.ndarray:
    """Cut out of photos beside the face: clothes, walls, letters, hair."""
    random, places = np.random.default_rng(seed), []
    while len(places) < count:
        photo = photos[random.integers(len(photos))]
        eyes, image = photo.eyes, cv2.imread(str(photo.path), cv2.IMREAD_GRAYSCALE)
        distance = math.hypot(eyes[2] - eyes[0], eyes[3] - eyes[1])
        x, y = (eyes[0] + eyes[2]) / 2, (eyes[1] + eyes[3]) / 2
        beside, above, below = (distance * part for part in SHOULDERS)
        for _ in range(12):
            width = distance * random.uniform(0.4, 2.8)
            height = width * random.uniform(1.0, 1.4)
            if width >= image.shape[1] or height >= image.shape[0]:
                continue
            left, top = random.random(2) * (image.shape[1] - width, image.shape[0] - height)
            if (left < x + beside and left + width > x - beside and top < y + below
                    and top + height > y - above):
                continue
            place = image[int(top):int(top + height), int(left):int(left + width)]
            places.append(cv2.resize(place, CANVAS[::-1], interpolation=cv2.INTER_LINEAR))
    return np.array(places[:count])


def textures(count: int, seed: int) -> np.ndarray:
    scenes = Scenes(seed)
    kinds = (cv2.INTER_NEAREST, cv2.INTER_LINEAR, cv2.INTER_CUBIC)
    return np.array([cv2.resize(scenes.texture(), CANVAS[::-1],
                                interpolation=kinds[scenes.random.integers(3)])
                     for _ in range(count)])


class Crops:
    """Faces and what is none, seen by the same random cameras."""

    def __init__(self, seed: int):
        self.cameras = RandomCameras(seed, (GRID, GRID), HARSH)
        self.random = self.cameras.random

    def framed(self, faces: torch.Tensor) -> torch.Tensor:
        """As tight or loose as crops are passed around, and as high or low."""
        n = len(faces)
        uniform = lambda low, high: self.cameras.uniform(n, (low, high))
        scale, aspect = torch.exp(uniform(-0.2, 0.2)), torch.exp(uniform(-0.15, 0.15))
        angle = torch.randn(n, generator=self.random) * math.radians(4.0)
        theta = torch.zeros(n, 2, 3)
        theta[:, 0, 0], theta[:, 0, 1] = scale * torch.cos(angle), -scale * torch.sin(angle)
        theta[:, 1, 0], theta[:, 1, 1] = scale * aspect * torch.sin(angle), scale * aspect
        theta[:, 0, 2], theta[:, 1, 2] = uniform(-0.12, 0.12), uniform(-0.16, 0.26)
        places = functional.affine_grid(theta, (n, 1, *faces.shape[1:]), align_corners=False)
        return functional.grid_sample(faces[:, None], places, padding_mode="border",
                                      align_corners=False)[:, 0]

    def lit(self, faces: torch.Tensor) -> torch.Tensor:
        """Some of them from one side, so that the other one lies in the shade."""
        n = len(faces)
        column = lambda values: values.view(n, 1, 1)
        y, x = torch.meshgrid(torch.linspace(-1, 1, faces.shape[1]),
                              torch.linspace(-1, 1, faces.shape[2]), indexing="ij")
        angle, width = self.cameras.uniform(n, (0.0, 2 * math.pi)), self.cameras.uniform(n, (0.1, 1))
        along = column(torch.cos(angle)) * x + column(torch.sin(angle)) * y
        shade = torch.sigmoid((along - column(self.cameras.uniform(n, (-0.5, 0.3))))
                              / column(width) * 4)
        least = column(self.cameras.uniform(n, (0.05, 0.8)))
        light = least + (1 - least) * shade
        light = torch.where(column(self.cameras.chance(n, 0.4)), light, torch.ones_like(light))
        return faces * light

    def sizes(self, n: int):
        rows = torch.exp(self.cameras.uniform(n, (math.log(6.0), math.log(CANVAS_ROWS + 0.9))))
        cols = rows * self.cameras.uniform(n, (0.65, 1.05))
        return (rows.floor().long().clamp(5, CANVAS_ROWS), cols.round().long().clamp(4, CANVAS_COLS))

    def noise(self, canvas: torch.Tensor) -> torch.Tensor:
        n = len(canvas)
        deviation = torch.exp(self.cameras.uniform(n, (1.0, 4.3))).view(n, 1, 1)
        return (128 + deviation * torch.randn(canvas.shape, generator=self.random)).clamp(0, 255)

    def take(self, images: np.ndarray, faces: bool) -> torch.Tensor:
        """n x 128 x 112 bytes -> n x GRID x GRID, as the network sees them."""
        values = torch.tensor(images.astype(np.float32))
        rows, cols = self.sizes(len(values))
        if faces:
            values = self.lit(self.framed(values))
        canvas = self.cameras.take(values, rows, cols, flip=True)
        if not faces:
            noisy = self.cameras.chance(len(values), 0.2)
            canvas[noisy] = self.noise(canvas[noisy])
        return normalise_grid(self.cameras.enlarge(canvas, rows, cols))


def look_at(crops: Crops, pool: np.ndarray, count: int, faces: bool, batch: int = 128):
    """`count` crops of what is in the pool, each by a camera of its own, in half precision."""
    random = np.random.default_rng(count)
    return torch.cat([crops.take(pool[np.sort(random.integers(len(pool), size=batch))], faces).half()
                      for _ in range(count // batch)])


def teach(judge, faces: torch.Tensor, others: torch.Tensor, epochs: int, batch: int = 256):
    inputs = torch.cat([faces, others])
    labels = torch.cat([torch.ones(len(faces)), torch.zeros(len(others))])
    total = epochs * (len(labels) // batch)
    optimiser = torch.optim.AdamW(judge.parameters(), 2e-3, weight_decay=1e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, 4e-3, total_steps=total + 1)
    for epoch in range(epochs):
        order, mean = torch.randperm(len(labels)), 0.0
        for i in range(len(labels) // batch):
            chosen = order[i * batch:(i + 1) * batch]
            said = judge(inputs[chosen].float())[:, 0]
            loss = functional.binary_cross_entropy_with_logits(said, labels[chosen])
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            schedule.step()
            mean += float(loss)
        print(epoch, round(mean / (len(labels) // batch), 4), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--data", type=pathlib.Path, required=True)
    parser.add_argument("--cache", type=pathlib.Path, required=True, help="a folder for the faces")
    parser.add_argument("--synthetic", type=pathlib.Path, required=True,
                        help="what longshot synth --people 300 --photos 4 wrote")
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--crops", type=int, default=120000, help="of either kind")
    parser.add_argument("--epochs", type=int, default=14)
    arguments = parser.parse_args()
    torch.manual_seed(1)
    photos = read_photos(arguments.data)
    every_face = read_faces(photos, arguments.cache / "faces.npy")
    train = [number for number, photo in enumerate(photos) if photo.part == "train"]
    made = read_photos(arguments.synthetic.parent, arguments.synthetic.name)
    made = [cut_face(cv2.imread(str(p.path), cv2.IMREAD_GRAYSCALE), p.eyes) for p in made]
    faces = np.concatenate([every_face[train], made])
    others = np.concatenate([other_places([photos[i] for i in train], 16000, 2),
                             textures(6000, 3)])
    print(len(faces), "faces,", len(others), "others", flush=True)
    crops, judge = Crops(1), Judge(1)
    teach(judge, look_at(crops, faces, arguments.crops, True),
          look_at(crops, others, arguments.crops, False), arguments.epochs)
    judge.write(arguments.out)


if __name__ == "__main__":
    main()
