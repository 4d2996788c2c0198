// SPDX-License-Identifier: Apache-2.0
#include "longshot/dataset/csv.h"

#include "../target.h"

namespace longshot::fuzz {
namespace {

// What is read and written again is the same.
void read_any_csv(std::string_view bytes) {
  for (const CsvRecord& record : parse_csv(bytes)) {
    if (!record.problem.empty()) continue;
    std::string line = "x";
    for (const std::string& field : record.fields) line += "," + csv_field(field);
    std::vector<CsvRecord> again = parse_csv(line);
    again.at(0).fields.erase(again.at(0).fields.begin());
    if (again.size() != 1 || again[0].fields != record.fields) std::terminate();
  }
}

const Registered csv("csv", read_any_csv);

}  // namespace
}  // namespace longshot::fuzz
