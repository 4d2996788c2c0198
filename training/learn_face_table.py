#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Learns the table of the face network that users may install: FaceRes, of crops of few pixels.

As learn_tables.py, from LFW's training people; of those with a single photo, who say how people
differ but not how photos do, a part is enough. What FaceRes says of the crops is kept in the cache.
"""
import argparse
import json
import pathlib

import numpy as np
import torch

import faceres
from camera import RandomCameras, plain_crops
from gradient_features import GradientOptions
from learn_tables import training_people
from lfw import read_faces, read_photos
from life_table import FACE_NETWORK, nearest_size, read_table, write_table
from plda import Plda
from trial import TuningTrial, camera_crops, size_name, unit

FACE_SIZES = ((16, 14), (24, 20), (34, 28), (48, 40))
SINGLES = 1000  # people with one photo
BASIS = 128  # directions of FaceRes' 1024
KEPT = 96
SHRINKAGE = 0.3
TRIED = ((22, 15),)


def chosen_photos(photos, seed: int) -> tuple:
    numbers, labels = training_people(photos)
    singles = np.random.default_rng(seed).permutation(np.flatnonzero(labels < 0))[:SINGLES]
    chosen = np.sort(np.concatenate([np.flatnonzero(labels >= 0), singles]))
    return numbers[chosen], labels[chosen]


def see(network, faces: np.ndarray, size: tuple, seed: int, cache: pathlib.Path) -> np.ndarray:
    """Of all faces through cameras, then of all plainly brought down."""
    if not cache.exists():
        crops = np.concatenate([camera_crops(RandomCameras(seed), faces, size),
                                plain_crops(faces, size)])
        np.save(cache, faceres.embed_crops(network, crops))
        print(f"face table: {size_name(size)} seen", flush=True)
    return np.load(cache)


def report(table, network, trial: TuningTrial) -> dict:
    """Rank one on tuning people, plain and through cameras."""
    _, _, basis, models = table
    result, sharp = {}, faceres.embed_crops(network, trial.sharp)
    for size in TRIED:
        gallery = unit(faceres.embed_crops(network, trial.matched[size]) + sharp)
        model = models[nearest_size(size, models)]
        for kind, probes in (("plain", trial.plain[size]), ("camera", trial.seen[size])):
            seen = faceres.embed_crops(network, probes)
            scores = model.scores(seen @ basis.T, gallery @ basis.T, False)
            result[f"{kind} {size_name(size)}"] = round(trial.rank_one(scores), 1)
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=pathlib.Path, required=True, help="the folder of lfw/")
    parser.add_argument("--cache", type=pathlib.Path, required=True)
    parser.add_argument("--teacher", type=pathlib.Path, required=True,
                        help="the folder of faceres.json and faceres.bin")
    parser.add_argument("--out", type=pathlib.Path, required=True, help="the table's file")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    photos = read_photos(arguments.data)
    faces = read_faces(photos, arguments.cache / "faces.npy")
    network = faceres.FaceRes(arguments.teacher)
    numbers, labels = chosen_photos(photos, arguments.seed)
    seen = {size: see(network, faces[numbers], size, arguments.seed,
                      arguments.cache / f"face_{size_name(size)}.npy") for size in FACE_SIZES}
    covariance = sum(np.cov(values.T) for values in seen.values())
    basis = np.linalg.eigh(covariance)[1][:, ::-1][:, :BASIS].T
    models = {size: Plda.learn(values @ basis.T, np.tile(labels, 2), KEPT, shrinkage=SHRINKAGE)
              for size, values in seen.items()}
    write_table(arguments.out, FACE_NETWORK, GradientOptions(), basis, models)
    table = read_table(arguments.out)
    print(arguments.out.name, json.dumps(report(table, network, TuningTrial(photos, faces))))


if __name__ == "__main__":
    main()
