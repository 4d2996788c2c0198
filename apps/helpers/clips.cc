// SPDX-License-Identifier: Apache-2.0
// longshot-clips: decodes clips for the library in a process that can do nothing else, and encodes
// those that it writes. Not for users: the library starts it and talks to it.
#include <cmath>
#include <cstdlib>
#include <exception>
#include <limits>
#include <new>
#include <string>

#include <opencv2/core.hpp>
#include <opencv2/core/utils/logger.hpp>
#include <opencv2/imgproc.hpp>
#include <opencv2/videoio.hpp>

#include "longshot/clip/clip_messages.h"
#include "longshot/core/confined_process.h"

#include "channel.h"
#include "confinement.h"

namespace longshot::helper {
namespace {

// Containers and raw streams of one file. Playlists are not among them, which name other files; nor
// pictures, which the library reads by itself.
constexpr const char* kFormats =
    "format_whitelist;mov,matroska,avi,mpeg,mpegts,mpegvideo,m4v,h264,hevc,av1,obu,ivf,flv,asf,ogg,"
    "mxf,dv,mjpeg,yuv4mpegpipe,gif,wav,mp3,aac,flac|protocol_whitelist;file";

void send_problem(const std::string& sentence) {
  send(kClipProblem, sentence);
}

// 0 where the file states nothing that can be believed.
double stated(const cv::VideoCapture& clip, int property) {
  const double value = clip.get(property);
  return std::isfinite(value) && value > 0.0 && value < 1e9 ? value : 0.0;
}

ClipAbout about(const cv::VideoCapture& clip) {
  return {static_cast<std::int64_t>(stated(clip, cv::CAP_PROP_FRAME_HEIGHT)),
          static_cast<std::int64_t>(stated(clip, cv::CAP_PROP_FRAME_WIDTH)),
          stated(clip, cv::CAP_PROP_FPS),
          static_cast<std::int64_t>(stated(clip, cv::CAP_PROP_FRAME_COUNT))};
}

void send_frame(cv::VideoCapture& clip, std::int64_t number, double seconds,
                const ClipRequest& request) {
  cv::Mat frame;
  if (!clip.retrieve(frame) || frame.empty()) return send(kClipSkipped, bytes_of(number));
  if (static_cast<std::int64_t>(frame.total()) > request.max_pixels) {
    throw std::length_error("a frame is larger than allowed");
  }
  cv::Mat grey = frame;
  if (frame.channels() == 3) cv::cvtColor(frame, grey, cv::COLOR_BGR2GRAY);
  if (grey.type() != CV_8UC1) throw std::runtime_error("its pixels have an unknown form");
  const ClipFrameHead head = {number, seconds, grey.rows, grey.cols};
  const cv::Mat whole = grey.isContinuous() ? grey : grey.clone();
  send(kClipFrame, bytes_of(head), {reinterpret_cast<const char*>(whole.data), whole.total()});
}

// All frames from the first on: seeking lands beside the frame that was asked for.
void send_frames(cv::VideoCapture& clip, const ClipRequest& request, double rate) {
  double before = -1.0;
  double step = rate > 0.0 ? 1.0 / rate : 0.04;
  for (std::int64_t number = 0; clip.grab(); ++number) {
    // Times go up, whatever the file says. OpenCV knows none of the last frames, which a decoder
    // gives only after the file's end: they go on as those before them did.
    double seconds = clip.get(cv::CAP_PROP_POS_MSEC) / 1000.0;
    if (!std::isfinite(seconds) || seconds <= before) {
      seconds = before < 0.0 ? 0.0 : before + step;
    } else if (before >= 0.0) {
      step = seconds - before;
    }
    before = seconds;
    if (seconds > request.to) break;
    const bool wanted = seconds >= request.from && number % request.every == 0;
    if (wanted) {
      send_frame(clip, number, seconds, request);
    } else {
      send(kClipSkipped, bytes_of(number));
    }
  }
  send(kClipEnd, {});
}

void read_clip() {
  const std::optional<Message> asked = receive();
  if (!asked || asked->kind != kClipRequest) return;
  const auto request = value_of<ClipRequest>(asked->bytes);
  ::setenv("OPENCV_FFMPEG_CAPTURE_OPTIONS", kFormats, 1);
  forbid_world();
  cv::VideoCapture clip;
  const std::string file = "/proc/self/fd/" + std::to_string(ConfinedProcess::kFile);
  if (!clip.open(file, cv::CAP_FFMPEG) || !clip.isOpened()) {
    return send_problem("it holds no video that can be decoded");
  }
  forbid_opening();
  const ClipAbout what = about(clip);
  if (what.rows * what.cols > request.max_pixels) {
    return send_problem("its frames of " + std::to_string(what.rows) + "x" +
                        std::to_string(what.cols) + " pixels are larger than allowed");
  }
  send(kClipAbout, bytes_of(what));
  send_frames(clip, request, what.rate);
}

// Only what the library itself made is written, so nothing is forbidden.
void write_clip() {
  const std::optional<Message> asked = receive();
  if (!asked || asked->kind != kClipWrite) return;
  const auto head = value_of<ClipWriteHead>(asked->bytes);
  const std::string path = asked->bytes.substr(sizeof(head));
  const char* c = head.codec;
  const cv::Size size(static_cast<int>(head.cols), static_cast<int>(head.rows));
  cv::VideoWriter clip;
  if (!clip.open(path, cv::CAP_FFMPEG, cv::VideoWriter::fourcc(c[0], c[1], c[2], c[3]), head.rate,
                 size, true)) {
    return send_problem("there is no encoder for it, or its folder is not there");
  }
  send(kClipDone, {});
  while (auto frame = receive()) {
    if (frame->kind != kClipFrame) break;
    if (frame->bytes.size() != 3 * static_cast<std::size_t>(size.area())) return;
    clip.write(cv::Mat(size, CV_8UC3, frame->bytes.data()));
    send(kClipDone, {});
  }
  clip.release();
  send(kClipDone, {});
}

int run(const std::string& task, std::int64_t max_memory) {
  try {
    cv::utils::logging::setLogLevel(cv::utils::logging::LOG_LEVEL_SILENT);
    cv::setNumThreads(1);
    if (task == "write") {
      write_clip();
    } else {
      limit_self(max_memory);
      read_clip();
    }
    return EXIT_SUCCESS;
  } catch (const std::bad_alloc&) {
    send_problem("it takes more memory than allowed");
  } catch (const cv::Exception& error) {
    const bool memory = error.code == cv::Error::StsNoMem;
    send_problem(memory ? "it takes more memory than allowed" : "it cannot be decoded");
  } catch (const std::exception& error) {
    send_problem(error.what());
  }
  return EXIT_FAILURE;
}

}  // namespace
}  // namespace longshot::helper

int main(int count, char** arguments) {
  if (count != 3) return EXIT_FAILURE;
  return longshot::helper::run(arguments[1], std::strtoll(arguments[2], nullptr, 10));
}
