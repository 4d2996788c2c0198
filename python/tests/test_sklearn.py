# SPDX-License-Identifier: Apache-2.0
"""The estimator, and the checks of scikit-learn."""

import pickle
import traceback
import warnings
from unittest import SkipTest

import numpy as np
import pytest

import longshot as ls

pytest.importorskip("sklearn")
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.utils import estimator_checks

from longshot.sklearn import Recognizer


def test_checks_of_scikit_learn():
    """All pass, but for those that fit a few random columns, which are no faces."""
    passed, without_faces = [], []
    for estimator, check in estimator_checks.check_estimator(Recognizer(), generate_only=True):
        name = check.func.__name__
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                check(estimator)
        except SkipTest:
            continue
        except Exception as error:
            if "no crop of 48x40" not in "".join(traceback.format_exception(error)):
                raise
            without_faces.append(name)
        else:
            passed.append(name)
    assert len(passed) > 10, (passed, without_faces)


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
