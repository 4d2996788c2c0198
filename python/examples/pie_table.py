#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A table of rank-one rates with a CMC plot, and a method of one's own in it.

    python/examples/pie_table.py PIE/illum --out pie

writes pie/cmc.png, pie/table.csv and pie/report.html. Other faces and protocols work alike:
``--protocol roles`` takes any folder with a manifest. Needs matplotlib and pandas.
"""

import argparse
from pathlib import Path

import matplotlib
import numpy as np

import longshot as ls

matplotlib.use("Agg")  # no window is needed
import matplotlib.pyplot as plt


class Correlation:
    """A method of one's own: the best correlation with any relit image of a person."""

    name = "correlation"

    def learn(self, training: ls.TrainingSet) -> None:
        """Nothing is learnt; ``training.photos_low`` would be there."""

    def enrol(self, person: ls.PersonImages) -> np.ndarray:
        return normalised(person.relit_low)

    def distances(self, people: list, probes: np.ndarray) -> np.ndarray:
        wanted = normalised(probes)
        return np.array([1 - (images @ wanted.T).max(axis=0) for images in people])


def normalised(images: np.ndarray) -> np.ndarray:
    rows = images.reshape(len(images), -1)
    rows = rows - rows.mean(axis=1, keepdims=True)
    return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)


def plot(result: ls.Evaluation, path: Path) -> None:
    """One panel of curves for each size."""
    sizes = list(dict.fromkeys(one.size for one in result))
    figure, panels = plt.subplots(1, len(sizes), figsize=(4.5 * len(sizes), 4), sharey=True,
                                  squeeze=False, constrained_layout=True)
    for size, axes in zip(sizes, panels[0]):
        for one in result:
            if one.size == size:
                axes.plot(np.arange(1, len(one.cmc) + 1), one.cmc, marker=".", label=one.method)
        axes.set(title=f"{size}, {one.gallery} people", xlabel="among the first",
                 xticks=[1, 5, 10, 15, 20])
        axes.grid(alpha=0.3)
    panels[0][0].set_ylabel("right person found, %")
    panels[0][-1].legend(loc="lower right")
    figure.savefig(path, dpi=120)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--protocol", default="pie")
    parser.add_argument("--methods", default="longshot,slrfr,pca")
    parser.add_argument("--sizes", default="7x6,12x10")
    parser.add_argument("--profile", default="paper", choices=["paper", "best"])
    parser.add_argument("--out", type=Path, default=Path("pie"))
    chosen = parser.parse_args()
    chosen.out.mkdir(parents=True, exist_ok=True)

    result = ls.evaluate(
        chosen.data,
        chosen.protocol,
        methods=[*chosen.methods.split(","), Correlation],
        sizes=chosen.sizes.split(","),
        profile=chosen.profile,
    )
    frame = result.to_frame()
    frame["size"] = frame["size"].astype(str)
    print(frame.pivot(index="method", columns="size", values="rank1").round(1).to_string())
    frame.to_csv(chosen.out / "table.csv", index=False)
    result.report(chosen.out / "report.html")
    plot(result, chosen.out / "cmc.png")


if __name__ == "__main__":
    main()
