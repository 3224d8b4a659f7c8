# The digests of the library's scenarios must not depend on how the program is compiled, from the reader of the file to
# the last step. Each entry: name, then its flags; none of them links jostle_flags, which would fix what is varied here.
# To be cheap the sources are compiled a group at a time, but for two that give names of their own to what others name.
if(JOSTLE_SANITIZE)
  return()
endif()
find_package(yaml-cpp REQUIRED)
find_package(nlohmann_json 3.10 REQUIRED)
find_package(Boost 1.74 REQUIRED)

file(GLOB_RECURSE jostle_digest_core CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/core/*.cpp)
file(GLOB jostle_digest_scenarios CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/scenarios/*.cpp)
list(FILTER jostle_digest_scenarios EXCLUDE REGEX "/schema\\.cpp$")
set_source_files_properties(${jostle_digest_core} PROPERTIES UNITY_GROUP core)
foreach(source ${jostle_digest_scenarios})
  if(NOT source MATCHES "/(bind|canonical)\\.cpp$")
    string(REGEX MATCH "/(reader|expression|)[^/]*$" name ${source})
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP "scenarios_${CMAKE_MATCH_1}")
  endif()
endforeach()

function(jostle_library_digest_test name)
  add_executable(library_digest_${name} ${CMAKE_CURRENT_SOURCE_DIR}/digest/library_digest_main.cpp
    ${jostle_digest_scenarios} ${jostle_digest_core})
  set_target_properties(library_digest_${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  target_include_directories(library_digest_${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_compile_definitions(library_digest_${name} PRIVATE
    EIGEN_DONT_VECTORIZE EIGEN_MPL2_ONLY JOSTLE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  target_compile_options(library_digest_${name} PRIVATE ${jostle_rounding_flags} ${ARGN})
  target_link_libraries(library_digest_${name} PRIVATE
    Eigen3::Eigen OpenMP::OpenMP_CXX yaml-cpp nlohmann_json::nlohmann_json Boost::headers)
  add_test(NAME LibraryDigest.${name}
    COMMAND library_digest_${name} ${CMAKE_CURRENT_SOURCE_DIR}/data/golden_digests.json)
endfunction()

jostle_library_digest_test(unoptimised -O0)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  jostle_library_digest_test(baseline -O3 -march=x86-64)
  jostle_library_digest_test(fma -O3 -march=x86-64-v3)
  jostle_library_digest_test(native -O3 -march=native)
else()
  jostle_library_digest_test(optimised -O3)
endif()
