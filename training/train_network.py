#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Trains the small network: a degraded photo must land where the teacher puts the sharp one.

Loss: 4 (1 - cosine to the teacher's embedding of this photo), and cross-entropy over all training
people against the teacher's mean embedding of each. The teacher's embeddings are centred and
projected on their leading directions, learnt from training people, who are all that is used here.
"""
import argparse
import copy
import json
import math
import pathlib
import time

import numpy as np
import torch
import torch.nn.functional as functional

from camera import CANVAS_COLS, CANVAS_ROWS, LEAST_COLS, LEAST_ROWS, RandomCameras
from network import COUNT, GRID, Network, normalise_grid, write_network
from trial import TuningTrial

MOST_PHOTOS = 15  # of one person
SHARP = 0.2  # share of crops as sharp as photos of a gallery
SHARPNESS = 20.0  # factor of the cosines in the cross-entropy
COSINE_WEIGHT = 4.0
WARM_UP = 100  # steps until the full step size


def training_photos(photos) -> list:
    """Numbers of the photos to learn from: training people, at most MOST_PHOTOS of each."""
    seen, chosen = {}, []
    for number, photo in enumerate(photos):
        if photo.part != "train":
            continue
        seen[photo.name] = seen.get(photo.name, 0) + 1
        if seen[photo.name] <= MOST_PHOTOS:
            chosen.append(number)
    return chosen


def targets(teacher: np.ndarray, people: np.ndarray) -> tuple:
    """The teacher's embeddings (n x 1024) in COUNT directions: of each photo, of each person."""
    centred = teacher - teacher.mean(0)
    directions = np.linalg.eigh(centred.T @ centred)[1][:, ::-1][:, :COUNT]
    photo = functional.normalize(torch.tensor((centred @ directions).astype(np.float32)))
    person = torch.zeros(people.max() + 1, COUNT).index_add_(0, torch.tensor(people), photo)
    return photo, functional.normalize(person)


def random_sizes(cameras: RandomCameras, n: int, sharp: torch.Tensor) -> tuple:
    """Rows spread evenly by their logarithm from 5.5 to 48; columns mostly 0.66 to 0.95 of them."""
    rows = torch.exp(cameras.uniform(n, (math.log(5.5), math.log(CANVAS_ROWS + 0.99))))
    rows = torch.where(sharp, torch.full((n,), float(CANVAS_ROWS)), rows).floor()
    aspect = torch.where(cameras.chance(n, 0.5), cameras.uniform(n, (0.66, 0.95)),
                         torch.full((n,), CANVAS_COLS / CANVAS_ROWS))
    cols = (rows * aspect).round().clamp(LEAST_COLS, CANVAS_COLS)
    return rows.clamp(LEAST_ROWS, CANVAS_ROWS).long(), cols.long()


class Average:
    """A running mean of a network's weights, which is what is kept."""

    def __init__(self, network: Network):
        self.network, self.steps = copy.deepcopy(network), 0

    @torch.no_grad()
    def follow(self, network: Network):
        self.steps += 1
        keep = min(0.999, (self.steps + 1) / (self.steps + 20))
        for mine, new in zip(self.network.state_dict().values(), network.state_dict().values()):
            if mine.dtype.is_floating_point:
                mine.mul_(keep).add_(new, alpha=1 - keep)
            else:
                mine.copy_(new)


class Training:
    def __init__(self, faces, people, teacher, arguments):
        self.faces, self.people, self.arguments = faces, torch.tensor(people), arguments
        self.photo_targets, self.person_targets = targets(teacher, people)
        count = np.bincount(people)
        weight = 1 / np.sqrt(count[people])
        self.weight = torch.tensor(weight / weight.sum())
        self.cameras = RandomCameras(arguments.seed, GRID)
        torch.manual_seed(arguments.seed)
        self.network = Network()
        if arguments.weights:
            self.network.load_state_dict(torch.load(arguments.weights))
        self.average = Average(self.network)
        self.optimizer = torch.optim.AdamW(self.network.parameters(), lr=arguments.rate,
                                           weight_decay=0.03)
        self.losses = np.zeros(2)  # running means: cosine, cross-entropy

    def batch(self) -> tuple:
        n = self.arguments.batch
        chosen = torch.multinomial(self.weight, n, True, generator=self.cameras.random)
        faces = torch.tensor(self.faces[chosen.numpy()].astype(np.float32))
        sharp = self.cameras.chance(n, SHARP)
        rows, cols = random_sizes(self.cameras, n, sharp)
        crops = self.cameras.take(faces, rows, cols, flip=True, sharp=sharp)
        return normalise_grid(self.cameras.enlarge(crops, rows, cols)), chosen

    def step(self, number: int, progress: float):
        """One batch; `progress` runs from 0 to 1 and lowers the step size along a cosine."""
        rate = self.arguments.rate * min(1.0, (number + 1) / WARM_UP)
        for group in self.optimizer.param_groups:
            group["lr"] = rate * (0.5 * (1 + math.cos(math.pi * min(progress, 1.0))) + 0.005)
        grid, chosen = self.batch()
        self.network.train()
        values = functional.normalize(self.network(grid))
        cosine = (1 - (values * self.photo_targets[chosen]).sum(1)).mean()
        entropy = functional.cross_entropy(SHARPNESS * values @ self.person_targets.T,
                                           self.people[chosen])
        self.optimizer.zero_grad()
        (COSINE_WEIGHT * cosine + entropy).backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), 5.0)
        self.optimizer.step()
        self.average.follow(self.network)
        now = np.array([cosine.item(), entropy.item()])
        self.losses = now if number == 0 else 0.98 * self.losses + 0.02 * now


