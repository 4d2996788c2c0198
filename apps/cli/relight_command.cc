// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "longshot/relighting.h"

#include "commands.h"
#include "face_options.h"

namespace longshot::cli {
namespace {

struct RelightArguments {
  std::string photo;
  RelightRequest request;
  std::string high = to_string(RelightRequest().size);
  std::string low = "12x10";
  std::string lights = "9";
  std::string out;
  std::string sheet;
  FaceArguments face;
};

int run_relight(RelightArguments arguments) {
  RelightRequest& request = arguments.request;
  request.size = parse_size(arguments.high);
  request.lights = parse_lights(arguments.lights);
  request.detector = arguments.face.detector;
  const std::vector<Picture> photos =
      load_pictures({arguments.photo}, Purpose::any, arguments.face);
  if (photos.size() != 1) {
    throw Error(ErrorKind::bad_input, fmt::format("relight takes one photo, but {} holds {}.",
                                                  arguments.photo, photos.size()));
  }
  const Relit relit = relight(photos[0], request);
  write_relit(arguments.out, relit);
  if (!arguments.sheet.empty()) {
    write_relit_sheet(arguments.sheet, relit, parse_size(arguments.low));
  }
  return after_change([&] {
    print_result(
        fmt::format("Light from azimuth {:.0f}, elevation {:.0f} degrees ({}); {} images in {}\n",
                    relit.light.azimuth, relit.light.elevation, relit.estimate, relit.images.size(),
                    arguments.out));
  });
}

}  // namespace

Action add_relight(CLI::App& app, Context& /*context*/) {
  auto arguments = std::make_shared<RelightArguments>();
  CLI::App* command =
      add_command(app, "relight", "Show a photographed face under other lights.",
                  "longshot relight photo.jpg --lights 9 --out lit --sheet lit.png");
  RelightArguments& a = *arguments;
  command->add_option("photo", a.photo, "Photo of one face")->required();
  command->add_option("--hr", a.high, "Rows x columns of the face")->capture_default_str();
  command->add_option("--lr", a.low, "Low resolution shown on the sheet")->capture_default_str();
  command->add_option("--lights", a.lights, "5, 9, 10, 28 or az:el,az:el,... in degrees")
      ->capture_default_str();
  command->add_option("--ambient", a.request.ambient, "Light from everywhere, against the source")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 10.0));
  command->add_option("--out", a.out, "Folder for the images")->required();
  command->add_option("--sheet", a.sheet, "Also write one picture with all of them");
  add_face_options(*command, a.face);
  return [arguments] { return run_relight(*arguments); };
}

}  // namespace longshot::cli
