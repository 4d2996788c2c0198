// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "longshot/gallery.h"

#include "commands.h"
#include "face_options.h"
#include "key_options.h"
#include "terminal_progress.h"
#include "terminal_text.h"

namespace longshot::cli {
namespace {

struct EnrollArguments {
  std::vector<std::string> paths;
  std::string gallery;
  KeyArguments key;
  EnrollOptions options;
  PersonFrom person_from = PersonFrom::layout;
  std::string high;
  FaceArguments face;
};

// Whom the photos were taken to show, which a layout that was misread gives away.
std::string assumed_people(const std::vector<Picture>& pictures, PersonFrom from) {
  constexpr std::ptrdiff_t kShown = 3;
  std::set<std::string> names;
  for (const Picture& picture : pictures) names.insert(picture.person);
  names.erase("");
  std::string text;
  std::ptrdiff_t count = 0;
  for (const std::string& name : names) {
    if (count++ == kShown) break;
    text += (text.empty() ? "" : ", ") + name;
  }
  if (std::ssize(names) > kShown)
    text += " and " + counted(std::ssize(names) - kShown, "other", "others");
  const char* by = from == PersonFrom::folder     ? "by their folders"
                   : from == PersonFrom::stem     ? "by the names of their files"
                   : from == PersonFrom::manifest ? "by the manifest"
                                                  : "by their folders, names or manifest";
  return fmt::format("{}: {}\n", by, text);
}

std::string summary(const Enrolled& enrolled, const Gallery& gallery) {
  const std::string left_out =
      enrolled.rejections.empty() ? "" : fmt::format(", {} left out", enrolled.rejections.size());
  return fmt::format("{} of {} enrolled{}; {} now holds {}, {}\n",
                     counted(enrolled.photos, "photo", "photos"),
                     counted(enrolled.people, "new person", "new people"), left_out,
                     gallery.path().string(), counted(gallery.person_count(), "person", "people"),
                     counted(gallery.photo_count(), "photo", "photos"));
}

int run_enroll(EnrollArguments arguments, const Context& context) {
  EnrollOptions& options = arguments.options;
  if (arguments.paths.empty() && options.model.empty() && !options.refresh) {
    throw Error(ErrorKind::bad_input, "Name photos to enrol. Try: longshot enroll --help");
  }
  if (!arguments.high.empty()) options.high = parse_size(arguments.high);
  options.detector = arguments.face.detector;
  std::vector<Picture> pictures;
  if (!arguments.paths.empty()) {
    const PersonFrom from = options.person.empty() ? arguments.person_from : PersonFrom::anything;
    if (options.person.empty() &&
        std::ranges::find(arguments.paths, "-") != arguments.paths.end()) {
      throw Error(ErrorKind::bad_input,
                  "Say with --person whom the image on standard input shows.");
    }
    pictures = load_pictures(arguments.paths, Purpose::enroll, arguments.face, from);
  }
  const Key key = read_key(arguments.key);
  Gallery gallery = pictures.empty() ? Gallery::open(arguments.gallery, Access::write, key)
                                     : Gallery::open_or_create(arguments.gallery, key);
  const Enrolled enrolled =
      gallery.enroll(pictures, options, TerminalProgress(context.quiet).callback());
  std::string text = summary(enrolled, gallery);
  if (!pictures.empty() && options.person.empty()) {
    text += assumed_people(pictures, arguments.person_from);
  }
  const int told = after_change([&] { print_result(text); });
  report_warnings(enrolled.warnings);
  return std::max(told, report_rejections(enrolled.rejections));
}

}  // namespace

Action add_enroll(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<EnrollArguments>();
  CLI::App* command = add_command(
      app, "enroll", "Add people, or photos of people, to a gallery; makes it if there is none.",
      "longshot enroll photos --gallery people.gallery");
  EnrollArguments& a = *arguments;
  command->add_option("path", a.paths,
                      "Folders, images (- on standard input), manifests or .mat files");
  command->add_option("--gallery", a.gallery, "The gallery file")->required();
  add_key_options(*command, a.key);
  command->add_option("--model", a.options.model,
                      "What was learnt by longshot train; kept in the gallery");
  command->add_option("--person", a.options.person, "Whom all photos show; default: as files say");
  command
      ->add_option("--person-from", a.person_from,
                   "What says whom a photo shows: folder, stem (of its file) or manifest")
      ->transform(
          CLI::Transformer(std::map<std::string, PersonFrom>{{"folder", PersonFrom::folder},
                                                             {"stem", PersonFrom::stem},
                                                             {"manifest", PersonFrom::manifest}}));
  command->add_option("--hr", a.high,
                      "Size of the faces of a new gallery; default: the model's, or 48x40");
  command->add_flag("--force", a.options.force, "Enrol photos that the quality gate refuses");
  command->add_flag("--refresh", a.options.refresh,
                    "Learn anew, from the people who are enrolled now, when next needed");
  add_face_options(*command, a.face);
  return [arguments, &context] { return run_enroll(*arguments, context); };
}

}  // namespace longshot::cli
