# SPDX-License-Identifier: Apache-2.0
"""Dictionaries and solvers over arrays: known answers, layouts, refusals."""

import inspect

import numpy as np
import pytest

import longshot as ls
from longshot import _longshot

SAMPLES = np.random.default_rng(3).normal(size=(40, 8))


def layouts(matrix):
    yield np.ascontiguousarray(matrix)
    yield np.asfortranarray(matrix)
    yield np.repeat(matrix, 2, axis=1)[:, ::2]
    yield np.ascontiguousarray(matrix[::-1])[::-1]
    yield matrix.tolist()
    yield matrix.astype(">f8")


def test_ksvd_in_every_layout():
    first = ls.sparse.ksvd(SAMPLES, 10, sparsity=3)
    assert first.atoms.shape == (10, 8) and first.codes.shape == (40, 10)
    assert np.allclose(np.linalg.norm(first.atoms, axis=1), 1)
    assert np.all(np.count_nonzero(first.codes, axis=1) <= 3)
    assert first.objective == pytest.approx(np.sum((SAMPLES - first.codes @ first.atoms) ** 2))
    assert np.all(np.diff(first.objectives) <= 1e-9) and first.sweeps == len(first.objectives)
    for same in layouts(SAMPLES):
        assert np.array_equal(ls.sparse.ksvd(same, 10, sparsity=3).atoms, first.atoms)
    with pytest.raises(ValueError):
        first.atoms[0, 0] = 1


def test_omp_is_least_squares_on_its_support():
    atoms = ls.sparse.ksvd(SAMPLES, 10, sparsity=3).atoms
    found = ls.sparse.omp(atoms, SAMPLES, sparsity=3)
    for signal, code, support, left in zip(
        SAMPLES, found.codes, found.supports, found.squared_residuals
    ):
        best, residual, _, _ = np.linalg.lstsq(atoms[list(support)].T, signal, rcond=None)
        assert np.allclose(code[list(support)], best)
        assert left == pytest.approx(float(residual[0]))
    again = ls.sparse.omp_gram(
        atoms @ atoms.T, SAMPLES @ atoms.T, (SAMPLES**2).sum(axis=1), sparsity=3
    )
    assert again.supports == found.supports and np.allclose(again.codes, found.codes)


def test_a_linear_kernel_is_ksvd():
    gram = ls.sparse.kernel_matrix(SAMPLES, kind="linear")
    assert np.allclose(gram, SAMPLES @ SAMPLES.T)
    learnt = ls.sparse.kernel_dictionary(gram, 10, sparsity=3, update="ksvd")
    atoms = learnt.atoms @ SAMPLES
    assert np.allclose(np.linalg.norm(atoms, axis=1), 1)
    assert learnt.objective == pytest.approx(np.sum((SAMPLES - learnt.codes @ atoms) ** 2))


def test_kernels():
    x, y = SAMPLES[:3], SAMPLES[3:8]
    squared = ((x[:, None] - y[None]) ** 2).sum(axis=2)
    assert np.allclose(ls.sparse.kernel_matrix(x, y, c=4.0), np.exp(-squared / 4))
    polynomial = ls.sparse.kernel_matrix(x, y, kind="polynomial", c=2.0, degree=3)
    assert np.allclose(polynomial, (x @ y.T + 2) ** 3)


@pytest.mark.parametrize(
    "matrix",
    [np.zeros(3), np.zeros((2, 2, 2)), [["a"]], np.zeros((2, 2), complex), None, np.zeros((0, 3)),
     np.zeros((3, 4)), [[np.nan, 1.0]], object()],
)
def test_what_is_no_sample_is_refused_in_one_sentence(matrix):
    with pytest.raises(ls.BadInput, match=r"^[A-Z].*\.$"):
        ls.sparse.ksvd(matrix)


def test_bad_options_are_refused():
    for options in ({"atoms": 0}, {"sparsity": 0}, {"update": "magic"}, {"max_sweeps": 0}):
        with pytest.raises(ls.BadInput):
            ls.sparse.ksvd(SAMPLES, **options)
    with pytest.raises(ls.BadInput, match="8 values each, the signals 7"):
        ls.sparse.omp(SAMPLES, SAMPLES[:, :7])
    with pytest.raises(ls.BadInput):
        ls.sparse.kernel_matrix(SAMPLES, kind="magic")


def test_defaults_are_those_of_the_library():
    defaults = _longshot.sparse_defaults()
    for name, options in defaults.items():
        parameters = inspect.signature(getattr(ls.sparse, name)).parameters
        for option, default in options.items():
            assert parameters[option].default == default, (name, option)
