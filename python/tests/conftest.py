# SPDX-License-Identifier: Apache-2.0
"""People who do not exist, made by the program: photos, crops of 12x10, a gallery, a clip."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import longshot as ls

PROGRAM = os.environ.get("LONGSHOT_PROGRAM", "longshot")
PEOPLE = 6


def run_program(*arguments, cwd=None):
    """The standard output of the program."""
    done = subprocess.run(
        [PROGRAM, "--quiet", *map(str, arguments)], cwd=cwd, capture_output=True
    )
    if done.returncode != 3:  # verify: no match
        done.check_returncode()
    return done.stdout


@pytest.fixture(scope="session")
def made(tmp_path_factory) -> Path:
    """people/, crops/, walk.avi and people.gallery, prepared for 12x10; nobody changes them."""
    folder = tmp_path_factory.mktemp("made")
    run_program("synth", "--people", PEOPLE, "--photos", 2, "--out", "people", cwd=folder)
    run_program("degrade", "people", "--face", "--size", "12x10", "--out", "crops", cwd=folder)
    run_program("enroll", "people", "--gallery", "people.gallery", cwd=folder)
    run_program("identify", "crops", "--gallery", "people.gallery", "--json", cwd=folder)
    run_program("synth", "--people", 1, "--together", 1, "--clip", "walk.avi", "--walk", 12,
                "--size", "120x160", "--far", 10, "--near", 14, cwd=folder)
    return folder


@pytest.fixture
def folder(made, tmp_path, monkeypatch) -> Path:
    """A copy to change, which is the working folder."""
    copy = tmp_path / "made"
    shutil.copytree(made, copy)
    monkeypatch.chdir(copy)
    return copy


@pytest.fixture
def gallery(folder):
    with ls.Gallery("people.gallery") as opened:
        yield opened


@pytest.fixture(scope="session")
def crop(made) -> np.ndarray:
    """The pixels of a crop of person_00004."""
    plane = ls.degrade(made / "crops/person_00004/01.png", (12, 10), op="area")
    return np.rint(plane * 255).astype(np.uint8)


@pytest.fixture
def asked(folder):
    """Runs a command of the program and reads its JSON."""

    def ask(*arguments):
        return json.loads(run_program(*arguments, "--json"))

    return ask