def run(training: Training, trial: TuningTrial, arguments):
    """Steps until the time is up; the weights and a line of the log every few minutes."""
    started, reported, number = time.time(), time.time(), 0
    while True:
        progress = max((time.time() - started) / (60 * arguments.minutes),
                       number / arguments.steps if arguments.steps else 0.0)
        done = progress >= 1
        if done or time.time() - reported > arguments.report:
            reported = time.time()
            line = {"seconds": round(reported - started), "step": number,
                    "photos": number * arguments.batch, "cosine": training.losses[0],
                    "entropy": training.losses[1], **trial.of_network(training.average.network)}
            with open(arguments.out / "network_log.jsonl", "a", encoding="utf-8") as log:
                log.write(json.dumps(line) + "\n")
            print(line, flush=True)
            torch.save(training.average.network.state_dict(), arguments.out / "network.pt")
            write_network(training.average.network, arguments.out / "network.bin")
        if done:
            return
        training.step(number, progress)
        number += 1


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=pathlib.Path, required=True, help="the folder of lfw/")
    parser.add_argument("--cache", type=pathlib.Path, required=True)
    parser.add_argument("--teacher", type=pathlib.Path, required=True,
                        help="the folder of faceres.json and faceres.bin")
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--weights", type=pathlib.Path, help="a network.pt to go on from")
    parser.add_argument("--minutes", type=float, default=20.0)
    parser.add_argument("--steps", type=int, default=0, help="stop after so many; 0: by the clock")
    parser.add_argument("--report", type=float, default=180.0, help="seconds between reports")
    parser.add_argument("--batch", type=int, default=128)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def main():
    from faceres import embed_photos
    from lfw import read_faces, read_photos

    arguments = parse_arguments()
    arguments.out.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(arguments.threads)
    photos = read_photos(arguments.data)
    faces = read_faces(photos, arguments.cache / "faces.npy")
    chosen = training_photos(photos)
    teacher = embed_photos([photos[k] for k in chosen], arguments.teacher,
                           arguments.cache / "teacher_train.npy")
    people = np.unique([photos[k].name for k in chosen], return_inverse=True)[1]
    print(f"{len(chosen)} photos of {people.max() + 1} people", flush=True)
    run(Training(faces[chosen], people, teacher, arguments), TuningTrial(photos, faces), arguments)


if __name__ == "__main__":
    main()
