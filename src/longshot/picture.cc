// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <utility>

#include "longshot/core/parallel.h"
#include "longshot/core/private_file.h"
#include "longshot/dataset/file_name.h"
#include "longshot/dataset/person_names.h"
#include "longshot/door.h"  // first: it keeps the two faces apart
#include "longshot/image/image_io.h"

namespace longshot {
namespace {

v0::Picture from_memory(const std::uint8_t* pixels, v0::Size size, std::ptrdiff_t stride,
                        std::shared_ptr<const void> owner, Index channels) {
  if (pixels == nullptr || size.rows < 1 || size.cols < 1 || size.rows > kLargestImageSide ||
      size.cols > kLargestImageSide) {
    throw Error("A picture of {}x{} pixels cannot be used: 1x1 to {}x{} can.", size.rows, size.cols,
                kLargestImageSide, kLargestImageSide);
  }
  const std::ptrdiff_t row_bytes = size.cols * channels;
  if (stride != 0 && std::abs(stride) < row_bytes) {
    throw Error("A row of {} pixels has {} bytes, more than the stride of {}.", size.cols,
                row_bytes, stride);
  }
  v0::Picture::Source source;
  source.size = door::inner(size);
  source.channels = channels;
  source.pixels = pixels;
  source.stride = stride == 0 ? row_bytes : stride;
  if (owner) {
    source.owner = std::move(owner);
  } else {
    std::vector<std::uint8_t> copy;
    copy.reserve(static_cast<std::size_t>(size.rows * row_bytes));
    for (std::ptrdiff_t row = 0; row < size.rows; ++row) {
      const std::uint8_t* const begin = pixels + row * source.stride;
      copy.insert(copy.end(), begin, begin + row_bytes);
    }
    const auto kept = std::make_shared<const std::vector<std::uint8_t>>(std::move(copy));
    source.pixels = kept->data();
    source.stride = row_bytes;
    source.owner = kept;
  }
  v0::Picture picture(std::make_shared<const v0::Picture::Source>(std::move(source)));
  picture.name = "image";
  return picture;
}

// Thousandths of ITU-R BT.601, so that a grey pixel in colour is exactly the grey one.
Image from_pixels(const v0::Picture::Source& source) {
  Image image(source.size.rows, source.size.cols);
  for (Index row = 0; row < image.rows(); ++row) {
    const std::uint8_t* at = source.pixels + row * source.stride;
    for (Index col = 0; col < image.cols(); ++col, at += source.channels) {
      image(row, col) = source.channels == 1 ? at[0] / 255.0
                                             : (299 * at[0] + 587 * at[1] + 114 * at[2]) / 255000.0;
    }
  }
  return image;
}

DecodedPhoto read_source(const v0::Picture::Source& source, const std::string& name) {
  if (!source.problem.empty()) throw Error("{}", source.problem);
  if (source.channels > 0) return {from_pixels(source)};
  if (!source.bytes.empty() || source.path.empty()) return decode_photo(source.bytes, name);
  SampleReader reader;
  Sample sample;
  sample.path = source.path;
  sample.row = source.row;
  return reader.read_photo(sample);
}

Role role_of(v0::Purpose purpose) {
  switch (purpose) {
    case v0::Purpose::enroll:
      return Role::kGallery;
    case v0::Purpose::identify:
      return Role::kProbe;
    case v0::Purpose::train:
      return Role::kTrain;
    case v0::Purpose::any:
      break;
  }
  return Role::kUnspecified;
}

longshot::PersonFrom inner_names(v0::PersonFrom from) {
  switch (from) {
    case v0::PersonFrom::folder:
      return longshot::PersonFrom::kFolder;
    case v0::PersonFrom::stem:
      return longshot::PersonFrom::kStem;
    case v0::PersonFrom::manifest:
      return longshot::PersonFrom::kManifest;
    default:
      return longshot::PersonFrom::kAuto;
  }
}

v0::Picture outer_picture(const Input& input) {
  if (!input.problem.empty()) return v0::Picture::unusable(input.problem, input.path);
  v0::Picture::Source source;
  source.path = input.sample.path;
  source.row = input.sample.row;
  source.frame = input.aligned;
  v0::Picture picture(std::make_shared<const v0::Picture::Source>(std::move(source)));
  picture.name = input.path;
  picture.person = input.sample.subject;
  if (const auto& eyes = input.sample.eyes) {
    picture.eyes = v0::Eyes{{eyes->left.x, eyes->left.y}, {eyes->right.x, eyes->right.y}};
  }
  if (const auto& box = input.sample.box) {
    picture.box = v0::Box{box->x, box->y, box->width, box->height};
  }
  return picture;
}

}  // namespace

namespace door {

FaceFrame crop_frame(longshot::Size size, const std::optional<v0::Eyes>& eyes) {
  const auto width = static_cast<double>(size.cols);
  const auto height = static_cast<double>(size.rows);
  FaceFrame frame;
  frame.aspect = height / width;
  if (eyes) {
    frame.eyes = {{eyes->left.x / width, eyes->left.y / height},
                  {eyes->right.x / width, eyes->right.y / height}};
  }
  frame.check();
  return frame;
}

v0::Plane outer(const Image& image) {
  v0::Plane plane{outer(size_of(image)), {}};
  plane.values.reserve(static_cast<std::size_t>(image.size()));
  for (Index row = 0; row < image.rows(); ++row) {
    for (Index col = 0; col < image.cols(); ++col) {
      plane.values.push_back(static_cast<float>(image(row, col)));
    }
  }
  return plane;
}

Image inner(const v0::Plane& plane) {
  if (plane.size.rows < 1 || plane.size.cols < 1 ||
      plane.values.size() != static_cast<std::size_t>(plane.size.rows * plane.size.cols)) {
    throw Error("A picture of {}x{} pixels has {} values.", plane.size.rows, plane.size.cols,
                plane.values.size());
  }
  Image image(plane.size.rows, plane.size.cols);
  for (Index row = 0; row < image.rows(); ++row) {
    for (Index col = 0; col < image.cols(); ++col) image(row, col) = plane.at(row, col);
  }
  return image;
}

Image image_of(const v0::Picture& picture) {
  return read_source(*picture.source(), picture.name).image;
}

Input input_of(const v0::Picture& picture) {
  const std::shared_ptr<const v0::Picture::Source> source = picture.source();
  Input input;
  input.path = picture.name;
  input.sample.path = source->path.empty() ? std::filesystem::path(picture.name) : source->path;
  input.sample.row = source->row;
  input.sample.subject = picture.person;
  input.aligned = source->frame;
  input.problem = source->problem;
  if (const auto& eyes = picture.eyes) {
    input.sample.eyes =
        longshot::Eyes{{eyes->left.x, eyes->left.y}, {eyes->right.x, eyes->right.y}};
  }
  if (const auto& box = picture.box) {
    input.sample.box = longshot::Box{box->x, box->y, box->width, box->height};
  }
  if (source->path.empty()) {
    input.read = [source, name = picture.name] { return read_source(*source, name); };
  }
  if (picture.aligned && input.problem.empty()) {
    try {
      input.aligned = crop_frame(size_of(image_of(picture)), picture.eyes);
    } catch (const Error& error) {
      input.problem = error.what();
    }
  }
  return input;
}

std::vector<Input> inputs_of(const std::vector<v0::Picture>& pictures) {
  std::vector<Input> inputs(pictures.size());
  parallel_for(static_cast<Index>(pictures.size()), [&](Index i) {
    const auto at = static_cast<std::size_t>(i);
    inputs[at] = input_of(pictures[at]);
  });
  return inputs;
}

}  // namespace door

namespace v0 {

Size parse_size(std::string_view text) {
  return door::outer(longshot::parse_size(text));
}

std::string to_string(Size size) {
  return longshot::to_string(door::inner(size));
}

void write_file(const std::filesystem::path& path, std::string_view bytes) {
  door::translated([&] { write_private_file(path, bytes); });
}

void write_plane(const std::filesystem::path& path, const Plane& plane) {
  door::translated(
      [&] { write_private_file(path, encode_plane(plane, path.extension().string())); });
}

std::string encode_plane(const Plane& plane, std::string_view extension) {
  return encode_image(door::inner(plane), lower_case(extension));
}

std::optional<Size> image_size(std::string_view bytes) {
  const std::optional<longshot::Size> size = read_image_size(bytes);
  return size ? std::optional(door::outer(*size)) : std::nullopt;
}

std::string person_of_file(const std::filesystem::path& file) {
  return subject_of_file(file);
}

Picture::Picture(std::shared_ptr<const Source> source) : source_(std::move(source)) {}

Picture Picture::file(const std::filesystem::path& path) {
  Source source;
  source.path = path;
  Picture picture(std::make_shared<const Source>(std::move(source)));
  picture.name = path.string();
  return picture;
}

Picture Picture::encoded(std::string bytes, std::string name) {
  Source source;
  source.bytes = std::move(bytes);
  Picture picture(std::make_shared<const Source>(std::move(source)));
  picture.name = std::move(name);
  return picture;
}

Picture Picture::grey(const std::uint8_t* pixels, Size size, std::ptrdiff_t stride,
                      std::shared_ptr<const void> owner) {
  return from_memory(pixels, size, stride, std::move(owner), 1);
}

Picture Picture::rgb(const std::uint8_t* pixels, Size size, std::ptrdiff_t stride,
                     std::shared_ptr<const void> owner) {
  return from_memory(pixels, size, stride, std::move(owner), 3);
}

Picture Picture::crop(const std::uint8_t* pixels, Size size, std::string person) {
  Picture picture = grey(pixels, size);
  picture.aligned = true;
  picture.person = std::move(person);
  return picture;
}

Picture Picture::unusable(std::string reason, std::string name) {
  Source source;
  source.problem = reason.empty() ? "There is no picture." : std::move(reason);
  Picture picture(std::make_shared<const Source>(std::move(source)));
  picture.name = std::move(name);
  return picture;
}

PictureList load(const std::vector<std::filesystem::path>& paths, Purpose purpose,
                 Unusable unusable, PersonFrom from) {
  return door::translated([&] {
    PictureList list;
    std::vector<Dataset> datasets = load_inputs(paths);
    for (std::size_t i = 0; i < datasets.size() && from != PersonFrom::anything; ++i) {
      name_people(datasets[i], paths[i], inner_names(from));
    }
    for (const Dataset& dataset : datasets) {
      list.passed_over.insert(list.passed_over.end(), dataset.passed_over.begin(),
                              dataset.passed_over.end());
    }
    for (Dataset& dataset : datasets) {
      if (purpose != Purpose::any) break;
      for (Sample& sample : dataset.samples) sample.role = Role::kUnspecified;
    }
    for (const Input& input : list_inputs(datasets, role_of(purpose))) {
      if (input.problem.empty() || unusable == Unusable::keep) {
        list.pictures.push_back(outer_picture(input));
      } else {
        list.rejections.push_back({input.path, input.problem});
      }
    }
    return list;
  });
}

}  // namespace v0
}  // namespace longshot
