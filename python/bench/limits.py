# SPDX-License-Identifier: Apache-2.0
"""How soon Ctrl-C ends a call, and what stays in memory after 10,000 calls.

usage: python/bench/run
"""

import os
import signal
import tempfile
import threading
import time
from pathlib import Path

import numpy as np

import longshot as ls

MOMENTS = (0.1, 0.4, 0.9)  # seconds after the beginning of a call


def interrupted(call, moment: float) -> float:
    """Seconds from Ctrl-C to the exception; not a number if the call was over before."""
    sent = []

    def send() -> None:
        if not over.wait(moment):
            sent.append(time.perf_counter())
            os.kill(os.getpid(), signal.SIGINT)

    over = threading.Event()
    thread = threading.Thread(target=send)
    thread.start()
    try:
        call()
        over.set()
        thread.join()
        return float("nan")
    except KeyboardInterrupt:
        return time.perf_counter() - sent[0]


def interrupting(folder: Path) -> None:
    photos = {f"person {i}": folder / "people/person_00000/00.png" for i in range(5_000)}
    random = np.random.default_rng(1)
    samples = random.normal(size=(4_000, 64))
    crops = random.integers(0, 256, size=(100_000, 12, 10), dtype=np.uint8)
    gallery = ls.Gallery(folder / "other.gallery", create=True)
    gallery.enroll(folder / "people")
    sizes = iter([(7, 6), (8, 7), (9, 8)])
    files = (folder / f"{number}.gallery" for number in range(len(MOMENTS)))

    def enroll() -> None:
        # Into another file each time, as what was committed before Ctrl-C stays.
        with ls.Gallery(next(files), create=True) as empty:
            empty.enroll(photos, force=True)

    calls = {
        "enroll": enroll,
        "prepare": lambda: gallery.prepare(next(sizes)),
        "identify": lambda: gallery.identify(crops),
        "evaluate": lambda: ls.evaluate(
            folder / "people", methods=["longshot", "kernel", "s2r2"], sizes=["12x10", "19x16"],
            noise=list(range(9)), use_training=False
        ),
        "synthesize": lambda: ls.synthesize(folder / "more", people=100_000),
        "ksvd": lambda: ls.sparse.ksvd(samples, 100, max_sweeps=1_000, relative_tolerance=0),
    }
    for name, call in calls.items():
        taken = [interrupted(call, moment) for moment in MOMENTS]
        print(f"Ctrl-C in {name}: " + ", ".join(f"{one:.2f}" for one in taken) + " s")
    gallery.close()


def resident() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def remembering(folder: Path) -> None:
    """Crops of the larger size are looked at by a detector of faces."""
    photo = ls.load(folder / "people", purpose="identify")[0]
    with ls.Gallery(folder / "people.gallery", create=True) as gallery:
        gallery.enroll(folder / "people")
        for size in ((12, 10), (36, 30)):
            crop = np.rint(ls.degrade(photo, size, face=True) * 255)
            probes = [crop.astype(np.uint8), b"no image"]
            figures = []
            for calls in (1_000, 5_000, 5_000):
                for _ in range(calls // 2):
                    gallery.identify(probes)
                    ls.degrade(probes[0], (7, 6))
                figures.append(resident() / 1e6)
            print(f"resident after 1,000, 6,000 and 11,000 calls with {size[0]}x{size[1]}: "
                  + ", ".join(f"{one:.1f}" for one in figures) + " MB")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        made = Path(name)
        ls.synthesize(made / "people", people=30, photos=3)
        interrupting(made)
        remembering(made)
