#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How well `longshot faces` finds small faces: photos of test people, shrunk until their eyes are
some pixels apart, with noise and JPEG.

Found: eyes whose middle is less than half an eye distance from the real one, at a distance between
0.67 and 1.5 of it. False: everything else that was found, on photos where YuNet sees one face.
"""
import argparse
import collections
import csv
import math
import pathlib
import subprocess
import time

import cv2
import numpy as np

from lfw import read_photos
from split import PARTS

NOISE = 3.0  # deviation, grey levels of 255
QUALITY = 75  # of JPEG


def shrink(photo, distance, random):
    eyes = np.array(photo.eyes)
    scale = distance / math.hypot(eyes[2] - eyes[0], eyes[3] - eyes[1])
    image = cv2.resize(cv2.imread(str(photo.path)), None, fx=scale, fy=scale,
                       interpolation=cv2.INTER_AREA).astype(np.float32)
    image += random.normal(0, NOISE, image.shape)
    return np.clip(image, 0, 255).round().astype(np.uint8), eyes * scale


def alone(photo, network) -> bool:
    image = cv2.imread(str(photo.path))
    network.setInputSize(image.shape[1::-1])
    seen = network.detect(image)[1]
    return seen is not None and len(seen) == 1


def found_eyes(manifest):
    """Eyes by source."""
    by_source = collections.defaultdict(list)
    with open(manifest, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            by_source[row["source"]].append(
                [float(row[f"source_{side}_eye_{axis}"]) for side in ("left", "right")
                 for axis in "xy"] + [float(row["eye_error"])])
    return by_source


def compare(eyes, found):
    """Errors of the eyes of what is the face, in eye distances, with what was expected; the number
    of the others."""
    distance = math.hypot(eyes[2] - eyes[0], eyes[3] - eyes[1])
    errors, others = [], 0
    for one in found:
        here = math.hypot(one[2] - one[0], one[3] - one[1])
        beside = math.hypot(one[0] + one[2] - eyes[0] - eyes[2], one[1] + one[3] - eyes[1] - eyes[3])
        if beside / 2 < 0.5 * distance and 0.67 < here / distance < 1.5:
            error = (math.hypot(one[0] - eyes[0], one[1] - eyes[1])
                     + math.hypot(one[2] - eyes[2], one[3] - eyes[3])) / 2 / distance
            errors.append((error, one[4]))
        else:
            others += 1
    return errors, others


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--data", type=pathlib.Path, required=True)
    parser.add_argument("--program", type=pathlib.Path, default="build/longshot")
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--photos", type=int, default=300)
    parser.add_argument("--part", choices=PARTS, default="test",
                        help="of the people: whatever is chosen, is chosen on others than test")
    parser.add_argument("--distances", type=float, nargs="+", default=[4, 6, 10])
    arguments = parser.parse_args()
    model = arguments.data / "models/yunet_120x160.onnx"
    network = cv2.FaceDetectorYN.create(str(model), "", (250, 250), 0.5)
    part = [p for p in read_photos(arguments.data) if p.part == arguments.part]
    photos = part[::max(1, len(part) // arguments.photos)][:arguments.photos]
    single = {p.path: alone(p, network) for p in photos}
    print("eyes apart  detector  found %  eyes off (median) %  expected %  false per photo  "
          "seconds per megapixel")
    for distance in arguments.distances:
        random, folder, truth, pixels = np.random.default_rng(1), arguments.out / f"{distance}", {}, 0
        folder.mkdir(parents=True, exist_ok=True)
        for number, photo in enumerate(photos):
            image, eyes = shrink(photo, distance, random)
            file = folder / f"{number:05}.jpg"
            cv2.imwrite(str(file), image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
            truth[str(file)] = (eyes, single[photo.path])
            pixels += image.shape[0] * image.shape[1]
        for name, extra in (("haar", []), ("yunet", ["--detector", str(model)])):
            out = arguments.out / f"{distance}_{name}"
            begin = time.monotonic()
            subprocess.run([arguments.program, "--quiet", "faces", folder, "--out", out, *extra],
                           check=False, stdout=subprocess.DEVNULL)
            seconds = time.monotonic() - begin
            found = found_eyes(out / "manifest.csv")
            errors, missed, others = [], 0, []
            for file, (eyes, is_single) in truth.items():
                own, false = compare(eyes, found[file])
                errors += own[:1]
                missed += not own
                if is_single:
                    others.append(false)
            print(f"{distance:10}  {name:8}  {100 * (1 - missed / len(truth)):7.1f}  "
                  f"{100 * np.median([e for e, _ in errors]):19.1f}  "
                  f"{100 * np.median([e for _, e in errors]):10.1f}  {np.mean(others):15.3f}  "
                  f"{1e6 * seconds / pixels:21.2f}", flush=True)


if __name__ == "__main__":
    main()
