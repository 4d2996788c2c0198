#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What `longshot enroll` remarks on names, right and wrong.

Of each person of a manifest with roles and eyes (make_manifests.py) one gallery photo is enrolled.
Then one probe of each is, four times: under the right name, under a new one, under somebody else's,
and of people of whom no photo was enrolled before.

With --folders, of a data set of photos of one day: one photo of each folder is enrolled, and of the
first 20 another one under a new name.
"""
import argparse
import csv
import pathlib
import shutil
import subprocess

EYES = ("left_eye_x", "left_eye_y", "right_eye_x", "right_eye_y")


def first_rows(manifest, role):
    rows = {}
    with open(manifest, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["role"] == role:
                rows.setdefault(row["subject"], row)
    return rows


def remarks(program, path, gallery):
    """Of what is enrolled from there, how many look like another, and unlike their own."""
    done = subprocess.run([program, "--quiet", "enroll", path, "--gallery", gallery, "--force"],
                          check=False, capture_output=True, text=True)
    lines = done.stderr.splitlines()
    return (sum("looks like" in line for line in lines),
            sum("looks unlike" in line for line in lines))


def enrol(program, gallery, folder, rows, names):
    """The remarks that rows under these names get: looking like another, and unlike their own."""
    manifest = folder / "names.csv"
    with open(manifest, "w", newline="", encoding="utf-8") as file:
        out = csv.writer(file)
        out.writerow(("path", "subject", *EYES))
        for row, name in zip(rows, names):
            out.writerow((row["path"], name, *(row[eye] for eye in EYES)))
    return remarks(program, manifest, gallery)


def copy_one(folders, pattern, target, new_name):
    """One photo of each folder, as the same layout; how many."""
    shutil.rmtree(target, ignore_errors=True)
    for folder in folders:
        photo = sorted(folder.glob(pattern))[0]
        place = target / new_name(folder.name)
        place.mkdir(parents=True)
        shutil.copy(photo, place / photo.name.replace(folder.name, place.name))
    return len(folders)


def one_day(arguments, show):
    """People of one day, and 20 of them again in another light, under the numbers from 71 on."""
    gallery = arguments.out / "day.gallery"
    gallery.unlink(missing_ok=True)
    folders = sorted(path for path in arguments.folders.iterdir() if path.is_dir())
    first, again = arguments.out / "first", arguments.out / "again"
    count = copy_one(folders, arguments.photo, first, lambda name: name)
    show("different people", count, remarks(arguments.program, first, gallery))
    if arguments.again:
        new_names = {path.name: f"{path.name[:-2]}{71 + i}" for i, path in enumerate(folders[:20])}
        count = copy_one(folders[:20], arguments.again, again, new_names.get)
        show("under a new name", count, remarks(arguments.program, again, gallery))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("manifest", type=pathlib.Path, nargs="?")
    parser.add_argument("--folders", type=pathlib.Path)
    parser.add_argument("--photo", default="*")
    parser.add_argument("--again")
    parser.add_argument("--program", type=pathlib.Path, default="build/longshot")
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--people", type=int, default=10**6)
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    show = lambda what, count, seen: print(f"{what}: of {count} photos {seen[0]} look like somebody "
                                           f"else, {seen[1]} unlike their own", flush=True)
    if arguments.folders:
        return one_day(arguments, show)
    if not arguments.manifest:
        parser.error("name a manifest, or --folders")
    photos, probes = (first_rows(arguments.manifest, role) for role in ("gallery", "probe"))
    people = sorted(photos.keys() & probes.keys())[:arguments.people]
    half = len(people) // 2
    start, gallery = arguments.out / "start.gallery", arguments.out / "tried.gallery"
    for old in (start, gallery):
        old.unlink(missing_ok=True)
    known, others = people[:half], people[half:2 * half]
    show("different people", half,
         enrol(arguments.program, start, arguments.out, [photos[p] for p in known], known))
    trials = (("the right name", known, known),
              ("a new name for somebody enrolled", known, [f"{p} again" for p in known]),
              ("somebody else's name", known, known[1:] + known[:1]),
              ("strangers under an enrolled name", others, known),
              ("strangers under their own", others, others))
    for what, whom, names in trials:
        shutil.copy(start, gallery)
        show(what, half, enrol(arguments.program, gallery, arguments.out,
                               [probes[p] for p in whom], names))


if __name__ == "__main__":
    main()
