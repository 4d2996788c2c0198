#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The mean of the weights of networks of one descent, such as one before and after more training."""
import argparse
import pathlib

from network import StoredNetwork, write_layers


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("networks", nargs="+", type=pathlib.Path, help="weight files")
    parser.add_argument("--out", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    stored = [StoredNetwork(file) for file in arguments.networks]
    layers = [(sum(layer[0] for layer in same) / len(same),
               sum(layer[1] for layer in same) / len(same), *same[0][2:])
              for same in zip(*(network.layers for network in stored), strict=True)]
    write_layers(layers, arguments.out, tuple(stored[0].grid))


if __name__ == "__main__":
    main()
