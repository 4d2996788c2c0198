// SPDX-License-Identifier: Apache-2.0
// Each request that the server knows, changed at random: it gets an answer or an end.
#include <algorithm>
#include <map>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "attack.h"
#include "openapi_check.h"

namespace longshot::server_test {
namespace {

constexpr int kMutations = 300;

std::string with_images(const std::string& target, const std::vector<FormFile>& files,
                        const Json& options) {
  return request_text("POST", target, form(files, options.dump()), {{"content-type", kFormType}});
}

// One good request for every operation of the document.
std::map<std::string, std::string> good_requests() {
  const std::vector<FormFile> photo = {{"a.png", photo_png(7)}};
  const std::vector<FormFile> probe = {{"a.png", probe_png(1)}};
  const Json aligned = Json::array({{{"aligned", true}}});
  const Json enrolling = {{"force", true}, {"photos", aligned}, {"person", "new"}};
  const Json asking = {{"method", "subspace"}, {"probes", aligned}, {"top", 3}};
  Json claiming = {{"probes", aligned}, {"person", "person_1"}};
  std::map<std::string, std::string> requests = {
      {"POST /v1/people", with_images("/v1/people", photo, enrolling)},
      {"POST /v1/enroll", with_images("/v1/enroll", photo, enrolling)},
      {"POST /v1/people/{name}/photos",
       with_images("/v1/people/person_2/photos", photo, {{"force", true}, {"photos", aligned}})},
      {"POST /v1/identify", with_images("/v1/identify", probe, asking)},
      {"POST /v1/faces", with_images("/v1/faces", photo, Json::object())},
      {"PUT /v1/report/{id}/marks",
       request_text("PUT", "/v1/report/4/marks",
                    R"({"marks": [{"person": "a", "mark": "lead"}]})")},
      {"POST /v1/compare", with_images("/v1/compare", probe, claiming)},
      {"POST /v1/cameras", with_images("/v1/cameras", probe, {{"id", "gate"}, {"crops", aligned}})},
      {"POST /v1/jobs",
       request_text("POST", "/v1/jobs",
                    R"({"kind": "prepare", "size": "7x6", "method": "subspace"})")},
      {"PATCH /v1/people/{name}",
       request_text("PATCH", "/v1/people/person_0", R"({"name": "person_0"})")},
      {"GET /v1/people", request_text("GET", "/v1/people?search=a&offset=1&limit=3")}};
  claiming["method"] = "subspace";
  requests["POST /v1/verify"] = with_images("/v1/verify", probe, claiming);
  for (const std::string& operation : openapi_operations()) {
    const std::size_t space = operation.find(' ');
    std::string target = operation.substr(space + 1);
    if (const std::size_t at = target.find("{name}"); at != std::string::npos) {
      target.replace(at, 6, "person_3");
    }
    if (const std::size_t at = target.find("{id}"); at != std::string::npos) {
      target.replace(at, 4, "4");
    }
    requests.try_emplace(operation, request_text(operation.substr(0, space), target, {},
                                                 {{"accept-encoding", "gzip"}}));
  }
  return requests;
}

class Mutation {
 public:
  explicit Mutation(unsigned seed) : random_(seed) {}

  // Between one and four places are overwritten, cut out, doubled, or the end.
  std::string of(std::string text) {
    for (std::size_t n = 1 + below(4); n > 0; --n) {
      const std::size_t at = below(text.size());
      switch (below(4)) {
        case 0:
          if (!text.empty()) text[at] = static_cast<char>(random_());
          break;
        case 1:
          text.erase(at, 1 + below(20));
          break;
        case 2:
          text.insert(at, text.substr(below(text.size()), below(40)));
          break;
        default:
          text.resize(at);
      }
    }
    return text;
  }

 private:
  std::size_t below(std::size_t bound) { return random_() % std::max<std::size_t>(1, bound); }

  std::mt19937 random_;
};

class Mutations : public testing::TestWithParam<std::string> {
 protected:
  static void SetUpTestSuite() {
    server_ = new RunningServer({"--idle-seconds", "2", "--request-seconds", "2", "--max-body", "2",
                                 "--rate", "0", "--max-images", "16"});
    enroll_people(*server_, 5);
  }
  static void TearDownTestSuite() { delete server_; }

  static RunningServer* server_;
};
RunningServer* Mutations::server_ = nullptr;

TEST_P(Mutations, AreAnsweredOrEnded) {
  const std::string good = good_requests().at(GetParam());
  HealthWatch watch(*server_);
  Mutation mutation(1);
  for (int i = 0; i < kMutations; ++i) {
    Connection connection = server_->connect();
    connection.send(mutation.of(good));
    connection.half_close();
    while (!connection.receive_some().empty()) {
    }
  }
  expect_unharmed(*server_, watch);
}

std::vector<std::string> names(const std::map<std::string, std::string>& requests) {
  std::vector<std::string> all;
  for (const auto& [operation, text] : requests) all.push_back(operation);
  return all;
}

INSTANTIATE_TEST_SUITE_P(Requests, Mutations, testing::ValuesIn(names(good_requests())),
                         [](const auto& one) {
                           std::string name = one.param;
                           std::erase_if(name, [](unsigned char c) { return !std::isalnum(c); });
                           return name;
                         });

}  // namespace
}  // namespace longshot::server_test
