// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "longshot/camera/camera.h"
#include "longshot/camera/simulated_camera.h"
#include "longshot/decide/background.h"
#include "longshot/evaluate/experiment.h"
#include "longshot/evaluate/experiment_faces.h"
#include "longshot/recognize/recognizer.h"

namespace longshot {

// One enrolled person of one run.
struct Enrolled {
  std::string subject;
  std::vector<Index> photos;  // samples
  Matrix photos_high;         // N_H x p
  Matrix relit_high;          // N_H x m
};

// What all sizes and methods of a draw share.
struct DrawData {
  Matrix train_high;  // N_H x n
  std::vector<int> train_subjects;
  std::vector<Index> gallery_like;  // columns of train_high
  std::shared_ptr<const Relighter> relighter;
  std::vector<std::vector<Enrolled>> people;  // by run
  double relight_ms = 0.0;                    // per person
  Background background;                      // where decisions are asked for
};

// One photo of each, N_H x people.
Matrix first_photos_of(const std::vector<Enrolled>& people);

DrawData prepare_draw(const Dataset& dataset, const ExperimentOptions& options,
                      const ExperimentFaces& faces, const Draw& draw,
                      const std::vector<LightDirection>& lights);

// How the methods see the gallery of one run: as the probes show faces.
struct View {
  std::optional<Camera> camera;  // through which; nothing: probes and gallery share an operator
  TrainingSet training;
  std::vector<PersonImages> people;  // in the order of DrawData::people
};

View plain_view(const DrawData& data, const std::vector<Enrolled>& people,
                const FaceGeometry& geometry, bool use_training);
View camera_view(const DrawData& data, const std::vector<Enrolled>& people,
                 const FaceGeometry& geometry, bool use_training, const Camera& camera);

// Learns the camera of the probes (N_L x n), of whom nobody says whom they show, as a gallery of
// these people would.
Camera learn_camera(const View& view, const std::vector<Enrolled>& people, const MatrixRef& probes);

// The same camera with the framing, blur and tone curve that the simulated one really has.
Camera known_camera(Camera learnt, const SimulatedCamera& truth);

// The plan with every run before one of `count` simulated cameras, and repeated until each camera
// had its turn.
ProtocolPlan with_simulated_cameras(const ProtocolPlan& plan, Index count);

}  // namespace longshot
