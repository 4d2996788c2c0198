# SPDX-License-Identifier: Apache-2.0
"""Faces that are looked for, images that are written, and why an answer is as it is."""

import csv

import numpy as np
import pytest

import longshot as ls
from conftest import run_program

PHOTO = "people/person_00000/00.png"


@pytest.fixture
def frame(folder) -> np.ndarray:
    """Two people beside each other."""
    sides = [ls.degrade(f"people/person_0000{i}/00.png", (240, 200)) for i in (0, 4)]
    return np.rint(np.hstack(sides) * 255).astype(np.uint8)


def test_finds_and_cuts_out_all_faces(frame):
    faces = ls.find_faces(frame)
    assert len(faces) == 2
    crops = ls.cut_out_faces(frame, faces, largest=(60, 50))
    assert [crop.shape for crop in crops] == [(60, 50)] * 2
    assert sorted(face.box[0] > 200 for face in faces) == [False, True]
    assert ls.find_faces(frame, least_eye_distance=200) == ()
    with pytest.raises(ls.BadInput):
        ls.find_faces(frame, least_likeness=2.0)
    with pytest.raises(ls.BadInput, match="FoundFace of longshot, not a tuple"):
        ls.cut_out_faces(frame, [(1, 2, 3, 4)])
    with pytest.raises(ls.LongshotError):
        ls.find_faces(b"no image")


def test_faces_are_those_of_the_program(folder):
    run_program("faces", PHOTO, "--out", "cut")
    with open("cut/manifest.csv", newline="") as file:
        told, = csv.DictReader(file)
    face, = ls.find_faces(PHOTO)
    names = ("left_eye_x", "left_eye_y", "right_eye_x", "right_eye_y")
    assert face.eyes == pytest.approx([float(told["source_" + name]) for name in names], abs=0.01)


def test_identifies_all_faces_of_a_picture(gallery, frame):
    answers = gallery.identify([frame], faces="all")
    assert {one.candidates[0].person for one in answers} == {"person_00000", "person_00004"}
    assert all(one.face.likeness > 0.5 for one in answers)
    assert len(gallery.identify([frame])) == 1
    with pytest.raises(ls.BadInput, match="largest or all, not some"):
        gallery.identify([frame], faces="some")


def test_writes_images(folder):
    grey = np.linspace(0, 1, 12, dtype=np.float32).reshape(4, 3)
    ls.write_plane("grey.png", grey)
    assert ls.image_size(folder.joinpath("grey.png").read_bytes()) == (4, 3)
    back = ls.degrade("grey.png", (4, 3))
    assert np.allclose(back, grey, atol=0.5 / 255 + 1e-6)
    levels = np.arange(6, dtype=np.uint8).reshape(2, 3)
    assert ls.encode_plane(levels, ".pgm").endswith(levels.tobytes())
    with pytest.raises(ls.BadInput):
        ls.encode_plane(np.zeros((2, 2, 3)))
    with pytest.raises(ls.LongshotError):
        ls.write_plane("grey.what", grey)


def test_writes_relit_faces_as_the_program(folder):
    run_program("relight", PHOTO, "--lights", "5", "--out", "theirs", "--sheet", "theirs.png")
    relit = ls.relight(PHOTO, 5)
    relit.write("ours")
    relit.write_sheet("ours.png", "12x10")
    names = {file.name for file in folder.joinpath("theirs").iterdir()}
    assert names == {file.name for file in folder.joinpath("ours").iterdir()}
    for name in names:
        ours, theirs = folder / "ours" / name, folder / "theirs" / name
        assert ours.read_bytes() == theirs.read_bytes(), name
    assert folder.joinpath("ours.png").read_bytes() == folder.joinpath("theirs.png").read_bytes()


def test_the_report_is_that_of_the_program(gallery, folder):
    probe = "crops/person_00004/01.png"
    run_program("identify", probe, "--gallery", "people.gallery", "--report", "theirs.html")
    answers = gallery.identify(probe)
    gallery.report("ours.html", probe, answers)
    ours, theirs = (folder.joinpath(name).read_text() for name in ("ours.html", "theirs.html"))
    assert ours.count("data:image") == theirs.count("data:image") > 0
    shown, = gallery.evidence([probe], answers, pictured=1)
    assert shown.answer == answers[0] and len(shown.comparisons) == 1
    assert shown.files[0][1] in ours and shown.files[0][1] in theirs
    with pytest.raises(ls.BadInput, match="Answers of longshot, not a list"):
        gallery.report("why.html", probe, [])


def test_documents_are_those_of_the_program(gallery, folder):
    told = run_program("identify", "crops", "--gallery", "people.gallery", "--camera", "auto",
                       "--json").decode()
    run_program("identify", "crops", "--gallery", "people.gallery", "--camera", "auto",
                "--csv", "theirs.csv")
    answers = gallery.identify("crops", camera="auto")
    assert answers.to_json() == told
    assert answers.to_csv() == folder.joinpath("theirs.csv").read_text()


def test_unusable_files_keep_their_place(folder):
    folder.joinpath("crops/person_00000/00.png").write_bytes(b"no image")
    kept = ls.load("crops", purpose="identify", unusable="keep")
    assert len(kept) == 12
    with pytest.raises(ls.BadInput, match="reject or keep, not mend"):
        ls.load("crops", unusable="mend")
