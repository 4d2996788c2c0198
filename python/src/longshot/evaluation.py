# SPDX-License-Identifier: Apache-2.0
"""Experiments on faces of whom the truth is known (docs/method.md, "Protocols")."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, Iterator, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from longshot import _longshot
from longshot.base import ProgressCallback, Rejection, Result, Size
from longshot.camera import Camera
from longshot.errors import BadInput
from longshot.methods import Method
from longshot.pictures import PathLike, SizeLike

if TYPE_CHECKING:
    import matplotlib.axes
    import pandas


@dataclass(frozen=True, eq=False)
class MethodResult(Result):
    """One method at one size and noise level, over all runs of all draws; rates in percent.

    >>> result = evaluate("people", methods=["pca"], sizes=["7x6"], use_training=False)
    >>> result[0].method, bool(result[0].rank1 == result[0].cmc[0])
    ('pca', True)
    """

    method: str
    size: Size
    noise: float
    rank1: float
    rank1_std: float  #: over draws
    rank1_interval: tuple[float, float]  #: 95 %, over all probes
    rank1_draws: tuple[float, ...]  #: of each draw
    cmc: npt.NDArray[np.float64]  #: ranks 1 to 20
    gallery: int  #: people in a run
    probes: int  #: of all runs of one draw
    ties: int  #: probes whose true person shares the distance with another
    dir_at_fpir: dict[float, float]  #: half of the people not enrolled
    decided: dict[float, dict[str, float]]  #: by the rate asked for, with ``decisions=True``
    eer: float
    enroll_ms_per_person: float  #: on one core, relighting included
    identify_ms_per_probe: float  #: against the whole gallery of a run
    bytes_per_person: float  #: of a template in memory
    bytes_per_probe: float  #: of a probe and its distances to all people


@dataclass(frozen=True, eq=False)
class Evaluation(Result):
    """A finished experiment: a sequence of results, by size, then noise, then method.

    >>> result = evaluate("people", methods=["pca"], sizes=["7x6"], use_training=False)
    >>> result.report("report.html")
    >>> [column for column in result.to_frame() if column.startswith("rank1")]
    ['rank1', 'rank1_std', 'rank1_low', 'rank1_high']
    """

    results: tuple[MethodResult, ...]
    rejections: tuple[Rejection, ...]  #: images that were left out
    _evaluation: _longshot.Evaluation = field(repr=False)

    def __iter__(self) -> Iterator[MethodResult]:
        return iter(self.results)

    def __len__(self) -> int:
        return len(self.results)

    def __getitem__(self, index: int) -> MethodResult:
        return self.results[index]

    def report(
        self, path: PathLike, data: str = "", *, command: str = "", date: str = ""
    ) -> None:
        """Writes one HTML page that needs nothing else.

        ``data`` is what people call the faces, ``command`` what makes the report again, ``date``
        the date that is shown, which is otherwise that of now.
        """
        self._evaluation.write_report(Path(path), data, command, date)

    def to_dict(self) -> dict[str, Any]:
        """As the program's ``evaluate --json``."""
        document: dict[str, Any] = json.loads(self._evaluation.json())
        return document

    def csv(self) -> str:
        """As the program's ``evaluate --csv``."""
        return self._evaluation.csv()

    def scores_csv(self) -> str:
        """What ``identify`` decides about each probe, with ``scores=True``."""
        return self._evaluation.scores_csv()

    def to_frame(self) -> pandas.DataFrame:
        """One row per result, without the curves. Needs pandas."""
        import pandas

        left_out = ("cmc", "rank1_draws", "dir_at_fpir", "decided")
        rows = []
        for one in self.results:
            row = {key: item for key, item in one.to_dict().items() if key not in left_out}
            row["rank1_low"], row["rank1_high"] = row.pop("rank1_interval")
            rows.append(row)
        return pandas.DataFrame(rows)

    def plot_cmc(self, axes: matplotlib.axes.Axes | None = None) -> matplotlib.axes.Axes:
        """Draws the rate of finding the right person among the first 1 to 20. Needs matplotlib."""
        if axes is None:
            import matplotlib.pyplot

            axes = matplotlib.pyplot.figure().add_subplot()
        for one in self.results:
            noise = f", noise {one.noise:g}" if one.noise else ""
            label = f"{one.method} {one.size}{noise}"
            axes.plot(np.arange(1, len(one.cmc) + 1), one.cmc, marker=".", label=label)
        axes.set_xlabel("among the first")
        axes.set_ylabel("right person found, %")
        axes.set_xticks([1, 5, 10, 15, 20])
        axes.grid(alpha=0.3)
        axes.legend()
        return axes


