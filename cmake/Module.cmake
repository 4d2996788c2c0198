# Flags that all of our own code shares; they stay inside the build tree.
add_library(longshot_flags INTERFACE)
target_compile_options(longshot_flags INTERFACE -Wall -Wextra -Wshadow -Wnon-virtual-dtor
                                                -Woverloaded-virtual -Wpedantic
                                                # GCC 12 warns about its own std::string (PR 105651)
                                                $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
                                                # and, with many files at once, about Eigen's
                                                $<$<CXX_COMPILER_ID:GNU>:-Wno-use-after-free>)
if(LONGSHOT_WARNINGS_AS_ERRORS)
  target_compile_options(longshot_flags INTERFACE -Werror)
endif()
if(LONGSHOT_SANITIZE)
  target_compile_options(longshot_flags INTERFACE -fsanitize=${LONGSHOT_SANITIZE}
                                                  -fno-omit-frame-pointer)
  target_link_options(longshot_flags INTERFACE -fsanitize=${LONGSHOT_SANITIZE})
endif()

if(LONGSHOT_BUILD_TESTS)
  find_package(GTest REQUIRED)
  include(GoogleTest)
  enable_testing()
endif()

# longshot_unity_groups(TARGET NAME FILE...)
# Lets a unity build (CMAKE_UNITY_BUILD) join the files into groups of at most
# CMAKE_UNITY_BUILD_BATCH_SIZE, all about as large, so that no core waits for the last one. Only
# files of one module are joined: a name in an anonymous namespace is taken for its module alone.
function(longshot_unity_groups target name)
  list(LENGTH ARGN count)
  if(NOT CMAKE_UNITY_BUILD OR count EQUAL 0)
    return()
  endif()
  math(EXPR groups "(${count} + ${CMAKE_UNITY_BUILD_BATCH_SIZE} - 1) / ${CMAKE_UNITY_BUILD_BATCH_SIZE}")
  set(index 0)
  foreach(file IN LISTS ARGN)
    math(EXPR group "${index} * ${groups} / ${count}")
    math(EXPR index "${index} + 1")
    set_source_files_properties(${file} TARGET_DIRECTORY ${target}
                                PROPERTIES UNITY_GROUP ${name}_${group})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
endfunction()

# longshot_module(NAME SOURCES a.cc ... TESTS a_test.cc ...)
# Adds the sources to the one library and the tests to longshot_NAME_test.
function(longshot_module name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;TESTS")
  list(TRANSFORM arg_SOURCES PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
  target_sources(longshot PRIVATE ${arg_SOURCES})
  longshot_unity_groups(longshot ${name} ${arg_SOURCES})
  if(LONGSHOT_BUILD_TESTS AND arg_TESTS)
    longshot_test(longshot_${name}_test ${arg_TESTS})
  endif()
endfunction()

function(longshot_test name)
  add_executable(${name} ${ARGN})
  longshot_unity_groups(${name} tests ${ARGN})
  target_compile_definitions(${name} PRIVATE LONGSHOT_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  target_link_libraries(${name} PRIVATE longshot longshot_flags GTest::gtest_main GTest::gmock)
  gtest_discover_tests(${name} DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 600)
endfunction()
