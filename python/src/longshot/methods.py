# SPDX-License-Identifier: Apache-2.0
"""Single methods, as experiments use them, and what a method of one's own is given.

A class with ``learn(training)``, ``enrol(person)`` and ``distances(people, probes)`` is tried by
``evaluate`` beside the built-in methods, on the same splits and images:

>>> class Nearest:
...     def learn(self, training):
...         self.mean = training.photos_low.mean(axis=0) if len(training.photos_low) else 0.5
...     def enrol(self, person):
...         return person.photos_low[0] - self.mean
...     def distances(self, people, probes):
...         return [[np.linalg.norm(one - probe + self.mean) for probe in probes] for one in people]
>>> result = evaluate("people", methods=["pca", Nearest], sizes=["7x6"], use_training=False)
>>> [one.method for one in result]
['pca', 'Nearest']
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Iterator, Mapping, Protocol, Sequence

import numpy as np
import numpy.typing as npt

from longshot import _longshot
from longshot._longshot import Template, TrainingSet
from longshot.base import Result
from longshot.errors import BadInput
from longshot.pictures import PathLike, SizeLike, given

Array = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class PersonImages(Result):
    """All that a method may use of one person: stacks of images, 0 black to 1 white.

    >>> photo = np.full((1, 48, 40), 0.5)
    >>> PersonImages(photo, photo[:, ::4, ::4], photo, photo[:, ::4, ::4]).photos_low.shape
    (1, 12, 10)
    """

    photos_high: Array  #: (photos, rows, columns)
    photos_low: Array  #: the same at the size of the probes
    relit_high: Array  #: the photos under other lights
    relit_low: Array  #: the same at the size of the probes


class Method(Protocol):
    """What a class needs to be tried by ``evaluate``; see the module for an example.

    >>> all(hasattr(Recognizer, name) for name in ("learn", "enrol", "distances"))
    True
    """

    def learn(self, training: TrainingSet) -> None:
        """Called first, and again for other people or another size."""

    def enrol(self, person: PersonImages) -> Any:
        """What is kept of one person. Several threads may call this at once."""

    def distances(self, people: list[Any], probes: Array) -> npt.ArrayLike:
        """(people, probes), smaller is more alike; ``people`` are what ``enrol`` returned."""


class Recognizer:
    """A built-in method, alone: ``fit`` it, ``enrol`` people, ask for ``distances``.

    ``ls.recognizers[name]`` makes one with the options of the paper.

    >>> photos = np.stack([relight(one).face for one in load("people")])
    >>> recognizer = Recognizer("pca", tune=False).fit(photos, range(6), probe_size=(12, 10))
    >>> people = [recognizer.enrol(photo) for photo in photos]
    >>> probes = np.stack([recognizer.extend(photo).photos_low[0] for photo in photos])
    >>> recognizer.distances(people, probes).argmin(axis=0)
    array([0, 1, 2, 3, 4, 5])
    """

    def __init__(
        self,
        name: str,
        *,
        profile: str = "paper",
        tune: bool = True,
        parameters: Mapping[str, str] | None = None,
        embedding: PathLike | None = None,
    ) -> None:
        self.name = name
        self._profile = profile
        chosen = dict(parameters or {})
        self._method = _longshot.Method(name, profile, tune, chosen, given(embedding))
        self._training: TrainingSet | None = None

    def fit(
        self,
        photos: npt.ArrayLike,
        subjects: Sequence[Any],
        *,
        probe_size: SizeLike = (12, 10),
        op: str = "imresize",
        eyes: Sequence[float] | None = None,
    ) -> Recognizer:
        """Learns from faces that are cut out alike, for probes of that size: see TrainingSet."""
        self.learn(
            TrainingSet(
                photos, subjects, probe_size=probe_size, op=op, eyes=eyes, profile=self._profile
            )
        )
        return self

    def learn(self, training: TrainingSet) -> None:
        """The same from what an experiment gives a method."""
        self._method.learn(training)
        self._training = training

    def extend(self, photos: npt.ArrayLike) -> PersonImages:
        """A person with these photos: relit, and brought down to the size of the probes."""
        if self._training is None:
            raise BadInput("The method has not learnt anything yet.")
        return self._training.extend(photos)

    def enrol(self, person: PersonImages | npt.ArrayLike) -> Template:
        """What the method keeps of a person, of whom these are the images or the photos."""
        images = person if isinstance(person, PersonImages) else self.extend(person)
        return self._method.enrol(images)

    def distances(self, people: Sequence[Template], probes: npt.ArrayLike) -> Array:
        """(people, probes), smaller is more alike."""
        return self._method.distances(people, probes)

    def __repr__(self) -> str:
        return f"Recognizer({self.name!r})"


class Recognizers(Mapping[str, Recognizer]):
    """The built-in methods by their names; each time a new one, which has learnt nothing yet.

    >>> Recognizers()["slrfr"], "magic" in Recognizers()
    (Recognizer('slrfr'), False)
    """

    def __getitem__(self, name: str) -> Recognizer:
        """Raises KeyError if there is no such method."""
        if name not in _longshot.method_names():
            raise KeyError(name)
        return Recognizer(name)

    def __contains__(self, name: object) -> bool:
        return name in _longshot.method_names()

    def __iter__(self) -> Iterator[str]:
        return iter(_longshot.method_names())

    def __len__(self) -> int:
        return len(_longshot.method_names())

    def __repr__(self) -> str:
        return f"<recognizers {', '.join(self)}>"


#: The built-in methods by their names.
recognizers = Recognizers()
