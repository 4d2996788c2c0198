// SPDX-License-Identifier: Apache-2.0
// HTTPS with a certificate that is made here.
#include <cstdio>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <openssl/ec.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <sys/socket.h>
#include <unistd.h>

#include "running_server.h"

namespace longshot::server_test {
namespace {

using testing::HasSubstr;

template <auto Free>
struct Freeing {
  template <typename T>
  void operator()(T* pointer) const {
    Free(pointer);
  }
};
using Key = std::unique_ptr<EVP_PKEY, Freeing<EVP_PKEY_free>>;

Key make_key() {
  return Key(EVP_EC_gen("P-256"));
}

void write_pem(const std::filesystem::path& path, const std::function<void(FILE*)>& write) {
  FILE* const file = std::fopen(path.c_str(), "w");
  ASSERT_NE(file, nullptr);
  write(file);
  std::fclose(file);
}

// For a day, signed by itself.
void write_certificate(const std::filesystem::path& path, EVP_PKEY* key) {
  const std::unique_ptr<X509, Freeing<X509_free>> certificate(X509_new());
  ASN1_INTEGER_set(X509_get_serialNumber(certificate.get()), 1);
  X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -3600);
  X509_gmtime_adj(X509_getm_notAfter(certificate.get()), 86400);
  X509_set_pubkey(certificate.get(), key);
  X509_sign(certificate.get(), key, EVP_sha256());
  write_pem(path, [&](FILE* file) { PEM_write_X509(file, certificate.get()); });
}

void write_key(const std::filesystem::path& path, EVP_PKEY* key) {
  write_pem(path, [&](FILE* file) {
    PEM_write_PrivateKey(file, key, nullptr, nullptr, 0, nullptr, nullptr);
  });
}

// Sends a request and reads to the end; the version of TLS, or empty if there was none.
std::string ask_over_tls(std::uint16_t port, int highest_version, std::string& reply) {
  const std::unique_ptr<SSL_CTX, Freeing<SSL_CTX_free>> context(SSL_CTX_new(TLS_client_method()));
  SSL_CTX_set_security_level(context.get(), 0);  // so that old versions can be tried at all
  SSL_CTX_set_min_proto_version(context.get(), 0);
  SSL_CTX_set_max_proto_version(context.get(), highest_version);
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  std::string version;
  if (::connect(socket, reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0) {
    const std::unique_ptr<SSL, Freeing<SSL_free>> tls(SSL_new(context.get()));
    SSL_set_fd(tls.get(), socket);
    if (SSL_connect(tls.get()) == 1) {
      version = SSL_get_version(tls.get());
      const std::string text = request_text("GET", "/v1/health", {}, {{"connection", "close"}});
      SSL_write(tls.get(), text.data(), static_cast<int>(text.size()));
      char bytes[4096];
      int got = 0;
      while ((got = SSL_read(tls.get(), bytes, sizeof(bytes))) > 0) {
        reply.append(bytes, static_cast<std::size_t>(got));
      }
    }
  }
  ::close(socket);
  return version;
}

TEST(Tls, AnswersWithACertificateAndInNoOldVersion) {
  const ScratchFolder folder;
  const Key key = make_key();
  write_key(folder / "key.pem", key.get());
  write_certificate(folder / "cert.pem", key.get());
  const RunningServer server(
      {"--tls-cert", (folder / "cert.pem").string(), "--tls-key", (folder / "key.pem").string()});
  EXPECT_THAT(server.greeting(), HasSubstr("https://127.0.0.1:"));
  std::string reply;
  EXPECT_EQ(ask_over_tls(server.port(), TLS1_3_VERSION, reply), "TLSv1.3");
  EXPECT_THAT(reply, HasSubstr("200 OK"));
  EXPECT_THAT(reply, HasSubstr("Strict-Transport-Security"));
  EXPECT_EQ(ask_over_tls(server.port(), TLS1_1_VERSION, reply), "");
  // Whoever speaks no TLS gets no answer, and disturbs nobody.
  EXPECT_EQ(server.request("GET", "/v1/health").status, 0);
  EXPECT_EQ(ask_over_tls(server.port(), TLS1_2_VERSION, reply), "TLSv1.2");
}

TEST(Tls, TheKeyMustBeThatOfTheCertificate) {
  const ScratchFolder folder;
  const Key key = make_key();
  write_certificate(folder / "cert.pem", key.get());
  write_key(folder / "other.pem", make_key().get());
  const ProgramResult result =
      run_longshot("serve --gallery g --tls-cert cert.pem --tls-key other.pem", folder.path());
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("is not the private key"));
}

}  // namespace
}  // namespace longshot::server_test
