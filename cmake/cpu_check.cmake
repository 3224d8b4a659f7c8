# What -march=${JOSTLE_ARCH} lets the compiler use, as a sequence of JOSTLE_REQUIRE(name) for drivers/program/cpu_check.cpp.
function(jostle_required_cpu_features result)
  set(required "")
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    execute_process(COMMAND ${CMAKE_CXX_COMPILER} -march=${JOSTLE_ARCH} -dM -E -x c++ /dev/null
                    OUTPUT_VARIABLE macros COMMAND_ERROR_IS_FATAL ANY)
    foreach(feature sse4.2 avx avx2 fma bmi bmi2 avx512f avx512vl avx512bw avx512dq avx512cd)
      string(TOUPPER ${feature} macro)
      string(REPLACE "." "_" macro ${macro})
      if(macros MATCHES "#define __${macro}__ ")
        string(APPEND required "JOSTLE_REQUIRE(${feature})")
      endif()
    endforeach()
  endif()
  set(${result} "${required}" PARENT_SCOPE)
endfunction()

# An object library with drivers/program/cpu_check.cpp, compiled for every processor of the architecture.
function(jostle_add_cpu_check target features)
  add_library(${target} OBJECT ${PROJECT_SOURCE_DIR}/drivers/program/cpu_check.cpp)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(${target} PRIVATE jostle_warnings)
  target_compile_definitions(${target} PRIVATE "JOSTLE_REQUIRED_CPU_FEATURES=${features}")
endfunction()
