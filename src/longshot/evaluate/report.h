// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "longshot/evaluate/experiment.h"
#include "longshot/evaluate/protocol.h"

namespace longshot {

// What a report tells; all of it must outlive the call.
struct ReportInput {
  const Dataset& dataset;
  const ProtocolPlan& plan;
  const ExperimentOptions& options;
  const Experiment& experiment;
  std::string data_name;  // of the data set, as people call it
  std::string date;       // as shown
  std::string command;    // that makes this report again, as typed into a shell; may have lines
  std::string version;    // of the program
};

// One HTML page that needs nothing else: style, charts, pictures and numbers are inside, nothing
// is loaded from anywhere. Samples' names may hold any text.
std::string html_report(const ReportInput& input);

}  // namespace longshot
