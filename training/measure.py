#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Rank one of gradients, network and both, on people of one part of LFW.

Per size, plainly brought down and through random cameras; the gallery is brought to the probe's
size as well. Both: as the library adds them.
"""
import argparse
import json
import pathlib

import numpy as np

from learn_tables import FILES, table_scores
from lfw import read_faces, read_photos
from life_table import GRADIENTS, NETWORK, read_table
from network import StoredNetwork
from trial import SIZES, TuningTrial, size_name

GRADIENT_SHARE = 0.3  # as in src/longshot/recognize/longshot.cc


def interval(trial: TuningTrial, scores: np.ndarray, seed: int = 1, draws: int = 1000) -> list:
    """Rank one in percent with its 95 % interval, people drawn with replacement."""
    hit = np.bincount(trial.truth, (scores.argmax(1) == trial.truth) * trial.weight)
    hit *= len(hit) * 100
    random = np.random.default_rng(seed)
    means = [hit[random.integers(0, len(hit), len(hit))].mean() for _ in range(draws)]
    return [round(float(value), 1) for value in (hit.mean(), *np.percentile(means, (2.5, 97.5)))]


def measure(trial: TuningTrial, tables: dict, network: StoredNetwork, centred: bool) -> dict:
    result = {}
    for size in SIZES:
        for kind, probes in (("plain", trial.plain[size]), ("camera", trial.seen[size])):
            scores = {name: table_scores(table, network, trial, probes, centred)
                      for name, table in tables.items()}
            scores["both"] = scores["network"] + GRADIENT_SHARE * scores["gradients"]
            result[f"{kind} {size_name(size)}"] = {name: interval(trial, values)
                                                   for name, values in scores.items()}
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=pathlib.Path, required=True, help="the folder of lfw/")
    parser.add_argument("--cache", type=pathlib.Path, required=True)
    parser.add_argument("--tables", type=pathlib.Path, required=True, help="their folder")
    parser.add_argument("--network", type=pathlib.Path, required=True, help="its weight file")
    parser.add_argument("--part", choices=("tune", "test"), default="tune")
    arguments = parser.parse_args()
    photos = read_photos(arguments.data)
    trial = TuningTrial(photos, read_faces(photos, arguments.cache / "faces.npy"), arguments.part)
    tables = {name: read_table(arguments.tables / FILES[kind])
              for name, kind in (("gradients", GRADIENTS), ("network", NETWORK))}
    network = StoredNetwork(arguments.network)
    print(f"{len(trial.gallery)} people, {len(trial.probes)} probes")
    for centred in (False, True):
        print(f"centred by batch: {centred}")
        for name, values in measure(trial, tables, network, centred).items():
            print(f"  {name}: {json.dumps(values)}")


if __name__ == "__main__":
    main()
