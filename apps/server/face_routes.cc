// SPDX-License-Identifier: Apache-2.0
#include "longshot/faces.h"

#include "routes.h"

namespace longshot::server {
namespace {

Json face_document(const FoundFace& face) {
  return {{"box", {face.box.x, face.box.y, face.box.width, face.box.height}},
          {"eyes", {face.eyes.left.x, face.eyes.left.y, face.eyes.right.x, face.eyes.right.y}},
          {"eye_error", face.eye_error},
          {"likeness", face.likeness},
          {"quality", face.quality}};
}

// A bad image is an error in its place.
Json faces_document(const Picture& picture) {
  Json document = {{"path", picture.name}, {"faces", Json::array()}, {"error", nullptr}};
  try {
    for (const FoundFace& face : find_faces(picture)) {
      document["faces"].push_back(face_document(face));
    }
  } catch (const Error& error) {
    document["error"] = error.what();
  }
  return document;
}

Response faces(Service& service, const Request& request) {
  const Upload upload = read_upload(request, "images", service.limits);
  check_options(upload.options, {"images"});
  const PixelBudget::Share share(service.pixels, upload.pixels);
  Json images = Json::array();
  for (const Picture& picture : upload.pictures) images.push_back(faces_document(picture));
  return json_response({{"images", std::move(images)}});
}

}  // namespace

void add_face_routes(Router& router, Service& service) {
  router.add({"POST", "/v1/faces", Role::kReader,
              [&](const Request& request, const Parameters&) { return faces(service, request); }});
}

}  // namespace longshot::server
