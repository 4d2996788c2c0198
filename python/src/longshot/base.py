# SPDX-License-Identifier: Apache-2.0
"""What all results have in common."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, Callable, NamedTuple

import numpy as np
import numpy.typing as npt

#: A grey image that comes out of the library: float32, 0 black to 1 white, read-only.
Plane = npt.NDArray[np.float32]
#: The centres of the eyes in pixels: x and y of the left one in the image, then of the right one.
Eyes = tuple[float, float, float, float]
#: x, y, width and height in pixels.
Box = tuple[float, float, float, float]

#: Told the task, the steps done and their number; False cancels, and so does an exception.
ProgressCallback = Callable[[str, int, int], Any]


class Size(NamedTuple):
    """Rows and columns.

    >>> str(Size(12, 10))
    '12x10'
    """

    rows: int
    cols: int

    def __str__(self) -> str:
        return f"{self.rows}x{self.cols}"


def plain(value: Any) -> Any:
    """Dictionaries, lists, texts and numbers instead of results; arrays stay arrays."""
    if isinstance(value, Size):
        return str(value)
    if hasattr(value, "to_dict"):
        return value.to_dict()
    if isinstance(value, (tuple, list)):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return value


class Result:
    """What all results can do."""

    def to_dict(self) -> dict[str, Any]:
        """The same as a dictionary, which ``json`` can write unless there are arrays in it.

        >>> Candidate("anna", 0.75, 0.5).to_dict()
        {'person': 'anna', 'score': 0.75, 'residual': 0.5}
        """
        names = [field.name for field in dataclasses.fields(self)]
        return {name: plain(getattr(self, name)) for name in names}


@dataclass(frozen=True)
class Rejection(Result):
    """An input that was left out, and why, in one sentence.

    >>> print(Rejection("a.png", "It is no image.").reason)
    It is no image.
    """

    name: str
    reason: str
