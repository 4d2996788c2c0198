# SPDX-License-Identifier: Apache-2.0
from os import PathLike
from typing import Any, Callable, Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from longshot.evaluation import MethodResult
from longshot.methods import PersonImages
from longshot.results import (
    Answers,
    Comparison,
    Enrolled,
    Eyes,
    Photo,
    Plane,
    Rejection,
    Relit,
    Size,
    Trained,
    Verification,
)

_Path = str | PathLike[str]
_Progress = Callable[[str, int, int], Any] | None
_Size = Size | tuple[int, int] | str
_Array = npt.NDArray[np.float64]
_Dictionary = tuple[_Array, _Array, _Array, float, str]
_Codes = tuple[_Array, tuple[tuple[int, ...], ...], _Array, tuple[str, ...]]

class Picture:
    def __init__(
        self,
        source: object,
        *,
        eyes: Sequence[float] | None = ...,
        box: Sequence[float] | None = ...,
        aligned: bool = ...,
        person: str = ...,
        name: str | None = ...,
    ) -> None: ...
    @property
    def eyes(self) -> Eyes | None: ...
    @property
    def box(self) -> tuple[float, float, float, float] | None: ...
    @property
    def aligned(self) -> bool: ...
    @property
    def person(self) -> str: ...
    @property
    def name(self) -> str: ...

class Camera:
    @staticmethod
    def read(path: _Path) -> Camera: ...
    @staticmethod
    def parse(json: str) -> Camera: ...
    def write(self, path: _Path) -> None: ...
    def json(self) -> str: ...
    @property
    def size(self) -> Size: ...
    @property
    def crops(self) -> int: ...
    @property
    def learnt(self) -> bool: ...

class Gallery:
    def __init__(self, path: _Path, create: bool, read_only: bool, key_file: _Path) -> None: ...
    def close(self) -> None: ...
    @property
    def closed(self) -> bool: ...
    def enroll(
        self,
        pictures: Sequence[Picture],
        person: str,
        force: bool,
        high: _Size | None,
        model: _Path,
        refresh: bool,
        detector: _Path,
        progress: _Progress,
    ) -> Enrolled: ...
    def identify(
        self,
        probes: Sequence[Picture],
        method: str,
        size: _Size | None,
        top: int,
        fpir: float,
        fuse_folders: bool,
        camera: Camera | None,
        learn_camera: bool,
        detector: _Path,
        progress: _Progress,
    ) -> Answers: ...
    def verify(
        self,
        pictures: Sequence[Picture],
        person: str,
        method: str,
        size: _Size | None,
        camera: Camera | None,
        fmr: float,
        detector: _Path,
        progress: _Progress,
    ) -> Verification: ...
    def learn_camera(
        self,
        crops: Sequence[Picture],
        size: _Size | None,
        detector: _Path,
        progress: _Progress,
    ) -> tuple[Camera, Plane, int, tuple[Rejection, ...]]: ...
    def compare(
        self,
        probe: Picture,
        person: str,
        size: _Size | None,
        camera: Camera | None,
        photo: int,
        detector: _Path,
    ) -> Comparison: ...
    def prepare(self, size: _Size, method: str, progress: _Progress) -> None: ...
    def people(self) -> list[tuple[str, int, str]]: ...
    def person_count(self) -> int: ...
    def photo_count(self) -> int: ...
    def person(self, name: str) -> tuple[str, int, str]: ...
    def photos(self, person: str) -> tuple[Photo, ...]: ...
    def rename(self, person: str, name: str) -> None: ...
    def remove(self, person: str) -> None: ...
    def remove_photo(self, person: str, id: int) -> None: ...
    def erasure_pending(self) -> bool: ...

class TrainingSet:
    def __init__(
        self,
        photos: npt.ArrayLike,
        subjects: Iterable[Any],
        *,
        probe_size: _Size = ...,
        op: str = ...,
        eyes: Sequence[float] | None = ...,
        profile: str = ...,
    ) -> None: ...
    @property
    def size(self) -> Size: ...
    @property
    def probe_size(self) -> Size: ...
    @property
    def photos_high(self) -> _Array: ...
    @property
    def photos_low(self) -> _Array: ...
    @property
    def subjects(self) -> list[int]: ...
    @property
    def gallery_like(self) -> list[int]: ...
    @property
    def enrolled_high(self) -> _Array: ...
    def extend(self, photos: npt.ArrayLike) -> PersonImages: ...

