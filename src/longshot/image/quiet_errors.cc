// SPDX-License-Identifier: Apache-2.0
#include "longshot/image/quiet_errors.h"

#include <iostream>
#include <streambuf>

namespace longshot {
namespace {

thread_local int quiet_depth = 0;

// Stands before the buffer of std::cerr and holds nothing itself.
class Gate final : public std::streambuf {
 public:
  // When the library is loaded: later another thread might be writing.
  Gate() : behind_(std::cerr.rdbuf(this)) {}
  ~Gate() override {
    if (std::cerr.rdbuf() == this) std::cerr.rdbuf(behind_);
  }
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;

 protected:
  int_type overflow(int_type character) override {
    if (quiet_depth > 0 || traits_type::eq_int_type(character, traits_type::eof())) {
      return traits_type::not_eof(character);
    }
    return behind_->sputc(traits_type::to_char_type(character));
  }
  std::streamsize xsputn(const char* text, std::streamsize count) override {
    return quiet_depth > 0 ? count : behind_->sputn(text, count);
  }
  int sync() override { return quiet_depth > 0 ? 0 : behind_->pubsync(); }

 private:
  std::streambuf* behind_;
};

const Gate gate;

}  // namespace

QuietErrors::QuietErrors() {
  ++quiet_depth;
}

QuietErrors::~QuietErrors() {
  --quiet_depth;
}

}  // namespace longshot
