# SPDX-License-Identifier: Apache-2.0
"""A gallery: who comes, who goes, what is reported, what is raised."""

import dataclasses
import json
import os
import pickle

import numpy as np
import pytest

import longshot as ls


def test_enrols_paths_bytes_and_arrays(folder):
    path = folder / "people/person_00001/00.png"
    face = ls.relight("people/person_00002/00.png", [(0, 0)], size=(48, 40)).face
    array = np.rint(face * 255).astype(np.uint8)
    steps = []
    with ls.Gallery("new.gallery", create=True) as gallery:
        report = gallery.enroll(
            {
                "anna": "people/person_00000/00.png",
                "ben": [path, path.read_bytes(), ls.Picture("people/person_00001/01.png")],
                "carla": ls.Picture(array, aligned=True),
            },
            force=True,
            progress=lambda *step: steps.append(step),
        )
        assert list(gallery.people) == ["anna", "ben", "carla"]
        assert len(gallery.people["carla"].photos) == 1
    assert report.people == 3
    assert steps[-1] == ("Enrolling", 5, 5)


def test_a_bad_photo_is_a_rejection(gallery):
    report = gallery.enroll(
        {"zoe": ["people/person_00001/01.png", b"no image", np.zeros((9, 9)), None]}, force=True
    )
    assert (report.people, report.photos) == (1, 1)
    assert [one.name for one in report.rejections] == ["zoe 1", "zoe 2", "zoe 3"]
    assert all(one.reason.endswith(".") for one in report.rejections)
    with pytest.raises(ls.BadInput, match="None of 1 photos"):
        gallery.enroll({"yan": b"no image"})
    assert "yan" not in gallery.people


def test_a_bad_probe_is_an_error_in_its_place(gallery, crop):
    probes = [b"no image", crop, "nowhere.png", np.zeros((4, 4), np.float32), crop, None]
    answers = gallery.identify(probes)
    assert [one.error is None for one in answers] == [False, True, False, False, True, False]
    assert [one.decision for one in answers] == [None, "known", None, None, "known", None]
    assert answers[3].error == "A picture is an array of uint8, 0 to 255, not of float32."
    assert answers[2].name == "nowhere.png"


def test_rejections_of_a_verification(gallery, crop):
    answer = gallery.verify([crop, b"no image"], "person_00004")
    assert answer and answer.frames == 1
    assert [one.name for one in answer.rejections] == ["image 1"]


def test_shows_renames_and_removes(gallery):
    person = gallery.people["person_00002"]
    assert person.enrolled_at.endswith("Z") and len(person.photos) == 1
    person.rename("ben")
    assert person.name == "ben" and "ben" in gallery.people
    with pytest.raises(ls.AlreadyThere):
        person.rename("person_00001")
    gallery.enroll({"ben": "people/person_00002/01.png"}, force=True)
    first, second = person.photos
    assert person.remove_photo(second).photos == (second.id,)
    with pytest.raises(ls.BadInput, match="only photo"):
        person.remove_photo(first.id)
    receipt = person.remove()
    assert receipt.to_dict() == {
        "gallery": "people.gallery",
        "person": "ben",
        "photos": [first.id],
        "removed_at": receipt.removed_at,
        "erased": True,
    }
    assert len(gallery.people) == 5 and "ben" not in gallery.people
    assert b"person_00002" not in open("people.gallery", "rb").read()
    with pytest.raises(ls.NotFound):
        person.photos


def test_a_gallery_may_be_encrypted(folder):
    folder.joinpath("people.key").write_bytes(bytes(range(32)))
    with ls.Gallery("sealed.gallery", create=True, key="people.key") as gallery:
        gallery.enroll("people")
        names = list(gallery.people)
    assert names[0].encode() not in folder.joinpath("sealed.gallery").read_bytes()
    with ls.Gallery("sealed.gallery", read_only=True, key="people.key") as gallery:
        assert list(pickle.loads(pickle.dumps(gallery)).people) == names
    with pytest.raises(ls.BadInput, match="its key is needed"):
        ls.Gallery("sealed.gallery")


def test_a_removal_waits_for_readers_to_be_erased(gallery):
    other = ls.Gallery("people.gallery", read_only=True)
    assert gallery.people["person_00005"].remove().erased in (True, False)
    other.close()


