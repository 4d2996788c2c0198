// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <longshot/longshot.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include "arrays.h"
#include "kept.h"
#include "pictures.h"
#include "research.h"
#include "results.h"
#include "work.h"

namespace longshot::python {
namespace {

constexpr const char* kParts[] = {"photos_high", "photos_low", "relit_high", "relit_low"};

py::object images_of(PersonImages person) {
  return py::module_::import("longshot.methods")
      .attr("PersonImages")(
          to_python(std::move(person.photos_high)), to_python(std::move(person.photos_low)),
          to_python(std::move(person.relit_high)), to_python(std::move(person.relit_low)));
}

PersonImages to_person(const py::object& person) {
  Images parts[4];
  for (int i = 0; i < 4; ++i) parts[i] = to_images(person.attr(kParts[i]));
  return {std::move(parts[0]), std::move(parts[1]), std::move(parts[2]), std::move(parts[3])};
}

// A method that Python implements. The library calls it without the GIL.
class PythonMethod final : public Method {
 public:
  explicit PythonMethod(const py::object& object) : object_(kept(object)) {}

  void learn(const TrainingSet& training) override {
    const py::gil_scoped_acquire gil;
    object_of(object_).attr("learn")(training);
  }
  Template enrol(const PersonImages& person) const override {
    const py::gil_scoped_acquire gil;
    return kept(object_of(object_).attr("enrol")(images_of(person)));
  }
  std::vector<double> distances(const std::vector<Template>& people,
                                const Images& probes) const override {
    const py::gil_scoped_acquire gil;
    py::list templates;
    for (const Template& one : people) templates.append(object_of(std::any_cast<Kept>(one)));
    const py::object found = object_of(object_).attr("distances")(templates, to_python(probes));
    const Rows rows = to_rows(found, "Distances");
    const auto expected = std::pair(static_cast<py::ssize_t>(people.size()), probes.count());
    if (std::pair(rows.shape(0), rows.shape(1)) != expected) {
      throw Error(ErrorKind::bad_input, "Distances have the shape (people, probes), here (" +
                                            std::to_string(expected.first) + ", " +
                                            std::to_string(expected.second) + "), not " +
                                            std::string(py::str(rows.attr("shape"))) + ".");
    }
    return {rows.data(), rows.data() + rows.size()};
  }

 private:
  Kept object_;
};

TrainingSet training_of(const py::object& photos, const py::iterable& subjects,
                        const py::object& probe_size, const std::string& op,
                        const std::optional<std::array<double, 4>>& eyes,
                        const std::string& profile) {
  TrainingOptions options;
  options.low = to_size(probe_size);
  options.op = op;
  if (eyes) options.eyes = Eyes{{(*eyes)[0], (*eyes)[1]}, {(*eyes)[2], (*eyes)[3]}};
  options.profile = profile;
  py::dict numbers;
  std::vector<int> labels;
  for (const py::handle& subject : subjects) {
    labels.push_back(
        numbers.attr("setdefault")(subject, static_cast<int>(py::len(numbers))).cast<int>());
  }
  const Images images = to_images(photos);
  return run_for(py::none(), [&](const Progress&) { return TrainingSet(images, labels, options); });
}

py::object extended(const TrainingSet& training, const py::object& photos) {
  const Images images = to_images(photos);
  return images_of(run_for(py::none(), [&](const Progress&) { return training.extend(images); }));
}

// A built-in method. What was learnt is replaced as a whole, so that other threads may go on.
class BuiltIn {
 public:
  BuiltIn(std::string name, MethodOptions options)
      : name_(std::move(name)), options_(std::move(options)), method_(fresh()) {}

  void learn(const TrainingSet& training) {
    std::shared_ptr<Method> learning = fresh();
    run(py::none(), [&](const Progress&) { learning->learn(training); });
    method_ = std::move(learning);
  }
  Template enrol(const py::object& person) const {
    const PersonImages images = to_person(person);
    const std::shared_ptr<const Method> method = method_;
    return run_for(py::none(), [&](const Progress&) { return method->enrol(images); });
  }
  py::array distances(const std::vector<Template>& people, const py::object& probes) const {
    const Images images = to_images(probes);
    const std::shared_ptr<const Method> method = method_;
    return to_array(
        run_for(py::none(), [&](const Progress&) { return method->distances(people, images); }),
        {static_cast<py::ssize_t>(people.size()), images.count()});
  }

 private:
  std::shared_ptr<Method> fresh() const { return make_method(name_, options_); }

