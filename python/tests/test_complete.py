# SPDX-License-Identifier: Apache-2.0
"""Whatever the public headers offer, Python has: header by header."""

import inspect
import re
from pathlib import Path

import pytest

import longshot as ls
from longshot import _longshot

SOURCE = Path(__file__).resolve().parents[2] / "src/longshot"
HEADERS = re.findall(r'"longshot/(\w+\.h)"', (SOURCE / "longshot.h").read_text()) + ["longshot.h"]
# What Python has by another name, or has no use for.
ELSEWHERE = {
    "method_names": "ls.recognizers lists them",
    "make_method": "ls.Recognizer",
    "write_synthetic_people": "ls.synthesize",
    "write_synthetic_clip": "ls.synthesize_clip",
    "parse_size": "sizes are tuples or texts",
    "to_string": "str()",
    "to_json": "Answers.to_json, to_dict()",
    "to_csv": "Answers.to_csv",
    "to_html": "Gallery.report",
    "likelihood_ratio": "Candidate.likelihood_ratio",
    "parse_lights": "ls.relight takes the texts",
    "write_file": "open()",
    "make_annotation_folder": "Gallery.annotate does so itself",
    "write_degraded": "ls.write_plane(path, ls.degrade(...))",
    "write_relit": "Relit.write",
    "write_relit_sheet": "Relit.write_sheet",
    "run_cancellable": "Ctrl-C",
    "version": "ls.__version__",
    "method_parameters": "_longshot.method_parameters, for messages",
    "ksvd": "ls.sparse", "kernel_dictionary": "ls.sparse", "omp": "ls.sparse",
    "omp_gram": "ls.sparse", "kernel_matrix": "ls.sparse",
    "look_at_shards": "longshot-mpi", "open_shards": "longshot-mpi",
}
# Methods of Gallery that belong to a person or a mapping here.
OF_PEOPLE = {
    "open", "open_or_create", "person_count", "photo_count", "person", "photos", "face", "rename",
    "merge", "remove", "remove_photo", "erasure_pending",
}
# Structs that are classes here, and what their fields are called.
RENAMED = {("Comparison", "through"): "through_camera", ("Comparison", "azimuth"): "light",
           ("Comparison", "elevation"): "light"}
# Fields that say nothing here: marks are made on the server's page, and only longshot-mpi goes on
# without some of the shards.
UNUSED = {("Evidence", "marks"), ("Answer", "coverage")}
# Options that are arguments of a call, but for these.
OPTIONS = {
    "TrainOptions": (ls.train, set()),
    "EnrollOptions": (ls.Gallery.enroll, {"again"}),
    "IdentifyOptions": (ls.Gallery.identify, {"learn_camera"}),  # camera="auto"
    "VerifyOptions": (ls.Gallery.verify, set()),
    "CameraOptions": (ls.Gallery.learn_camera, set()),
    "CompareOptions": (ls.Gallery.compare, set()),
    "CompactOptions": (ls.Gallery.compact, set()),
    "FaceOptions": (ls.find_faces, set()),
    "ClipOptions": (ls.find_tracks, {"faces"}),  # its options are arguments too
    "SyntheticClipOptions": (ls.synthesize_clip, set()),
    "RelightRequest": (ls.relight, set()),
    "DegradeRequest": (ls.degrade, set()),
    "SyntheticOptions": (ls.synthesize, set()),
    "EvaluateOptions": (ls.evaluate, {"own_methods", "learn_camera", "know_camera"}),
    "ReportText": (ls.Evaluation.report, set()),
    "EvidenceText": (ls.Gallery.report, {"gallery", "left_out", "settings"}),
    "MethodOptions": (ls.Recognizer, set()),
    "AuditQuery": (ls.Gallery.audit, set()),
    "PursuitOptions": (ls.sparse.omp, set()),
}


def text_of(header):
    return re.sub(r"//.*", "", (SOURCE / header).read_text())


@pytest.mark.parametrize("header", HEADERS)
def test_functions(header):
    functions = re.findall(r"^LONGSHOT_API [\w:<>, *&]+?[ *&](\w+)\(", text_of(header), flags=re.M)
    missing = [name for name in functions
               if name not in ELSEWHERE and not hasattr(ls, name)]
    assert not missing, f"{header}: {missing}"


def test_what_a_gallery_can_do():
    body = text_of("gallery.h").split("class LONGSHOT_API Gallery {")[1].split("private:")[0]
    methods = set(re.findall(r"^  [\w:<>, &]+? (\w+)\(", body, flags=re.M)) - {"operator"}
    assert "identify" in methods and "check" in methods
    assert not {one for one in methods - OF_PEOPLE if not hasattr(ls.Gallery, one)}
    assert not {one for one in OF_PEOPLE - {"open", "open_or_create"}
                if not hasattr(_longshot.Gallery, one)}


def structs():
    for header in HEADERS:
        for name, body in re.findall(r"^struct (\w+) {\n(.*?)^};", text_of(header), re.M | re.S):
            fields = re.findall(r"^  [\w:<>, ]+? (\w+)(?: =.*?)?;", body, flags=re.M | re.S)
            yield name, fields


@pytest.mark.parametrize("name, fields", [one for one in structs() if hasattr(ls, one[0])])
def test_fields_of_results(name, fields):
    type_ = getattr(ls, name)
    own = [RENAMED.get((name, field), field) for field in fields if (name, field) not in UNUSED]
    assert own and not [one for one in own
                        if one not in type_.__annotations__ and not hasattr(type_, one)]


@pytest.mark.parametrize("name", OPTIONS)
def test_options(name):
    call, left_out = OPTIONS[name]
    fields = set(dict(structs())[name])
    assert left_out <= fields
    assert not fields - left_out - set(inspect.signature(call).parameters)


def test_no_options_are_forgotten():
    named = {name for name, _ in structs() if re.search("Options$|Request$|Text$|Query$", name)}
    inherited = {"DictionaryOptions", "TrainingOptions"}  # of ls.sparse.ksvd and ls.TrainingSet
    assert named == set(OPTIONS) | inherited