def test_names_of_files_need_not_be_utf8_but_those_of_people_must(gallery, folder):
    name = b"anna\xff".decode("utf-8", "surrogateescape")
    os.rename("crops/person_00004/01.png", name + ".png")
    assert gallery.identify([name + ".png"])[0].name == name + ".png"
    with pytest.raises(ls.BadInput, match="UTF-8"):
        gallery.people["person_00000"].rename(name)


def test_compares(gallery, crop):
    both = gallery.compare(crop, "person_00004")
    assert both.photo.shape == both.relit.shape == (48, 40)
    assert both.probe.shape == both.through_camera.shape == (12, 10)
    assert np.allclose(both.difference, both.probe - both.through_camera, atol=1e-6)
    other = gallery.compare(crop, "person_00001", camera=gallery.learn_camera("crops"))
    assert np.abs(other.difference).sum() > np.abs(both.difference).sum()
    with pytest.raises(ls.NotFound):
        gallery.compare(crop, "person_00004", photo=1000)


def test_errors_are_one_tree():
    kinds = {one.kind: one for one in ls.LongshotError.__subclasses__()}
    assert len(kinds) == 9
    assert all(issubclass(one, ls.LongshotError) for one in kinds.values())
    assert issubclass(ls.BadInput, ValueError) and issubclass(ls.NotFound, LookupError)


def test_errors_have_the_kinds_of_the_library(folder, crop):
    with pytest.raises(ls.NotFound):
        ls.Gallery("nowhere.gallery")
    with pytest.raises(ls.BadInput):
        ls.Gallery("x.gallery", create=True, read_only=True)
    with ls.Gallery("people.gallery", read_only=True) as reader:
        with pytest.raises(ls.ReadOnly):
            reader.people["person_00000"].rename("x")
        with pytest.raises(ls.BadInput, match="At least one candidate"):
            reader.identify(crop, top=0)
        with pytest.raises(ls.NotFound):
            reader.verify(crop, "nobody")
    with open("people.gallery", "r+b") as file:
        file.seek(16384)
        file.write(b"\x55" * 65536)
    with pytest.raises(ls.Damaged):
        list(ls.Gallery("people.gallery").people)
    with pytest.raises(ls.Damaged):
        ls.Camera.read("people.gallery")


def test_a_closed_gallery_says_so(folder, crop):
    with ls.Gallery("people.gallery") as gallery:
        people = gallery.people
    assert gallery.closed and "closed" in repr(gallery)
    gallery.close()
    for use in (lambda: gallery.identify(crop), lambda: len(people), lambda: list(people)):
        with pytest.raises(ls.BadInput, match="The gallery is closed."):
            use()


def test_a_file_that_was_made_for_nothing_goes_again(folder):
    with ls.Gallery("new.gallery", create=True):
        assert os.path.exists("new.gallery")
    assert not os.path.exists("new.gallery")


def test_progress_cancels_and_raises(gallery):
    photos = {"zoe": ["people/person_00001/01.png", "people/person_00002/01.png"]}
    with pytest.raises(ls.Cancelled):
        gallery.enroll(photos, force=True, progress=lambda *step: False)
    with pytest.raises(ZeroDivisionError):
        gallery.enroll(photos, force=True, progress=lambda *step: 1 / 0)
    with pytest.raises(ls.BadInput, match="progress callback"):
        gallery.enroll(photos, force=True, progress=lambda *step: len(gallery.people))
    assert "zoe" not in gallery.people
    assert gallery.enroll(photos, force=True, progress=lambda *step: None).photos == 2


def test_results_are_frozen_and_plain(gallery, crop):
    answers = gallery.identify(crop)
    with pytest.raises(dataclasses.FrozenInstanceError):
        answers[0].known = False
    with pytest.raises(dataclasses.FrozenInstanceError):
        answers[0].candidates[0].score = 1.0
    plain = json.loads(json.dumps(answers.to_dict()))
    assert plain["answers"][0]["decision"] == "known"
    assert plain["answers"][0]["size"] == "12x10"
    assert plain["answers"][0]["candidates"][0]["person"] == "person_00004"
    assert pickle.loads(pickle.dumps(answers)) == answers
    frame = answers.to_frame()
    assert list(frame["rank"]) == [1, 2, 3, 4, 5]
    assert frame["residual"][0] == answers[0].candidates[0].residual


def test_cameras_cross_processes(gallery):
    camera = gallery.learn_camera("crops")
    other = pickle.loads(pickle.dumps(camera))
    assert other == camera and hash(other) == hash(camera)
    assert np.array_equal(other.sheet, camera.sheet)
    assert (camera.size, camera.crops) == ((12, 10), 12)
