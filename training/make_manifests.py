#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes manifests of LFW's tuning and test people for `longshot evaluate --protocol roles`.

For each part: PART_one.csv, one gallery photo and one probe of everybody who has two nearly
frontal photos; PART_all.csv, up to five probes each; PART_open.csv, the same as `one` and, as
probes that are in no gallery, everybody who has a single nearly frontal photo; PART_singles.csv,
these people alone, as a gallery (distractors). The first photo of a person is the gallery's.
"""
import argparse
import collections
import csv
import pathlib

from lfw import read_photos

COLUMNS = ("path", "subject", "role", "left_eye_x", "left_eye_y", "right_eye_x", "right_eye_y")
MOST_PROBES = 5


def line(photo, role):
    return (photo.path.resolve(), photo.name, role, *photo.eyes)


def write(file: pathlib.Path, lines):
    with open(file, "w", newline="", encoding="utf-8") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(lines)
    print(f"{file}: {len(lines)} photos of {len({entry[1] for entry in lines})} people")


def write_part(out: pathlib.Path, part: str, people: dict):
    several = [photos for photos in people.values() if len(photos) >= 2]
    single = [photos[0] for photos in people.values() if len(photos) == 1]
    gallery = [line(photos[0], "gallery") for photos in several]
    one = [line(photos[1], "probe") for photos in several]
    more = [line(p, "probe") for photos in several for p in photos[1:1 + MOST_PROBES]]
    write(out / f"{part}_one.csv", gallery + one)
    write(out / f"{part}_all.csv", gallery + more)
    write(out / f"{part}_open.csv", gallery + one + [line(p, "probe") for p in single])
    write(out / f"{part}_singles.csv", [line(p, "gallery") for p in single])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=pathlib.Path, required=True, help="the folder of lfw/")
    parser.add_argument("--out", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    frontal = [photo for photo in read_photos(arguments.data) if photo.frontal]
    for part in ("tune", "test"):
        people = collections.defaultdict(list)
        for photo in frontal:
            if photo.part == part:
                people[photo.name].append(photo)
        write_part(arguments.out, part, people)


if __name__ == "__main__":
    main()