  std::string name_;
  MethodOptions options_;
  std::shared_ptr<Method> method_;  // guarded by the GIL
};

// A template of a built-in method, which only that one understands.
struct BuiltInTemplate {
  Template value;
};

std::vector<Template> templates_of(const py::iterable& people) {
  std::vector<Template> templates;
  for (const py::handle& one : people) {
    if (!py::isinstance<BuiltInTemplate>(one)) {
      throw Error(ErrorKind::bad_input, "People are a list of what enrol has returned.");
    }
    templates.push_back(one.cast<const BuiltInTemplate&>().value);
  }
  return templates;
}

void bind_training(py::module_& module) {
  const TrainingOptions defaults;
  py::class_<TrainingSet>(
      module, "TrainingSet",
      "People from whom a method learns what faces have in common.\n\n"
      "``photos`` are faces that are cut out alike, (number, rows, columns), of uint8 or of real "
      "numbers\nfrom 0 to 1; ``subjects`` says whom each shows. ``eyes``: x and y of the left one "
      "in pixels, then of\nthe right one, in all of them. No photos: methods use what is built "
      "in, if they can.\n\n"
      ">>> photos = [relight(one).face for one in load(\"people\")]\n"
      ">>> training = TrainingSet(photos, load(\"people\").people, probe_size=(7, 6))\n"
      ">>> training.photos_low.shape, training.extend(photos[0]).relit_low.shape[1:]\n"
      "((6, 7, 6), (7, 6))")
      .def(py::init(&training_of), py::arg("photos"), py::arg("subjects"), py::kw_only(),
           py::arg("probe_size") = py::make_tuple(defaults.low.rows, defaults.low.cols),
           py::arg("op") = defaults.op, py::arg("eyes") = py::none(),
           py::arg("profile") = defaults.profile)
      .def_property_readonly("size", [](const TrainingSet& one) { return to_python(one.high()); })
      .def_property_readonly("probe_size",
                             [](const TrainingSet& one) { return to_python(one.low()); })
      .def_property_readonly("photos_high",
                             [](const TrainingSet& one) { return to_python(one.photos_high()); })
      .def_property_readonly("photos_low",
                             [](const TrainingSet& one) { return to_python(one.photos_low()); })
      .def_property_readonly("subjects", &TrainingSet::subjects)
      .def_property_readonly("gallery_like", &TrainingSet::gallery_like)
      .def_property_readonly("enrolled_high",
                             [](const TrainingSet& one) { return to_python(one.enrolled_high()); })
      .def("extend", &extended, py::arg("photos"),
           "The PersonImages of a person with these photos: relit and brought down.");
}

}  // namespace

MethodMaker maker_of(const py::object& make) {
  return [own = kept(make)]() -> std::unique_ptr<Method> {
    const py::gil_scoped_acquire gil;
    const py::object method = object_of(own)();
    for (const char* name : {"learn", "enrol", "distances"}) {
      if (!py::hasattr(method, name)) {
        throw Error(ErrorKind::bad_input, "A method has learn, enrol and distances, but " +
                                              std::string(Py_TYPE(method.ptr())->tp_name) +
                                              " has no " + name + ".");
      }
    }
    return std::make_unique<PythonMethod>(method);
  };
}

void bind_methods(py::module_& module) {
  bind_training(module);
  py::class_<BuiltInTemplate>(module, "Template",
                              "What a built-in method keeps of a person: its own business.\n\n"
                              ">>> isinstance(3, Template)\nFalse");
  py::class_<BuiltIn>(module, "Method")
      .def(py::init([](const std::string& name, const std::string& profile, bool tune,
                       const std::map<std::string, std::string>& parameters,
                       const std::filesystem::path& embedding) {
             return BuiltIn(name, {profile, tune, parameters, embedding});
           }),
           py::arg("name"), py::arg("profile"), py::arg("tune"), py::arg("parameters"),
           py::arg("embedding"))
      .def("learn", &BuiltIn::learn, py::arg("training"))
      .def(
          "enrol",
          [](const BuiltIn& own, const py::object& person) {
            return BuiltInTemplate{own.enrol(person)};
          },
          py::arg("person"))
      .def(
          "distances",
          [](const BuiltIn& own, const py::iterable& people, const py::object& probes) {
            return own.distances(templates_of(people), probes);
          },
          py::arg("people"), py::arg("probes"));
  module.def("method_names", &method_names);
}

}  // namespace longshot::python
