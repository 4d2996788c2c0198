// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <any>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "longshot/picture.h"

// Single methods, as experiments use them, and the way in for methods of one's own.
namespace longshot::v0 {

// Grey images of one size.
struct Images {
  Size size;
  std::vector<double> values;  // image by image, each row by row from the top; 0 black to 1 white

  std::ptrdiff_t count() const {
    const std::ptrdiff_t pixels = size.rows * size.cols;
    return pixels == 0 ? 0 : static_cast<std::ptrdiff_t>(values.size()) / pixels;
  }
};

// All that a method may use of one person: the photos, and the photos under other lights, each as
// sharp as they are and at the low resolution.
struct PersonImages {
  Images photos_high;
  Images photos_low;
  Images relit_high;
  Images relit_low;
};

struct TrainingOptions {
  Size low = {12, 10};            // of the probes
  std::string op = "imresize";    // how photos are brought down: imresize, area, gauss or gauss:S
  std::optional<Eyes> eyes;       // in all photos, pixels; nothing: where our own crops have them
  std::string profile = "paper";  // how photos are relit; or best
};

// People who are not enrolled, from whom a method learns what faces have in common.
class LONGSHOT_API TrainingSet {
 public:
  // Photos of faces that are cut out alike, and a number for the person of each. Without photos a
  // method has to do with what is built in. Throws Error if they do not fit each other.
  TrainingSet(const Images& photos, const std::vector<int>& subjects,
              const TrainingOptions& options = {});

  Size high() const;  // of the photos
  Size low() const;   // of the probes
  Images photos_high() const;
  Images photos_low() const;
  const std::vector<int>& subjects() const;          // whom each photo shows
  std::vector<std::ptrdiff_t> gallery_like() const;  // photos like those of the gallery; none: any
  // Where there are no photos in an experiment: one of each who is about to be enrolled.
  Images enrolled_high() const;
  // A person with these photos, relit and brought down.
  PersonImages extend(const Images& photos_high) const;

  struct Value;
  explicit TrainingSet(std::shared_ptr<const Value> value);  // for the library itself
  const Value& value() const { return *value_; }

 private:
  std::shared_ptr<const Value> value_;
};

// What a method keeps of one person: its own business.
using Template = std::any;

// One way to recognise faces of a low resolution.
class LONGSHOT_API Method {
 public:
  virtual ~Method() = default;
  // Called once before the others, and again for other people or another size.
  virtual void learn(const TrainingSet& training) = 0;
  // By several threads at once.
  virtual Template enrol(const PersonImages& person) const = 0;
  // Smaller is more alike: of the first person to all probes, then of the next.
  virtual std::vector<double> distances(const std::vector<Template>& people,
                                        const Images& probes) const = 0;
};

using MethodMaker = std::function<std::unique_ptr<Method>()>;

struct MethodOptions {
  std::string profile = "paper";                  // or best
  bool tune = true;                               // by cross-validation on the training people
  std::map<std::string, std::string> parameters;  // set by hand: method_parameters()
  std::filesystem::path embedding;                // the face network of the method of that name
};

// The built-in methods, in the order in which tables show them.
LONGSHOT_API std::vector<std::string> method_names();
// One of them, which has learnt nothing yet. Its calls throw Error where images or templates are
// not what it was made for. Throws Error for an unknown name.
LONGSHOT_API std::unique_ptr<Method> make_method(const std::string& name,
                                                 const MethodOptions& options = {});

}  // namespace longshot::v0
