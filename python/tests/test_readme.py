# SPDX-License-Identifier: Apache-2.0
"""The lines of the README run as they stand."""

import re
from pathlib import Path

import numpy as np

import longshot as ls

README = Path(__file__).resolve().parents[2] / "README.md"


def test_the_lines_of_the_readme(folder, capsys):
    section = README.read_text().split("## From Python")[1].split("\n## ")[0]
    code, = re.findall(r"```python\n(.*?)```", section, flags=re.S)
    ls.write_plane("anna.jpg", ls.degrade("people/person_00000/00.png", (240, 200)))
    names = {
        "photo": np.rint(ls.degrade("people/person_00001/00.png", (240, 200)) * 255).astype("u1"),
        "crops": list(ls.load("crops", purpose="identify")),
    }
    folder.joinpath("people.gallery").unlink()
    exec(code, names)
    assert "anna" in capsys.readouterr().out
    assert names["receipt"].person == "ben" and names["receipt"].erased
    with ls.Gallery("people.gallery") as gallery:
        assert list(gallery.people) == ["anna"]
