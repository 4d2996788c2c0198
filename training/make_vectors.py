#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes random crops and their features, which the library's tests compare with their own."""
import argparse
import dataclasses
import json
import pathlib

import numpy as np

from gradient_features import GradientOptions, features_of_crops
from network import StoredNetwork
from trial import network_grid

CASES = (((7, 6), GradientOptions()),
         ((22, 15), GradientOptions(cells=((4, 3),))),
         ((48, 40), GradientOptions(cells=((4, 3), (2, 2)), window=13, overlap=1.5)),
         ((60, 50), GradientOptions(rows=24, cols=20, directions=6, floor=0.2, cells=((3, 3),))))


NETWORK_SIZES = ((7, 6), (22, 15), (48, 40))


def vector(size: tuple, features, random) -> dict:
    crop = random.integers(0, 256, (1, *size)).astype(float)
    return {"rows": size[0], "cols": size[1], "pixels_by_row": crop.astype(int).ravel().tolist(),
            "features": [round(float(value), 6) for value in features(crop)[0]]}


def gradient_cases(random) -> list:
    return [{"options": dataclasses.asdict(options),
             **vector(size, lambda crop, own=options: features_of_crops(crop, own), random)}
            for size, options in CASES]


def network_cases(network: StoredNetwork, random) -> list:
    embed = lambda crop: network.embed(network_grid(crop)).numpy()
    return [vector(size, embed, random) for size in NETWORK_SIZES]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=pathlib.Path, required=True, help="the .json to write")
    parser.add_argument("--network", type=pathlib.Path, help="of this weight file, not of gradients")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    random = np.random.default_rng(arguments.seed)
    cases = (network_cases(StoredNetwork(arguments.network), random) if arguments.network
             else gradient_cases(random))
    arguments.out.write_text(json.dumps({"cases": cases}) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