class Template: ...

class Method:
    def __init__(
        self, name: str, profile: str, tune: bool, parameters: Mapping[str, str], embedding: _Path
    ) -> None: ...
    def learn(self, training: TrainingSet) -> None: ...
    def enrol(self, person: PersonImages) -> Template: ...
    def distances(self, people: Iterable[Template], probes: npt.ArrayLike) -> _Array: ...

class EvaluateOptions:
    protocol: str
    methods: Sequence[str]
    profile: str
    tune: bool
    parameters: Mapping[str, str]
    embedding: _Path
    high: _Size | None
    sizes: Iterable[_Size]
    noise: Sequence[float]
    op: str
    probe_op: str
    jitter: float
    simulated_cameras: int
    camera_harm: float
    camera: Camera | None
    learn_camera: bool
    know_camera: bool
    use_training: bool
    decisions: bool
    scores: bool
    fpir: float
    draws: int
    swap_halves: bool
    corresponding: bool
    seed: int
    detector: _Path
    save_runs: _Path
    def __init__(self) -> None: ...
    def own_method(self, name: str, make: Callable[[], object]) -> None: ...

class Evaluation:
    def results(self) -> tuple[MethodResult, ...]: ...
    def rejections(self) -> tuple[Rejection, ...]: ...
    def json(self) -> str: ...
    def csv(self) -> str: ...
    def scores_csv(self) -> str: ...
    def write_report(self, path: _Path, data: str) -> None: ...

def evaluate(data: _Path, options: EvaluateOptions, progress: _Progress) -> Evaluation: ...
def method_parameters() -> dict[str, str]: ...
def write_synthetic_people(
    folder: _Path,
    people: int,
    photos: int,
    size: _Size,
    training: int,
    seed: int,
    progress: _Progress,
) -> int: ...
def method_names() -> list[str]: ...
def ksvd(
    samples: npt.ArrayLike,
    atoms: int,
    sparsity: int,
    max_sweeps: int,
    relative_tolerance: float,
    update: str,
) -> _Dictionary: ...
def kernel_dictionary(
    gram: npt.ArrayLike,
    atoms: int,
    sparsity: int,
    max_sweeps: int,
    relative_tolerance: float,
    update: str,
) -> _Dictionary: ...
def omp(
    dictionary: npt.ArrayLike, signals: npt.ArrayLike, sparsity: int, relative_tolerance: float
) -> _Codes: ...
def omp_gram(
    gram: npt.ArrayLike,
    correlations: npt.ArrayLike,
    squared_norms: Sequence[float],
    sparsity: int,
    relative_tolerance: float,
) -> _Codes: ...
def kernel_matrix(
    x: npt.ArrayLike, y: npt.ArrayLike, kind: str, c: float, degree: int
) -> _Array: ...
def sparse_defaults() -> dict[str, dict[str, Any]]: ...
def parse_lights(text: str) -> list[tuple[float, float]]: ...
def train(
    pictures: Sequence[Picture], out: _Path, high: _Size, detector: _Path, progress: _Progress
) -> Trained: ...
def load(
    paths: Sequence[_Path], purpose: str, person_from: str
) -> tuple[list[Picture], tuple[Rejection, ...]]: ...
def pictures(sources: Iterable[object], aligned: bool, name: str) -> list[Picture]: ...
def relight(
    photo: Picture,
    size: _Size,
    lights: Sequence[tuple[float, float]],
    ambient: float,
    detector: _Path,
) -> Relit: ...
def degrade(
    picture: Picture, size: _Size, op: str, noise: float, seed: int, face: bool, detector: _Path
) -> Plane: ...
def defaults() -> dict[str, dict[str, Any]]: ...
def set_threads(count: int) -> None: ...
def threads() -> int: ...
def version() -> str: ...
