# SPDX-License-Identifier: Apache-2.0
"""A gallery as an estimator of scikit-learn, which must be installed for this module."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_array, check_is_fitted, check_X_y

from longshot.errors import BadInput
from longshot.base import Size
from longshot.gallery import Gallery
from longshot.pictures import SizeLike
from longshot.results import Answers


class Recognizer(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Names the people of face crops.

    Rows of X are the grey levels, 0 to 255, of aligned face crops row by row: of ``size`` to fit,
    of ``size`` or ``probe_size`` to predict. The fitted estimator keeps its gallery file as bytes,
    with the faces in it: treat it like the photos.

    >>> faces = np.stack([relight(one, size=(48, 40)).face for one in load("people")])
    >>> X = np.rint(faces * 255).reshape(len(faces), -1)
    >>> names = [one.person for one in load("people")]
    >>> recognizer = Recognizer(probe_size=(12, 10)).fit(X, names)
    >>> [str(name) for name in recognizer.predict(X)] == names
    True
    """

    def __init__(
        self,
        size: SizeLike = (48, 40),
        probe_size: SizeLike | None = None,
        method: str = "longshot",
    ) -> None:
        self.size = size
        self.probe_size = probe_size
        self.method = method

    def fit(self, X: npt.ArrayLike, y: npt.ArrayLike) -> Recognizer:
        """Enrols everybody of y with the rows of X that show them."""
        values, names = check_X_y(X, y)
        check_classification_targets(names)
        rows = _size(self.size)
        pixels = _crops(values, rows)
        self.classes_, labels = np.unique(names, return_inverse=True)
        self.n_features_in_ = values.shape[1]
        people = {f"{k:06}": list(pixels[labels == k]) for k in range(len(self.classes_))}
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "people.gallery")
            with Gallery(file, create=True) as gallery:
                report = gallery.enroll(people, aligned=True, force=True, high=rows)
                if report.people < len(people):
                    raise BadInput(f"Some people have no usable face: {report.rejections[0].reason}")
            self.gallery_ = file.read_bytes()
        return self

    def predict(self, X: npt.ArrayLike) -> npt.NDArray[Any]:
        """The most alike person for each row."""
        scores = self.decision_function(X)
        return np.asarray(self.classes_[np.argmax(scores, axis=1)])

    def decision_function(self, X: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """Minus the residual of everybody, larger is more alike: one row per row of X."""
        answers = self._ask(X)
        scores = np.full((len(answers), len(self.classes_)), -np.inf)
        for row, answer in enumerate(answers):
            for one in answer.candidates:
                scores[row, int(one.person)] = -one.residual
        return scores

    def _ask(self, X: npt.ArrayLike) -> Answers:
        check_is_fitted(self, "gallery_")
        values = check_array(X)
        sizes = [_size(self.size)]
        if self.probe_size is not None:
            sizes.append(_size(self.probe_size))
        fitting = [size for size in sizes if size.rows * size.cols == values.shape[1]]
        if not fitting:
            expected = " or ".join(str(size) for size in sizes)
            raise BadInput(f"X has {values.shape[1]} features, which is no crop of {expected}.")
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "people.gallery")
            file.write_bytes(self.gallery_)
            with Gallery(file) as gallery:
                answers = gallery.identify(
                    _crops(values, fitting[0]),
                    method=self.method,
                    size=self.probe_size,
                    top=len(self.classes_),
                    aligned=True,
                )
            # What was learnt for this size is kept for the next call.
            self.gallery_ = file.read_bytes()
        for answer in answers:
            if answer.error is not None:
                raise BadInput(f"{answer.name}: {answer.error}")
        return answers

    def _more_tags(self) -> dict[str, Any]:
        return {"requires_fit": True, "X_types": ["2darray"], "poor_score": True}


def _size(size: SizeLike) -> Size:
    if isinstance(size, str):
        rows, _, cols = size.partition("x")
        return Size(int(rows), int(cols))
    return Size(*size)


def _crops(X: npt.NDArray[Any], size: Size) -> npt.NDArray[np.uint8]:
    if X.shape[1] != size.rows * size.cols:
        raise BadInput(f"X has {X.shape[1]} features, which is no crop of {size}.")
    if X.size and (X.min() < 0 or X.max() > 255):
        raise BadInput("X holds grey levels from 0 to 255.")
    levels: npt.NDArray[np.uint8] = np.rint(X).astype(np.uint8)
    return levels.reshape(-1, size.rows, size.cols)
