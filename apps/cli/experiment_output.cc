// SPDX-License-Identifier: Apache-2.0
#include "experiment_output.h"

#include <string_view>

#include <fmt/format.h>

namespace longshot::cli {
namespace {

std::string quoted(const std::string& argument) {
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=+./:,@%";
  if (!argument.empty() && argument.find_first_not_of(kPlain) == std::string::npos) return argument;
  std::string text = "'";
  for (const char c : argument) {
    if (c == '\'') {
      text += "'\\''";
    } else {
      text += c;
    }
  }
  return text + "'";
}

}  // namespace

std::string result_table(const std::vector<MethodResult>& results) {
  std::string text =
      fmt::format("{:<12}{:>8}{:>7}{:>9}{:>7}{:>9}{:>9}{:>12}{:>12}\n", "method", "size", "noise",
                  "rank1 %", "+-", "DIR@1%", "EER %", "enrol ms", "identify ms");
  for (const MethodResult& result : results) {
    const auto dir = result.dir_at_fpir.find(0.01);
    text += fmt::format("{:<12}{:>8}{:>7g}{:>9.1f}{:>7.1f}{:>9}{:>9.1f}{:>12.3f}{:>12.4f}\n",
                        result.method, to_string(result.size), result.noise, result.rank1,
                        result.rank1_std,
                        dir == result.dir_at_fpir.end() ? "-" : fmt::format("{:.1f}", dir->second),
                        result.eer, result.enroll_ms_per_person, result.identify_ms_per_probe);
  }
  return text;
}

std::string decision_table(const std::vector<MethodResult>& results) {
  std::string text;
  for (const MethodResult& result : results) {
    for (auto asked = result.decided.rbegin(); asked != result.decided.rend(); ++asked) {
      const DecidedRates& rates = asked->second;
      text += fmt::format("{:<12}{:>8}{:>7g}{:>9g}{:>12.2f}{:>9.1f}{:>11}\n", result.method,
                          to_string(result.size), result.noise, 100.0 * asked->first, rates.fpir,
                          rates.dir, rates.strangers);
    }
  }
  if (text.empty()) return text;
  return fmt::format(
             "\nFalse positives, as identify decides:\n{:<12}{:>8}{:>7}{:>9}{:>12}{:>9}{:>11}\n",
             "method", "size", "noise", "asked %", "measured %", "DIR %", "strangers") +
         text;
}

std::string command_line(const std::vector<std::string>& arguments) {
  std::string text = "longshot";
  for (std::size_t i = 1; i < arguments.size(); ++i) text += " " + quoted(arguments[i]);
  return text;
}

}  // namespace longshot::cli
