# SPDX-License-Identifier: Apache-2.0
"""Rank one on people whom nothing was learnt from: plainly brought down, and through cameras."""
import numpy as np
import torch

from camera import RandomCameras, plain_crops
from gradient_features import imresize_weights
from network import GRID, normalise_grid

SIZES = ((22, 15), (12, 10), (7, 6))
MOST_PROBES = 5  # of one person; everybody counts the same


def size_name(size) -> str:
    return f"{size[0]}x{size[1]}"


def camera_crops(cameras: RandomCameras, faces: np.ndarray, size: tuple, error: float = 1.0,
                 flip: bool = False, batch: int = 128) -> np.ndarray:
    """n x rows x cols; every face through a camera of its own. `flip`: all of them mirrored."""
    crops = []
    for first in range(0, len(faces), batch):
        some = torch.tensor(faces[first:first + batch].astype(np.float32))
        rows, cols = (torch.full((len(some),), side) for side in size)
        canvas = cameras.take(some.flip(2) if flip else some, rows, cols, error)
        crops.append(canvas[:, :size[0], :size[1]].numpy())
    return np.concatenate(crops)


def network_grid(crops: np.ndarray) -> torch.Tensor:
    """Crops of one size -> the network's input."""
    rows = torch.tensor(imresize_weights(crops.shape[1], GRID[0]).astype(np.float32))
    cols = torch.tensor(imresize_weights(crops.shape[2], GRID[1]).astype(np.float32))
    return normalise_grid(rows @ torch.tensor(crops.astype(np.float32)) @ cols.T)


def unit(values: np.ndarray) -> np.ndarray:
    return values / np.linalg.norm(values, axis=1, keepdims=True)


class TuningTrial:
    """Crops of the people of one part: one gallery photo each, nearly frontal; the others probe."""

    def __init__(self, photos, faces: np.ndarray, part: str = "tune", seed: int = 7):
        people = {}
        for number, photo in enumerate(photos):
            if photo.part == part and photo.frontal:
                people.setdefault(photo.name, []).append(number)
        people = [numbers for numbers in people.values() if len(numbers) >= 2]
        self.gallery = np.array([numbers[0] for numbers in people])
        probes = [(k, number) for k, numbers in enumerate(people)
                  for number in numbers[1:1 + MOST_PROBES]]
        self.truth, self.probes = (np.array(column) for column in zip(*probes))
        self.weight = 1.0 / np.bincount(self.truth)[self.truth] / len(people)
        cameras = RandomCameras(seed)
        self.sharp = plain_crops(faces[self.gallery], (48, 40))
        self.matched = {size: plain_crops(faces[self.gallery], size) for size in SIZES}
        self.plain = {size: plain_crops(faces[self.probes], size) for size in SIZES}
        self.seen = {size: camera_crops(cameras, faces[self.probes], size) for size in SIZES}

    def rank_one(self, scores: np.ndarray) -> float:
        """Percent, of probes x gallery."""
        return 100.0 * float(((scores.argmax(1) == self.truth) * self.weight).sum())

    def of_network(self, network) -> dict:
        """Per size: sharp gallery, and gallery at the probe's size; the latter centred as well."""
        embed = lambda crops: network.embed(network_grid(crops)).numpy()
        sharp, result = embed(self.sharp), {}
        for size in SIZES:
            matched = embed(self.matched[size])
            for kind, crops in (("plain", self.plain[size]), ("camera", self.seen[size])):
                probes = embed(crops)
                centred = unit(probes - probes.mean(0))
                values = [self.rank_one(probes @ sharp.T), self.rank_one(probes @ matched.T),
                          self.rank_one(centred @ unit(matched - matched.mean(0)).T)]
                result[f"{kind} {size_name(size)}"] = [round(value, 1) for value in values]
        return result
