// SPDX-License-Identifier: Apache-2.0
#include "longshot/dataset/manifest.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <functional>
#include <map>

#include "longshot/core/error.h"
#include "longshot/core/file.h"
#include "longshot/dataset/csv.h"
#include "longshot/dataset/dataset_json.h"
#include "longshot/dataset/file_name.h"
#include "longshot/dataset/folder_listing.h"

namespace longshot {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kMostManifestBytes = std::uintmax_t{256} << 20;
using FourColumns = std::array<std::string_view, 4>;
constexpr FourColumns kEyeColumns = {"left_eye_x", "left_eye_y", "right_eye_x", "right_eye_y"};
constexpr FourColumns kBoxColumns = {"box_x", "box_y", "box_w", "box_h"};
constexpr std::array<std::pair<Role, std::string_view>, 4> kRoles = {{{Role::kUnspecified, ""},
                                                                      {Role::kTrain, "train"},
                                                                      {Role::kGallery, "gallery"},
                                                                      {Role::kProbe, "probe"}}};

// The fields of one line by the names in the header.
class Row {
 public:
  Row(const std::map<std::string, std::size_t>& columns, const CsvRecord& record)
      : columns_(columns), record_(record) {}

  std::string get(std::string_view column) const {
    const auto found = columns_.find(std::string(column));
    return found == columns_.end() ? "" : record_.fields[found->second];
  }

  std::string required(std::string_view column) const {
    std::string value = get(column);
    if (value.empty()) throw Error("The column {} is empty.", column);
    return value;
  }

  double number(std::string_view column) const {
    const std::string text = get(column);
    double value = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) {
      throw Error("The column {} holds \"{}\", a number is needed.", column, text);
    }
    return value;
  }

  // All four numbers or none of them.
  std::optional<std::array<double, 4>> four_numbers(const FourColumns& columns) const {
    const auto is_missing = [&](std::string_view column) { return get(column).empty(); };
    if (std::all_of(columns.begin(), columns.end(), is_missing)) return std::nullopt;
    if (const auto* missing = std::find_if(columns.begin(), columns.end(), is_missing);
        missing != columns.end()) {
      throw Error("{} is missing: the columns {} are given together or not at all.", *missing,
                  fmt::join(columns, ", "));
    }
    std::array<double, 4> values{};
    std::transform(columns.begin(), columns.end(), values.begin(),
                   [&](std::string_view column) { return number(column); });
    return values;
  }

 private:
  const std::map<std::string, std::size_t>& columns_;
  const CsvRecord& record_;
};

Role parse_role(const std::string& text) {
  for (const auto& [role, name] : kRoles) {
    if (lower_case(text) == name) return role;
  }
  throw Error("The column role holds \"{}\", it must be train, gallery, probe or empty.", text);
}

std::optional<Eyes> parse_eyes(const Row& row) {
  const auto values = row.four_numbers(kEyeColumns);
  if (!values) return std::nullopt;
  const auto [left_x, left_y, right_x, right_y] = *values;
  if (left_x >= right_x) {
    throw Error(
        "left_eye_x must be less than right_eye_x: the left eye is the one on the image's "
        "left.");
  }
  return Eyes{{left_x, left_y}, {right_x, right_y}};
}

std::optional<Box> parse_box(const Row& row) {
  const auto values = row.four_numbers(kBoxColumns);
  if (!values) return std::nullopt;
  const auto [x, y, width, height] = *values;
  if (width <= 0.0 || height <= 0.0) throw Error("box_w and box_h must be greater than 0.");
  return Box{x, y, width, height};
}

Index parse_row_of_mat(const Row& row, const fs::path& path) {
  const std::string text = row.get("row");
  if (lower_case(path.extension().string()) != ".mat") return -1;
  const std::optional<int> number = whole_number(text);
  if (!number) throw Error("The column row must say which face of the .mat file is meant.");
  return *number;
}

// The image of a line; manifests written on Windows separate folders with a backslash.
fs::path parse_path(const Row& row, const fs::path& folder) {
  std::string name = row.required("path");
  if (name.find('\0') != std::string::npos) throw Error("The column path holds a zero byte.");
  fs::path path = folder / name;
  std::string problem = file_problem(path);
  if (!problem.empty() && name.find('\\') != std::string::npos) {
    std::replace(name.begin(), name.end(), '\\', '/');
    path = folder / name;
    problem = file_problem(path);
  }
  if (!problem.empty()) throw Error("{} cannot be used: {}", path.string(), problem);
  return path;
}

Sample parse_sample(const Row& row, const fs::path& folder) {
  Sample sample;
  sample.path = parse_path(row, folder);
  sample.row = parse_row_of_mat(row, sample.path);
  // The faces of a frame are listed by its `source`, and nobody knows yet whose they are.
  sample.subject = row.get("source").empty() ? row.required("subject") : row.get("subject");
  sample.session = row.get("session");
  sample.condition = row.get("condition");
  sample.role = parse_role(row.get("role"));
  sample.eyes = parse_eyes(row);
  sample.box = parse_box(row);
  return sample;
}

