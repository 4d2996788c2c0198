# SPDX-License-Identifier: Apache-2.0
"""Housekeeping of galleries: looked through, made small, copied, shared, merged, sealed."""

import os
import pickle
import re
from pathlib import Path

import numpy as np
import pytest

import longshot as ls
from conftest import PEOPLE, run_program


def test_check_counts_what_is_whole(gallery, folder):
    checked = gallery.check()
    assert (checked.people, checked.photos, checked.indexes) == (PEOPLE, PEOPLE, 1)
    assert checked.bytes == os.path.getsize("people.gallery")
    assert gallery.indexes == ("longshot 12x10",)


def test_check_tells_of_damage(folder):
    bytes_ = bytearray(folder.joinpath("people.gallery").read_bytes())
    for place in range(len(bytes_) // 2, len(bytes_) // 2 + 20_000):
        bytes_[place] ^= 0x55
    folder.joinpath("people.gallery").write_bytes(bytes_)
    with pytest.raises(ls.Damaged):
        with ls.Gallery("people.gallery") as gallery:
            gallery.check()
    assert any(one.level == "problem" for one in ls.examine_gallery("people.gallery"))


def test_compact_forgets_indexes_that_come_again(gallery, crop):
    before = gallery.identify(crop)[0].candidates
    compacted = gallery.compact(cache_bytes=0)
    assert compacted.forgotten == ("longshot 12x10",) and gallery.indexes == ()
    assert compacted.bytes_after < compacted.bytes_before
    assert gallery.identify(crop)[0].candidates == before
    with pytest.raises(ls.BadInput):
        gallery.compact(cache_bytes=-1)


def test_backup(gallery, crop):
    steps = []
    gallery.backup("copy.gallery", progress=lambda *step: steps.append(step))
    assert steps
    with ls.Gallery("copy.gallery") as copy:
        assert copy.identify(crop).answers == gallery.identify(crop).answers
    with pytest.raises(ls.AlreadyThere):
        gallery.backup("copy.gallery")


def test_export_and_import_of_photos(gallery):
    assert gallery.export_to("exported").photos == PEOPLE
    assert ls.load("exported").people == tuple(gallery.people)
    with ls.Gallery("new.gallery", create=True) as new:
        came = new.import_from("exported")
        assert (came.people, came.photos, came.rejections) == (PEOPLE, PEOPLE, ())
        assert list(new.people) == list(gallery.people)
        with pytest.raises(ls.NotFound):
            new.import_from("nowhere")


def test_export_of_templates_answers_without_photos(gallery, crop):
    gallery.export_to("templates.gallery", share="templates")
    with ls.Gallery("templates.gallery") as shared:
        assert shared.identify(crop).answers == gallery.identify(crop).answers
        assert shared.evidence(crop, shared.identify(crop))[0].comparisons == ()
    with pytest.raises(ls.BadInput, match="photos or templates, not names"):
        gallery.export_to("other.gallery", share="names")


def test_merging_and_faces(gallery):
    anna, ben = gallery.people["person_00000"], gallery.people["person_00001"]
    face = anna.face(anna.photos[0])
    assert face.shape == (48, 40) and face.dtype == np.float32
    anna.merge_into("person_00001")
    assert "person_00000" not in gallery.people and len(ben.photos) == 2
    assert np.array_equal(ben.face(ben.photos[1].id), face)
    with pytest.raises(ls.NotFound):
        ben.face(10_000)
    with pytest.raises(ls.NotFound):
        ben.merge_into("nobody")


def test_nobody_need_be_enrolled(gallery):
    report = gallery.enroll({"zoe": b"no image"}, allow_none=True)
    assert (report.people, len(report.rejections)) == (0, 1)


def test_reads_what_it_may_not_write(gallery, monkeypatch):
    with ls.Gallery("people.gallery", read_only=None) as either:
        assert len(either.people) == PEOPLE
    with pytest.raises(ls.BadInput, match="cannot be created"):
        ls.Gallery("new.gallery", create=True, read_only=None)


def test_keys(folder):
    words = ls.Key.from_passphrase("correct horse battery staple")
    reader, writer = os.pipe()
    os.write(writer, bytes(range(40)))
    os.close(writer)
    secret = ls.Key.from_descriptor(reader)
    ls.encrypt_gallery("people.gallery", words)
    with pytest.raises(ls.BadInput):
        ls.Gallery("people.gallery", key=secret)
    ls.rekey_gallery("people.gallery", words, secret, full=True)
    with ls.Gallery("people.gallery", key=secret) as gallery:
        assert len(gallery.people) == PEOPLE
        with pytest.raises(TypeError):
            pickle.dumps(gallery)  # its key stays in this process
    ls.decrypt_gallery("people.gallery", secret)
    assert len(ls.Gallery("people.gallery").people) == PEOPLE
    with pytest.raises(ls.BadInput):
        ls.Key.from_passphrase("short")


def test_findings_are_those_of_the_doctor(asked, monkeypatch):
    # Otherwise each reads clips by the helper beside it.
    monkeypatch.setenv("LONGSHOT_HELPERS", str(Path(ls.__file__).parent))
    told = asked("doctor", "--gallery", "people.gallery")
    found = ls.examine_system() + ls.examine_gallery("people.gallery")
    # Others write to the disk meanwhile.
    lasting = [{**one, "what": re.sub(r"\d+ MB are free", "", one["what"])}
               for one in [*(one.to_dict() for one in found), *told["findings"]]]
    assert lasting[:len(found)] == lasting[len(found):]
    assert ls.instruction_set() == told["instruction_set"]


def test_the_program_agrees_on_what_was_done(gallery, folder):
    gallery.export_to("exported")
    gallery.close()
    run_program("gallery", "check", "people.gallery")
    run_program("gallery", "import", "theirs.gallery", "--from", "exported")
    with ls.Gallery("theirs.gallery") as theirs:
        assert len(theirs.people) == PEOPLE
