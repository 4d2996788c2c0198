// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "longshot/image/image.h"

namespace cv {
class Mat;
}

namespace longshot {

// What a small network of our own (training/face_judge.py) says about a place where a face may be.
struct FaceJudgement {
  double log_odds = 0.0;   // that this is a face; above 0: more likely than not
  Eyes eyes;               // where they really are
  double eye_error = 0.0;  // root of the mean squared error of such an eye, in eye distances
  double contrast = 0.0;   // deviation of the brightness around the eyes, 0 to 1
};

// Looks at the surroundings of proposed eyes and moves them to where the network sees them, some
// rounds. The network learnt from faces with at most kMostJudgedDistance pixels between the eyes:
// larger ones are to be shrunk before. Beyond the border of the image its last pixels are repeated.
inline constexpr double kMostJudgedDistance = 26.0;
FaceJudgement judge_face(const cv::Mat& grey, const Eyes& proposed);

}  // namespace longshot
