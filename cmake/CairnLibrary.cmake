# How rooms, programs, tests and benchmarks are declared. Sources are listed, never globbed.
#
#   cairn_library(NAME DEPENDS rooms... LINK targets... LINK_PRIVATE targets... SOURCES ... TESTS ...)
#     One static library per room (cairn_NAME, alias cairn::NAME), installed, and one unit-test
#     program NAME_test. LINK names libraries that an installed Cairn needs too; LINK_PRIVATE names
#     header-only libraries that no header of ours includes: users of an installed Cairn never see
#     them. SLOW_TESTS: the tests are left out unless CAIRN_SLOW_TESTS is on.
#     MODULES names modules that it loads; FOR_MODULES: modules link it.
#   cairn_module(NAME LINK targets... SOURCES ...)
#     A shared library that is loaded when it is used (cairn/base/shared_module.hpp), installed.
#   cairn_add_umbrella(rooms...)
#     The target cairn::cairn: these, and every room declared so far.
#   cairn_program(TARGET OUTPUT name DEPENDS rooms... LINK targets... SOURCES ...)
#     An installed program, bin/name. CAIRN_DATA_FROM_PROGRAM is the path from its folder to the
#     data, in the build tree and where it is installed.
#   cairn_test(NAME LABELS ... DEPENDS rooms... LINK targets... SOURCES ...)
#     A GoogleTest program across rooms, run as the test NAME.
#   cairn_benchmark(NAME DEPENDS rooms... LINK targets... SOURCES ...)
#     A google-benchmark program, run by the target `bench`.
#
# Targets: `unit_tests` builds the unit tests of all rooms, `installables` what `make install` needs,
# `benchmarks` the benchmarks, `bench` runs them.

add_library(cairn_warnings INTERFACE)
target_compile_options(cairn_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wold-style-cast
  -Wnon-virtual-dtor -Woverloaded-virtual -Wdouble-promotion -Wimplicit-fallthrough
  -Wswitch-enum
  $<$<CXX_COMPILER_ID:GNU>:-Wduplicated-cond -Wlogical-op -Wuseless-cast>
  -ffp-contract=off  # the same sums on every machine
  # GCC 12 sees overlaps in std::string that are none (its bug 105651).
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT CMAKE_CXX_CLANG_TIDY)
  # At -O3, GCC 12 tears loops apart whose rounds depend on each other, with wrong results (the levels of
  # a fat-tree were such a loop). clang-tidy does not know the flag.
  target_compile_options(cairn_warnings INTERFACE -fno-tree-loop-distribution)
endif()
if(CAIRN_WERROR)
  # At -O3, GCC 12 sees null pointers in the standard library.
  target_compile_options(cairn_warnings INTERFACE -Werror -Wnull-dereference)
endif()

# Headers that nearly every file includes are read once: this takes a third off the time of a build. tools/check_includes
# finds files that use one of these headers without including it.
function(_cairn_precompile target)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "" "OPTIONS;LINK;HEADERS")
  file(WRITE ${PROJECT_BINARY_DIR}/precompiled.cpp "")
  add_library(${target} OBJECT ${PROJECT_BINARY_DIR}/precompiled.cpp)
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_compile_options(${target} PRIVATE ${ARG_OPTIONS})
  target_link_libraries(${target} PRIVATE cairn_warnings fmt::fmt ${ARG_LINK})
  target_precompile_headers(${target} PRIVATE ${ARG_HEADERS} <fmt/format.h> <algorithm> <array> <cmath> <functional>
    <map> <memory> <optional> <set> <span> <string> <utility> <variant> <vector>)
endfunction()

if(CAIRN_PRECOMPILED_HEADERS)
  _cairn_precompile(cairn_library_headers)
endif()
if(CAIRN_PRECOMPILED_HEADERS AND CAIRN_TESTS)
  _cairn_precompile(cairn_test_headers
    OPTIONS -O0
    LINK rapidcheck GTest::gmock
    HEADERS <gtest/gtest.h> <gmock/gmock.h> <rapidcheck/gtest.h>)
endif()

# Plans, schedules and programs are many small values, made and dropped by each evaluation: jemalloc takes a fifth off a
# search. Programs and benchmarks use it where it is there; sanitizers bring an allocator of their own.
add_library(cairn_allocator INTERFACE)
find_library(CAIRN_JEMALLOC jemalloc)
if(CAIRN_JEMALLOC AND NOT "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_DEBUG}" MATCHES "-fsanitize")
  target_link_options(cairn_allocator INTERFACE
    -Wl,--push-state,--no-as-needed ${CAIRN_JEMALLOC} -Wl,--pop-state)
