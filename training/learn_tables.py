#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Learns from LFW's training people how faces of people and photos of one person differ.

Every photo is seen twice at every size: through a random camera, and plainly brought down as
galleries are. Each size has covariances of its own, of gradients and of what the network says.
Those of the network, which knows these very people, are drawn towards multiples of the identity.
Writes the tables that the library embeds, and prints rank one on tuning people.
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


def features(kind: int, crops: np.ndarray, options: GradientOptions,
             network: StoredNetwork) -> np.ndarray:
    """n x D of crops of one size: gradients, or what the network says."""
    see = ((lambda some: features_of_crops(some, options)) if kind == GRADIENTS
           else (lambda some: network.embed(network_grid(some)).numpy()))
    return np.concatenate([see(crops[k:k + BATCH]) for k in range(0, len(crops), BATCH)])


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


def see(kinds: list, faces: np.ndarray, options: GradientOptions, network: StoredNetwork,
        seed: int, size: tuple) -> dict:
    """By kind, features of all faces through cameras, then of all plainly brought down."""
    torch.set_num_threads(1)
    crops = np.concatenate([camera_crops(RandomCameras(seed), faces, size),
                            plain_crops(faces, size)])
    values = {kind: features(kind, crops, options, network) for kind in kinds}
    print(f"tables: {size_name(size)} seen", flush=True)
    return values


def basis_of(kind: int, seen: list) -> np.ndarray:
    """K x D: the leading directions of the gradients at all sizes; the network's as they are."""
    if kind == NETWORK:
        return np.eye(seen[0].shape[1])
    return np.linalg.eigh(sum(np.cov(values.T) for values in seen))[1][:, ::-1][:, :BASIS].T


def learn(kinds: list, faces, labels, options: GradientOptions, network: StoredNetwork, seed: int,
          threads: int) -> dict:
    """By kind, the basis and a Plda for each of TABLE_SIZES."""
    with multiprocessing.Pool(threads) as pool:
        seen = pool.map(functools.partial(see, kinds, faces, options, network, seed), TABLE_SIZES,
                        chunksize=1)
    labels = np.tile(labels, 2)
    learnt = {}
    for kind in kinds:
        basis = basis_of(kind, [values[kind] for values in seen])
        learnt[kind] = basis, {size: Plda.learn(values[kind] @ basis.T, labels, KEPT,
                                                shrinkage=SHRINKAGE[kind])
                               for size, values in zip(TABLE_SIZES, seen)}
    return learnt


def table_scores(table, network: StoredNetwork, trial: TuningTrial, probes: np.ndarray,
                 centred: bool) -> np.ndarray:
    """Logarithms of likelihood ratios, probes x gallery, of crops of one size. The network also
    sees the gallery sharp, and mirror images of both."""
    kind, options, basis, models = table
    size = probes.shape[1:]
    see = lambda crops: features(kind, crops, options, network)
    with_mirror_images = lambda crops: unit(see(crops) + see(crops[:, :, ::-1].copy()))
    if kind == NETWORK:
        gallery = unit(with_mirror_images(trial.matched[size]) + with_mirror_images(trial.sharp))
    else:
        gallery = see(trial.matched[size])
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
    parser.add_argument("--network-alone", action="store_true",
                        help="not the gradients, whose table knows no network")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    photos = read_photos(arguments.data)
    faces = read_faces(photos, arguments.cache / "faces.npy")
    numbers, labels = training_people(photos)
    options, network = GradientOptions(), StoredNetwork(arguments.network)
    trial = TuningTrial(photos, faces)
    kinds = [NETWORK] if arguments.network_alone else [GRADIENTS, NETWORK]
    learnt = learn(kinds, faces[numbers], labels, options, network, arguments.seed,
                   arguments.threads)
    for kind, (basis, models) in learnt.items():
        file = arguments.out / FILES[kind]
        write_table(file, kind, options, basis, models)
        print(file.name, json.dumps(report(read_table(file), network, trial)), flush=True)


if __name__ == "__main__":
    main()
