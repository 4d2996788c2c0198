# Everything comes from Debian 12 packages: see scripts/install-deps.
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
list(APPEND CMAKE_MODULE_PATH ${CMAKE_CURRENT_LIST_DIR})
find_package(OpenCVParts 4.6 REQUIRED COMPONENTS core imgproc imgcodecs objdetect dnn videoio)
# Loads half of a desktop, so only the helper that reads clips is linked to it.
list(REMOVE_ITEM OpenCVParts_LIBRARIES OpenCVParts::videoio)
find_package(TBB REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)
find_package(CLI11 2.1 REQUIRED)
find_package(spdlog REQUIRED)
find_package(pugixml REQUIRED)
find_package(SQLite3 REQUIRED)
find_package(ZLIB REQUIRED)
find_package(JPEG REQUIRED)
find_package(PNG REQUIRED)
find_package(Boost 1.74 REQUIRED)
find_package(OpenSSL 3.0 REQUIRED)
find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(OPENBLAS REQUIRED IMPORTED_TARGET openblas)
pkg_check_modules(MATIO REQUIRED IMPORTED_TARGET matio)
pkg_check_modules(SODIUM REQUIRED IMPORTED_TARGET libsodium)
pkg_check_modules(SECCOMP REQUIRED IMPORTED_TARGET libseccomp)
pkg_check_modules(HEIF REQUIRED IMPORTED_TARGET libheif)
find_program(LONGSHOT_ESBUILD esbuild REQUIRED DOC "Bundles the page of the server")
# Compiled into the program, which puts it into the reports that it writes.
find_file(LONGSHOT_CHART_JS NAMES chart.min.js Chart.min.js
          PATHS /usr/share/javascript/chart.js /usr/share/nodejs/chart.js/dist
          DOC "Chart.js 3, minified, as one script")
if(NOT LONGSHOT_CHART_JS)
  message(FATAL_ERROR "Chart.js was not found: install libjs-chart.js (scripts/install-deps does), "
                      "or name its chart.min.js with -DLONGSHOT_CHART_JS=FILE.")
endif()
