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
  set(left_out -fno-sanitize=vptr)  # as libraries hide what the check needs
  if(LONGSHOT_SANITIZE MATCHES undefined)
    # Checks of every access, which double the time of a build. AddressSanitizer sees what the first
    # three look for, and Eigen asserts its own alignment.
    list(APPEND left_out -fno-sanitize=null,object-size,pointer-overflow,alignment)
  endif()
  target_compile_options(longshot_flags INTERFACE -fsanitize=${LONGSHOT_SANITIZE} ${left_out}
                                                  -fno-sanitize-recover=all
                                                  -fno-omit-frame-pointer)
  target_link_options(longshot_flags INTERFACE -fsanitize=${LONGSHOT_SANITIZE})
  if(LONGSHOT_FUZZ)
    target_compile_options(longshot_flags INTERFACE -fsanitize=fuzzer-no-link)
  endif()
  # For the few places where limits of time and memory must know; compilers differ in their names.
  string(TOUPPER "${LONGSHOT_SANITIZE}" kinds)
  string(REPLACE "," ";" kinds "${kinds}")
  list(TRANSFORM kinds PREPEND LONGSHOT_SANITIZE_)
  target_compile_definitions(longshot_flags INTERFACE ${kinds})
endif()

# Against attacks on memory: docs/security.md says what each is for, and a test looks at the program.
# The standard library's assertions are not among them, as they cost a check per element.
add_library(longshot_hardening INTERFACE)
if(LONGSHOT_HARDENING AND NOT LONGSHOT_SANITIZE)
  target_compile_options(longshot_hardening
                         INTERFACE -fstack-protector-strong -fstack-clash-protection)
  if(CMAKE_SYSTEM_PROCESSOR STREQUAL x86_64)
    target_compile_options(longshot_hardening INTERFACE -fcf-protection)
  endif()
  target_link_options(longshot_hardening INTERFACE -Wl,-z,relro,-z,now,-z,noexecstack)
endif()

# For tests and benchmarks, which call the modules directly.
add_library(longshot_thread_policy OBJECT EXCLUDE_FROM_ALL
            ${PROJECT_SOURCE_DIR}/tests/thread_policy.cc)
target_compile_definitions(longshot_thread_policy PRIVATE LONGSHOT_HELPERS="${PROJECT_BINARY_DIR}")
target_link_libraries(longshot_thread_policy PRIVATE longshot longshot_flags)

if(LONGSHOT_BUILD_TESTS)
  find_package(GTest REQUIRED)
  enable_testing()
  add_custom_target(longshot_module_tests)  # without what crosses modules
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

# longshot_module(NAME SOURCES a.cc ... TESTS a_test.cc ... [PROCESSES n])
# Adds the sources to the one library and the tests to longshot_NAME_test.
function(longshot_module name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "PROCESSES" "SOURCES;TESTS")
  list(TRANSFORM arg_SOURCES PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
  target_sources(longshot PRIVATE ${arg_SOURCES})
  longshot_unity_groups(longshot ${name} ${arg_SOURCES})
  if(LONGSHOT_BUILD_TESTS AND arg_TESTS)
    longshot_test(${name} SOURCES ${arg_TESTS} PROCESSES ${arg_PROCESSES} LABELS module)
    add_dependencies(longshot_module_tests longshot_${name}_test)
  endif()
endfunction()

# longshot_test(NAME SOURCES a_test.cc ... [PROCESSES n] [LABELS label...])
# Builds longshot_NAME_test. ctest runs it as NAME in one process, or, where that would leave the
# other cores waiting, shares its tests among n. Each process has a temporary folder to itself.
function(longshot_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "PROCESSES" "SOURCES;LABELS")
  set(target longshot_${name}_test)
  add_executable(${target} ${arg_SOURCES} $<TARGET_OBJECTS:longshot_thread_policy>)
  longshot_unity_groups(${target} tests ${arg_SOURCES})
  target_compile_definitions(${target} PRIVATE LONGSHOT_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  target_link_libraries(${target} PRIVATE longshot longshot_flags GTest::gtest_main GTest::gmock)
  add_dependencies(${target} longshot_helpers)
  set(count 1)
  if(arg_PROCESSES)
    set(count ${arg_PROCESSES})
  endif()
  foreach(number RANGE 1 ${count})
    set(test ${name})
    if(count GREATER 1)
      set(test ${name}.${number}of${count})
    endif()
    math(EXPR index "${number} - 1")
    set(scratch ${CMAKE_CURRENT_BINARY_DIR}/scratch/${test})
    file(MAKE_DIRECTORY ${scratch})
    add_test(NAME ${test} COMMAND ${target})
    # COST: the first run, too, starts the long ones first.
    set_tests_properties(
      ${test}
      PROPERTIES ENVIRONMENT
                 "GTEST_TOTAL_SHARDS=${count};GTEST_SHARD_INDEX=${index};TMPDIR=${scratch};TEST_TMPDIR=${scratch};LONGSHOT_FACE_NETWORK="
                 LABELS "${arg_LABELS}"
                 COST ${count}
                 TIMEOUT 1800)
  endforeach()
endfunction()
