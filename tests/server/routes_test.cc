// SPDX-License-Identifier: Apache-2.0
// Every route of the real server; every reply is what openapi.json says.
#include <csignal>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "application.h"
#include "openapi_check.h"
#include "running_server.h"
#include "text.h"

namespace longshot::server_test {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr int kPeople = 5;

// One server for all tests, whose order does not matter: each leaves the first five people.
class Routes : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    server_ = new RunningServer({"--rate", "0"});
    enroll_people(*server_, kPeople);
  }
  static void TearDownTestSuite() { delete server_; }

  // Asks, and compares the reply with the document. `operation` is "GET /v1/people/{name}".
  static Reply ask(const std::string& operation, const std::string& target,
                   std::string_view body = {}, const Headers& headers = {}) {
    const Reply reply =
        server_->request(operation.substr(0, operation.find(' ')), target, body, headers);
    EXPECT_EQ(mismatch(operation, reply), "") << target << " " << reply.body.substr(0, 500);
    return reply;
  }
  static Reply get(const std::string& pattern, const std::string& target = {}) {
    return ask("GET " + pattern, target.empty() ? pattern : target);
  }
  static Reply post_form(const std::string& pattern, const std::string& target,
                         const std::vector<FormFile>& files, const Json& options,
                         Headers headers = {}) {
    headers["content-type"] = kFormType;
    return ask("POST " + pattern, target, form(files, options.dump()), headers);
  }
  static Json quick_options() {
    return {{"method", "subspace"}, {"probes", {{{"aligned", true}}}}};
  }
  static Json enroll_options() { return {{"force", true}, {"photos", {{{"aligned", true}}}}}; }

  static RunningServer* server_;
};
RunningServer* Routes::server_ = nullptr;

TEST(Openapi, NamesTheRoutesAndTheirRoles) {
  const ScratchFolder folder;
  server::Service service(server::open_galleries(folder / "people.gallery"), {});
  const server::Application application(service, {});
  std::set<std::string> routes;
  for (const server::Route& route : application.router().routes()) {
    if (!route.pattern.starts_with("/v1") && route.pattern != "/metrics") continue;
    routes.insert(route.method + " " + route.pattern);
    EXPECT_EQ(openapi_role(route.method + " " + route.pattern), server::name_of(route.role));
  }
  EXPECT_THAT(openapi_operations(), testing::ContainerEq(routes));
}

TEST_F(Routes, HealthSystemMetricsAndTheDocument) {
  EXPECT_EQ(get("/v1/health").json()["status"], "ok");
  const Json system = get("/v1/system").json();
  EXPECT_EQ(system["people"], kPeople);
  EXPECT_EQ(system["role"], "admin");
  EXPECT_EQ(system["limits"]["header_bytes"], 16384);
  EXPECT_THAT(get("/metrics").body, HasSubstr("longshot_people 5\n"));
  EXPECT_EQ(get("/v1/openapi.json").json(), openapi());
}

TEST_F(Routes, PeopleAreListedSearchedAndShown) {
  const Json people = get("/v1/people").json();
  ASSERT_EQ(people["people"].size(), 5U);
  EXPECT_EQ(people["people"][2]["name"], "person_2");
  const Json page = get("/v1/people", "/v1/people?search=PERSON&offset=3&limit=1").json();
  EXPECT_EQ(page["total"], 5);
  ASSERT_EQ(page["people"].size(), 1U);
  EXPECT_EQ(page["people"][0]["name"], "person_3");
  EXPECT_EQ(get("/v1/people", "/v1/people?limit=-1").status, 400);
  const Json person = get("/v1/people/{name}", "/v1/people/person_1").json();
  EXPECT_EQ(person["photos"].size(), 1U);
  EXPECT_EQ(get("/v1/people/{name}", "/v1/people/nobody").json()["code"], "not_found");
}

TEST_F(Routes, APhotoIsAPictureThatIsSentOnce) {
  const std::string pattern = "/v1/people/{name}/photos/{id}";
  const Json person = get("/v1/people/{name}", "/v1/people/person_1").json();
  const std::string target = "/v1/people/person_1/photos/" + person["photos"][0]["id"].dump();
  const Reply picture = get(pattern, target);
  EXPECT_EQ(picture.body.substr(1, 3), "PNG");
  const Reply again =
      ask("GET " + pattern, target, {}, {{"if-none-match", picture.headers.at("etag")}});
  EXPECT_EQ(again.status, 304);
  EXPECT_EQ(get(pattern, "/v1/people/person_1/photos/9999").status, 404);
  EXPECT_EQ(get(pattern, "/v1/people/person_1/photos/1x").status, 404);
}

