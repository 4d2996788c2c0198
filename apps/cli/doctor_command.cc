// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "longshot/system.h"

#include "build_info.h"
#include "commands.h"
#include "key_options.h"
#include "ways_out.h"

namespace longshot::cli {
namespace {

using Json = nlohmann::ordered_json;

struct DoctorArguments {
  std::string gallery;
  KeyArguments key;
  std::string detector;
  std::string json;
};

std::string findings_as_text(const std::vector<Finding>& findings) {
  std::string text = version_line() + "\n";
  for (const Finding& finding : findings) {
    text += fmt::format("{:<8} {:<10} {}\n", to_string(finding.level), finding.about, finding.what);
    if (!finding.advice.empty())
      text += fmt::format("{:<20}{}\n", "", with_ways_out(finding.advice));
  }
  return text;
}

std::string findings_as_json(const std::vector<Finding>& findings, bool well) {
  Json document = {{"version", version()},
                   {"commit", commit()},
                   {"instruction_set", instruction_set()},
                   {"well", well},
                   {"findings", Json::array()}};
  for (const Finding& finding : findings) {
    document["findings"].push_back({{"level", to_string(finding.level)},
                                    {"about", finding.about},
                                    {"what", finding.what},
                                    {"advice", finding.advice}});
  }
  // Paths need not be UTF-8.
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

int run_doctor(const DoctorArguments& arguments) {
  std::vector<Finding> findings = examine_system(arguments.detector);
  if (!arguments.gallery.empty()) {
    const std::vector<Finding> more = examine_gallery(arguments.gallery, read_key(arguments.key));
    findings.insert(findings.end(), more.begin(), more.end());
  }
  const bool well = std::ranges::none_of(
      findings, [](const Finding& finding) { return finding.level == Finding::Level::problem; });
  deliver(findings_as_text(findings), findings_as_json(findings, well), arguments.json);
  return well ? kDone : kSomeRejected;
}

}  // namespace

Action add_doctor(CLI::App& app, Context& /*context*/) {
  auto arguments = std::make_shared<DoctorArguments>();
  CLI::App* command =
      add_command(app, "doctor", "Say what is installed, whether a gallery is whole, what to do.",
                  "longshot doctor --gallery people.gallery");
  DoctorArguments& a = *arguments;
  command->add_option("--gallery", a.gallery, "A gallery to read from end to end");
  add_key_options(*command, a.key);
  command->add_option("--detector", a.detector,
                      "YuNet model (.onnx); default: the system's Haar cascades");
  add_json_option(*command, a.json, "the findings");
  return [arguments] { return run_doctor(*arguments); };
}

}  // namespace longshot::cli
