# SPDX-License-Identifier: Apache-2.0
"""Recognises faces that are only a few pixels wide.

>>> import longshot as ls
>>> with ls.Gallery("people.gallery") as gallery:
...     for answer in gallery.identify(["crops/person_00004/01.png"], top=1):
...         print(answer.decision, answer.candidates[0].person)
known person_00004
"""

from longshot import sparse
from longshot._longshot import (
    Key,
    Picture,
    Template,
    TrainingSet,
    instruction_set,
    is_shards,
    protocol_names,
    set_decoders_confined,
    set_helper_folder,
    set_threads,
    threads,
    time_left,
)
from longshot._longshot import version as _version
from longshot.audit import AuditEntry, AuditPage, AuditVerdict, run_as
from longshot.base import Rejection, Size
from longshot.camera import Camera
from longshot.clips import ClipTracks, Track, TrackFace, find_tracks, is_clip, synthesize_clip
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
from longshot.gallery import Gallery
from longshot.methods import Method, PersonImages, Recognizer, Recognizers, recognizers
from longshot.people import People, Person
from longshot.pictures import (
    Faces,
    cut_out_faces,
    degrade,
    encode_plane,
    eyes_in_crop,
    find_faces,
    image_size,
    load,
    person_of_file,
    relight,
    train,
    write_plane,
)
from longshot.results import (
    Annotated,
    Answer,
    Answers,
    CameraFigures,
    Candidate,
    Comparison,
    Enrolled,
    Evidence,
    FoundFace,
    Light,
    Measured,
    Photo,
    Relit,
    Remark,
    Trained,
    Verification,
)
from longshot.shards import (
    Sharded,
    add_shard,
    check_shards,
    merge_shards,
    rebalance_shards,
    split_gallery,
)
from longshot.system import (
    decrypt_gallery,
    encrypt_gallery,
    examine_gallery,
    examine_system,
    rekey_gallery,
)
from longshot.upkeep import Checked, Compacted, Finding, Receipt, Transferred

__version__ = _version()

__all__ = [
    "AlreadyThere",
    "Annotated",
    "Answer",
    "Answers",
    "AuditEntry",
    "AuditPage",
    "AuditVerdict",
    "BadInput",
    "Busy",
    "Camera",
    "CameraFigures",
    "Cancelled",
    "Candidate",
    "Checked",
    "ClipTracks",
    "Compacted",
    "Comparison",
    "Damaged",
    "Enrolled",
    "Evaluation",
    "Evidence",
    "Faces",
    "Finding",
    "FoundFace",
    "Gallery",
    "Key",
    "Light",
    "LongshotError",
    "Measured",
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
    "Remark",
    "Sharded",
    "Size",
    "Template",
    "Track",
    "TrackFace",
    "Trained",
    "TrainingSet",
    "Transferred",
    "Unsupported",
    "Verification",
    "add_shard",
    "check_shards",
    "cut_out_faces",
    "decrypt_gallery",
    "degrade",
    "encode_plane",
    "encrypt_gallery",
    "evaluate",
    "examine_gallery",
    "examine_system",
    "eyes_in_crop",
    "find_faces",
    "find_tracks",
    "image_size",
    "instruction_set",
    "is_clip",
    "is_shards",
    "load",
    "merge_shards",
    "person_of_file",
    "protocol_names",
    "rebalance_shards",
    "recognizers",
    "rekey_gallery",
    "relight",
    "run_as",
    "set_decoders_confined",
    "set_helper_folder",
    "set_threads",
    "sparse",
    "split_gallery",
    "synthesize",
    "synthesize_clip",
    "threads",
    "time_left",
    "train",
    "write_plane",
]
