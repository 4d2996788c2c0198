#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a camera does to faces: learnt from its crops, and seen in a picture.

    python/examples/camera.py --out camera

makes people who do not exist, and a camera that frames them a little aside, blurs, darkens and
adds noise. It learns that camera from the crops, of whom nobody says whom they show, identifies
them with and without what was learnt, and writes camera/camera.png and camera/compared.png. Needs
matplotlib.
"""

import argparse
from pathlib import Path

import matplotlib
import numpy as np

import longshot as ls

matplotlib.use("Agg")  # no window is needed
import matplotlib.pyplot as plt

LOW = ls.Size(14, 12)


def take(face: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """A crop as this camera takes it: shifted, blurred, darkened, noisy."""
    moved = np.roll(face, (2, -2), axis=(0, 1))
    sharp = np.rint(moved * 255).clip(0, 255).astype(np.uint8)
    low = ls.degrade(sharp, LOW, op="gauss:0.8")
    dark = 0.9 * np.clip(low, 0, 1) ** 1.4 + random.normal(0, 0.015, LOW)
    return np.rint(dark.clip(0, 1) * 255).astype(np.uint8)


def show(rows: list, titles: list, path: Path) -> None:
    figure, panels = plt.subplots(len(rows), len(titles), squeeze=False, constrained_layout=True,
                                  figsize=(1.7 * len(titles), 2.1 * len(rows)))
    for row, (label, images) in zip(panels, rows):
        for axes, title, image in zip(row, titles, images):
            if title == "difference":
                axes.imshow(image, cmap="coolwarm", vmin=-0.2, vmax=0.2)
            else:
                axes.imshow(image, cmap="gray", vmin=0, vmax=image.max())
            axes.set(xticks=[], yticks=[])
        row[0].set_ylabel(label, fontsize=9)
    for axes, title in zip(panels[0], titles):
        axes.set_title(title, fontsize=9)
    figure.savefig(path, dpi=130)
    plt.close(figure)


def rate(answers: ls.Answers, truth: list) -> float:
    return 100 * np.mean([one.candidates[0].person == who for one, who in zip(answers, truth)])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--people", type=int, default=40)
    parser.add_argument("--out", type=Path, default=Path("camera"))
    chosen = parser.parse_args()
    chosen.out.mkdir(parents=True, exist_ok=True)

    people = chosen.out / "people"
    ls.synthesize(people, people=chosen.people, photos=4)
    random = np.random.default_rng(1)
    photos = list(ls.load(people, purpose="identify"))
    truth = [photo.person for photo in photos]
    crops = np.stack([take(ls.relight(photo, [(0, 0)]).face, random) for photo in photos])

    with ls.Gallery(chosen.out / "people.gallery", create=True) as gallery:
        gallery.enroll(people)
        camera = gallery.learn_camera(crops, aligned=True)
        print(f"learnt: {camera.learnt}, from {camera.crops} crops of {camera.size}")
        plain = gallery.identify(crops, aligned=True)
        through = gallery.identify(crops, camera=camera, aligned=True)
        print(f"right person first: {rate(plain, truth):.1f} % without the camera, "
              f"{rate(through, truth):.1f} % with it")
        rows = []
        for k in range(0, len(crops), max(1, len(crops) // 3))[:3]:
            for label, used in (("without", None), ("camera", camera)):
                both = gallery.compare(crops[k], truth[k], camera=used, aligned=True)
                rows.append((label, [both.photo, both.relit, both.through_camera, both.probe,
                                     both.difference]))
        titles = ["photo", "in its light", "predicted", "crop", "difference"]
        show(rows, titles, chosen.out / "compared.png")
        plt.imsave(chosen.out / "camera.png", np.kron(camera.sheet, np.ones((6, 6))), cmap="gray")


if __name__ == "__main__":
    main()