endif()

# Where programs and tests of the build tree find modules; an installed program looks in the libraries' folder.
set(CAIRN_MODULE_FOLDER ${PROJECT_BINARY_DIR}/lib)
list(APPEND CMAKE_BUILD_RPATH ${CAIRN_MODULE_FOLDER})
# Sanitizers load modules on a program's behalf: they follow its RPATH, not its RUNPATH.
add_link_options(LINKER:--disable-new-dtags)
file(RELATIVE_PATH _cairn_lib_from_bin ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
list(APPEND CMAKE_INSTALL_RPATH $ORIGIN/${_cairn_lib_from_bin})

add_custom_target(unit_tests)
add_custom_target(installables)
add_custom_target(benchmarks)

function(cairn_library name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "SLOW_TESTS;FOR_MODULES" "" "DEPENDS;LINK;LINK_PRIVATE;MODULES;SOURCES;TESTS")
  _cairn_check_arguments(cairn_library)
  add_library(cairn_${name} STATIC ${ARG_SOURCES})
  add_library(cairn::${name} ALIAS cairn_${name})
  target_compile_features(cairn_${name} PUBLIC cxx_std_20)
  target_include_directories(cairn_${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  list(TRANSFORM ARG_DEPENDS PREPEND cairn_)
  target_link_libraries(cairn_${name} PUBLIC ${ARG_DEPENDS} ${ARG_LINK})
  foreach(library IN LISTS ARG_LINK_PRIVATE ITEMS cairn_warnings)
    target_link_libraries(cairn_${name} PRIVATE $<BUILD_INTERFACE:${library}>)
  endforeach()
  if(ARG_FOR_MODULES)  # precompiled headers are not position-independent
    set_target_properties(cairn_${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  elseif(TARGET cairn_library_headers AND fmt::fmt IN_LIST ARG_LINK)
    target_precompile_headers(cairn_${name} REUSE_FROM cairn_library_headers)
  endif()

  set_target_properties(cairn_${name} PROPERTIES EXPORT_NAME ${name})
  install(TARGETS cairn_${name} EXPORT cairn_targets ARCHIVE)
  set_property(GLOBAL APPEND PROPERTY CAIRN_ROOMS ${name})
  set_property(GLOBAL APPEND PROPERTY CAIRN_LINKED_LIBRARIES ${ARG_LINK})
  add_dependencies(installables cairn_${name})
  if(ARG_MODULES)
    add_dependencies(cairn_${name} ${ARG_MODULES})
    target_link_options(cairn_${name} INTERFACE
      $<INSTALL_INTERFACE:-Wl,-rpath,$<INSTALL_PREFIX>/${CMAKE_INSTALL_LIBDIR}>)
  endif()

  if(ARG_TESTS AND CAIRN_TESTS AND (CAIRN_SLOW_TESTS OR NOT ARG_SLOW_TESTS))
    add_executable(${name}_test ${ARG_TESTS})
    target_link_libraries(${name}_test PRIVATE cairn_${name} ${ARG_LINK_PRIVATE})
    _cairn_run_as_test(${name}_test unit.${name} unit)
    add_dependencies(unit_tests ${name}_test)
  endif()
endfunction()

function(cairn_module target)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "" "LINK;SOURCES")
  _cairn_check_arguments(cairn_module)
  add_library(${target} MODULE ${ARG_SOURCES})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(${target} PRIVATE ${ARG_LINK} cairn_warnings)
  target_link_options(${target} PRIVATE -Wl,--exclude-libs,ALL)  # it keeps its copies of rooms to itself
  set_target_properties(${target} PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${CAIRN_MODULE_FOLDER}
                                             CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  install(TARGETS ${target} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  add_dependencies(installables ${target})
endfunction()

function(cairn_add_umbrella)
  get_property(rooms GLOBAL PROPERTY CAIRN_ROOMS)
  list(APPEND rooms ${ARGN})
  list(TRANSFORM rooms PREPEND cairn_)
  add_library(cairn_umbrella INTERFACE)
  add_library(cairn::cairn ALIAS cairn_umbrella)
  target_link_libraries(cairn_umbrella INTERFACE ${rooms})
  set_target_properties(cairn_umbrella PROPERTIES EXPORT_NAME cairn)
  install(TARGETS cairn_umbrella EXPORT cairn_targets)
endfunction()

function(cairn_program target)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "OUTPUT" "DEPENDS;LINK;SOURCES")
  _cairn_check_arguments(cairn_program)
  add_executable(${target} ${ARG_SOURCES})
  list(TRANSFORM ARG_DEPENDS PREPEND cairn_)
  target_link_libraries(${target} PRIVATE ${ARG_DEPENDS} ${ARG_LINK} cairn_warnings cairn_allocator)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})

  # The build tree looks like an installed one, so the program has one rule for finding its data.
  file(RELATIVE_PATH data_from_program ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_DATADIR}/cairn)
  target_compile_definitions(${target} PRIVATE CAIRN_DATA_FROM_PROGRAM="${data_from_program}")
  set(program_folder ${PROJECT_BINARY_DIR}/bin)
  cmake_path(SET data_link NORMALIZE ${program_folder}/${data_from_program})
  cmake_path(GET data_link PARENT_PATH data_link_folder)
  file(MAKE_DIRECTORY ${data_link_folder})
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/data ${data_link} SYMBOLIC)

  set_target_properties(${target} PROPERTIES OUTPUT_NAME ${ARG_OUTPUT}
                                             RUNTIME_OUTPUT_DIRECTORY ${program_folder})
  install(TARGETS ${target} RUNTIME)
  add_dependencies(installables ${target})
endfunction()

function(cairn_test name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "" "LABELS;DEPENDS;LINK;SOURCES")
  _cairn_check_arguments(cairn_test)
  if(CAIRN_TESTS)
    string(REPLACE "." "_" target ${name}_test)
    add_executable(${target} ${ARG_SOURCES})
    list(TRANSFORM ARG_DEPENDS PREPEND cairn_)
    target_link_libraries(${target} PRIVATE ${ARG_DEPENDS} ${ARG_LINK})
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
    _cairn_run_as_test(${target} ${name} "${ARG_LABELS}")
    if(unit IN_LIST ARG_LABELS)
      add_dependencies(unit_tests ${target})
    endif()
  endif()
endfunction()

function(cairn_benchmark name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "" "DEPENDS;LINK;SOURCES")
  _cairn_check_arguments(cairn_benchmark)
  if(CAIRN_BENCHMARKS)
    add_executable(${name}_benchmark ${ARG_SOURCES})
    list(TRANSFORM ARG_DEPENDS PREPEND cairn_)
    target_link_libraries(${name}_benchmark PRIVATE ${ARG_DEPENDS} ${ARG_LINK} cairn_warnings
                                                    cairn_allocator benchmark::benchmark_main)
    target_include_directories(${name}_benchmark PRIVATE ${PROJECT_SOURCE_DIR})
    add_dependencies(benchmarks ${name}_benchmark)
    set_property(GLOBAL APPEND PROPERTY CAIRN_BENCHMARK_TARGETS ${name}_benchmark)
  endif()
endfunction()

# The target `bench`: all benchmarks, one after the other, straight to the terminal.
function(cairn_add_bench_target)
  get_property(targets GLOBAL PROPERTY CAIRN_BENCHMARK_TARGETS)
  set(commands "")
  foreach(target IN LISTS targets)
    list(APPEND commands COMMAND $<TARGET_FILE:${target}>)
  endforeach()
  if(NOT commands)
    set(commands COMMAND ${CMAKE_COMMAND} -E echo "no benchmarks in this build")
  endif()
  add_custom_target(bench ${commands} USES_TERMINAL VERBATIM)
endfunction()

function(_cairn_run_as_test target name labels)
  target_link_libraries(${target} PRIVATE cairn_warnings fmt::fmt rapidcheck GTest::gmock GTest::gtest_main)
  target_compile_options(${target} PRIVATE -O0)  # their time goes into what they test, which is optimized
  if(TARGET cairn_test_headers)
    target_precompile_headers(${target} REUSE_FROM cairn_test_headers)
  endif()
  # Run where the compiler ran: ccache may have made __FILE__ relative to it.
  add_test(NAME ${name} COMMAND ${target} WORKING_DIRECTORY ${PROJECT_BINARY_DIR})
  set_tests_properties(${name} PROPERTIES LABELS "${labels}"
                                          ENVIRONMENT "RC_PARAMS=${CAIRN_RC_PARAMS}")
endfunction()

macro(_cairn_check_arguments function)
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "${function}: unknown arguments: ${ARG_UNPARSED_ARGUMENTS}")
  endif()
endmacro()
