# Installs the build into a scratch folder, builds docs/example.cpp against it, and runs both it and the installed
# program.
set(scratch ${BINARY_DIR}/example)
file(REMOVE_RECURSE ${scratch})
file(WRITE ${scratch}/source/CMakeLists.txt "cmake_minimum_required(VERSION 3.25)
project(example LANGUAGES CXX)
find_package(jostle REQUIRED)
add_executable(example ${SOURCE_DIR}/docs/example.cpp)
target_link_libraries(example PRIVATE jostle::jostle)
")
set(rod ${scratch}/jostle/share/jostle/library/rod.yaml)
foreach(command
    "${CMAKE_COMMAND};--install;${BINARY_DIR};--prefix;${scratch}/jostle"
    "${CMAKE_COMMAND};-S;${scratch}/source;-B;${scratch}/build;-G;${GENERATOR};-DCMAKE_CXX_COMPILER=${COMPILER};-DCMAKE_PREFIX_PATH=${scratch}/jostle"
    "${CMAKE_COMMAND};--build;${scratch}/build"
    "${scratch}/build/example;${rod};${scratch}/rod.out")
  execute_process(COMMAND ${command} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${command}\n${output}")
  endif()
endforeach()
if(NOT output MATCHES "system 7 after 100 steps: y = ([-0-9.e]+) m, status 0.*lies: [0-9]" OR NOT EXISTS ${scratch}/rod.out/run.h5)
  message(FATAL_ERROR "the example said: ${output}")
endif()
message(STATUS "${output}")
execute_process(COMMAND ${scratch}/jostle/bin/jostle info RESULT_VARIABLE status OUTPUT_VARIABLE output)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "the installed program said: ${output}")
endif()