std::map<std::string, std::size_t> parse_header(const std::vector<CsvRecord>& records,
                                                const fs::path& file) {
  if (records.empty()) {
    throw Error("{} is empty: a manifest needs a header with the columns path and subject.",
                file.string());
  }
  std::map<std::string, std::size_t> columns;
  for (std::size_t i = 0; i < records[0].fields.size(); ++i) {
    const std::string name = lower_case(records[0].fields[i]);
    if (!name.empty() && !columns.emplace(name, i).second) {
      throw Error("{} has the column {} twice.", file.string(), name);
    }
  }
  std::vector<std::string> missing;
  for (const char* name : {"path", "subject"}) {
    if (!columns.contains(name)) missing.emplace_back(name);
  }
  if (!missing.empty()) {
    throw Error(
        "{} has no column {} in its header: a manifest is separated by commas and needs "
        "path and subject.",
        file.string(), fmt::join(missing, " and no column "));
  }
  return columns;
}

// Column name and how a sample fills it; a number that is absent gives an empty field.
struct Column {
  std::string name;
  std::function<std::string(const Sample&)> value;
};

std::vector<Column> optional_columns() {
  std::vector<Column> columns = {
      {"session", [](const Sample& s) { return s.session; }},
      {"condition", [](const Sample& s) { return s.condition; }},
      {"role",
       [](const Sample& s) {
         return std::string(kRoles[static_cast<std::size_t>(s.role)].second);
       }},
      {"row", [](const Sample& s) { return s.row < 0 ? "" : fmt::format("{}", s.row); }}};
  for (std::size_t i = 0; i < 4; ++i) {
    columns.push_back({std::string(kEyeColumns[i]), [i](const Sample& s) -> std::string {
                         if (!s.eyes) return "";
                         const auto& [left, right] = *s.eyes;
                         return fmt::format("{}", std::array{left.x, left.y, right.x, right.y}[i]);
                       }});
  }
  for (std::size_t i = 0; i < 4; ++i) {
    columns.push_back({std::string(kBoxColumns[i]), [i](const Sample& s) -> std::string {
                         if (!s.box) return "";
                         const auto& [x, y, width, height] = *s.box;
                         return fmt::format("{}", std::array{x, y, width, height}[i]);
                       }});
  }
  return columns;
}

// Links are resolved in the folders, so that ".." means the same to the system as it does here, but
// not in the file's name, which may say more than that of its target.
fs::path relative_to(const fs::path& path, const fs::path& folder) {
  const fs::path whole = fs::absolute(path);
  const fs::path place = fs::weakly_canonical(whole.parent_path()) / whole.filename();
  return place.lexically_relative(folder);
}

}  // namespace

Dataset read_manifest(const fs::path& file) {
  const std::string text = read_file(file, kMostManifestBytes);
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) {
    throw Error("{} is written in UTF-16: save it as UTF-8.", file.string());
  }
  const std::vector<CsvRecord> records = parse_csv(text);
  const std::map<std::string, std::size_t> columns = parse_header(records, file);
  Dataset dataset;
  dataset.aligned = aligned_frame(fs::absolute(file).parent_path());
  for (std::size_t i = 1; i < records.size(); ++i) {
    const CsvRecord& record = records[i];
    try {
      if (!record.problem.empty()) throw Error("{}", record.problem);
      if (record.fields.size() != records[0].fields.size()) {
        throw Error("The line has {} fields, the header has {}.", record.fields.size(),
                    records[0].fields.size());
      }
      dataset.samples.push_back(parse_sample(Row(columns, record), file.parent_path()));
    } catch (const Error& error) {
      dataset.rejections.push_back(
          {fmt::format("{}:{}", file.string(), record.line), error.what()});
    }
  }
  return dataset;
}

void write_manifest(const fs::path& file, const std::vector<Sample>& samples) {
  const fs::path folder = fs::weakly_canonical(fs::absolute(file).parent_path());
  std::vector<Column> columns = {
      {"path", [&](const Sample& s) { return relative_to(s.path, folder).generic_string(); }},
      {"subject", [](const Sample& s) { return s.subject; }}};
  for (Column& column : optional_columns()) {
    const bool used = std::any_of(samples.begin(), samples.end(),
                                  [&](const Sample& s) { return !column.value(s).empty(); });
    if (used) columns.push_back(std::move(column));
  }
  std::vector<std::string> fields(columns.size());
  std::string text;
  std::transform(columns.begin(), columns.end(), fields.begin(),
                 [](const Column& column) { return column.name; });
  text += fmt::format("{}\n", fmt::join(fields, ","));
  for (const Sample& sample : samples) {
    std::transform(columns.begin(), columns.end(), fields.begin(),
                   [&](const Column& column) { return csv_field(column.value(sample)); });
    text += fmt::format("{}\n", fmt::join(fields, ","));
  }
  write_file(file, text);
}

}  // namespace longshot