def evaluate(
    data: PathLike,
    protocol: str | None = None,
    *,
    methods: Sequence[str | Callable[[], Method]] | None = None,
    profile: str | None = None,
    tune: bool | None = None,
    parameters: Mapping[str, str] | None = None,
    embedding: PathLike | None = None,
    high: SizeLike | None = None,
    sizes: Sequence[SizeLike] | None = None,
    noise: Sequence[float] | None = None,
    op: str | None = None,
    probe_op: str | None = None,
    jitter: float | None = None,
    simulated_cameras: int | None = None,
    camera_harm: float | None = None,
    camera: Camera | str | Path | None = None,
    use_training: bool | None = None,
    decisions: bool | None = None,
    scores: bool | None = None,
    fpir: float | None = None,
    draws: int | None = None,
    swap_halves: bool | None = None,
    corresponding: bool | None = None,
    seed: int | None = None,
    detector: PathLike | None = None,
    save_runs: PathLike | None = None,
    progress: ProgressCallback | None = None,
) -> Evaluation:
    """Runs a protocol (frgc, pie, ar, outdoor, yaleb or roles) on faces, as the program does.

    What is not given is as in the library's ``EvaluateOptions``. ``methods`` are names of built-in
    ones and classes of one's own (``longshot.methods`` has an example). ``camera`` is a camera, its
    file, ``"auto"``: learnt from the probes of each run, or ``"known"``: told the simulated ones.

    >>> result = evaluate("people", "roles", methods=["pca"], sizes=["7x6"], use_training=False)
    >>> result[0].method, str(result[0].size), result[0].gallery, result[0].cmc.shape
    ('pca', '7x6', 6, (20,))
    """
    given = dict(locals())
    options = _longshot.EvaluateOptions()
    for name, value in given.items():
        if value is not None and name not in ("data", "methods", "camera", "progress"):
            setattr(options, name, Path(value) if name in PATHS else value)
    if methods is not None:
        options.methods = [one if isinstance(one, str) else _name(one) for one in methods]
        for one in methods:
            if not isinstance(one, str):
                options.own_method(_name(one), one)
    options.learn_camera = camera == "auto"
    options.know_camera = camera == "known"
    if camera is not None and camera not in ("auto", "known"):
        options.camera = (camera if isinstance(camera, Camera) else Camera.read(camera))._camera
    done = _longshot.evaluate(Path(data), options, progress)
    return Evaluation(done.results(), done.rejections(), done)


PATHS = ("embedding", "detector", "save_runs")


def _name(method: Callable[[], Method]) -> str:
    name = str(getattr(method, "name", getattr(method, "__name__", "")))
    if not callable(method) or not name:
        raise BadInput(f"A method is the name of one, or a class of one's own, not {method!r}.")
    return name


def synthesize(
    folder: PathLike,
    *,
    people: int = 100,
    photos: int = 5,
    size: SizeLike = Size(240, 200),
    training: int = 0,
    seed: int = 1,
    progress: ProgressCallback | None = None,
) -> int:
    """Writes photos of people who do not exist, and returns how many.

    >>> synthesize("nobody", people=2, photos=1)
    2
    """
    return _longshot.write_synthetic_people(
        Path(folder), people, photos, size, training, seed, progress
    )
