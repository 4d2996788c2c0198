// SPDX-License-Identifier: Apache-2.0
#include "results.h"

#include <cassert>
#include <initializer_list>
#include <type_traits>
#include <utility>

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "text.h"

namespace longshot::python {
namespace {

py::object result_class(const char* name) {
  return py::module_::import("longshot").attr(name);
}

// Makes many objects of a frozen dataclass. What the class would do itself, field by field in
// Python, takes longer than some answers.
class ResultMaker {
 public:
  ResultMaker(const char* name, std::initializer_list<const char*> fields)
      : type_(result_class(name)) {
    for (const char* field : fields) names_.push_back(py::str(field));
  }

  template <typename... Values>
  py::object operator()(const Values&... values) const {
    assert(sizeof...(values) == names_.size());
    const auto type = reinterpret_cast<PyTypeObject*>(type_.ptr());
    const auto made = py::reinterpret_steal<py::object>(type->tp_alloc(type, 0));
    if (!made) throw py::error_already_set();
    auto name = names_.begin();
    (set(made, *name++, made_of(values)), ...);
    return made;
  }

 private:
  static py::object made_of(const py::object& value) { return value; }
  template <typename Value>
  requires(!std::is_base_of_v<py::handle, Value>) static py::object made_of(const Value& value) {
    return py::cast(value);
  }
  static void set(const py::object& made, const py::str& name, const py::object& value) {
    if (PyObject_GenericSetAttr(made.ptr(), name.ptr(), value.ptr()) != 0) {
      throw py::error_already_set();
    }
  }

