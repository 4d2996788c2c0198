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
ROUNDS = 10


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
            compare(gallery, crops, [other_half, file, bare, *map(str, (CROPS, *SIZE, ROUNDS))])


def compare(gallery: ls.Gallery, crops: np.ndarray, command: list) -> None:
    """The first round of each is not counted."""
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=True)
    theirs = np.array([line.split() for line in done.stdout.splitlines()][1:], float)
    rounds = []
    for _ in range(ROUNDS):
        start, worked = time.perf_counter(), time.process_time()
        answers = gallery.identify(crops)
        rounds.append((time.perf_counter() - start, time.process_time() - worked))
    ours = np.array(rounds[1:])
    assert all(one.error is None for one in answers)
    print(f"identify of {len(crops)} crops among {len(gallery.people)} people, best and median:")
    # On a busy machine only the work says something.
    for column, name in enumerate(("clock", "work of all cores")):
        for of in (np.min, np.median):
            mine, other = of(ours[:, column]), of(theirs[:, column])
            print(f"  {name}: Python {mine * 1e3:.1f} ms, C++ {other * 1e3:.1f} ms,"
                  f" {mine / other:.3f}x")


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
