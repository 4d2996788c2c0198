#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a track of a clip is worth, on synthetic people: docs/results.md, "Clips".

Galleries of 20 people each, and a clip in which they walk from 7x6 to 16x13 pixels. Each clip is
asked of its own gallery, where its people are enrolled, and of another one, where they are not.

usage: training/measure_clips.py [GALLERIES]; it needs the Python package of longshot
"""

import csv
import sys
import tempfile
from math import hypot
from pathlib import Path

import numpy as np

import longshot as ls

PEOPLE = 20
RATES = (0.01, 0.1)


def truth_of(clip):
    faces = {}
    with open(clip.with_suffix(".csv"), newline="") as file:
        for row in csv.DictReader(file):
            faces.setdefault(int(row["frame"]), []).append(row)
    return faces


def person_of(track, truth):
    """Whom most faces of a track show; None for what is nobody's."""
    votes = []
    for one in track.faces:
        left_x, left_y, right_x, _ = one.face.eyes
        for row in truth[one.frame]:
            off = hypot(float(row["left_eye_x"]) - left_x, float(row["left_eye_y"]) - left_y)
            if off < 0.5 * (right_x - left_x) and row["hidden"] == "0":
                votes.append(row["subject"])
    return max(set(votes), key=votes.count) if votes else None


def mixed(track, truth, person):
    """Whether a face of the track is clearly somebody else's."""
    parts = [ls.Track(track.source, track.number, (one,), track._track) for one in track.faces]
    return any(person_of(part, truth) not in (None, person) for part in parts)


def first(answer):
    return answer.candidates[0].person if answer.candidates else None


def write_crops(track, folder):
    folder.mkdir()
    for i, crop in enumerate(track.crops()):
        ls.write_plane(folder / f"{i:03}.png", crop)
    return folder


def walk(folder, seed):
    people = folder / f"people{seed}"
    ls.synthesize(people, people=PEOPLE, photos=1, seed=seed)
    gallery = ls.Gallery(folder / f"{seed}.gallery", create=True)
    gallery.enroll(people)
    clip = folder / f"walk{seed}.mp4"
    ls.synthesize_clip(clip, people=PEOPLE, size=(160, 240), walk=30, far=3.0, near=6.5, seed=seed)
    return gallery, ls.find_tracks(clip, least_eye_distance=3.5), truth_of(clip)


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    sums = dict.fromkeys(["tracks", "nobody", "mixed", "fused", "best", "mean", "single"], 0.0)
    people, lengths = set(), []
    known = {rate: 0 for rate in RATES}
    strange = {rate: 0 for rate in RATES}
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        made = [walk(folder, seed) for seed in range(1, count + 1)]
        for number, (gallery, found, truth) in enumerate(made):
            other = made[(number + 1) % count][0]
            answers = gallery.identify_tracks(found.tracks)
            at = {rate: gallery.identify_tracks(found.tracks, fpir=rate) for rate in RATES}
            away = {rate: other.identify_tracks(found.tracks, fpir=rate) for rate in RATES}
            for i, track in enumerate(found.tracks):
                person = person_of(track, truth)
                if person is None:
                    sums["nobody"] += 1
                    continue
                people.add((number, person))
                lengths.append(len(track.faces))
                crops = write_crops(track, folder / f"crops{number}_{i}")
                files = sorted(crops.iterdir())
                best = max(range(len(files)), key=lambda k: track.faces[k].face.quality)
                single = [first(one) == person for one in gallery.identify(files, aligned=True)]
                mean, = gallery.identify(crops, fuse_folders=True, aligned=True)
                sums["tracks"] += 1
                sums["mixed"] += mixed(track, truth, person)
                sums["fused"] += first(answers[i]) == person
                sums["best"] += single[best]
                sums["mean"] += first(mean) == person
                sums["single"] += np.mean(single)
                for rate in RATES:
                    known[rate] += at[rate][i].known and first(at[rate][i]) == person
                    strange[rate] += away[rate][i].known
    tracks = sums["tracks"]
    print(f"{tracks:.0f} tracks of {len(people)} of {count * PEOPLE} people, "
          f"{np.mean(lengths):.1f} faces each; {sums['mixed']:.0f} of two people, "
          f"{sums['nobody']:.0f} of nobody")
    for name, about in [("single", "one frame, any"), ("best", "the frame of best quality"),
                        ("mean", "mean of the distances"), ("fused", "the track")]:
        print(f"rank one, {about}: {100 * sums[name] / tracks:.1f} %")
    for rate in RATES:
        print(f"at {100 * rate:g} % asked: {100 * strange[rate] / tracks:.1f} % of strangers' tracks "
              f"are known, {100 * known[rate] / tracks:.1f} % of those of people who are enrolled")


if __name__ == "__main__":
    main()
