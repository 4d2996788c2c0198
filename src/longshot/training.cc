// SPDX-License-Identifier: Apache-2.0
#include "longshot/door.h"  // first: it keeps the two faces apart
#include "longshot/pipeline/trainer.h"

namespace longshot::v0 {

Trained train(const std::vector<Picture>& pictures, const std::filesystem::path& out,
              const TrainOptions& options, const Progress& progress) {
  return door::translated([&] {
    door::CallbackProgress shown;
    shown.use(progress);
    const std::vector<Input> inputs = door::inputs_of(pictures);
    IntakeOptions intake;
    intake.frame = frame_for(inputs);
    intake.high = door::inner(options.high);
    intake.detector = options.detector;
    const TrainReport report = longshot::train(inputs, intake, shown);
    write_training(out, report.faces);
    return Trained{report.faces.people(), report.faces.count(), door::outer(report.rejections)};
  });
}

}  // namespace longshot::v0
