#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Trains the network: a degraded photo must land where the teachers put the sharp one.

Loss: 4 (1 - cosine to the teachers' embedding of this photo); cross-entropy over all training
people and the batch's blends (morphs.py) against where the teachers put them; and cross-entropy
over pairs of photos of one person seen at one size. The embeddings of all teachers, each centred
and of length 1, are joined and projected on their leading directions, learnt from training people,
who are all that is learnt from here; tuning people are only measured. With several workers each
makes steps of its own, and now and then all go on from the mean of their weights.
"""
import argparse
import copy
import json
import math
import multiprocessing
import pathlib
import time

import numpy as np
import torch
import torch.nn.functional as functional

from camera import (CANVAS_COLS, CANVAS_ROWS, LEAST_COLS, LEAST_ROWS, CameraRange,
                    RandomCameras, plain_crops, read_normals)
from network import COUNT, GRID, Network, StoredNetwork, normalise_grid, write_network
from trial import SIZES, TuningTrial, network_grid, size_name, unit

MOST_PHOTOS = 60  # of one person
BLENDS = 16000
BATCH = {"pairs": 48, "photos": 48, "blends": 112}
GROUP = 16  # pairs of one size, told apart from each other
PAIR_WEIGHT = 0.5
HARSH_LIGHT = CameraRange(light=0.45, lit=0.5, lamp=0.35)
SHARP = 0.2  # share of crops as sharp as photos of a gallery
SHARPNESS = 20.0  # factor of the cosines in the cross-entropy
COSINE_WEIGHT = 4.0
WARM_UP = 100  # steps until the full step size
AVERAGING = 0.98  # what the running mean of the weights keeps of itself after TOGETHER steps
TOGETHER = 10  # steps after which the workers' weights are averaged
SMALL = 0.85  # share of crops, other than sharp ones, of at most SMALL_ROWS rows
SMALL_ROWS = 26
START_BATCHES = 16  # from which the last matrix of older weights is fitted to the targets


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


class Targets:
    """Where the teachers put photos, people and blends, in COUNT directions of their joint space.
    What is given holds one array for each teacher."""

    def __init__(self, photos: list, people: np.ndarray, blends: list):
        self.means = [values.mean(0) for values in photos]
        around = self.join(photos)
        self.directions = np.linalg.eigh(around.T @ around)[1][:, ::-1][:, :COUNT]
        self.photos, self.blends = self.project(photos), self.project(blends)
        person = torch.zeros(people.max() + 1, COUNT)
        self.people = functional.normalize(person.index_add_(0, torch.tensor(people), self.photos))

    def join(self, values: list) -> np.ndarray:
        return np.hstack([unit(some - mean) for some, mean in zip(values, self.means)])

    def project(self, values: list) -> torch.Tensor:
        return functional.normalize(
            torch.tensor((self.join(values) @ self.directions).astype(np.float32)))


def random_sizes(cameras: RandomCameras, n: int, sharp: torch.Tensor) -> tuple:
    """Rows spread evenly by their logarithm from 5.5 to 48, most up to SMALL_ROWS; columns mostly
    0.66 to 0.95 of them."""
    least, most = math.log(5.5), torch.where(cameras.chance(n, SMALL), math.log(SMALL_ROWS + 0.99),
                                             math.log(CANVAS_ROWS + 0.99))
    rows = torch.exp(least + cameras.uniform(n, (0.0, 1.0)) * (most - least))
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
        keep = min(AVERAGING, (self.steps + 1) / (self.steps + 3))
        for mine, new in zip(self.network.state_dict().values(), network.state_dict().values()):
            if mine.dtype.is_floating_point:
                mine.mul_(keep).add_(new, alpha=1 - keep)
            else:
                mine.copy_(new)


class Faces:
    """What batches are drawn from: photos of people, and blends of them."""

    def __init__(self, photos: np.ndarray, people: np.ndarray, blends: np.ndarray):
        self.photos, self.people, self.blends = photos, torch.tensor(people), blends
        count = np.bincount(people)
        self.weight = torch.tensor(1 / np.sqrt(count[people]))
        self.of_person = [np.flatnonzero(people == person) for person in range(len(count))]
        self.several = torch.tensor(np.sqrt(np.where(count > 1, count, 0)))

    def pairs(self, n: int, random: torch.Generator) -> tuple:
        """Numbers of the first and of the second photo of n people, all different in a group."""
        chosen = torch.cat([torch.multinomial(self.several, GROUP, generator=random)
                            for _ in range(n // GROUP)])
        both = []
        for person in chosen.tolist():
            numbers = self.of_person[person]
            order = torch.randperm(len(numbers), generator=random)[:2]
            both.append(numbers[order.numpy()])
        return tuple(torch.tensor(np.array(both)).T)


class Training:
    def __init__(self, faces: Faces, targets: Targets, arguments):
        self.faces, self.targets, self.arguments = faces, targets, arguments
        self.cameras = RandomCameras(arguments.seed, GRID, HARSH_LIGHT,
                                     read_normals(arguments.normals))
        torch.manual_seed(arguments.seed)
        self.network = Network()
        if arguments.weights.suffix == ".bin":
            self.start_from(StoredNetwork(arguments.weights))
        else:
            self.network.load_state_dict(torch.load(arguments.weights))
        self.network.to(memory_format=torch.channels_last)
        self.average = Average(self.network)
        self.optimizer = torch.optim.AdamW(self.network.parameters(), lr=arguments.rate,
                                           weight_decay=0.03)
        self.losses = np.zeros(3)  # running means: cosine, cross-entropy, pairs

    def start_from(self, stored: StoredNetwork):
        grids, targets, _ = zip(*(self.batch() for _ in range(START_BATCHES)))
        self.network.unfold(stored, torch.cat(grids[:4]))
        self.network.fit_last(torch.cat(grids), torch.cat(targets))

    def batch(self) -> tuple:
        """Grids; the teacher's embeddings of them; their classes, the batch's blends being the
        last. Pairs come first: the first photos, then the second."""
        random, sizes = self.cameras.random, BATCH
        first, second = self.faces.pairs(sizes["pairs"], random)
        alone = torch.multinomial(self.faces.weight, sizes["photos"], True, generator=random)
        photos = torch.cat([first, second, alone])
        blends = torch.randint(len(self.faces.blends), (sizes["blends"],), generator=random)
        faces = np.concatenate([self.faces.photos[photos.numpy()],
                                self.faces.blends[blends.numpy()]])
        n = len(faces)
        sharp = self.cameras.chance(n, SHARP)
        sharp[:2 * sizes["pairs"]] = False
        rows, cols = random_sizes(self.cameras, n, sharp)
        for side in (rows, cols):
            shared = side[:sizes["pairs"]:GROUP].repeat_interleave(GROUP)
            side[:2 * sizes["pairs"]] = shared.repeat(2)
        crops = self.cameras.take(torch.tensor(faces.astype(np.float32)), rows, cols, flip=True,
                                  sharp=sharp)
        targets = torch.cat([self.targets.photos[photos], self.targets.blends[blends]])
        classes = torch.cat([self.faces.people[photos],
                             len(self.targets.people) + torch.arange(len(blends))])
        return normalise_grid(self.cameras.enlarge(crops, rows, cols)), targets, classes

    def pair_loss(self, values: torch.Tensor) -> torch.Tensor:
        """Who of a group at one size belongs to whom."""
        pairs = BATCH["pairs"]
        first, second = (part.view(-1, GROUP, COUNT) for part in (values[:pairs],
                                                                  values[pairs:2 * pairs]))
        scores = SHARPNESS * first @ second.transpose(1, 2)
        own = torch.arange(GROUP).repeat(len(scores))
        return 0.5 * (functional.cross_entropy(scores.reshape(-1, GROUP), own)
                      + functional.cross_entropy(scores.transpose(1, 2).reshape(-1, GROUP), own))

    def step(self, number: int, progress: float):
        """One batch; `progress` runs from 0 to 1 and lowers the step size along a cosine."""
        rate = self.arguments.rate * min(1.0, (number + 1) / WARM_UP)
        for group in self.optimizer.param_groups:
            group["lr"] = rate * (0.5 * (1 + math.cos(math.pi * min(progress, 1.0))) + 0.005)
        grid, targets, classes = self.batch()
        self.network.train()
        with torch.cpu.amp.autocast(dtype=torch.bfloat16):
            values = self.network(grid)
        values = functional.normalize(values.float())
        cosine = (1 - (values * targets).sum(1)).mean()
        known = torch.cat([self.targets.people, targets[-BATCH["blends"]:]])
        entropy = functional.cross_entropy(SHARPNESS * values @ known.T, classes)
        pairs = self.pair_loss(values)
        self.optimizer.zero_grad()
        (COSINE_WEIGHT * cosine + entropy + PAIR_WEIGHT * pairs).backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), 5.0)
        self.optimizer.step()
        now = np.array([cosine.item(), entropy.item(), pairs.item()])
        self.losses = now if number == 0 else 0.98 * self.losses + 0.02 * now


class Team:
    """Weights of several processes, brought together in memory that all of them see."""

    def __init__(self, size: int, network: Network):
        count = sum(value.numel() for value in self.values(network))
        self.shared = torch.zeros(size, count).share_memory_()
        self.done = torch.zeros(1, dtype=torch.bool).share_memory_()
        self.barrier = multiprocessing.Barrier(size)

    @staticmethod
    def values(network: Network) -> list:
        return [value for value in network.state_dict().values() if value.is_floating_point()]

    @torch.no_grad()
    def meet(self, rank: int, network: Network) -> bool:
        """All go on from the mean. Whether the first worker has said that this was the end."""
        self.shared[rank] = torch.cat([value.flatten() for value in self.values(network)])
        self.barrier.wait()
        mean, at = self.shared.mean(0), 0
        for value in self.values(network):
            value.copy_(mean[at:at + value.numel()].view(value.shape))
            at += value.numel()
        done = bool(self.done)
        self.barrier.wait()
        return done


class Agreement:
    """How near the network comes to the teacher on people whom it learnt nothing from."""

    def __init__(self, faces: np.ndarray, targets: torch.Tensor):
        self.crops = {size: network_grid(plain_crops(faces, size)) for size in SIZES}
        self.targets = targets

    def of_network(self, network: Network) -> dict:
        """Mean cosine by size."""
        return {f"agreement {size_name(size)}":
                round(float((network.embed(grid) * self.targets).sum(1).mean()), 4)
                for size, grid in self.crops.items()}


def report(training: Training, trials: tuple, seconds: float, number: int, arguments):
    crops = number * arguments.threads * (2 * BATCH["pairs"] + BATCH["photos"] + BATCH["blends"])
    line = {"seconds": round(seconds), "step": number, "crops": crops,
            **{name: round(value, 4) for name, value in zip(("cosine", "entropy", "pairs"),
                                                            training.losses)},
            **{name: value for trial in trials
               for name, value in trial.of_network(training.average.network).items()}}
    with open(arguments.out / "network_log.jsonl", "a", encoding="utf-8") as log:
        log.write(json.dumps(line) + "\n")
    print(line, flush=True)
    torch.save(training.average.network.state_dict(), arguments.out / "network.pt")
    write_network(training.average.network, arguments.out / "network.bin")


def run(rank: int, team: Team, training: Training, trials: tuple, arguments):
    """Steps until the time is up. The first worker watches the clock, keeps the running mean, and
    every few minutes writes the weights and a line of the log."""
    training.cameras.random.manual_seed(arguments.seed + 1000 * rank)
    torch.manual_seed(arguments.seed + 1000 * rank)
    started, reported, number, done = time.time(), time.time(), 0, False
    progress = lambda: max((time.time() - started) / (60 * arguments.minutes),
                           number / arguments.steps if arguments.steps else 0.0)
    while not done:
        for _ in range(TOGETHER):
            training.step(number, progress())
            number += 1
        if rank == 0:
            team.done[0] = progress() >= 1
        done = team.meet(rank, training.network)
        if rank == 0:
            training.average.follow(training.network)
            if done or time.time() - reported > arguments.report:
                reported = time.time()
                report(training, trials, reported - started, number, arguments)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=pathlib.Path, required=True, help="the folder of lfw/")
    parser.add_argument("--cache", type=pathlib.Path, required=True)
    parser.add_argument("--teachers", type=pathlib.Path, required=True,
                        help="the folder that training/run has fetched them into")
    parser.add_argument("--normals", type=pathlib.Path, required=True,
                        help="a picture by `longshot normals --size 96x80 --picture`")
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--weights", type=pathlib.Path, required=True,
                        help="to go on from: a weight file (.bin), or a network.pt")
    parser.add_argument("--minutes", type=float, default=20.0)
    parser.add_argument("--steps", type=int, default=0, help="stop after so many; 0: by the clock")
    parser.add_argument("--report", type=float, default=180.0, help="seconds between reports")
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--threads", type=int, default=1, help="workers")
    parser.add_argument("--seed", type=int, default=5)
    return parser.parse_args()


def main():
    from lfw import read_faces, read_photos
    from morphs import blend_pairs, blended_faces
    from teachers import embed_blends, embed_photos, teachers_of

    arguments = parse_arguments()
    arguments.out.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(1)
    photos, cache = read_photos(arguments.data), arguments.cache
    every_face = read_faces(photos, cache / "faces.npy")
    chosen = training_photos(photos)
    known, faces = [photos[k] for k in chosen], every_face[chosen]
    pairs, masks = blend_pairs(known, BLENDS, arguments.seed)
    people = np.unique([photo.name for photo in known], return_inverse=True)[1]
    teachers = teachers_of(arguments.teachers)
    print(f"{len(chosen)} photos of {people.max() + 1} people, {len(pairs)} blends", flush=True)
    targets = Targets([embed_photos(teacher, known, cache) for teacher in teachers], people,
                      [embed_blends(teacher, known, pairs, masks, cache, arguments.seed)
                       for teacher in teachers])
    training = Training(Faces(faces, people, blended_faces(faces, pairs, masks)), targets,
                        arguments)
    tuning = [number for number, photo in enumerate(photos) if photo.part == "tune"]
    seen = [embed_photos(teacher, [photos[number] for number in tuning], cache, "tuning")
            for teacher in teachers]
    trials = (Agreement(every_face[tuning], targets.project(seen)),
              TuningTrial(photos, every_face))
    team = Team(arguments.threads, training.network)
    others = [multiprocessing.Process(target=run, args=(rank, team, training, trials, arguments),
                                      daemon=True) for rank in range(1, arguments.threads)]
    for worker in others:
        worker.start()
    run(0, team, training, trials, arguments)


if __name__ == "__main__":
    main()
