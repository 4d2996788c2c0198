// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "context.h"

namespace longshot::cli {

// Each adds its subcommand to the program; the returned action runs it and gives the exit code.
using Action = std::function<int()>;

Action add_audit(CLI::App& app, Context& context);
Action add_bench(CLI::App& app, Context& context);
Action add_camera(CLI::App& app, Context& context);
Action add_degrade(CLI::App& app, Context& context);
Action add_demo(CLI::App& app, Context& context);
Action add_doctor(CLI::App& app, Context& context);
Action add_enroll(CLI::App& app, Context& context);
Action add_evaluate(CLI::App& app, Context& context);
Action add_faces(CLI::App& app, Context& context);
Action add_gallery(CLI::App& app, Context& context);
Action add_identify(CLI::App& app, Context& context);
Action add_normals(CLI::App& app, Context& context);
Action add_people(CLI::App& app, Context& context);
Action add_relight(CLI::App& app, Context& context);
Action add_seal(CLI::App& app, Context& context);
Action add_serve(CLI::App& app, Context& context);
Action add_synth(CLI::App& app, Context& context);
Action add_train(CLI::App& app, Context& context);
Action add_unseal(CLI::App& app, Context& context);
Action add_verify(CLI::App& app, Context& context);
Action add_version(CLI::App& app, Context& context);

}  // namespace longshot::cli