TEST_F(Routes, APersonComesIsRenamedGetsAPhotoAndIsErasedWithReceipt) {
  Json options = enroll_options();
  options["person"] = "Zoë";
  const Reply made = post_form("/v1/people", "/v1/people", {{"a.png", photo_png(10)}}, options);
  EXPECT_EQ(made.status, 201);
  EXPECT_EQ(made.headers.at("location"), "/v1/people/Zo%c3%ab");
  EXPECT_EQ(
      post_form("/v1/people", "/v1/people", {{"a.png", photo_png(11)}}, options).json()["code"],
      "already_there");
  const std::string one = "/v1/people/{name}";
  EXPECT_EQ(ask("PATCH " + one, "/v1/people/Zo%C3%AB", R"({"name": "a/b"})").json()["name"], "a/b");
  EXPECT_EQ(ask("PATCH " + one, "/v1/people/a%2Fb", R"({"name": "person_1"})").json()["code"],
            "already_there");
  const Reply added = post_form(one + "/photos", "/v1/people/a%2Fb/photos",
                                {{"b.png", photo_png(10, 1)}}, enroll_options());
  EXPECT_EQ(added.status, 201);
  const Json photos = get(one, "/v1/people/a%2Fb").json()["photos"];
  ASSERT_EQ(photos.size(), 2U);
  const Json photo_receipt =
      ask("DELETE " + one + "/photos/{id}", "/v1/people/a%2Fb/photos/" + photos[1]["id"].dump())
          .json();
  EXPECT_EQ(photo_receipt["photos"][0], photos[1]["id"]);
  const Json receipt = ask("DELETE " + one, "/v1/people/a%2Fb").json();
  EXPECT_EQ(receipt["person"], "a/b");
  EXPECT_EQ(receipt["photos"].size(), 1U);
  EXPECT_EQ(receipt["log_holds_bytes"], false);
  EXPECT_EQ(ask("DELETE " + one, "/v1/people/a%2Fb").status, 404);
}

TEST_F(Routes, EnrollingTakesWhatItCanAndNamesTheRest) {
  const Reply reply = post_form(
      "/v1/enroll", "/v1/enroll", {{"good/1.png", photo_png(20)}, {"bad/1.png", "no image"}},
      {{"force", true}, {"photos", {{{"aligned", true}}, {{"aligned", true}}}}});
  EXPECT_EQ(reply.status, 200);
  const Json document = reply.json();
  EXPECT_EQ(document["photos"], 1);
  ASSERT_EQ(document["rejections"].size(), 1U);
  EXPECT_EQ(document["rejections"][0]["path"], "bad/1.png");
  ask("DELETE /v1/people/{name}", "/v1/people/good");
  const Json none =
      post_form("/v1/enroll", "/v1/enroll", {{"x.png", "no image"}}, Json::object()).json();
  EXPECT_EQ(none["photos"], 0);
}

TEST_F(Routes, IdentifiesFromAFormJsonAndABareImage) {
  const std::string operation = "/v1/identify";
  Json by_form = post_form(operation, operation, {{"p.png", probe_png(3)}}, quick_options()).json();
  EXPECT_EQ(by_form["probes"][0]["candidates"][0]["person"], "person_3");
  EXPECT_EQ(by_form["probes"][0]["size"], "12x10");
  EXPECT_EQ(by_form["people"], kPeople);
  Json options = quick_options();
  options["probes"][0]["image"] = server::to_base64(probe_png(3));
  options["probes"][0]["name"] = "p.png";
  Json by_json =
      ask("POST " + operation, operation, options.dump(), {{"content-type", "application/json"}})
          .json();
  by_form.erase("report");  // of each question its own
  by_json.erase("report");
  EXPECT_EQ(by_json, by_form);
  Json bare = ask("POST " + operation, "/v1/identify?method=subspace&aligned=true&name=p.png&top=5",
                  probe_png(3), {{"content-type", "image/png"}})
                  .json();
  bare.erase("report");
  EXPECT_EQ(bare, by_form);
}

