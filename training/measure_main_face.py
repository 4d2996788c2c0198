#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How `longshot enroll` copes with whole photos of which nothing is stated: how many it refuses, and
whether it takes the right face.

Photos of LFW's people who are in no test, one each. Right: the middle of the eyes that were found is
less than half an eye distance from that of the manifest's, at a distance between 0.67 and 1.5 of it.
"""
import argparse
import json
import pathlib
import shutil
import subprocess

from lfw import read_photos
from measure_faces import compare


def one_each(photos, count, beginning):
    first = {}
    for photo in photos:
        first.setdefault(photo.name, photo)
    people = list(first.values())
    return people[beginning::max(1, len(people) // count)][:count]


def enrol(program, photos, out: pathlib.Path, extra):
    """Eyes by person, and refusals and remarks by reason."""
    shutil.rmtree(out, ignore_errors=True)
    for photo in photos:
        (out / "photos" / photo.name).mkdir(parents=True)
        (out / "photos" / photo.name / "photo.jpg").symlink_to(photo.path.resolve())
    gallery = out / "people.gallery"
    done = subprocess.run([program, "--quiet", "enroll", out / "photos", "--gallery", gallery, *extra],
                          check=False, capture_output=True, text=True)
    eyes = {}
    for photo in photos:
        shown = subprocess.run([program, "people", "show", photo.name, "--gallery", gallery, "--json"],
                               check=False, capture_output=True, text=True)
        if shown.returncode == 0:
            eyes[photo.name] = json.loads(shown.stdout)["photos"][0]["eyes"]
    return eyes, done.stderr.splitlines()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--data", type=pathlib.Path, required=True, help="the folder of lfw/")
    parser.add_argument("--program", type=pathlib.Path, default="build/longshot")
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--photos", type=int, default=600)
    parser.add_argument("--first", type=int, default=0, help="another one: other people")
    parser.add_argument("--detectors", nargs="+", default=["haar", "yunet"])
    arguments = parser.parse_args()
    model = arguments.data / "models/yunet_120x160.onnx"
    photos = one_each([p for p in read_photos(arguments.data) if p.part != "test"],
                      arguments.photos, arguments.first)
    for name in arguments.detectors:
        extra = ["--detector", model] if name == "yunet" else []
        eyes, lines = enrol(arguments.program, photos, arguments.out / name, extra)
        wrong = [p.name for p in photos
                 if p.name in eyes and not compare(p.eyes, [[*eyes[p.name], 0.0]])[0]]
        refused = len(photos) - len(eyes)
        print(f"{name}: {len(photos)} photos, refused {refused} "
              f"({100 * refused / len(photos):.1f} %), another face {len(wrong)} of {len(eyes)} "
              f"({100 * len(wrong) / max(1, len(eyes)):.1f} %)", flush=True)
        (arguments.out / f"{name}.log").write_text(
            "\n".join(lines) + "\nanother face: " + " ".join(wrong) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
