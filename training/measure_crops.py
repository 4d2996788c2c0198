#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How many small images `longshot identify` refuses for showing no face: crops of LFW's tuning
people, CMU PIE and Extended Yale B (lights up to 50 degrees, and beyond) through random cameras, and
what is no face: noise, textures and other places of the photos of tuning people.
"""
import argparse
import json
import pathlib
import shutil
import subprocess

import cv2
import numpy as np

from camera import RandomCameras
from crop_judge import other_places, textures
from lfw import cut_face, read_photos
from trial import camera_crops

PIE_EYES, YALE_EYES = (0.27, 0.23, 0.74, 0.23), (0.207, 0.242, 0.772, 0.242)
SIDE = 192  # to which aligned photos are enlarged


def aligned_face(path, eyes):
    image = cv2.imread(str(path), cv2.IMREAD_GRAYSCALE)
    return cut_face(cv2.resize(image, (SIDE, SIDE), interpolation=cv2.INTER_CUBIC),
                    tuple(SIDE * place for place in eyes))


def light_of(path) -> int:
    """The larger of azimuth and elevation."""
    name = path.stem[-8:]
    return max(abs(int(name[1:4])), abs(int(name[6:8]))) if name[0] in "+-" else 999


def faces_and_others(data, count):
    random = np.random.default_rng(1)
    some = lambda whole: [whole[i] for i in random.permutation(len(whole))[:count]]
    tune = [p for p in read_photos(data) if p.part == "tune"]
    grey = lambda photo: cv2.imread(str(photo.path), cv2.IMREAD_GRAYSCALE)
    yale = sorted((data / "yaleb-192x168").glob("*/*_P00A*E*.pgm"))
    lights = lambda least, most: some([p for p in yale if least < light_of(p) <= most])
    pie = sorted((data / "pie-c27-32x32").glob("*/s*/i*.pgm"))
    return {
        "LFW": [cut_face(grey(p), p.eyes) for p in some(tune)],
        "PIE": [aligned_face(p, PIE_EYES) for p in some(pie)],
        "Yale B": [aligned_face(p, YALE_EYES) for p in lights(-1, 50)],
        "noise": random.integers(0, 256, (count, 128, 112), dtype=np.uint8),
        "textures": textures(count, 11),
        "other places": other_places(tune, count, 12),
        "Yale B, harder lights": [aligned_face(p, YALE_EYES) for p in lights(50, 130)],
    }


def crops_of(kind, images, size, seed):
    if kind == "noise":
        random = np.random.default_rng(seed)
        deviation = random.uniform(10, 70, (len(images), 1, 1))
        return np.clip(128 + deviation * random.normal(size=(len(images), *size)), 0, 255)
    return camera_crops(RandomCameras(seed), np.array(images), size)


def refused(program, gallery, folder, crops) -> int:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for number, crop in enumerate(crops):
        cv2.imwrite(str(folder / f"crop{number:05}.png"), crop.round().astype(np.uint8))
    done = subprocess.run([program, "--quiet", "identify", folder, "--gallery", gallery, "--camera",
                           "none", "--method", "longshot-pixels", "--json"],
                          check=False, capture_output=True, text=True)
    return sum((p.get("error") or "").startswith("No face")
               for p in json.loads(done.stdout)["probes"])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split(":")[0])
    parser.add_argument("--data", type=pathlib.Path, required=True)
    parser.add_argument("--program", type=pathlib.Path, default="build/longshot")
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--crops", type=int, default=500)
    parser.add_argument("--sizes", nargs="+", default=["7x6", "12x10", "22x15", "39x32"])
    arguments = parser.parse_args()
    people, gallery = arguments.out / "people", arguments.out / "people.gallery"
    gallery.unlink(missing_ok=True)
    run = lambda *words: subprocess.run([arguments.program, "--quiet", *words], check=True,
                                        capture_output=True)
    run("synth", "--people", "5", "--photos", "1", "--out", people)
    run("enroll", people, "--gallery", gallery)
    shown = faces_and_others(arguments.data, arguments.crops)
    for name in arguments.sizes:
        size = tuple(int(side) for side in name.split("x"))
        counts = {kind: (refused(arguments.program, gallery, arguments.out / "crops",
                                 crops_of(kind, images, size, seed)), len(images))
                  for seed, (kind, images) in enumerate(shown.items())}
        print(name, ", ".join(f"{kind} {100 * n / all_:.1f}" for kind, (n, all_) in counts.items()),
              flush=True)


if __name__ == "__main__":
    main()
