# SPDX-License-Identifier: Apache-2.0
from os import PathLike
from typing import Any, Callable, Iterable, Mapping, Sequence

from longshot.evaluation import MethodResult
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
    Verification,
)

_Path = str | PathLike[str]
_Progress = Callable[[str, int, int], Any] | None
_Size = Size | tuple[int, int] | str

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
def load(paths: Sequence[_Path], purpose: str) -> tuple[list[Picture], tuple[Rejection, ...]]: ...
def pictures(sources: Iterable[object], aligned: bool, name: str) -> list[Picture]: ...
def relight(
    photo: Picture,
    size: _Size,
    lights: Sequence[tuple[float, float]],
    ambient: float,
    detector: _Path,
) -> Relit: ...
def degrade(picture: Picture, size: _Size, op: str, noise: float, seed: int) -> Plane: ...
def defaults() -> dict[str, dict[str, Any]]: ...
def set_threads(count: int) -> None: ...
def threads() -> int: ...
def version() -> str: ...
