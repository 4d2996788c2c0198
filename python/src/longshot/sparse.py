# SPDX-License-Identifier: Apache-2.0
"""The dictionaries and solvers behind the methods of the paper, for matrices of one's own.

Samples, signals and atoms are rows, as in scikit-learn, so that ``samples`` is about
``codes @ atoms``. Matrices of float64 in C order are not copied.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from longshot import _longshot
from longshot.base import Result

Array = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Dictionary(Result):
    """What was learnt, and how far learning went.

    >>> Dictionary(np.eye(2), np.eye(2), np.array([0.0]), 0.0, "exact").sweeps
    1
    """

    atoms: Array  #: one per row
    codes: Array  #: of the samples, one per row
    objectives: Array  #: sum of squared residuals after each sweep
    objective: float  #: of what is returned: the best of all sweeps
    stop: str  #: max_sweeps, converged, or exact: nothing is left but rounding

    @property
    def sweeps(self) -> int:
        """How many there were."""
        return len(self.objectives)


@dataclass(frozen=True, eq=False)
class Codes(Result):
    """Signals as sums of a few atoms.

    >>> omp(np.eye(3), [[0.0, 2.0, 0.0]], sparsity=1).stops
    ('tolerance',)
    """

    codes: Array  #: one signal per row
    supports: tuple[tuple[int, ...], ...]  #: atoms of each in the order of selection
    squared_residuals: Array
    stops: tuple[str, ...]  #: sparsity, tolerance or uncorrelated


def ksvd(
    samples: npt.ArrayLike,
    atoms: int = 12,
    *,
    sparsity: int = 5,
    max_sweeps: int = 20,
    relative_tolerance: float = 1e-4,
    update: str = "exact",
) -> Dictionary:
    """K-SVD: atoms of unit norm, of which at most ``sparsity`` make up each sample.

    ``update`` is exact, or approximate: one power iteration. There is no randomness.

    >>> samples = np.array([[1.0, 0, 0], [3, 0, 0], [0, 3, 4], [0, -6, -8]])
    >>> learnt = ksvd(samples, 2, sparsity=1)
    >>> np.allclose(learnt.codes @ learnt.atoms, samples), learnt.stop
    (True, 'exact')
    """
    return Dictionary(
        *_longshot.ksvd(samples, atoms, sparsity, max_sweeps, relative_tolerance, update)
    )


def kernel_dictionary(
    gram: npt.ArrayLike,
    atoms: int = 12,
    *,
    sparsity: int = 5,
    max_sweeps: int = 20,
    relative_tolerance: float = 1e-4,
    update: str = "mod",
) -> Dictionary:
    """The same in the feature space of a kernel, from the Gram matrix of the samples alone.

    Atoms are weights of the samples there, of unit norm: ``atom @ gram @ atom`` is 1. ``update``
    is mod, as in the paper, or ksvd: one atom at a time.

    >>> samples = np.random.default_rng(1).normal(size=(20, 3))
    >>> learnt = kernel_dictionary(kernel_matrix(samples, c=3.0), 4, sparsity=2)
    >>> learnt.atoms.shape, learnt.codes.shape
    ((4, 20), (20, 4))
    """
    return Dictionary(
        *_longshot.kernel_dictionary(
            gram, atoms, sparsity, max_sweeps, relative_tolerance, update
        )
    )


def omp(
    dictionary: npt.ArrayLike,
    signals: npt.ArrayLike,
    sparsity: int = 5,
    *,
    relative_tolerance: float = 0.0,
) -> Codes:
    """Orthogonal matching pursuit of signals over a dictionary.

    ``relative_tolerance``: stop at this fraction of the squared norm of a signal.

    >>> omp(np.eye(3), [[0.0, 2.0, -3.0]], sparsity=2).supports
    ((2, 1),)
    """
    return Codes(*_longshot.omp(dictionary, signals, sparsity, relative_tolerance))


def omp_gram(
    gram: npt.ArrayLike,
    correlations: npt.ArrayLike,
    squared_norms: npt.ArrayLike,
    sparsity: int = 5,
    *,
    relative_tolerance: float = 0.0,
) -> Codes:
    """The same from inner products alone, as for a kernel.

    ``gram`` is of the atoms, a row of ``correlations`` is of one signal with all atoms,
    ``squared_norms`` are of the signals with themselves.

    >>> omp_gram(np.eye(3), [[0.0, 2.0, -3.0]], [13.0], sparsity=1).squared_residuals
    array([4.])
    """
    norms = np.asarray(squared_norms, np.float64).ravel().tolist()
    return Codes(*_longshot.omp_gram(gram, correlations, norms, sparsity, relative_tolerance))


def kernel_matrix(
    x: npt.ArrayLike,
    y: npt.ArrayLike | None = None,
    *,
    kind: str = "rbf",
    c: float = 1.0,
    degree: int = 2,
) -> Array:
    """The kernel of each row of ``x`` with each of ``y``, or of ``x``.

    ``kind`` is rbf: exp(-|x - y|² / c), polynomial: (<x, y> + c)^degree, or linear.

    >>> kernel_matrix([[1.0, 2.0]], [[3.0, 4.0], [0.0, 1.0]], kind="linear")
    array([[11.,  2.]])
    """
    rows = np.ascontiguousarray(x, np.float64)
    return _longshot.kernel_matrix(rows, rows if y is None else y, kind, c, degree)
