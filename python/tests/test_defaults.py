# SPDX-License-Identifier: Apache-2.0
"""The signatures repeat the defaults of the library, and importing is cheap."""

import inspect
import subprocess
import sys

import longshot as ls
from longshot import _longshot


def test_defaults_are_those_of_the_library():
    calls = {
        "compact": ls.Gallery.compact,
        "enroll": ls.Gallery.enroll,
        "find_faces": ls.find_faces,
        "find_tracks": ls.find_tracks,
        "identify": ls.Gallery.identify,
        "verify": ls.Gallery.verify,
        "degrade": ls.degrade,
        "relight": ls.relight,
        "synthesize": ls.synthesize,
        "synthesize_clip": ls.synthesize_clip,
        "train": ls.train,
    }
    defaults = _longshot.defaults()
    assert set(defaults) == set(calls)
    for name, call in calls.items():
        parameters = inspect.signature(call).parameters
        for option, default in defaults[name].items():
            assert parameters[option].default == default, (name, option)


def test_importing_loads_nothing_that_is_not_needed():
    code = "import longshot, sys; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert "numpy" in loaded
    assert not loaded & {"pandas", "matplotlib", "sklearn", "scipy", "multiprocessing"}


def test_version_and_threads():
    assert ls.__version__.count(".") == 2
    before = ls.threads()
    ls.set_threads(1)
    assert ls.threads() == 1
    ls.set_threads(0)
    assert ls.threads() == before
