# SPDX-License-Identifier: Apache-2.0
"""The package and the program give the same answers, to the last bit."""

import numpy as np
import pytest

import longshot as ls
from conftest import run_program


def shared(told):
    """What the program says and the package has too, of `identify --json`."""
    names = ("path", "size", "decision", "candidates", "threshold", "margin", "fpir", "people",
             "error")
    return [{name: one[name] for name in names if name in one} for one in told["probes"]]


def decision_as_program(one):
    """What the answer says about the line between known and unknown; an error says nothing."""
    if one.error is not None:
        return {}
    return {
        "threshold": pytest.approx(one.threshold, abs=5.1e-5),
        "margin": pytest.approx(one.margin, abs=5.1e-5),
        "fpir": one.fpir,
        "people": one.people,
    }


def as_program(answers):
    """As `identify --json` writes them: it rounds scores to four places."""
    return [
        {
            "path": one.name,
            "size": None if one.size is None else str(one.size),
            "decision": one.decision,
            "candidates": [
                {"person": c.person, "score": pytest.approx(c.score, abs=5.1e-5),
                 "likelihood_ratio": pytest.approx(c.likelihood_ratio, rel=6e-3),
                 "residual": c.residual}
                for c in one.candidates
            ],
            **decision_as_program(one),
            "error": one.error,
        }
        for one in answers
    ]


def test_identify(asked, gallery):
    told = asked("identify", "crops", "--gallery", "people.gallery", "--top", 3)
    assert as_program(gallery.identify("crops", top=3)) == shared(told)


def test_identify_with_another_method_size_and_rate(asked, gallery):
    told = asked("identify", "crops", "--gallery", "people.gallery", "--method", "subspace",
                 "--size", "7x6", "--fpir", 0.1)
    answers = gallery.identify("crops", method="subspace", size=(7, 6), fpir=0.1)
    assert as_program(answers) == shared(told)
    assert answers[0].size == (7, 6)


def test_identify_learning_the_camera(asked, gallery):
    told = asked("identify", "crops", "--gallery", "people.gallery", "--camera", "auto")
    answers = gallery.identify("crops", camera="auto")
    assert as_program(answers) == shared(told)
    figures = answers.cameras[0].to_dict()
    for name, figure in told["cameras"][0].items():
        assert figures[name] == figure


def test_a_camera_file_of_one_is_read_by_the_other(asked, gallery):
    camera = gallery.learn_camera("crops")
    camera.write("ours.camera")
    run_program("camera", "crops", "--gallery", "people.gallery", "--out", "theirs.camera")
    assert open("ours.camera").read() == open("theirs.camera").read()
    told = asked("identify", "crops", "--gallery", "people.gallery", "--camera", "ours.camera")
    for given in (camera, "theirs.camera", ls.Camera.read("theirs.camera")):
        assert as_program(gallery.identify("crops", camera=given)) == shared(told)


def test_identify_fusing_folders(asked, gallery):
    told = asked("identify", "crops", "--gallery", "people.gallery", "--fuse", "folder")
    assert as_program(gallery.identify("crops", fuse_folders=True)) == shared(told)


def test_verify(asked, gallery):
    for person in ("person_00004", "person_00001"):
        told = asked("verify", "crops/person_00004/01.png", "--person", person,
                     "--gallery", "people.gallery")
        answer = gallery.verify("crops/person_00004/01.png", person)
        assert told["decision"] == ("match" if answer else "no match")
        assert told["score"] == pytest.approx(answer.score, abs=5.1e-5)
        assert told["threshold"] == pytest.approx(answer.threshold, abs=5.1e-5)
        assert told["margin"] == pytest.approx(answer.margin, abs=5.1e-5)
        assert told["fmr"] == answer.fmr


def test_a_gallery_of_the_package_is_that_of_the_program(asked, folder):
    with ls.Gallery("ours.gallery", create=True) as ours:
        ours.enroll("people")
        answers = as_program(ours.identify("crops"))
    told = asked("identify", "crops", "--gallery", "people.gallery")
    assert answers == shared(told)
    assert asked("identify", "crops", "--gallery", "ours.gallery")["probes"] == answers


def test_people(asked, gallery):
    told = asked("people", "list", "--gallery", "people.gallery")["people"]
    assert [one["name"] for one in told] == list(gallery.people)
    person = gallery.people["person_00001"]
    assert asked("people", "show", "person_00001", "--gallery", "people.gallery") == person.to_dict()


def test_degrade(folder):
    run_program("degrade", "people/person_00000/00.png", "--size", "24x20", "--operator", "gauss",
                "--noise", 3, "--out", "small.pgm")
    told = np.frombuffer(open("small.pgm", "rb").read()[-24 * 20 :], np.uint8).reshape(24, 20)
    small = ls.degrade("people/person_00000/00.png", "24x20", op="gauss", noise=3.0)
    assert np.array_equal(np.rint(small * 255.0).astype(np.uint8), told)