TEST_F(Routes, ABadProbeIsAnErrorInItsPlaceAndSeveralMayBeJoined) {
  Json options = quick_options();
  const std::vector<FormFile> files = {
      {"a.png", probe_png(1)}, {"bad.png", "no image"}, {"c.png", probe_png(1)}};
  options["probes"] = {{{"aligned", true}}, Json::object(), {{"aligned", true}}};
  const Json apart = post_form("/v1/identify", "/v1/identify", files, options).json();
  ASSERT_EQ(apart["probes"].size(), 3U);
  EXPECT_TRUE(apart["probes"][0]["error"].is_null());
  EXPECT_FALSE(apart["probes"][1]["error"].is_null());
  options["fuse"] = "all";
  const Json joined = post_form("/v1/identify", "/v1/identify", files, options).json();
  ASSERT_EQ(joined["probes"].size(), 1U);
  EXPECT_EQ(joined["probes"][0]["frames_used"], 2);
  EXPECT_EQ(joined["probes"][0]["rejections"].size(), 1U);
  EXPECT_EQ(joined["probes"][0]["candidates"][0]["person"], "person_1");
}

TEST_F(Routes, OneFileMayShowSeveralFaces) {
  const std::string path = "/v1/identify";
  const std::vector<FormFile> files = {{"a.png", probe_png(1)}, {"b.png", probe_png(2)}};
  const auto ask_about = [&](const Json& probes) {
    return post_form(path, path, files, {{"method", "subspace"}, {"probes", probes}});
  };
  const Json both = {{"file", 1}, {"aligned", true}};
  const Json answers = ask_about({both, both, {{"file", 0}, {"aligned", true}}}).json()["probes"];
  ASSERT_EQ(answers.size(), 3U);
  EXPECT_EQ(answers[0]["candidates"][0]["person"], "person_2");
  EXPECT_EQ(answers[1]["path"], "b.png");
  EXPECT_EQ(answers[2]["candidates"][0]["person"], "person_1");
  for (const Json& file : {Json(2), Json(-1), Json(0.5), Json("x")}) {
    EXPECT_EQ(ask_about(Json::array({{{"file", file}}})).status, 400) << file;
  }
  EXPECT_EQ(ask_about(Json::array({{{"file", 0}}, {{"aligned", true}}})).status, 400);
  EXPECT_EQ(ask_about(Json(300, Json{{"file", 0}})).status, 413);
}

TEST_F(Routes, AnAnswerOfLateIsAReportWithMarks) {
  const std::string one = "/v1/report/{id}";
  const std::string marks = "PUT /v1/report/{id}/marks";
  Json options = quick_options();
  options["probes"] = {{{"eyes", {3, 4.5, 7, 4.5}}}, {{"aligned", true}}};
  const std::vector<FormFile> files = {{"it's <b>.png", probe_png(3)}, {"b.png", probe_png(2)}};
  const Json answers = post_form("/v1/identify", "/v1/identify", files, options).json();
  const std::string target = "/v1/report/" + answers["report"].get<std::string>();
  const std::string person = answers["probes"][0]["candidates"][0]["person"];
  const auto marked = [&](const std::string& mark, const std::string& whom, int probe = 0) {
    const Json mine = {{"probe", probe}, {"person", whom}, {"mark", mark}, {"note", "<i>ear</i>"}};
    return ask(marks, target + "/marks", Json{{"marks", {mine}}}.dump()).status;
  };
  EXPECT_EQ(marked("excluded", person), 204);
  EXPECT_EQ(marked("lead", person), 204);
  EXPECT_EQ(marked("guilty", person), 400);
  EXPECT_EQ(marked("lead", "nobody"), 400);
  EXPECT_EQ(marked("lead", person, 2), 400);
  EXPECT_EQ(ask(marks, target + "/marks", "[]").status, 400);
  EXPECT_EQ(ask(marks, "/v1/report/none/marks", R"({"marks": []})").status, 404);

  const Reply whole = get(one, target);
  EXPECT_THAT(whole.body, HasSubstr(server::hexadecimal(server::sha256(probe_png(3)))));
  EXPECT_THAT(whole.body, HasSubstr(server::hexadecimal(server::sha256(probe_png(2)))));
  EXPECT_THAT(whole.body, HasSubstr("eyes given at (3.0, 4.5) and (7.0, 4.5)"));
  EXPECT_THAT(whole.body, HasSubstr("Marked as lead: &lt;i&gt;ear&lt;/i&gt;"));
  EXPECT_THAT(whole.body, Not(HasSubstr("Marked as excluded")));
  EXPECT_THAT(whole.body, Not(HasSubstr("<b>.png")));
  EXPECT_THAT(whole.body, HasSubstr("data:image/png;base64,"));
  EXPECT_THAT(whole.headers.at("content-security-policy"), HasSubstr("sandbox"));
  const Reply second = get(one, target + "?probe=1");
  EXPECT_THAT(second.body, HasSubstr(server::hexadecimal(server::sha256(probe_png(2)))));
  EXPECT_THAT(second.body, Not(HasSubstr("Marked as")));
  EXPECT_EQ(get(one, target + "?probe=2").status, 400);
  EXPECT_EQ(get(one, "/v1/report/none").status, 404);
}

