#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Rank one of the shipped table and network, alone and joined, on people of one part of LFW.

Per size, plainly brought down and through random cameras; the gallery is brought to the probe's
size as well. Joined: the sum of scores, each probe's brought to mean 0 and deviation 1.
"""
import argparse
import json
import pathlib

import numpy as np

from learn_gradients import gradient_scores
from lfw import read_faces, read_photos
from life_table import read_table
from network import StoredNetwork
from trial import SIZES, TuningTrial, network_grid, size_name, unit


def network_scores(network, probes, gallery, sharp, centred: bool) -> np.ndarray:
    """Cosines to the gallery at the probe's size, plus those to the sharp gallery."""
    embed = lambda crops: network.embed(network_grid(crops)).numpy()
    centre = lambda values: unit(values - values.mean(0)) if centred else values
    probes = centre(embed(probes))
    return probes @ centre(embed(gallery)).T + probes @ centre(embed(sharp)).T


def standard(scores: np.ndarray) -> np.ndarray:
    """Each probe's scores to mean 0 and deviation 1."""
    return (scores - scores.mean(1, keepdims=True)) / scores.std(1, keepdims=True)


def interval(trial: TuningTrial, scores: np.ndarray, seed: int = 1, draws: int = 1000) -> list:
    """Rank one in percent with its 95 % interval, people drawn with replacement."""
    hit = np.bincount(trial.truth, (scores.argmax(1) == trial.truth) * trial.weight)
    hit *= len(hit) * 100
    random = np.random.default_rng(seed)
    means = [hit[random.integers(0, len(hit), len(hit))].mean() for _ in range(draws)]
    return [round(float(value), 1) for value in (hit.mean(), *np.percentile(means, (2.5, 97.5)))]


def measure(trial: TuningTrial, table, network, centred: bool) -> dict:
    result = {}
    for size in SIZES:
        gallery = trial.matched[size]
        for kind, probes in (("plain", trial.plain[size]), ("camera", trial.seen[size])):
            scores = {"gradients": gradient_scores(table, probes, gallery, centred)}
            if network:
                scores["network"] = network_scores(network, probes, gallery, trial.sharp, centred)
                scores["joined"] = sum(standard(values) for values in scores.values())
            result[f"{kind} {size_name(size)}"] = {name: interval(trial, values)
                                                   for name, values in scores.items()}
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=pathlib.Path, required=True, help="the folder of lfw/")
    parser.add_argument("--cache", type=pathlib.Path, required=True)
    parser.add_argument("--table", type=pathlib.Path, required=True)
    parser.add_argument("--network", type=pathlib.Path)
    parser.add_argument("--part", choices=("tune", "test"), default="tune")
    arguments = parser.parse_args()
    photos = read_photos(arguments.data)
    trial = TuningTrial(photos, read_faces(photos, arguments.cache / "faces.npy"), arguments.part)
    table = read_table(arguments.table)
    network = StoredNetwork(arguments.network) if arguments.network else None
    print(f"{len(trial.gallery)} people, {len(trial.probes)} probes")
    for centred in (False, True):
        print(f"centred by batch: {centred}")
        for name, values in measure(trial, table, network, centred).items():
            print(f"  {name}: {json.dumps(values)}")


if __name__ == "__main__":
    main()
