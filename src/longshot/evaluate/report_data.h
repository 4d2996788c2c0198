// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "longshot/evaluate/report.h"

namespace longshot {

// All that a report shows as one JSON object that may stand inside a <script> element: no '<' in
// it. Rates in percent, pictures as data URIs.
std::string report_data(const ReportInput& input);

}  // namespace longshot
