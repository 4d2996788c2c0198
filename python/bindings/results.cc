// SPDX-License-Identifier: Apache-2.0
#include "results.h"

#include <utility>

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "text.h"

namespace longshot::python {
namespace {

py::object result_class(const char* name) {
  return py::module_::import("longshot.results").attr(name);
}

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
  const py::object answer_type = result_class("Answer");
  const py::object candidate_type = result_class("Candidate");
  const py::object size_type = result_class("Size");
  const auto candidate = [&](const Candidate& one) {
    return candidate_type(to_text(one.person), one.score, one.residual);
  };
  const auto answer = [&](const Answer& one) {
    const bool answered = one.error.empty();
    return answer_type(to_text(one.name),
                       answered ? size_type(one.size.rows, one.size.cols) : py::object(py::none()),
                       one.known, tuple_of(one.candidates, candidate), optional_text(one.error),
                       one.frames, to_python(one.rejections), to_python(one.warnings),
                       one.threshold, one.margin, one.fpir, one.people);
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
  return result_class("Photo")(photo.id, to_text(photo.added_at), to_text(photo.source),
                               to_python(photo.size), to_python(photo.eyes),
                               py::cast(photo.quality));
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
                               relit.strength, relit.ambient, normals);
}

}  // namespace longshot::python
