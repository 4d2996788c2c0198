// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

namespace longshot::mpi {

// Says who this process is, for the sentence that is printed if it dies: "host, which holds ...".
using Describe = std::function<void(const std::string&)>;

// Runs `work` in a process of its own, and waits for it. One that dies by a signal is named on
// stderr, and the exit code is then 2, which makes mpirun end the whole job. To be called before
// there are threads.
int supervised(const std::function<int(const Describe&)>& work);

}  // namespace longshot::mpi
