// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "longshot/evaluate/report.h"

namespace longshot {

// "data:image/png;base64,...".
std::string picture_uri(const Image& image);

// The gallery photos of a few people and their probes at every size:
// [{"subject", "gallery", "probe", "low": [{"size", "picture"}]}].
nlohmann::ordered_json example_pictures(const ReportInput& input);

// The relighting figure: [{"subject", "azimuth", "elevation", "rows": [{"label", "pixelated",
// "pictures"}], "lights": [..]}], the rows at the high resolution and at each size.
nlohmann::ordered_json relighting_pictures(const ReportInput& input);

// The worst confusions of one result: [{"subject", "chosen", "condition", "margin",
// "probe_picture", "true_picture", "chosen_picture"}].
nlohmann::ordered_json confusion_pictures(const ReportInput& input, const ExperimentResult& result);

}  // namespace longshot