  py::object type_;
  std::vector<py::str> names_;
};

template <typename Value, typename Convert>
py::tuple tuple_of(const std::vector<Value>& values, const Convert& convert) {
  py::tuple items(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) items[i] = convert(values[i]);
  return items;
}

py::object light_of(const Light& light) {
  return result_class("Light")(light.azimuth, light.elevation);
}

}  // namespace

py::object optional_text(const std::string& text) {
  return text.empty() ? py::object(py::none()) : py::object(to_text(text));
}

py::object to_python(Size size) {
  return result_class("Size")(size.rows, size.cols);
}

py::object to_python(const std::optional<Eyes>& eyes) {
  if (!eyes) return py::none();
  return py::make_tuple(eyes->left.x, eyes->left.y, eyes->right.x, eyes->right.y);
}

py::object to_python(Plane plane) {
  auto* const values = new std::vector<float>(std::move(plane.values));
  const py::capsule owner(values, [](void* one) { delete static_cast<std::vector<float>*>(one); });
  py::array_t<float> array({plane.size.rows, plane.size.cols}, values->data(), owner);
  array.attr("flags").attr("writeable") = false;
  return array;
}

py::object to_python(const std::vector<double>& values) {
  py::array_t<double> array(static_cast<py::ssize_t>(values.size()), values.data());
  array.attr("flags").attr("writeable") = false;
  return array;
}

py::tuple to_python(const std::vector<Rejection>& rejections) {
  if (rejections.empty()) return py::tuple();
  const py::object type = result_class("Rejection");
  return tuple_of(rejections, [&](const Rejection& one) {
    return type(to_text(one.name), to_text(one.reason));
  });
}

py::object to_python(const Trained& trained) {
  return result_class("Trained")(trained.people, trained.photos, to_python(trained.rejections));
}

py::object to_python(const Enrolled& enrolled) {
  return result_class("Enrolled")(enrolled.people, enrolled.photos, to_python(enrolled.rejections),
                                  to_python(enrolled.warnings));
}

py::object to_python(const Answers& answers) {
  const ResultMaker make_answer(
      "Answer",
      {"name", "size", "known", "candidates", "error", "frames", "rejections", "warnings",
       "threshold", "margin", "fpir", "people", "face", "frame", "time", "track", "annotated"});
  const ResultMaker make_candidate("Candidate", {"person", "score", "residual"});
  const auto candidate = [&](const Candidate& one) {
    return make_candidate(to_text(one.person), one.score, one.residual);
  };
  // Most answers are of one size.
  Size last_size;
  py::object last_size_made = py::none();
  const auto size_of = [&](const Answer& one) -> py::object {
    if (!one.error.empty()) return py::none();
    if (last_size_made.is_none() || one.size != last_size) {
      last_size = one.size;
      last_size_made = to_python(one.size);
    }
    return last_size_made;
  };
  const auto answer = [&](const Answer& one) {
    return make_answer(to_text(one.name), size_of(one), one.known,
                       tuple_of(one.candidates, candidate), optional_text(one.error), one.frames,
                       to_python(one.rejections), to_python(one.warnings), one.threshold,
                       one.margin, one.fpir, one.people,
                       one.face ? to_python(*one.face) : py::object(py::none()), one.frame,
                       one.time, one.track, tuple_of(one.annotated, &to_text));
  };
  const py::object camera_type = py::module_::import("longshot.camera").attr("Camera");
  const py::tuple cameras =
      tuple_of(answers.cameras, [&](const Camera& one) { return camera_type(py::cast(one)); });
  return result_class("Answers")(tuple_of(answers.answers, answer), cameras);
}

py::object to_python(const Verification& verification) {
  return result_class("Verification")(to_text(verification.person), verification.match,
                                      verification.score, to_python(verification.size),
                                      verification.frames, to_python(verification.rejections),
                                      to_python(verification.warnings), verification.threshold,
                                      verification.margin, verification.fmr);
}

py::object to_python(const Photo& photo) {
  return result_class("Photo")(
      photo.id, to_text(photo.added_at), to_text(photo.source), to_python(photo.size),
      to_python(photo.eyes), py::cast(photo.quality),
      tuple_of(photo.remarks, [](const Remark& one) {
        return result_class("Remark")(to_text(one.problem), to_text(one.reason));
      }));
}

py::object to_python(Comparison comparison) {
  return result_class("Comparison")(
      to_python(std::move(comparison.photo)), to_python(std::move(comparison.relit)),
      to_python(std::move(comparison.through)), to_python(std::move(comparison.probe)),
      to_python(std::move(comparison.difference)),
      light_of({comparison.azimuth, comparison.elevation}));
}

py::object to_python(Relit relit) {
  py::tuple images(relit.images.size());
  for (std::size_t i = 0; i < relit.images.size(); ++i) {
    images[i] = to_python(std::move(relit.images[i]));
  }
  py::tuple normals(relit.normals.size());
  for (std::size_t i = 0; i < relit.normals.size(); ++i) {
    normals[i] = to_python(std::move(relit.normals[i]));
  }
  return result_class("Relit")(to_python(std::move(relit.face)), to_python(std::move(relit.albedo)),
                               images, tuple_of(relit.lights, &light_of), light_of(relit.light),
                               relit.strength, relit.ambient, normals,
                               py::tuple(py::cast(relit.source)), to_text(relit.estimate));
}

py::object to_python(Evidence evidence) {
  Answers one;
  one.answers.push_back(std::move(evidence.answer));
  py::tuple comparisons(evidence.comparisons.size());
  for (std::size_t i = 0; i < evidence.comparisons.size(); ++i) {
    comparisons[i] = to_python(std::move(evidence.comparisons[i]));
  }
  const py::tuple files =
      tuple_of(evidence.files, [](const std::pair<std::string, std::string>& file) {
        return py::make_tuple(to_text(file.first), to_text(file.second));
      });
  return result_class("Evidence")(to_python(one).attr("answers")[py::int_(0)], comparisons, files,
                                  tuple_of(evidence.steps, &to_text));
}

py::object to_python(const Annotated& annotated) {
  return result_class("Annotated")(to_python(annotated.answers),
                                   tuple_of(annotated.files, &to_text),
                                   to_python(annotated.rejections));
}

py::object to_python(const FoundFace& face) {
  const Box& box = face.box;
  return result_class("FoundFace")(py::make_tuple(box.x, box.y, box.width, box.height),
                                   to_python(std::optional<Eyes>(face.eyes)), face.eye_error,
                                   face.likeness, face.quality);
}

py::object to_python(const CameraFigures& figures) {
  const py::object type = result_class("Measured");
  const auto measured = [&](const Measured& one) { return type(one.value, one.deviation); };
  return result_class("CameraFigures")(
      to_text(figures.op), measured(figures.right), measured(figures.down), measured(figures.wider),
      measured(figures.taller), measured(figures.blur), measured(figures.gamma), figures.black,
      figures.noise, figures.mean_face, figures.faces, to_text(figures.days));
}

py::object to_python(const Sharded& done) {
  return result_class("Sharded")(done.shards, done.people, done.photos, done.moved);
}

py::object to_python(const Checked& checked) {
  return result_class("Checked")(checked.people, checked.photos, checked.indexes, checked.bytes);
}

py::object to_python(const Compacted& compacted) {
  return result_class("Compacted")(
      compacted.bytes_before, compacted.bytes_after,
      tuple_of(compacted.forgotten, [](const std::string& one) { return to_text(one); }));
}

py::object to_python(const Transferred& transferred) {
  return result_class("Transferred")(transferred.people, transferred.photos,
                                     to_python(transferred.rejections));
}

py::object to_python(const Finding& finding) {
  return result_class("Finding")(to_text(to_string(finding.level)), to_text(finding.about),
                                 to_text(finding.what), to_text(finding.advice));
}

}  // namespace longshot::python
