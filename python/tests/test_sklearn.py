# SPDX-License-Identifier: Apache-2.0
"""The estimator, and those checks of scikit-learn that need no data of their own making."""

import pickle

import numpy as np
import pytest

import longshot as ls

pytest.importorskip("sklearn")
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.utils import estimator_checks

from longshot.sklearn import Recognizer

# All others fit numbers that are no faces: a few random columns.
CHECKS = [
    "check_no_attributes_set_in_init",
    "check_parameters_default_constructible",
    "check_get_params_invariance",
    "check_set_params",
    "check_estimator_get_tags_default_keys",
    "check_estimators_unfitted",
]


@pytest.mark.parametrize("name", CHECKS)
def test_checks_of_scikit_learn(name):
    check = getattr(estimator_checks, name)
    check("Recognizer", Recognizer())


@pytest.fixture(scope="module")
def faces(made):
    people = ls.load(made / "people")
    crops = [ls.relight(one).face for one in people]
    X = np.rint(np.stack(crops) * 255).reshape(len(crops), -1)
    return X, np.array([one.person for one in people])


def low(X):
    crops = [ls.degrade(one.astype(np.uint8).reshape(48, 40), (12, 10)) for one in X]
    return np.rint(np.stack(crops) * 255).reshape(len(X), -1)


def test_names_people_at_both_sizes(faces):
    X, y = faces
    recognizer = Recognizer(probe_size=(12, 10), method="subspace").fit(X, y)
    assert list(recognizer.classes_) == sorted(set(y))
    assert recognizer.score(low(X), y) == recognizer.score(X, y) == 1.0
    assert recognizer.decision_function(low(X)).shape == (6, 6)
    other = pickle.loads(pickle.dumps(recognizer))
    assert np.array_equal(other.predict(low(X)), y)
    with pytest.raises(NotFittedError):
        clone(recognizer).predict(X)


def test_labels_may_be_numbers(faces):
    X, _ = faces
    y = np.array([10, 20, 30, 10, 20, 30])
    recognizer = Recognizer(probe_size="12x10", method="subspace").fit(X, y)
    assert recognizer.predict(low(X)).dtype == y.dtype
    assert np.array_equal(recognizer.predict(low(X)), y)


def test_what_is_no_crop_is_refused(faces):
    X, y = faces
    with pytest.raises(ls.BadInput, match="no crop of 48x40"):
        Recognizer().fit(X[:, :-1], y)
    with pytest.raises(ls.BadInput, match="0 to 255"):
        Recognizer().fit(X - 300, y)
    fitted = Recognizer(probe_size=(12, 10), method="subspace").fit(X, y)
    with pytest.raises(ls.BadInput, match="no crop of 48x40 or 12x10"):
        fitted.predict(X[:, :7])


def test_examples_of_docstrings(folder):
    import doctest

    import longshot.sklearn

    globs = {"load": ls.load, "relight": ls.relight}
    result = doctest.testmod(longshot.sklearn, extraglobs=globs)
    assert result.attempted > 0 and result.failed == 0
