// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace longshot {

// While one lives, in any thread, BLAS uses one thread in this process: our own loops use the
// cores, and every product has the same bits for any number of them. With the last one the number
// of threads is again what it was before the first: it belongs to the program, not to us.
class SingleThreadedBlas {
 public:
  SingleThreadedBlas();
  ~SingleThreadedBlas();
  SingleThreadedBlas(const SingleThreadedBlas&) = delete;
  SingleThreadedBlas& operator=(const SingleThreadedBlas&) = delete;
};

}  // namespace longshot
