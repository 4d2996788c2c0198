// SPDX-License-Identifier: Apache-2.0
#include "longshot/dataset/frgc.h"

#include <algorithm>

#include <pugixml.hpp>

#include "longshot/core/error.h"
#include "longshot/core/file.h"
#include "longshot/dataset/dataset_json.h"
#include "longshot/dataset/file_name.h"
#include "longshot/dataset/folder_listing.h"

namespace longshot {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kMostSignatureBytes = std::uintmax_t{256} << 20;
constexpr int kMaxLevels = 8;  // from a presentation up to its signature

std::string_view local_name(const char* name) {
  const std::string_view whole(name);
  return whole.substr(whole.find(':') + 1);  // npos + 1 is 0
}

// The first of these attributes that is there and not empty.
std::string attribute(const pugi::xml_node& node, std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) {
    for (const pugi::xml_attribute& candidate : node.attributes()) {
      const std::string_view value = candidate.value();
      if (local_name(candidate.name()) == name && !value.empty()) return std::string(value);
    }
  }
  return "";
}

// A complex biometric names the subject only where no signature does.
std::string subject_of(const pugi::xml_node& presentation) {
  std::string complex_name;
  pugi::xml_node node = presentation.parent();
  for (int level = 0; node && level < kMaxLevels; ++level, node = node.parent()) {
    const std::string_view name = local_name(node.name());
    if (name == "biometric-signature" || name == "signature") {
      std::string subject = attribute(node, {"subject-id", "subject_id", "name"});
      if (!subject.empty()) return subject;
    }
    if (name == "complex-biometric" && complex_name.empty()) {
      complex_name = attribute(node, {"subject-id", "subject_id", "name"});
    }
  }
  return complex_name;
}

bool is_face(const pugi::xml_node& presentation) {
  const std::string modality = lower_case(attribute(presentation, {"modality"}));
  return modality.empty() || modality.find("face") != std::string::npos;
}

// pugixml walks without recursion, so that no depth of nesting exhausts the stack.
class Presentations : public pugi::xml_tree_walker {
 public:
  bool for_each(pugi::xml_node& node) override {
    if (node.type() != pugi::node_element) return true;
    const std::string_view name = local_name(node.name());
    if (name == "biometric-signature-set" || name == "biometric-signature" ||
        name == "complex-biometric") {
      is_signature_set = true;
    }
    if (name == "presentation" && is_face(node)) found.push_back(node);
    return true;
  }

  bool is_signature_set = false;
  std::vector<pugi::xml_node> found;
};

std::vector<fs::path> image_roots(const fs::path& file) {
  const fs::path folder = fs::absolute(file).lexically_normal().parent_path();
  std::vector<fs::path> roots;
  for (const fs::path& place : {folder, folder.parent_path()}) {
    roots.push_back(place);
    const std::vector<fs::path> inside = list_folder(place).folders;
    roots.insert(roots.end(), inside.begin(), inside.end());
  }
  return roots;
}

// The file under the first root that has it; otherwise where it was expected first.
fs::path find_image(const std::string& name, const std::vector<fs::path>& roots) {
  std::string portable = name;
  std::replace(portable.begin(), portable.end(), '\\', '/');
  for (const fs::path& root : roots) {
    std::error_code ignored;
    if (fs::exists(root / portable, ignored)) return root / portable;
  }
  return roots.front() / portable;
}

// Throws Error with the reason why the presentation cannot be used.
Sample parse_presentation(const pugi::xml_node& node, const std::vector<fs::path>& roots) {
  const std::string name = attribute(node, {"file-name", "filename"});
  if (name.empty()) throw Error("The presentation has no file-name.");
  Sample sample;
  sample.subject = subject_of(node);
  if (sample.subject.empty()) throw Error("The signature of {} has no name.", name);
  sample.path = find_image(name, roots);
  if (const std::string problem = file_problem(sample.path); !problem.empty()) {
    throw Error("{} cannot be used: {}", sample.path.string(), problem);
  }
  sample.session = attribute(node, {"session", "session-id", "session_id", "recording-id", "date",
                                    "capture-date", "datetime"});
  sample.condition = attribute(node, {"condition", "environment", "illumination", "expression"});
  return sample;
}

}  // namespace

Dataset read_frgc(const fs::path& file) {
  const std::string text = read_file(file, kMostSignatureBytes);
  pugi::xml_document document;
  // pugixml never reads a DTD nor resolves entities beyond the five of XML.
  const pugi::xml_parse_result parsed = document.load_buffer(text.data(), text.size());
  if (!parsed) {
    throw Error("{} is not valid XML: {} near byte {}.", file.string(),
                lower_case(parsed.description()), parsed.offset);
  }
  Presentations presentations;
  document.traverse(presentations);
  if (!presentations.is_signature_set) {
    throw Error("{} is not a signature set: it has no biometric-signature.", file.string());
  }
  Dataset dataset;
  dataset.aligned = aligned_frame(fs::absolute(file).parent_path());
  const std::vector<fs::path> roots = image_roots(file);
  for (const pugi::xml_node& node : presentations.found) {
    try {
      dataset.samples.push_back(parse_presentation(node, roots));
    } catch (const Error& error) {
      const std::string name = attribute(node, {"name"});
      dataset.rejections.push_back(
          {name.empty() ? file.string() : fmt::format("{}: {}", file.string(), name),
           error.what()});
    }
  }
  return dataset;
}

}  // namespace longshot
