#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Learns from LFW's training people how gradient orientations of people and of photos differ.

Every photo is seen twice at every size: through a random camera, and plainly brought down as
galleries are. One basis serves all sizes; each size has covariances of its
own. Writes the table that the library embeds, and prints rank one on tuning people.
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
from life_table import nearest_size, read_table, write_table
from plda import Plda
from trial import SIZES, TuningTrial, camera_crops, size_name

# The steps of the library's ladder (src/longshot/pipeline/size_ladder.h), and the whole face.
TABLE_SIZES = ((6, 5), (7, 6), (10, 8), (12, 10), (14, 12), (19, 16), (24, 20), (48, 40))
BASIS, KEPT = 240, 128  # directions of the basis, and of the covariances
MOST_PHOTOS = 12  # of one person
MOST_TURN = 0.3  # of the head, as the manifest's `condition`
BATCH = 128


def features(crops: np.ndarray, options: GradientOptions) -> np.ndarray:
    return np.concatenate([features_of_crops(crops[k:k + BATCH], options)
                           for k in range(0, len(crops), BATCH)])


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


def see(faces: np.ndarray, options: GradientOptions, seed: int, size: tuple) -> np.ndarray:
    """Features of all faces through cameras, then of all plainly brought down."""
    torch.set_num_threads(1)
    views = (camera_crops(RandomCameras(seed), faces, size), plain_crops(faces, size))
    values = np.concatenate([features(crops, options) for crops in views])
    print(f"gradients: {size_name(size)} seen", flush=True)
    return values


def learn(faces, labels, options: GradientOptions, seed: int, threads: int) -> tuple:
    """The basis (BASIS x D) and a Plda for each of TABLE_SIZES."""
    with multiprocessing.Pool(threads) as pool:
        seen = pool.map(functools.partial(see, faces, options, seed), TABLE_SIZES, chunksize=1)
    basis = np.linalg.eigh(sum(np.cov(values.T) for values in seen))[1][:, ::-1][:, :BASIS].T
    labels = np.tile(labels, 2)
    return basis, {size: Plda.learn(values @ basis.T, labels, KEPT)
                   for size, values in zip(TABLE_SIZES, seen)}


def gradient_scores(table, probes: np.ndarray, gallery: np.ndarray, centred: bool) -> np.ndarray:
    """Logarithms of likelihood ratios, probes x gallery, of crops of one size."""
    options, basis, models = table
    model = models[nearest_size(probes.shape[1:], models)]
    project = lambda crops: features(crops, options) @ basis.T
    return model.scores(project(probes), project(gallery), centred)


def report(table, trial: TuningTrial) -> dict:
    """Rank one by size, plain and through cameras: as learnt, and centred by batch."""
    result = {}
    for size in SIZES:
        for kind, probes in (("plain", trial.plain[size]), ("camera", trial.seen[size])):
            result[f"{kind} {size_name(size)}"] = [
                round(trial.rank_one(gradient_scores(table, probes, trial.matched[size], centred)),
                      1) for centred in (False, True)]
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=pathlib.Path, required=True, help="the folder of lfw/")
    parser.add_argument("--cache", type=pathlib.Path, required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True, help="the table to write")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    photos = read_photos(arguments.data)
    faces = read_faces(photos, arguments.cache / "faces.npy")
    numbers, labels = training_people(photos)
    options = GradientOptions()
    write_table(arguments.out, options, *learn(faces[numbers], labels, options, arguments.seed,
                                                  arguments.threads))
    print(json.dumps(report(read_table(arguments.out), TuningTrial(photos, faces))))


if __name__ == "__main__":
    main()
