# SPDX-License-Identifier: Apache-2.0
"""The log of who did what with a gallery."""

import getpass
import threading

import pytest

import longshot as ls


def test_acts_are_logged_by_whoever_does_them(gallery, crop):
    with pytest.raises(ls.NotFound):
        gallery.audit()
    gallery.set_audit(True)
    assert gallery.audited
    with ls.run_as("anna"):
        gallery.identify(crop)  # worked on by another thread
        gallery.people["person_00003"].rename("carla")
    gallery.record("login failed", {"from": "somewhere"})
    last, rename, identify = gallery.audit(limit=3).entries
    assert [one.actor for one in (rename, identify)] == ["anna", "anna"]
    assert (last.act, last.details) == ("login failed", {"from": "somewhere"})
    assert last.actor != "anna" and "carla" in rename.people
    assert identify.inputs == (gallery.input_hash(crop),)
    assert not gallery.audit(camera="gate").entries
    page = gallery.audit(actor="anna", newest_first=False, limit=1)
    assert page.more and page.entries[0] == identify
    assert gallery.verify_audit().to_dict()["whole"] is True


def test_who_acts_is_a_matter_of_the_thread(gallery):
    gallery.set_audit(True)
    with ls.run_as("anna"):
        other = threading.Thread(target=gallery.record, args=("looked",))
        other.start()
        other.join()
        with ls.run_as("ben"):
            gallery.record("looked")
        gallery.record("looked")
    actors = [one.actor for one in gallery.audit(act="looked").entries]
    assert actors[:2] == ["anna", "ben"] and actors[2] == getpass.getuser()
    with pytest.raises(ls.BadInput):
        with ls.run_as("two\nlines"):
            pass


def test_a_changed_log_is_noticed(gallery, folder):
    gallery.set_audit(True)
    gallery.record("looked")
    log, = folder.glob("people.gallery*audit*")
    log.write_bytes(log.read_bytes().replace(b"looked", b"hooked"))
    verdict = gallery.verify_audit()
    assert not verdict and verdict.finding.endswith(".")
