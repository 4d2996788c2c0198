// SPDX-License-Identifier: Apache-2.0
#include "longshot/dataset/csv.h"

namespace longshot {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::string_view kSpaces = " \t";

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {
    if (text_.starts_with(kByteOrderMark)) text_.remove_prefix(kByteOrderMark.size());
  }

  std::vector<CsvRecord> parse() {
    std::vector<CsvRecord> records;
    while (at_ < text_.size()) {
      CsvRecord record = parse_record();
      const bool blank = record.fields.size() == 1 && record.fields[0].empty() && !quoted_;
      if (!blank || !record.problem.empty()) records.push_back(std::move(record));
    }
    return records;
  }

 private:
  CsvRecord parse_record() {
    CsvRecord record;
    record.line = line_;
    quoted_ = false;
    while (true) {
      skip_spaces();
      record.fields.push_back(at_ < text_.size() && text_[at_] == '"' ? quoted_field(record.problem)
                                                                      : plain_field());
      if (at_ >= text_.size()) break;
      const bool comma = text_[at_] == ',';
      if (!comma) {
        end_line();
        break;
      }
      ++at_;
    }
    return record;
  }

  std::string plain_field() {
    const std::size_t end = std::min(text_.find_first_of(",\r\n", at_), text_.size());
    std::string_view field = text_.substr(at_, end - at_);
    at_ = end;
    field = field.substr(0, field.find_last_not_of(kSpaces) + 1);
    return std::string(field);
  }

  std::string quoted_field(std::string& problem) {
    quoted_ = true;
    std::string field;
    for (++at_; at_ < text_.size(); ++at_) {
      const char letter = text_[at_];
      if (letter == '"') {
        if (at_ + 1 >= text_.size() || text_[at_ + 1] != '"') break;
        ++at_;
      }
      if (letter == '\n') ++line_;
      field += letter;
    }
    if (at_ >= text_.size()) {
      problem = "A quotation mark is not closed.";
      return field;
    }
    ++at_;
    skip_spaces();
    if (at_ < text_.size() &&
        std::string_view(",\r\n").find(text_[at_]) == std::string_view::npos) {
      problem = "There is text after a closing quotation mark.";
      plain_field();
    }
    return field;
  }

  void skip_spaces() { at_ = std::min(text_.find_first_not_of(kSpaces, at_), text_.size()); }

  void end_line() {
    if (text_.substr(at_, 2) == "\r\n") ++at_;
    ++at_;
    ++line_;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  Index line_ = 1;
  bool quoted_ = false;  // the current record has a quoted field: it is not a blank line
};

}  // namespace

std::vector<CsvRecord> parse_csv(std::string_view text) {
  return Parser(text).parse();
}

std::string csv_field(std::string_view text) {
  const bool outer_space = !text.empty() && (kSpaces.find(text.front()) != std::string_view::npos ||
                                             kSpaces.find(text.back()) != std::string_view::npos);
  if (!outer_space && text.find_first_of(",\"\r\n") == std::string_view::npos) {
    return std::string(text);
  }
  std::string field = "\"";
  for (const char letter : text) {
    if (letter == '"') field += '"';
    field += letter;
  }
  return field + '"';
}

std::string table_cell(std::string_view text) {
  constexpr std::string_view kFormula = "=+-@\t\r";
  const bool formula = !text.empty() && kFormula.find(text.front()) != std::string_view::npos;
  return csv_field(formula ? "'" + std::string(text) : std::string(text));
}

}  // namespace longshot
