// SPDX-License-Identifier: Apache-2.0
#include "longshot/evaluate/experiment_draw.h"

#include <algorithm>
#include <map>
#include <utility>

#include "longshot/core/parallel.h"
#include "longshot/core/stopwatch.h"
#include "longshot/decide/crowd.h"
#include "longshot/recognize/camera_centres.h"
#include "longshot/recognize/face_relighter.h"

namespace longshot {
Matrix first_photos_of(const std::vector<Enrolled>& people) {
  Matrix photos(people.front().photos_high.rows(), static_cast<Index>(people.size()));
  for (std::size_t i = 0; i < people.size(); ++i) {
    photos.col(static_cast<Index>(i)) = people[i].photos_high.col(0);
  }
  return photos;
}

DrawData prepare_draw(const Dataset& dataset, const ExperimentOptions& options,
                      const ExperimentFaces& faces, const Draw& draw,
                      const std::vector<LightDirection>& lights) {
  DrawData data;
  if (options.use_training) {
    data.train_high = columns_of(faces.high_faces, draw.train);
    std::map<std::string, int> labels;
    for (std::size_t k = 0; k < draw.train.size(); ++k) {
      const std::string& subject = dataset.samples[static_cast<std::size_t>(draw.train[k])].subject;
      data.train_subjects.push_back(
          labels.try_emplace(subject, static_cast<int>(labels.size())).first->second);
      if (std::binary_search(draw.gallery_like.begin(), draw.gallery_like.end(), draw.train[k])) {
        data.gallery_like.push_back(static_cast<Index>(k));
      }
    }
  }
  std::optional<AlbedoPrior> trained;
  const AlbedoKnowledge known = albedo_knowledge(options.method);
  if (known == AlbedoKnowledge::kTrained && data.train_high.cols() > 0) {
    trained = trained_albedo(faces.frame, faces.high, data.train_high);
  }
  data.relighter =
      make_relighter(faces.frame, faces.high, known_albedo(known, faces.frame, faces.high, trained),
                     relight_options(options.method, lights));
  if (options.decisions || options.scores) {
    data.background = make_background(faces.frame, faces.high, data.train_high, data.train_subjects,
                                      BackgroundParts::kPeopleAndProbes);
  }

  std::vector<Enrolled*> all;
  data.people.resize(draw.runs.size());
  for (std::size_t r = 0; r < draw.runs.size(); ++r) {
    std::map<std::string, std::vector<Index>> photos;
    for (const Index i : draw.runs[r].gallery) {
      photos[dataset.samples[static_cast<std::size_t>(i)].subject].push_back(i);
    }
    for (auto& [subject, samples] : photos) {
      data.people[r].push_back({subject, samples, columns_of(faces.high_faces, samples), Matrix()});
    }
    for (Enrolled& person : data.people[r]) all.push_back(&person);
  }
  // Sizes do not matter to relighting, so the extender's low resolution is any.
  const Extender extender(data.relighter, {faces.frame, faces.high, faces.high, DegradeOperator()});
  Vector times(static_cast<Index>(all.size()));
  parallel_for(static_cast<Index>(all.size()), [&](Index i) {
    Enrolled& person = *all[static_cast<std::size_t>(i)];
    const Stopwatch watch;
    person.relit_high = extender.relit(person.photos_high);
    times(i) = 1000.0 * watch.seconds();
  });
  data.relight_ms = times.mean();
  return data;
}

View plain_view(const DrawData& data, const std::vector<Enrolled>& people,
                const FaceGeometry& geometry, bool use_training) {
  View view;
  const auto extender = std::make_shared<Extender>(data.relighter, geometry);
  view.training = {data.train_high, data.train_subjects, data.gallery_like, extender, {}};
  // All that a user without training people has: the photos of those to enrol.
  if (!use_training) {
    const auto count = static_cast<Index>(people.size());
    std::vector<Index> learnt_from;
    for (Index i = 0; i < count; i += enrolled_step(count)) learnt_from.push_back(i);
    view.training.enrolled_high = first_photos_of(people)(Eigen::all, learnt_from);
  }
  for (const Enrolled& person : people) {
    view.people.push_back(extender->extend(person.photos_high, person.relit_high));
  }
  return view;
}

View camera_view(const DrawData& data, const std::vector<Enrolled>& people,
                 const FaceGeometry& geometry, bool use_training, const Camera& camera) {
  View view = plain_view(data, people, through_camera(geometry, camera), use_training);
  view.camera = camera;
  return view;
}

Camera learn_camera(const View& view, const std::vector<Enrolled>& people,
                    const MatrixRef& probes) {
  const auto count = static_cast<Index>(people.size());
  const Matrix photos = first_photos_of(people)(Eigen::all, spread(count, kCameraPeople));
  return learn_centred_camera(
      probes,
      make_camera_reference(*view.training.extender, view.training.photos_high, photos, count));
}

Camera known_camera(Camera learnt, const SimulatedCamera& truth) {
  learnt.learnt = true;
  learnt.op = {OperatorKind::kGauss, truth.blur};
  learnt.registration = truth.registration;
  learnt.gamma = truth.gamma;
  learnt.black = truth.offset;
  learnt.error = {};
  learnt.tone.resize(0);
  learnt.centres.clear();
  learnt.faces = 0;
  return learnt;
}

ProtocolPlan with_simulated_cameras(const ProtocolPlan& plan, Index count) {
  Index runs = 0;
  for (const Draw& draw : plan.draws) runs += static_cast<Index>(draw.runs.size());
  ProtocolPlan repeated = plan;
  Index number = 0;
  for (Draw& draw : repeated.draws) {
    const std::vector<Run> once = std::exchange(draw.runs, {});
    for (const Run& run : once) {
      Index camera = number % count;
      do {
        draw.runs.push_back(run);
        draw.runs.back().camera = camera;
        camera += runs;
      } while (camera < count);
      ++number;
    }
  }
  return repeated;
}

}  // namespace longshot
