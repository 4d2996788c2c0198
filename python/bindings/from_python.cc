// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <string>

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "arrays.h"
#include "pictures.h"
#include "results.h"
#include "text.h"

namespace longshot::python {
namespace {

void expect(const py::object& object, const char* name) {
  const py::object type = py::module_::import("longshot").attr(name);
  if (py::isinstance(object, type)) return;
  throw Error(ErrorKind::bad_input, "This takes " + std::string(name) + " of longshot, not a " +
                                        std::string(Py_TYPE(object.ptr())->tp_name) + ".");
}

std::string text_at(const py::handle& object, const char* name) {
  return to_bytes(py::str(object.attr(name)));
}

template <typename Value>
Value value_at(const py::handle& object, const char* name) {
  return object.attr(name).cast<Value>();
}

std::vector<Rejection> rejections_at(const py::handle& object, const char* name) {
  std::vector<Rejection> all;
  for (const py::handle& one : object.attr(name)) {
    all.push_back({text_at(one, "name"), text_at(one, "reason")});
  }
  return all;
}

Light to_light(const py::handle& light) {
  return {value_at<double>(light, "azimuth"), value_at<double>(light, "elevation")};
}

Answer answer_of(const py::handle& object) {
  Answer answer;
  answer.name = text_at(object, "name");
  if (const py::object size = object.attr("size"); !size.is_none()) answer.size = to_size(size);
  answer.known = value_at<bool>(object, "known");
  for (const py::handle& one : object.attr("candidates")) {
    answer.candidates.push_back({text_at(one, "person"), value_at<double>(one, "score"),
                                 value_at<double>(one, "residual")});
  }
  answer.threshold = value_at<double>(object, "threshold");
  answer.margin = value_at<double>(object, "margin");
  answer.fpir = value_at<double>(object, "fpir");
  answer.people = value_at<std::ptrdiff_t>(object, "people");
  if (!object.attr("error").is_none()) answer.error = text_at(object, "error");
  answer.frames = value_at<std::ptrdiff_t>(object, "frames");
  if (const py::object face = object.attr("face"); !face.is_none()) {
    answer.face = to_found_face(face);
  }
  answer.frame = value_at<std::ptrdiff_t>(object, "frame");
  answer.time = value_at<double>(object, "time");
  answer.track = value_at<std::ptrdiff_t>(object, "track");
  answer.rejections = rejections_at(object, "rejections");
  answer.warnings = rejections_at(object, "warnings");
  for (const py::handle& one : object.attr("annotated")) {
    answer.annotated.push_back(to_bytes(py::str(one)));
  }
  return answer;
}

}  // namespace

Answers to_answers(const py::object& answers) {
  expect(answers, "Answers");
  Answers all;
  for (const py::handle& one : answers.attr("answers")) all.answers.push_back(answer_of(one));
  for (const py::handle& one : answers.attr("cameras")) {
    all.cameras.push_back(value_at<Camera>(one, "_camera"));
  }
  return all;
}

FoundFace to_found_face(const py::object& face) {
  expect(face, "FoundFace");
  const auto box = value_at<std::array<double, 4>>(face, "box");
  const auto eyes = value_at<std::array<double, 4>>(face, "eyes");
  return {{box[0], box[1], box[2], box[3]},
          {{eyes[0], eyes[1]}, {eyes[2], eyes[3]}},
          value_at<double>(face, "eye_error"),
          value_at<double>(face, "likeness"),
          value_at<double>(face, "quality")};
}

Plane to_plane(const py::object& array) {
  const Images images = to_images(array);
  if (images.count() != 1) {
    throw Error(ErrorKind::bad_input, "This takes one grey image, (rows, columns).");
  }
  return {images.size, {images.values.begin(), images.values.end()}};
}

Relit to_relit(const py::object& relit) {
  expect(relit, "Relit");
  const auto plane_at = [&](const char* name) { return to_plane(relit.attr(name)); };
  Relit values;
  values.face = plane_at("face");
  values.albedo = plane_at("albedo");
  for (const py::handle& one : relit.attr("images")) {
    values.images.push_back(to_plane(py::reinterpret_borrow<py::object>(one)));
  }
  for (const py::handle& one : relit.attr("lights")) values.lights.push_back(to_light(one));
  values.light = to_light(relit.attr("light"));
  values.strength = value_at<double>(relit, "strength");
  values.ambient = value_at<double>(relit, "ambient");
  values.source = value_at<std::array<double, 3>>(relit, "source");
  values.estimate = text_at(relit, "estimate");
  std::size_t axis = 0;
  for (const py::handle& one : relit.attr("normals")) {
    values.normals.at(axis++) = to_plane(py::reinterpret_borrow<py::object>(one));
  }
  return values;
}

}  // namespace longshot::python
