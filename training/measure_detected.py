#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Rank one with eyes that were found beside rank one with eyes that were given.

Of each of LFW's people who have two nearly frontal photos the first is enrolled, with its eyes. Up
to five others are shrunk until their eyes are some pixels apart, with noise and JPEG, and asked
about with the default settings: with their eyes, and as frames of which nothing is stated. Where no
face is found, or a bystander's, that counts as an error.

With --placements also with the eyes that were found, moved and magnified by as much as they may be
off: the distances of all placements are averaged, as those of the frames of a track are.
"""
import argparse
import collections
import csv
import json
import pathlib
import shutil
import subprocess

import cv2
import numpy as np

from lfw import read_photos
from make_manifests import COLUMNS, MOST_PROBES, line
from measure_faces import QUALITY, shrink

DETECTORS = ("haar", "yunet")
# Of found eyes: to the right and down in eye distances, and how many times as far apart.
MAGNIFIED = ((0.0, 0.0, 1.0), (0.0, 0.0, 1.1), (0.0, 0.0, 0.9))
MOVED = (*MAGNIFIED, (0.1, 0.0, 1.0), (-0.1, 0.0, 1.0), (0.0, 0.1, 1.0), (0.0, -0.1, 1.0))


def people_of(data: pathlib.Path, part: str):
    """Lists of photos, of everybody who has two or more."""
    people = collections.defaultdict(list)
    for photo in read_photos(data):
        if photo.frontal and photo.part == part:
            people[photo.name].append(photo)
    return [photos for photos in people.values() if len(photos) >= 2]


def write_manifest(file: pathlib.Path, lines):
    with open(file, "w", newline="", encoding="utf-8") as out:
        csv.writer(out).writerows([COLUMNS, *lines])


def enrol(program, people, folder: pathlib.Path):
    gallery, manifest = folder / "people.gallery", folder / "people.csv"
    write_manifest(manifest, [line(photos[0], "gallery") for photos in people])
    subprocess.run([program, "--quiet", "enroll", manifest, "--gallery", gallery], check=True,
                   stdout=subprocess.DEVNULL)
    return gallery


def write_probes(people, distance, folder: pathlib.Path):
    """Who is on each file, which lie in folders of their own; given.csv has their eyes."""
    random, lines = np.random.default_rng(1), []
    for photo in (p for photos in people for p in photos[1:1 + MOST_PROBES]):
        image, eyes = shrink(photo, distance, random)
        file = folder / f"frames/{len(lines):05}/frame.jpg"
        file.parent.mkdir(parents=True)
        cv2.imwrite(str(file), image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
        lines.append((file.resolve(), photo.name, "probe", *eyes))
    write_manifest(folder / "given.csv", lines)
    return {str(entry[0]): entry[1] for entry in lines}


def identify(program, gallery, probes: pathlib.Path, extra=()):
    """The answers, as the program writes them."""
    answers = gallery.with_suffix(".json")
    answers.unlink(missing_ok=True)
    subprocess.run([program, "--quiet", "identify", probes, "--gallery", gallery, "--json", answers,
                    *extra], check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return json.loads(answers.read_text(encoding="utf-8"))["probes"]


def right(answers, subjects, folders=False):
    """Of the files, the share of those whose first candidate is who is on it, in percent."""
    first = {str(pathlib.Path(one["path"]).resolve()): one["candidates"][0]["person"]
             for one in answers if one.get("candidates")}
    key = (lambda file: str(pathlib.Path(file).parent)) if folders else str
    return 100 * np.mean([first.get(key(file)) == who for file, who in subjects.items()])


def placed(eyes, right_by, down_by, magnified):
    left, right_eye = complex(*eyes[:2]), complex(*eyes[2:])
    span = right_eye - left
    middle = (left + right_eye) / 2 + complex(right_by, down_by) * span
    ends = (middle - magnified * span / 2, middle + magnified * span / 2)
    return [value for end in ends for value in (end.real, end.imag)]


def identify_placed(program, gallery, answers, placements, folder: pathlib.Path):
    """Asks again about the faces that were found, several times each."""
    write_manifest(folder / "placed.csv",
                   [(one["path"], "somebody", "probe", *placed(one["eyes"], *by))
                    for one in answers if "eyes" in one for by in placements])
    return identify(program, gallery, folder / "placed.csv", ["--fuse", "folder"])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--data", type=pathlib.Path, required=True, help="the folder of lfw/")
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--program", type=pathlib.Path, default="build/longshot")
    parser.add_argument("--part", choices=("tune", "test"), default="tune")
    parser.add_argument("--distances", type=float, nargs="+", default=[4, 6, 10])
    parser.add_argument("--detectors", choices=DETECTORS, nargs="+", default=DETECTORS)
    parser.add_argument("--placements", action="store_true")
    arguments = parser.parse_args()
    model = arguments.data / "models/yunet_120x160.onnx"
    people = people_of(arguments.data, arguments.part)
    shutil.rmtree(arguments.out, ignore_errors=True)
    arguments.out.mkdir(parents=True)
    program, gallery = arguments.program, enrol(arguments.program, people, arguments.out)
    print(f"{len(people)} people; rank one in percent")
    for distance in arguments.distances:
        folder = arguments.out / f"{distance:g}"
        subjects = write_probes(people, distance, folder)
        given = right(identify(program, gallery, folder / "given.csv"), subjects)
        print(f"{distance:g} px, {len(subjects)} probes: given eyes {given:.1f}", flush=True)
        for name in arguments.detectors:
            extra = ["--detector", model] if name == "yunet" else []
            answers = identify(program, gallery, folder / "frames", extra)
            none = len(subjects) - sum(bool(one.get("candidates")) for one in answers)
            print(f"  {name} {right(answers, subjects):.1f}, {none} without an answer", flush=True)
            if not arguments.placements:
                continue
            for placements in (MAGNIFIED, MOVED):
                again = identify_placed(program, gallery, answers, placements, folder)
                print(f"  {name}, {len(placements)} placements "
                      f"{right(again, subjects, folders=True):.1f}", flush=True)


if __name__ == "__main__":
    main()
