// SPDX-License-Identifier: Apache-2.0
#include "longshot/core/blas.h"

#include <mutex>

#include <cblas.h>

namespace longshot {
namespace {

std::mutex blas_mutex;  // guards the next two
int blas_users = 0;
int threads_before = 0;

}  // namespace

SingleThreadedBlas::SingleThreadedBlas() {
  const std::lock_guard<std::mutex> lock(blas_mutex);
  if (blas_users++ > 0) return;
  threads_before = openblas_get_num_threads();
  if (threads_before != 1) openblas_set_num_threads(1);
}

SingleThreadedBlas::~SingleThreadedBlas() {
  const std::lock_guard<std::mutex> lock(blas_mutex);
  if (--blas_users > 0) return;
  if (threads_before != 1) openblas_set_num_threads(threads_before);
}

}  // namespace longshot