TEST_F(Routes, AReportNamesNobodyWhoWasErasedSince) {
  Json enrolling = enroll_options();
  enrolling["person"] = "late";
  post_form("/v1/people", "/v1/people", {{"a.png", photo_png(40)}}, enrolling);
  const std::vector<FormFile> files = {{"p.png", probe_png(40)}};
  Json asking = quick_options();
  asking["top"] = kPeople + 1;
  const std::string target =
      "/v1/report/" +
      post_form("/v1/identify", "/v1/identify", files, asking).json()["report"].get<std::string>();
  EXPECT_THAT(get("/v1/report/{id}", target).body, HasSubstr("late"));
  ask("DELETE /v1/people/{name}", "/v1/people/late");
  EXPECT_EQ(get("/v1/report/{id}", target).status, 404);
}

TEST_F(Routes, TheLogIsAskedByActPersonAndNumber) {
  const auto entries = [](const std::string& query) {
    return get("/v1/audit", "/v1/audit?" + query).json();
  };
  const Json enrolled = entries("act=enroll&limit=1");
  ASSERT_EQ(enrolled["entries"].size(), 1U);
  EXPECT_EQ(enrolled["entries"][0]["act"], "enroll");
  EXPECT_EQ(entries("person=nobody")["entries"].size(), 0U);
  EXPECT_EQ(entries("before=2")["entries"][0]["act"], "audit on");
  EXPECT_EQ(get("/v1/audit", "/v1/audit?limit=x").status, 400);
  EXPECT_EQ(get("/v1/audit", "/v1/audit?limit=0").status, 422);
  EXPECT_EQ(get("/v1/audit", "/v1/audit?what=1").status, 400);
  EXPECT_EQ(get("/v1/audit/verdict").json()["whole"], true);
}

TEST_F(Routes, FacesOfAFrameAreFound) {
  const Json found =
      post_form("/v1/faces", "/v1/faces", {{"frame.png", frame_png()}, {"bad.png", "no image"}},
                Json::object())
          .json()["images"];
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0]["path"], "frame.png");
  ASSERT_EQ(found[0]["faces"].size(), 2U);
  for (const Json& face : found[0]["faces"]) {
    EXPECT_LT(face["box"][0], face["eyes"][0]);
    EXPECT_LT(face["eyes"][0], face["eyes"][2]);
  }
  EXPECT_EQ(found[1]["faces"].size(), 0U);
  EXPECT_FALSE(found[1]["error"].is_null());
}

TEST_F(Routes, VerifiesAndCompares) {
  Json options = quick_options();
  options["person"] = "person_2";
  const Json verified =
      post_form("/v1/verify", "/v1/verify", {{"p.png", probe_png(2)}}, options).json();
  EXPECT_EQ(verified["person"], "person_2");
  options["person"] = "nobody";
  EXPECT_EQ(post_form("/v1/verify", "/v1/verify", {{"p.png", probe_png(2)}}, options).status, 404);
  const Json compared = post_form("/v1/compare", "/v1/compare", {{"p.png", probe_png(2)}},
                                  {{"person", "person_2"}, {"probes", {{{"aligned", true}}}}})
                            .json();
  EXPECT_EQ(compared["size"], "12x10");
  EXPECT_THAT(compared["through"].get<std::string>(), HasSubstr("data:image/png;base64,"));
}

TEST_F(Routes, ComparesThroughTheCameraThatAnAnswerLearnt) {
  std::vector<FormFile> files;
  Json asking = {{"method", "subspace"}, {"camera", "auto"}, {"probes", Json::array()}};
  for (int i = 0; i < 5; ++i) {
    files.push_back({"p.png", probe_png(i)});
    asking["probes"].push_back({{"aligned", true}});
  }
  const Json answers = post_form("/v1/identify", "/v1/identify", files, asking).json();
  const auto compare = [&](const Json& more) {
    Json options = {{"person", "person_2"}, {"probes", {{{"aligned", true}}}}, {"camera", "auto"}};
    options.update(more);
    return post_form("/v1/compare", "/v1/compare", {{"p.png", probe_png(2)}}, options);
  };
  EXPECT_EQ(compare({{"report", answers["report"]}, {"answer", 2}}).json()["size"], "12x10");
  EXPECT_EQ(compare({{"report", answers["report"]}, {"answer", 5}}).status, 400);
  EXPECT_EQ(compare({{"report", "none"}}).status, 404);
  EXPECT_EQ(compare(Json::object()).status, 400);
}

