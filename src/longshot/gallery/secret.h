// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

namespace longshot {

// Bytes that nobody else may see: in memory that is neither swapped nor dumped where the system
// allows it, and wiped when it goes.
class Secret {
 public:
  explicit Secret(std::size_t size);  // zeros
  explicit Secret(std::span<const unsigned char> bytes);
  ~Secret();
  Secret(Secret&& other) noexcept;
  Secret(const Secret&) = delete;
  Secret& operator=(const Secret&) = delete;
  Secret& operator=(Secret&&) = delete;

  std::size_t size() const { return size_; }
  unsigned char* data() { return bytes_; }
  const unsigned char* data() const { return bytes_; }

 private:
  std::size_t size_;
  unsigned char* bytes_;
};

// Prepares libsodium, once. Throws Error if that fails.
void require_sodium();

}  // namespace longshot
