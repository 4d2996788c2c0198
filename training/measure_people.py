#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How the rank-one rate of LFW's test people falls with the number of enrolled people.

Fewer people than there are probes of: blocks of the list, one after the other, and all their
probes together. More: those who have a single photo are enrolled beside them.

usage: training/measure_people.py MANIFESTS, the folder that make_manifests.py has filled;
LONGSHOT names the program (build/longshot)
"""
import csv
import json
import os
import pathlib
import subprocess
import sys
import tempfile

FEWER = (30, 100)
SIZES = ("7x6", "12x10", "22x15")
PROGRAM = os.environ.get("LONGSHOT", "build/longshot")


def read(file: pathlib.Path):
    with open(file, newline="", encoding="utf-8") as rows:
        return list(csv.DictReader(rows))


def rates(lines, folder: pathlib.Path):
    """Rank one at each size, in percent."""
    manifest = folder / "manifest.csv"
    with open(manifest, "w", newline="", encoding="utf-8") as out:
        writer = csv.DictWriter(out, lines[0].keys())
        writer.writeheader()
        writer.writerows(lines)
    result = folder / "result.json"
    subprocess.run(
        [PROGRAM, "--quiet", "evaluate", "--protocol", "roles", "--data", manifest, "--no-train",
         "--profile", "best", "--methods", "longshot", "--sizes", ",".join(SIZES),
         "--json", result], check=True, stdout=subprocess.DEVNULL)
    return [one["rank1"] for one in json.loads(result.read_text())["results"]]


def table(pairs, singles, folder: pathlib.Path):
    names = list(dict.fromkeys(line["subject"] for line in pairs))
    for count in FEWER:
        blocks = [set(names[first:first + count])
                  for first in range(0, len(names) - count + 1, count)]
        runs = [rates([line for line in pairs if line["subject"] in block], folder)
                for block in blocks]
        yield count, len(blocks) * count, [sum(column) / len(runs) for column in zip(*runs)]
    yield len(names), len(names), rates(pairs, folder)
    yield len(names) + len(singles), len(names), rates(pairs + singles, folder)


def main(manifests: pathlib.Path):
    print("people  probes  " + "  ".join(f"{size:>6}" for size in SIZES))
    with tempfile.TemporaryDirectory() as folder:
        for people, probes, figures in table(read(manifests / "test_one.csv"),
                                             read(manifests / "test_singles.csv"),
                                             pathlib.Path(folder)):
            print(f"{people:6}  {probes:6}  " + "  ".join(f"{one:6.1f}" for one in figures))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(pathlib.Path(sys.argv[1]))
