#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What frames of one person add by their number: docs/results.md, "Frames under several lights".

Stand-ins for tracks, of CMU PIE and Extended Yale B: one photo of each person in frontal light is
enrolled; a track is 16 crops of the same person, each shifted, scaled and turned as a detector
would, with noise. Its frames are of one light, or of several. The first 1, 2, 4, 8 and 16 of them
are asked for one answer. Prints a table; the diagram shows the smaller size.

usage: training/measure_lights.py DATA [SVG]; it needs the Python package of longshot and OpenCV
"""

import json
import re
import sys
import tempfile
from pathlib import Path

import cv2
import numpy as np

import longshot as ls

COUNTS = (1, 2, 4, 8, 16)
SIZES = ((7, 6), (12, 10))
ROUNDS = {"PIE": 2, "Yale B": 4}  # tracks of each kind for each person
SHIFT = 0.032  # of the width, in each direction: 4 % on average
SCALE = 0.03
TURN = 2.0  # degrees
NOISE = 0.02
COLOURS = ["#1f6fd1", "#d6423b", "#1b8a5a", "#d98200"]


def pie_people(data):
    """Frontal photo and other lights of each person, flashes in a dark room."""
    for folder in sorted((data / "pie-c27-32x32/lights").iterdir()):
        if folder.is_dir():
            yield folder.name, folder / "i20.pgm", [
                path for path in sorted(folder.glob("*.pgm")) if path.name != "i20.pgm"]


def yaleb_people(data):
    """The same, with lights up to 50 degrees from the front."""
    for folder in sorted((data / "yaleb-192x168").iterdir()):
        lights = []
        for path in sorted(folder.glob("*.pgm")) if folder.is_dir() else []:
            angles = re.search(r"A([+-]\d+)E([+-]\d+)", path.name)
            if angles and 0 < np.hypot(*(int(angle) for angle in angles.groups())) <= 50:
                lights.append(path)
        if lights:
            yield folder.name, folder / f"{folder.name}_P00A+000E+00.pgm", lights


def seen(path, size, random):
    """The face as a detector might cut it out of a frame."""
    face = cv2.imread(str(path), cv2.IMREAD_GRAYSCALE).astype(np.float32) / 255
    face *= 0.4 / max(face.mean(), 0.02)
    fine = 16
    rows, cols = size
    scale = np.exp(random.normal(0, SCALE))
    turn = np.deg2rad(random.normal(0, TURN))
    # From the pixels of the crop, finely sampled, to those of the face, both about their middle.
    stretch = np.diag([face.shape[1] / (cols * fine), face.shape[0] / (rows * fine)])
    turned = scale * np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    matrix = turned @ stretch
    middle = np.array(face.shape[::-1]) * (0.5 + random.normal(0, SHIFT, 2))
    offset = middle - matrix @ (0.5 * np.array([cols, rows]) * fine)
    sampled = cv2.warpAffine(face, np.column_stack([matrix, offset]), (cols * fine, rows * fine),
                             flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
                             borderMode=cv2.BORDER_REPLICATE)
    crop = cv2.resize(sampled, (cols, rows), interpolation=cv2.INTER_AREA)
    return (crop + random.normal(0, NOISE, crop.shape)).clip(0, 1)


def write_tracks(folder, people, size, several, rounds, random):
    """Folders COUNT/TRACK of crops; returns whom each track shows."""
    shown = {}
    for name, _, lights in people:
        for number in range(rounds):
            track = f"{name}_{number}"
            shown[track] = name
            order = [lights[i] for i in random.permutation(len(lights))]
            frames = [seen(order[k % len(order) if several else 0], size, random)
                      for k in range(COUNTS[-1])]
            for count in COUNTS:
                (folder / f"{count}/{track}").mkdir(parents=True)
                for k in range(count):
                    ls.write_plane(folder / f"{count}/{track}/{k:02}.png", frames[k])
    return shown


def rank_one(gallery, folder, shown, eyes, size):
    rates = []
    for count in COUNTS:
        (folder / f"{count}/dataset.json").write_text(json.dumps({"aligned": True, "eyes": eyes}))
        answers = gallery.identify(folder / str(count), fuse_folders=True, size=size, top=1)
        right = [answer.candidates[0].person == shown[Path(answer.name).name] for answer in answers]
        assert len(right) == len(shown)
        rates.append(100 * np.mean(right))
    return rates


def enrolled(folder, people, eyes):
    photos = folder / "photos"
    for name, photo, _ in people:
        (photos / name).mkdir(parents=True)
        (photos / name / photo.name).write_bytes(photo.read_bytes())
    (photos / "dataset.json").write_text(json.dumps({"aligned": True, "eyes": eyes}))
    gallery = ls.Gallery(folder / "people.gallery", create=True)
    gallery.enroll(photos)
    return gallery


def diagram(lines):
    """An SVG: frames to the right, each place twice as many, rank one upwards from 0 to 100 %."""
    side, edge = 300, 45
    width = side + edge + 190

    def place(k, rate):
        return edge + side * k / (len(COUNTS) - 1), edge / 2 + side * (1 - rate / 100)

    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {side + edge + 25}" '
             'font-family="sans-serif" font-size="12">',
             f'<rect width="{width}" height="{side + edge + 25}" fill="#fff"/>',
             f'<text x="{edge + side / 2}" y="{side + edge + 15}" text-anchor="middle">frames</text>',
             f'<text transform="translate(15 {edge / 2 + side / 2}) rotate(-90)" '
             'text-anchor="middle">rank one, %</text>']
    for rate in range(0, 101, 20):
        (x, y), (end, _) = place(0, rate), place(len(COUNTS) - 1, rate)
        parts.append(f'<line x1="{x:g}" y1="{y:g}" x2="{end:g}" y2="{y:g}" stroke="#ddd"/>')
        parts.append(f'<text x="{x - 6:g}" y="{y + 4:g}" text-anchor="end">{rate}</text>')
    for k, count in enumerate(COUNTS):
        x, y = place(k, 0)
        parts.append(f'<text x="{x:g}" y="{y + 15:g}" text-anchor="middle">{count}</text>')
    for i, (label, rates) in enumerate(lines):
        points = [place(k, rate) for k, rate in enumerate(rates)]
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{COLOURS[i]}" '
                     'stroke-width="2"/>')
        parts.extend(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{COLOURS[i]}"/>'
                     for x, y in points)
        parts.append(f'<text x="{side + edge + 12}" y="{edge + 18 * i}" '
                     f'fill="{COLOURS[i]}">{label}</text>')
    return "\n".join([*parts, "</svg>\n"])


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    data = Path(sys.argv[1])
    sets = {"PIE": (list(pie_people(data)), [0.27, 0.23, 0.74, 0.23]),
            "Yale B": (list(yaleb_people(data)), [0.207, 0.242, 0.772, 0.242])}
    drawn = []
    print("| | frames of | tracks | " + " | ".join(map(str, COUNTS)) + " |")
    print("|---" * (3 + len(COUNTS)) + "|")
    for label, (people, eyes) in sets.items():
        with tempfile.TemporaryDirectory() as temporary:
            folder = Path(temporary)
            gallery = enrolled(folder, people, eyes)
            for size in SIZES:
                for kind, several in (("one light", False), ("several lights", True)):
                    tracks = folder / f"{size[0]}_{several}"
                    random = np.random.default_rng(1)
                    shown = write_tracks(tracks, people, size, several, ROUNDS[label], random)
                    rates = rank_one(gallery, tracks, shown, eyes, size)
                    print(f"| {label}, {size[0]}x{size[1]} | {kind} | {len(shown)} | "
                          + " | ".join(f"{rate:.1f}" for rate in rates) + " |", flush=True)
                    if size == SIZES[0]:
                        drawn.append((f"{label}, {kind}", rates))
    if len(sys.argv) == 3:
        Path(sys.argv[2]).write_text(diagram(drawn), encoding="utf-8")


if __name__ == "__main__":
    main()
