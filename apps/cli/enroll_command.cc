// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "longshot/core/error.h"
#include "longshot/dataset/person_names.h"
#include "longshot/pipeline/enroller.h"
#include "longshot/pipeline/gallery_setup.h"
#include "longshot/pipeline/trainer.h"

#include "commands.h"
#include "face_options.h"

namespace longshot::cli {
namespace {

struct EnrollArguments {
  std::vector<std::string> paths;
  std::string gallery;
  std::string model;
  std::string person;
  PersonFrom person_from = PersonFrom::kAuto;
  std::string high;
  bool force = false;
  bool refresh = false;
  FaceArguments face;
};

void set_up(GalleryStore& gallery, const std::vector<Input>& inputs,
            const EnrollArguments& arguments, const std::optional<TrainingFaces>& training) {
  const std::optional<GallerySetup> existing = find_setup(gallery);
  if (!existing) {
    GallerySetup setup;
    if (training) {
      setup.frame = training->frame;
      setup.high = training->size;
    } else {
      setup.frame = frame_for(inputs);
    }
    if (!arguments.high.empty()) setup.high = parse_size(arguments.high);
    write_setup(gallery, setup);
  } else if (!arguments.high.empty() && parse_size(arguments.high) != existing->high) {
    throw Error("The faces of {} are {}; that is fixed when a gallery is made.", arguments.gallery,
                to_string(existing->high));
  }
  if (training) set_training(gallery, *training);
}

std::string summary(const EnrolReport& report, const GalleryStore& gallery) {
  return fmt::format("{} photos of {} new people enrolled; {} now holds {} people, {} photos\n",
                     report.photos, report.people, gallery.path().string(), gallery.person_count(),
                     gallery.photo_count());
}

int run_enroll(const EnrollArguments& arguments, Context& context) {
  if (arguments.paths.empty() && arguments.model.empty() && !arguments.refresh) {
    throw Error("Name photos to enrol. Try: longshot enroll --help");
  }
  std::optional<TrainingFaces> training;
  if (!arguments.model.empty()) training = read_training(arguments.model);
  std::vector<Input> inputs;
  if (!arguments.paths.empty()) {
    std::vector<Dataset> datasets = load_face_inputs(arguments.paths, arguments.face);
    if (arguments.person.empty()) {
      for (std::size_t i = 0; i < datasets.size(); ++i) {
        name_people(datasets[i], arguments.paths[i], arguments.person_from);
      }
    }
    inputs = list_inputs(datasets, Role::kGallery);
  }
  GalleryStore gallery(arguments.gallery, inputs.empty() ? GalleryStore::Access::kWrite
                                                         : GalleryStore::Access::kCreate);
  const DiscardUnused discard(gallery);
  set_up(gallery, inputs, arguments, training);
  if (arguments.refresh) forget_models(gallery);
  EnrolOptions options;
  options.person = arguments.person;
  options.force = arguments.force;
  options.detector = arguments.face.detector;
  const EnrolReport report = enrol(gallery, inputs, options, *context.progress);
  if (report.photos == 0 && !inputs.empty()) {
    const Rejection& first = report.rejections.front();
    throw Error("None of {} photos could be enrolled; the first, {}: {}", inputs.size(), first.path,
                first.reason);
  }
  const int told = after_change([&] { print_result(summary(report, gallery)); });
  report_warnings(report.warnings);
  return std::max(told, report_rejections(report.rejections));
}

}  // namespace

Action add_enroll(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<EnrollArguments>();
  CLI::App* command = add_command(
      app, "enroll", "Add people, or photos of people, to a gallery; makes it if there is none.",
      "longshot enroll people --gallery people.gallery");
  EnrollArguments& a = *arguments;
  command->add_option("path", a.paths, "Folders, images, manifests or .mat files");
  command->add_option("--gallery", a.gallery, "The gallery file")->required();
  command->add_option("--model", a.model, "What was learnt by longshot train; kept in the gallery");
  command->add_option("--person", a.person, "Whom all photos show; default: as files say");
  command
      ->add_option("--person-from", a.person_from,
                   "What says whom a photo shows: folder, stem (of its file) or manifest")
      ->transform(
          CLI::Transformer(std::map<std::string, PersonFrom>{{"folder", PersonFrom::kFolder},
                                                             {"stem", PersonFrom::kStem},
                                                             {"manifest", PersonFrom::kManifest}}));
  command->add_option("--hr", a.high,
                      "Size of the faces of a new gallery; default: the model's, or 48x40");
  command->add_flag("--force", a.force, "Enrol photos that the quality gate refuses");
  command->add_flag("--refresh", a.refresh,
                    "Learn anew, from the people who are enrolled now, when next needed");
  add_face_options(*command, a.face);
  return [arguments, &context] { return run_enroll(*arguments, context); };
}

}  // namespace longshot::cli
