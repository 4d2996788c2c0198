# SPDX-License-Identifier: Apache-2.0
"""What may go in: paths, bytes, arrays of every dtype, order and stride."""

import pathlib

import numpy as np
import pytest

import longshot as ls


def same(picture, other):
    """Whether both are the same pixels to the library."""
    size = (12, 10)
    return np.array_equal(ls.degrade(picture, size, op="area"), ls.degrade(other, size, op="area"))


def layouts(array):
    """The same pixels in memory of every kind."""
    rows, cols = array.shape[:2]
    yield "C", np.ascontiguousarray(array)
    yield "Fortran", np.asfortranarray(array)
    padded = np.zeros((rows, cols + 7, *array.shape[2:]), np.uint8)
    padded[:, 3 : cols + 3] = array
    yield "gaps between rows", padded[:, 3 : cols + 3]
    yield "gaps between columns", np.repeat(array, 3, axis=1)[:, ::3]
    yield "every other row", np.repeat(array, 2, axis=0)[::2]
    yield "from the bottom", np.ascontiguousarray(array[::-1])[::-1]
    yield "from the right", np.ascontiguousarray(array[:, ::-1])[:, ::-1]
    yield "transposed", np.ascontiguousarray(array.swapaxes(0, 1)).swapaxes(0, 1)
    read_only = array.copy()
    read_only.flags.writeable = False
    yield "read-only", read_only
    aside = np.zeros(array.size + 1, np.uint8)[1:].reshape(array.shape)
    aside[...] = array
    yield "at an odd address", aside


@pytest.mark.parametrize("shape", [(12, 10), (48, 40), (1, 1), (1, 9), (9, 1)])
def test_grey_in_every_layout(shape):
    grey = np.random.default_rng(1).integers(0, 256, shape, np.uint8)
    for name, array in layouts(grey):
        assert same(array, grey), name
        assert same(array[..., None], grey), name


def test_colour_in_every_layout():
    colour = np.random.default_rng(2).integers(0, 256, (12, 10, 3), np.uint8)
    expected = colour @ np.array([0.299, 0.587, 0.114]) / 255.0
    assert np.allclose(ls.degrade(colour, (12, 10), op="area"), expected, atol=1e-6)
    for name, array in layouts(colour):
        assert same(array, colour), name
    assert same(colour[..., ::-1][..., ::-1], colour)
    four = np.concatenate([colour, colour[..., :1]], axis=2)
    assert same(four[..., :3], colour)


def test_rows_are_read_where_they_are():
    grey = np.zeros((12, 10), np.uint8)
    picture = ls.Picture(grey[::-1])
    grey[0, 0] = 255
    assert ls.degrade(picture, (12, 10), op="area")[11, 0] == 1.0


@pytest.mark.parametrize(
    "dtype",
    ["bool", "int8", "uint16", "int16", "uint32", "int32", "uint64", "int64", "float16", "float32",
     "float64", "complex128", "object", "S1", "U1", "M8[s]"],
)
def test_other_types_are_refused_in_one_sentence(dtype):
    with pytest.raises(ls.BadInput, match=r"^A picture is an array of uint8, 0 to 255, not of .*\.$"):
        ls.Picture(np.zeros((12, 10), dtype))


@pytest.mark.parametrize("shape", [(), (12,), (12, 10, 2), (12, 10, 4), (2, 12, 10), (1, 12, 10, 3)])
def test_other_shapes_are_refused_in_one_sentence(shape):
    with pytest.raises(ls.BadInput, match=r"^A picture has the shape .*\.$"):
        ls.Picture(np.zeros(shape, np.uint8))


def test_nothing_is_refused_in_one_sentence():
    for shape in [(0, 10), (12, 0), (0, 0)]:
        with pytest.raises(ls.BadInput, match="cannot be used"):
            ls.Picture(np.zeros(shape, np.uint8))


@pytest.mark.parametrize("thing", [None, 7, object(), [1, 2], {}])
def test_what_is_no_picture_is_refused_in_one_sentence(thing):
    with pytest.raises(ls.BadInput, match="^A picture is a path, the bytes of an image file or"):
        ls.Picture(thing)


def test_paths_and_bytes_are_the_same_picture(folder):
    path = folder / "crops/person_00004/01.png"
    encoded = path.read_bytes()
    for source in (str(path), encoded, bytearray(encoded), memoryview(encoded), ls.Picture(path)):
        assert same(source, path)


def test_what_can_be_an_array_is_one():
    class Frame:
        def __array__(self, dtype=None):
            return np.full((12, 10), 9, np.uint8)

    assert same(Frame(), np.full((12, 10), 9, np.uint8))


def test_a_picture_says_what_is_known_of_it():
    picture = ls.Picture(b"", eyes=(1, 2, 3, 4), box=(5, 6, 7, 8), person="anna", name="a")
    assert (picture.eyes, picture.box) == ((1, 2, 3, 4), (5, 6, 7, 8))
    assert (picture.person, picture.name, picture.aligned) == ("anna", "a", False)
    with pytest.raises(AttributeError):
        picture.name = "b"


def test_a_stack_of_crops_is_several(gallery, crop):
    stack = np.stack([crop, crop[:, ::-1], crop])
    answers = gallery.identify(stack)
    assert [one.name for one in answers] == ["image 0", "image 1", "image 2"]
    # Products of another width round differently in their last bits.
    alone = gallery.identify(crop)[0].candidates
    assert [one.person for one in answers[2].candidates] == [one.person for one in alone]
    assert answers[2].candidates[0].residual == pytest.approx(alone[0].residual, rel=1e-12)


def test_loads_folders_with_people_and_eyes(folder):
    faces = ls.load("people")
    assert len(faces) == len(faces.pictures) == 6
    assert faces.people[:2] == ("person_00000", "person_00001")
    assert faces[0].eyes is not None
    assert len(ls.load(pathlib.Path("people"), "crops")) == 18
    assert len(ls.load("people", purpose="identify")) == 6
    with pytest.raises(ls.LongshotError, match="nowhere does not exist"):
        ls.load("nowhere")
    with pytest.raises(ls.BadInput, match="enroll, identify, train or any"):
        ls.load("people", purpose="fun")


def test_sizes_are_pairs_or_texts():
    grey = np.zeros((48, 40), np.uint8)
    assert ls.degrade(grey, "12x10").shape == ls.degrade(grey, [12, 10]).shape == (12, 10)
    for size in ("12", (12,), 12, None, (0, 3)):
        with pytest.raises(ls.BadInput):
            ls.degrade(grey, size)


def test_planes_cannot_be_written():
    plane = ls.degrade(np.zeros((48, 40), np.uint8), (12, 10))
    assert plane.dtype == np.float32
    with pytest.raises(ValueError):
        plane[0, 0] = 1.0


def test_relights(folder):
    photo = "people/person_00000/00.png"
    nine = ls.relight(photo, lights=9)
    assert len(nine) == len(nine.lights) == 9
    (lit,) = ls.relight(photo, [(60, 0)], size=(24, 20))
    assert lit.shape == (24, 20) and lit[:, 10:].mean() > lit[:, :10].mean()
    for lights in (8, []):
        with pytest.raises(ls.BadInput):
            ls.relight(photo, lights)
