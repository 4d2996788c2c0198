#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Learns from LFW's training people how faces of people and photos of one person differ.

Every photo is seen twice at every size: through a random camera, and plainly brought down as
galleries are. Each size has covariances of its own, of gradients and of what the network says. Those
of the network, which knows these very people, are drawn towards multiples of the identity. Writes the tables that the library embeds, and prints rank one on tuning people.
"""
import argparse
import functools
import json
import multiprocessing
import pathlib

import numpy as np
import torch

from camera import RandomCameras, plain_crops
from gradient_features import GradientOptions, features_of_crops
from lfw import read_faces, read_photos
from life_table import GRADIENTS, NETWORK, nearest_size, read_table, write_table
from network import StoredNetwork
from plda import Plda
from trial import SIZES, TuningTrial, camera_crops, network_grid, size_name, unit

# The steps of the library's ladder (src/longshot/pipeline/size_ladder.h), one between, and the
# whole face.
TABLE_SIZES = ((6, 5), (7, 6), (10, 8), (12, 10), (14, 12), (19, 16), (24, 20), (34, 28), (48, 40))
BASIS = 240  # directions of the gradients
KEPT = 128  # directions of the covariances
SHRINKAGE = {GRADIENTS: 0.0, NETWORK: 0.3}
FILES = {GRADIENTS: "gradient_table.bin", NETWORK: "network_table.bin"}
MOST_PHOTOS = 12  # of one person
MOST_TURN = 0.3  # of the head, as the manifest's `condition`
BATCH = 128


def features(crops: np.ndarray, options: GradientOptions, network: StoredNetwork) -> np.ndarray:
    """n x D of crops of one size: gradients, then what the network says."""
    gradients = np.concatenate([features_of_crops(crops[k:k + BATCH], options)
                                for k in range(0, len(crops), BATCH)])
    return np.hstack([gradients, network.embed(network_grid(crops)).numpy()])


def part_of(kind: int, values: np.ndarray, options: GradientOptions) -> np.ndarray:
    """The columns of the features that a table is about."""
    return values[:, :options.count] if kind == GRADIENTS else values[:, options.count:]


def training_people(photos) -> tuple:
    """Numbers of the photos of training people, and of the person of each: -1 for a person with a
    single photo, who says how people differ but not how photos do."""
    people = {}
    for number, photo in enumerate(photos):
        if photo.part == "train" and abs(photo.turn) < MOST_TURN:
            people.setdefault(photo.name, []).append(number)
    numbers, labels = [], []
    for label, of_person in enumerate(people.values()):
        of_person = of_person[:MOST_PHOTOS]
        numbers += of_person
        labels += [label if len(of_person) > 1 else -1] * len(of_person)
    return np.array(numbers), np.array(labels)


def see(faces: np.ndarray, options: GradientOptions, network: StoredNetwork, seed: int,
        size: tuple) -> np.ndarray:
    """Features of all faces through cameras, then of all plainly brought down."""
    torch.set_num_threads(1)
    views = (camera_crops(RandomCameras(seed), faces, size), plain_crops(faces, size))
    values = np.concatenate([features(crops, options, network) for crops in views])
    print(f"tables: {size_name(size)} seen", flush=True)
    return values


def bases(seen: list, options: GradientOptions) -> dict:
    """By kind, K x D: the leading directions of the gradients at all sizes; the network's as
    they are."""
    gradients = sum(np.cov(part_of(GRADIENTS, values, options).T) for values in seen)
    leading = np.linalg.eigh(gradients)[1][:, ::-1][:, :BASIS].T
    return {GRADIENTS: leading, NETWORK: np.eye(seen[0].shape[1] - options.count)}


def learn(faces, labels, options: GradientOptions, network: StoredNetwork, seed: int,
          threads: int) -> dict:
    """By kind, the basis and a Plda for each of TABLE_SIZES."""
    with multiprocessing.Pool(threads) as pool:
        seen = pool.map(functools.partial(see, faces, options, network, seed), TABLE_SIZES,
                        chunksize=1)
    labels = np.tile(labels, 2)
    return {kind: (basis, {size: Plda.learn(part_of(kind, values, options) @ basis.T, labels,
                                            KEPT, shrinkage=SHRINKAGE[kind])
                           for size, values in zip(TABLE_SIZES, seen)})
            for kind, basis in bases(seen, options).items()}


def table_scores(table, network: StoredNetwork, trial: TuningTrial, probes: np.ndarray,
                 centred: bool) -> np.ndarray:
    """Logarithms of likelihood ratios, probes x gallery, of crops of one size. The network also
    sees the gallery sharp."""
    kind, options, basis, models = table
    size = probes.shape[1:]
    see = lambda crops: part_of(kind, features(crops, options, network), options)
    gallery = see(trial.matched[size])
    if kind == NETWORK:
        gallery = unit(gallery + see(trial.sharp))
    return models[nearest_size(size, models)].scores(see(probes) @ basis.T, gallery @ basis.T,
                                                     centred)


def report(table, network: StoredNetwork, trial: TuningTrial) -> dict:
    """Rank one by size, plain and through cameras: as learnt, and centred by batch."""
    result = {}
    for size in SIZES:
        for kind, probes in (("plain", trial.plain[size]), ("camera", trial.seen[size])):
            result[f"{kind} {size_name(size)}"] = [
                round(trial.rank_one(table_scores(table, network, trial, probes, centred)), 1)
                for centred in (False, True)]
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=pathlib.Path, required=True, help="the folder of lfw/")
    parser.add_argument("--cache", type=pathlib.Path, required=True)
    parser.add_argument("--network", type=pathlib.Path, required=True, help="its weight file")
    parser.add_argument("--out", type=pathlib.Path, required=True, help="the folder of the tables")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    photos = read_photos(arguments.data)
    faces = read_faces(photos, arguments.cache / "faces.npy")
    numbers, labels = training_people(photos)
    options, network = GradientOptions(), StoredNetwork(arguments.network)
    trial = TuningTrial(photos, faces)
    learnt = learn(faces[numbers], labels, options, network, arguments.seed, arguments.threads)
    for kind, (basis, models) in learnt.items():
        file = arguments.out / FILES[kind]
        write_table(file, kind, options, basis, models)
        print(file.name, json.dumps(report(read_table(file), network, trial)), flush=True)


if __name__ == "__main__":
    main()
