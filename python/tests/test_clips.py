# SPDX-License-Identifier: Apache-2.0
"""Clips: their faces from frame to frame, and one answer per track."""

import json
import os
import pickle
import subprocess
import sys

import pytest

import longshot as ls
from conftest import run_program


def test_answers_are_those_of_the_program(gallery):
    told = run_program("identify", "walk.avi", "--gallery", "people.gallery", "--least-eyes", 8,
                       "--camera", "none", "--json").decode()
    found = ls.find_tracks("walk.avi", least_eye_distance=8)
    answers = gallery.identify_tracks(found.tracks)
    assert answers.to_json() == told
    probe, = json.loads(told)["probes"]
    assert (answers[0].track, answers[0].frame) == (probe["track"], probe["frame"])
    assert answers[0].time == pytest.approx(probe["time"], abs=1e-3)


def test_tracks_show_their_faces(folder):
    track, = ls.find_tracks("walk.avi", least_eye_distance=8).tracks
    assert track.source == "walk.avi" and len(track.faces) == len(track.crops()) >= 3
    assert max(face.weight for face in track.faces) == 1.0
    assert [face.frame for face in track.faces] == sorted(face.frame for face in track.faces)
    assert track.to_dict()["faces"][0]["frame"] == track.faces[0].frame
    assert "_track" not in repr(track)


def test_an_installed_package_reads_clips_from_any_folder(folder, tmp_path):
    code = "import longshot as ls, sys; print(ls.find_tracks(sys.argv[1]).frames)"
    environment = {key: value for key, value in os.environ.items() if key != "LONGSHOT_HELPERS"}
    done = subprocess.run([sys.executable, "-c", code, folder / "walk.avi"], cwd=tmp_path,
                          env=environment, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("12\n", "")


def test_a_part_of_a_clip(folder):
    assert ls.find_tracks("walk.avi", every=3, least_eye_distance=8).frames == 4
    assert ls.find_tracks("walk.avi", begin=0.2, end=0.3, least_eye_distance=8).frames == 3
    with pytest.raises(ls.BadInput):
        ls.find_tracks("walk.avi", every=0)


def test_a_cancelled_search_keeps_what_it_found(folder):
    found = ls.find_tracks("walk.avi", least_eye_distance=8, progress=lambda *told: told[1] < 6)
    assert 6 <= found.frames < 12
    assert "Stopped" in found.cut_short


def test_answers_are_drawn_as_the_program_draws_them(gallery, tmp_path):
    run_program("--quiet", "identify", "walk.avi", "--gallery", "people.gallery", "--least-eyes", 8,
                "--every", 2, "--csv", tmp_path / "a.csv", "--annotate", tmp_path / "told")
    found = ls.find_tracks("walk.avi", least_eye_distance=8, every=2)
    answers = gallery.identify_tracks(found.tracks)
    drawn = gallery.annotate(tmp_path / "drawn", answers, clips=[found], every=2)
    assert drawn.rejections == ()
    names = ["0001_walk.avi", "0001_walk_track001.png", "legend.csv"]
    assert [os.path.basename(file) for file in drawn.files] == names
    for name in names:
        assert (tmp_path / "drawn" / name).read_bytes() == (tmp_path / "told" / name).read_bytes()
    assert drawn.answers[0].annotated == drawn.files[:2]
    assert "annotated" in drawn.answers.to_json()
    assert ls.find_tracks(tmp_path / "drawn" / names[0]).frames == 6
    with pytest.raises(ls.AlreadyThere):
        gallery.annotate(tmp_path / "drawn", answers)


def test_what_is_no_clip(folder):
    folder.joinpath("words.mp4").write_text("no clip")
    with pytest.raises(ls.LongshotError, match="words.mp4"):
        ls.find_tracks("words.mp4")
    with pytest.raises(ls.BadInput):
        ls.synthesize_clip("small.avi", size=(10, 10))
    assert ls.is_clip("words.mp4") and not ls.is_clip("people")


def test_tracks_stay_in_their_process(folder):
    track, = ls.find_tracks("walk.avi", least_eye_distance=8).tracks
    with pytest.raises(TypeError):
        pickle.dumps(track)