TEST_F(Routes, ACameraIsLearntShownUsedAndForgotten) {
  std::vector<FormFile> crops;
  Json options = {{"id", "door"}, {"crops", Json::array()}};
  for (int i = 0; i < 20; ++i) {
    crops.push_back({"crop.png", probe_png(i)});
    options["crops"].push_back({{"aligned", true}});
  }
  const Reply learnt = post_form("/v1/cameras", "/v1/cameras", crops, options);
  EXPECT_EQ(learnt.status, 201);
  EXPECT_EQ(learnt.json()["crops"], 20);
  EXPECT_EQ(post_form("/v1/cameras", "/v1/cameras", crops, options).status, 409);
  EXPECT_EQ(get("/v1/cameras").json()["cameras"][0]["id"], "door");
  EXPECT_EQ(get("/v1/cameras/{id}", "/v1/cameras/door").json()["size"], "12x10");
  EXPECT_EQ(get("/v1/cameras/{id}/sheet", "/v1/cameras/door/sheet").body.substr(1, 3), "PNG");
  Json asking = quick_options();
  asking["camera"] = "door";
  EXPECT_EQ(post_form("/v1/identify", "/v1/identify", {{"p.png", probe_png(2)}}, asking).status,
            200);
  const Json uses = get("/v1/cameras/{id}/answers", "/v1/cameras/door/answers").json();
  EXPECT_EQ(uses["logged"], true);
  ASSERT_EQ(uses["answers"].size(), 1U);
  EXPECT_EQ(uses["answers"][0]["act"], "identify");
  EXPECT_EQ(uses["answers"][0]["images"], 1);
  EXPECT_EQ(get("/v1/cameras/{id}/answers", "/v1/cameras/gate/answers").status, 404);
  EXPECT_EQ(get("/v1/audit", "/v1/audit?camera=door").json()["entries"].size(), 1U);
  EXPECT_EQ(ask("DELETE /v1/cameras/{id}", "/v1/cameras/door").status, 204);
  EXPECT_EQ(ask("DELETE /v1/cameras/{id}", "/v1/cameras/door").status, 404);
  EXPECT_EQ(get("/v1/cameras/{id}/sheet", "/v1/cameras/door/sheet").status, 404);
  EXPECT_EQ(post_form("/v1/identify", "/v1/identify", {{"p.png", probe_png(2)}}, asking).status,
            404);
}

TEST_F(Routes, AJobTellsItsProgressAndItsResult) {
  const Reply started = post_form("/v1/enroll", "/v1/enroll", {{"late/1.png", photo_png(30)}},
                                  enroll_options(), {{"prefer", "respond-async"}});
  EXPECT_EQ(started.status, 202);
  const std::string job = started.headers.at("location");
  const Reply events = ask("GET /v1/jobs/{id}/events", job + "/events");
  EXPECT_THAT(events.body, HasSubstr("event: end\ndata: "));
  const Json done = get("/v1/jobs/{id}", job).json();
  EXPECT_EQ(done["state"], "done");
  EXPECT_EQ(done["result"]["photos"], 1);
  EXPECT_EQ(ask("DELETE /v1/jobs/{id}", job).json()["state"], "done");
  EXPECT_EQ(get("/v1/jobs/{id}", "/v1/jobs/none").status, 404);
  ask("DELETE /v1/people/{name}", "/v1/people/late");
}

TEST_F(Routes, AJobIsCancelled) {
  const Headers json = {{"content-type", "application/json"}};
  const Reply started =
      ask("POST /v1/jobs", "/v1/jobs", R"({"kind": "prepare", "size": "14x12"})", json);
  ASSERT_EQ(started.status, 202);
  const std::string job = started.headers.at("location");
  ask("DELETE /v1/jobs/{id}", job);
  EXPECT_THAT(ask("GET /v1/jobs/{id}/events", job + "/events").body, HasSubstr("event: end"));
  EXPECT_EQ(get("/v1/jobs/{id}", job).json()["state"], "cancelled");
  EXPECT_EQ(ask("POST /v1/jobs", "/v1/jobs", R"({"kind": "other"})", json).status, 400);
}

}  // namespace
}  // namespace longshot::server_test
