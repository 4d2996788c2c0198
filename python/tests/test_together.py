# SPDX-License-Identifier: Apache-2.0
"""Many threads, other processes, many calls, and Ctrl-C."""

import ctypes
import multiprocessing
import os
import signal
import threading
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import numpy as np
import pytest

import longshot as ls


def test_eight_threads_ask_while_one_enrols_and_removes(gallery, crop):
    gallery.prepare((12, 10))
    expected = gallery.identify([crop, crop])[1].candidates[0]
    stop = threading.Event()

    def ask():
        count = 0
        while not stop.is_set() or count < 3:
            assert gallery.identify([crop, crop])[1].candidates[0] == expected
            count += 1
        return count

    with ThreadPoolExecutor(8) as pool:
        asking = [pool.submit(ask) for _ in range(8)]
        try:
            for _ in range(3):
                gallery.enroll({"zoe": "people/person_00001/01.png"}, force=True)
                assert gallery.people["zoe"].remove().person == "zoe"
        finally:
            stop.set()
        assert all(one.result() >= 3 for one in asking)
    assert len(gallery.people) == 6


def test_other_threads_run_meanwhile(gallery):
    """The GIL is released: this thread counts while another one learns."""
    counted = 0
    with ThreadPoolExecutor(1) as pool:
        learning = pool.submit(gallery.prepare, (7, 6))
        while not learning.done():
            counted += 1
        learning.result()
    assert counted > 10_000


def test_closing_waits_for_nobody_and_harms_nobody(folder, crop):
    gallery = ls.Gallery("people.gallery")
    with ThreadPoolExecutor(1) as pool:
        learning = pool.submit(gallery.prepare, (7, 6))
        time.sleep(0.05)
        gallery.close()
        learning.result()
    with pytest.raises(ls.BadInput, match="closed"):
        gallery.identify(crop)


def first_person(gallery, crop):
    return gallery.identify(crop)[0].candidates[0].person


def opened_again(path, crop):
    with ls.Gallery(path) as gallery:
        return first_person(gallery, crop)


def refused(gallery, crop):
    try:
        return first_person(gallery, crop)
    except ls.BadInput as error:
        return str(error)


def in_child(start, function, *arguments):
    with ProcessPoolExecutor(1, multiprocessing.get_context(start)) as pool:
        return pool.submit(function, *arguments).result(timeout=120)


@pytest.mark.parametrize("start", ["fork", "spawn", "forkserver"])
def test_children_identify(gallery, crop, start):
    assert first_person(gallery, crop) == "person_00004"  # so that there are threads to lose
    assert in_child(start, opened_again, "people.gallery", crop) == "person_00004"
    assert in_child(start, first_person, gallery, crop) == "person_00004"  # pickled: opened again
    assert first_person(gallery, crop) == "person_00004"


def test_a_forked_child_does_not_touch_the_parents_file(gallery, crop):
    first_person(gallery, crop)
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(writer, refused(gallery, crop).encode())
        gallery.close()
        os._exit(0)
    os.waitpid(child, 0)
    assert b"opened by another process" in os.read(reader, 1000)
    assert first_person(gallery, crop) == "person_00004"
    gallery.people["person_00000"].rename("anna")


class MallocFigures(ctypes.Structure):
    """glibc's struct mallinfo2."""

    _fields_ = [
        (name, ctypes.c_size_t)
        for name in ("arena ordblks smblks hblks hblkhd usmblks fsmblks uordblks fordblks "
                     "keepcost").split()
    ]


def in_use():
    """Bytes that were allocated and not freed. What is resident also counts what the allocator
    keeps for later, which depends on which thread frees what."""
    libc = ctypes.CDLL(None)
    libc.mallinfo2.restype = MallocFigures
    figures = libc.mallinfo2()
    return figures.uordblks + figures.hblkhd


def test_many_calls_leak_nothing(gallery, crop):
    photo = np.zeros((200, 200), np.uint8)
    # In the larger one a face is looked for, by libraries that keep memory for each thread.
    probes = [crop, np.kron(crop, np.ones((3, 3), np.uint8)), b"no image", np.zeros(3)]
    assert gallery.identify(probes)[1].error is None

    def calls(count):
        for _ in range(count):
            gallery.identify(probes)
            ls.degrade(photo, (12, 10))
            list(gallery.people)
            gallery.people["person_00001"].photos
            try:  # pytest.raises would keep the traces
                gallery.people["nobody"]
            except ls.NotFound:
                pass

    calls(300)
    before = in_use()
    calls(2000)
    grown = in_use() - before
    # 10,000 calls; a kept crop, answer or exception each would be more than a megabyte.
    assert grown < 1_000_000, f"{grown} bytes"


def test_calls_of_the_main_thread_are_worked_on_by_one_other(gallery, crop):
    def threads():
        return len(os.listdir("/proc/self/task"))

    gallery.identify(crop)
    before = threads()
    for _ in range(20):
        gallery.identify(crop)
    assert threads() <= before


@pytest.fixture
def interruptible():
    """A job in the background ignores Ctrl-C, and so would its tests."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_ctrl_c_cancels(folder, interruptible):
    stopped = None
    with ls.Gallery("new.gallery", create=True) as gallery:
        seen = threading.Event()

        def interrupt():
            seen.wait()
            os.kill(os.getpid(), signal.SIGINT)

        thread = threading.Thread(target=interrupt)
        thread.start()
        photos = {f"person {i}": "people/person_00000/00.png" for i in range(2_000)}
        with pytest.raises(KeyboardInterrupt):
            gallery.enroll(photos, force=True, progress=lambda task, done, of: seen.set())
        thread.join()
        stopped = len(gallery.people)
        assert gallery.enroll({"anna": "people/person_00001/00.png"}).people == 1
    assert stopped < 2_000


def test_a_signal_handler_may_ask_too(gallery, crop, interruptible):
    """Its question waits until the work that it interrupted is over."""
    answers = []
    before = signal.signal(
        signal.SIGUSR1, lambda number, frame: answers.append(first_person(gallery, crop))
    )
    seen = threading.Event()

    def interrupt():
        seen.wait()
        os.kill(os.getpid(), signal.SIGUSR1)

    thread = threading.Thread(target=interrupt)
    thread.start()
    gallery.prepare((7, 6), progress=lambda task, done, of: seen.set())
    thread.join()
    signal.signal(signal.SIGUSR1, before)
    assert answers == ["person_00004"]
