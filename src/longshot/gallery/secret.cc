// SPDX-License-Identifier: Apache-2.0
#include "longshot/gallery/secret.h"

#include <algorithm>
#include <new>
#include <utility>

#include <sodium.h>

#include "longshot/core/error.h"

namespace longshot {

void require_sodium() {
  static const bool ready = sodium_init() >= 0;
  if (!ready) throw Error(ErrorKind::unsupported, "This system offers no random numbers for keys.");
}

Secret::Secret(std::size_t size) : size_(size), bytes_(nullptr) {
  require_sodium();
  bytes_ = static_cast<unsigned char*>(sodium_malloc(std::max<std::size_t>(size, 1)));
  if (bytes_ == nullptr) throw std::bad_alloc();
  std::fill_n(bytes_, size, static_cast<unsigned char>(0));
}

Secret::Secret(std::span<const unsigned char> bytes) : Secret(bytes.size()) {
  std::ranges::copy(bytes, bytes_);
}

Secret::Secret(Secret&& other) noexcept
    : size_(std::exchange(other.size_, 0)), bytes_(std::exchange(other.bytes_, nullptr)) {}

Secret::~Secret() {
  sodium_free(bytes_);
}

}  // namespace longshot
