# SPDX-License-Identifier: Apache-2.0
"""Recognises faces that are only a few pixels wide.

>>> import longshot as ls
>>> with ls.Gallery("people.gallery") as gallery:
...     for answer in gallery.identify(["crops/person_00004/01.png"], top=1):
...         print(answer.decision, answer.candidates[0].person)
known person_00004
"""

from longshot import sparse
from longshot._longshot import Picture, Template, TrainingSet, set_threads, threads
from longshot._longshot import version as _version
from longshot.camera import Camera
from longshot.errors import (
    AlreadyThere,
    BadInput,
    Busy,
    Cancelled,
    Damaged,
    LongshotError,
    NoSpace,
    NotFound,
    ReadOnly,
    Unsupported,
)
from longshot.evaluation import Evaluation, MethodResult, evaluate, synthesize
from longshot.gallery import Gallery, People, Person
from longshot.methods import Method, PersonImages, Recognizer, Recognizers, recognizers
from longshot.pictures import Faces, degrade, load, relight, train
from longshot.results import (
    Answer,
    Answers,
    Candidate,
    Comparison,
    Enrolled,
    Light,
    Photo,
    Receipt,
    Rejection,
    Relit,
    Size,
    Trained,
    Verification,
)

__version__ = _version()

__all__ = [
    "AlreadyThere",
    "Answer",
    "Answers",
    "BadInput",
    "Busy",
    "Camera",
    "Cancelled",
    "Candidate",
    "Comparison",
    "Damaged",
    "Enrolled",
    "Evaluation",
    "Faces",
    "Gallery",
    "Light",
    "LongshotError",
    "Method",
    "MethodResult",
    "NoSpace",
    "NotFound",
    "People",
    "Person",
    "PersonImages",
    "Photo",
    "Picture",
    "ReadOnly",
    "Receipt",
    "Recognizer",
    "Recognizers",
    "Rejection",
    "Relit",
    "Size",
    "Template",
    "Trained",
    "TrainingSet",
    "Unsupported",
    "Verification",
    "degrade",
    "evaluate",
    "load",
    "recognizers",
    "relight",
    "set_threads",
    "sparse",
    "synthesize",
    "threads",
    "train",
]
