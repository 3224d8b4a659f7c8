# Everything that decides the bits of a result or the strictness of the build stands here.

# A machine without GoogleTest can build the program; whoever wants the tests says so, and hears what is missing.
find_package(GTest QUIET)
set(tests_by_default ${PROJECT_IS_TOP_LEVEL})
if(NOT GTest_FOUND)
  set(tests_by_default OFF)
endif()

option(JOSTLE_BUILD_TESTS "Build the tests" ${tests_by_default})
option(JOSTLE_ALL_TESTS "Tests for nights and releases, too, which take long to build: tools/test --all" OFF)
option(JOSTLE_BUILD_BENCHMARKS "Build the benchmarks" OFF)
option(JOSTLE_BUILD_PYTHON "Build the Python package; needs nanobind, which tools/python_env installs" OFF)
option(JOSTLE_BUILD_FUZZERS "Build the fuzzers, which want clang and a preset of sanitizers" OFF)
# What the warnings of other compilers find cannot be known; they shall not keep a user from building.
set(known_compiler OFF)
if((CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13) OR
   (CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 15))
  set(known_compiler ${PROJECT_IS_TOP_LEVEL})
endif()
option(JOSTLE_WARNINGS_AS_ERRORS "Treat warnings as errors; default: with g++ 12 and clang 14" ${known_compiler})
set(JOSTLE_SANITIZE "" CACHE STRING "Sanitizers, e.g. address,undefined or thread")
set(JOSTLE_ARCH "x86-64-v3" CACHE STRING
    "Instruction set on x86 (-march): x86-64, x86-64-v3 or native. The bits of results do not depend on it.")

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  if(PROJECT_IS_TOP_LEVEL)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
  else()
    set(CMAKE_BUILD_TYPE Release)  # of this folder alone
  endif()
endif()

# A compiler cache, where there is one.
find_program(JOSTLE_CCACHE ccache DOC "Compiler cache")
if(JOSTLE_CCACHE AND PROJECT_IS_TOP_LEVEL AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${JOSTLE_CCACHE})
endif()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
set(CMAKE_CXX_FLAGS_RELEASE "-O3 -DNDEBUG")

# For targets whose own time does not matter: they compile in less than half the time of -O3, and a fifth faster than with
# -O1, into code of the same size. No bit depends on it. With so little optimisation g++ takes the padding of a struct that is copied for a value that nobody has written; the other build types
# keep these warnings.
function(jostle_compile_quickly)
  set(options -Og)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    list(APPEND options -Wno-uninitialized -Wno-maybe-uninitialized)
  endif()
  foreach(target ${ARGN})
    target_compile_options(${target} PRIVATE "$<$<CONFIG:Release>:${options}>")
  endforeach()
endfunction()

# Sources of a folder are compiled several at a time, at most `most`, because what they include takes longer than they do:
# no two sources of a folder may give two things one name. OFF: each alone, as tools like clang-tidy want it.
option(JOSTLE_COMPILE_TOGETHER "Compile several sources of a folder at a time" ON)
function(jostle_compile_together most)
  if(NOT JOSTLE_COMPILE_TOGETHER)
    return()
  endif()
  foreach(target ${ARGN})
    get_target_property(sources ${target} SOURCES)
    set(last_folder "")
    foreach(source ${sources})
      cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} OUTPUT_VARIABLE path)
      cmake_path(RELATIVE_PATH path BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
      cmake_path(GET path PARENT_PATH folder)
      string(REPLACE "/" "_" folder "${folder}")
      if(target IN_LIST JOSTLE_COMPILED_ACROSS_FOLDERS)
        set(folder ${target})
      endif()
      if(NOT folder STREQUAL last_folder)
        set(count 0)
        set(last_folder "${folder}")
      endif()
      math(EXPR group "${count} / ${most}")
      math(EXPR count "${count} + 1")
      set_property(SOURCE ${source} TARGET_DIRECTORY ${target} PROPERTY UNITY_GROUP "${folder}_${group}")
    endforeach()
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  endforeach()
endfunction()

add_library(jostle_warnings INTERFACE)
if(JOSTLE_WARNINGS_AS_ERRORS)
  target_compile_options(jostle_warnings INTERFACE -Wall -Wextra -Wconversion -Wno-sign-conversion -Werror)
  # In sources that are compiled together a local name may be that of something in another source.
  set(together "$<BOOL:$<TARGET_PROPERTY:UNITY_BUILD>>")
  target_compile_options(jostle_warnings INTERFACE
    $<IF:${together},$<$<CXX_COMPILER_ID:GNU>:-Wshadow=local>,-Wshadow>)
  # g++ 12 sees an overlap in every "text" + std::string (GCC bug 105651).
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    target_compile_options(jostle_warnings INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict>)
  endif()
endif()

# Equal bits: a * b + c is never fused behind our back; std::fma is written where it is meant.
# Eigen may not vectorise, because its packet code adds in another order than its scalar code.
add_library(jostle_flags INTERFACE)
target_link_libraries(jostle_flags INTERFACE $<BUILD_INTERFACE:jostle_warnings>)
# g++ 12 fuses all the same where its vectoriser of straight-line code sees a * b + c and a * b - c side by side
# (vfmaddsub), so that is off too; a test looks for these instructions.
set(jostle_rounding_flags -ffp-contract=off)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  list(APPEND jostle_rounding_flags -fno-tree-slp-vectorize)
endif()
target_compile_options(jostle_flags INTERFACE ${jostle_rounding_flags})
target_compile_definitions(jostle_flags INTERFACE EIGEN_DONT_VECTORIZE EIGEN_MPL2_ONLY)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  target_compile_options(jostle_flags INTERFACE -march=${JOSTLE_ARCH})
endif()
if(JOSTLE_SANITIZE)
  target_compile_options(jostle_flags INTERFACE -fsanitize=${JOSTLE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(jostle_flags INTERFACE -fsanitize=${JOSTLE_SANITIZE})
  target_compile_definitions(jostle_flags INTERFACE JOSTLE_SANITIZED)  # they bring a malloc of their own
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # What sanitizers insert makes g++ see uninitialised memory in its own <regex>.
    target_compile_options(jostle_flags INTERFACE -Wno-maybe-uninitialized)
  elseif(JOSTLE_BUILD_PYTHON AND JOSTLE_SANITIZE MATCHES "address")
    # Python is not compiled with the sanitizer: its tests load the library first, and a process may have only one of it.
    execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-runtime-dir OUTPUT_VARIABLE jostle_sanitizer_folder
                    OUTPUT_STRIP_TRAILING_WHITESPACE)
    target_link_options(jostle_flags INTERFACE -shared-libsan -Wl,-rpath,${jostle_sanitizer_folder})
  endif()
endif()
