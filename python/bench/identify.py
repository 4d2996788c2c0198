# SPDX-License-Identifier: Apache-2.0
"""What `identify` of 1,000 crops costs from Python and from C++, and what importing does.

usage: python/bench/run, which builds the C++ half and calls this with its path
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import longshot as ls

CROPS = 1000
SIZE = (12, 10)
ROUNDS = 31


def run(command: list) -> None:
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def main(other_half: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        program = [os.environ["LONGSHOT_PROGRAM"], "--quiet"]
        people, low = Path(folder, "people"), Path(folder, "low")
        run([*program, "synth", "--people", "100", "--photos", "2", "--out", people])
        run([*program, "degrade", people, "--face", "--size", "12x10", "--out", low])
        planes = [ls.degrade(one, SIZE, op="area") for one in ls.load(low)]
        crops = np.resize(np.rint(np.stack(planes) * 255).astype(np.uint8), (CROPS, *SIZE))
        bare, file = Path(folder, "crops"), Path(folder, "people.gallery")
        bare.write_bytes(crops.tobytes())
        with ls.Gallery(file, create=True) as gallery:
            gallery.enroll(people)
            gallery.prepare(SIZE)
            compare(gallery, crops, [other_half, file, bare, *map(str, (CROPS, *SIZE))])


def compare(gallery: ls.Gallery, crops: np.ndarray, command: list) -> None:
    """Asks from Python and from C++ in turn. Of the rounds, the first is not counted."""
    other = subprocess.Popen(
        list(map(str, command)), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    ours, theirs = [], []
    for _ in range(ROUNDS):
        other.stdin.write("\n")
        other.stdin.flush()
        theirs.append(list(map(float, other.stdout.readline().split())))
        start, worked = time.perf_counter(), time.process_time()
        answers = gallery.identify(crops)
        ours.append((time.perf_counter() - start, time.process_time() - worked))
    other.communicate()
    assert all(one.error is None for one in answers)
    print(f"identify of {len(crops)} crops among {len(gallery.people)} people,"
          f" {ROUNDS - 1} rounds in turn:")
    mine, others = np.array(ours[1:]), np.array(theirs[1:])
    for column, name in enumerate(("clock", "work of all cores")):
        one, other_one = mine[:, column], others[:, column]
        print(f"  {name}: Python {np.median(one) * 1e3:.1f} ms,"
              f" C++ {np.median(other_one) * 1e3:.1f} ms, median of ratios"
              f" {np.median(one / other_one):.3f}, ratio of the best {one.min() / other_one.min():.3f}")


def importing() -> None:
    code = (
        "import time; a, b = time.perf_counter(), time.process_time(); import longshot;"
        "print(time.perf_counter() - a, time.process_time() - b)"
    )
    taken = []
    for _ in range(5):
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
        taken.append(list(map(float, done.stdout.split())))
    clock, work = np.min(taken, axis=0)
    print(f"import: {clock:.2f} s by the clock, {work:.2f} s of work, best of {len(taken)}")


if __name__ == "__main__":
    importing()
    main(sys.argv[1])
