# libjostle_mpi.so, where there is an MPI: the only part that is linked with it. The program opens it when a launcher of
# MPI has started it, and else runs without; so the same program works on machines with and without MPI.
set(JOSTLE_MPI AUTO CACHE STRING "Build for MPI: AUTO (where it is found), ON or OFF")
set(JOSTLE_WITH_MPI OFF)
if(NOT JOSTLE_MPI)
  return()
endif()
find_package(MPI COMPONENTS C QUIET)
if(NOT MPI_C_FOUND)
  if(JOSTLE_MPI STREQUAL "ON")
    message(FATAL_ERROR "JOSTLE_MPI is ON, but CMake finds no MPI; give MPI_C_COMPILER or MPI_HOME")
  endif()
  message(STATUS "No MPI: processes will share a sweep through its folder alone")
  return()
endif()
set(JOSTLE_WITH_MPI ON)

add_library(jostle_mpi MODULE ${PROJECT_SOURCE_DIR}/drivers/mpi/plugin.cpp)
target_include_directories(jostle_mpi PRIVATE ${PROJECT_SOURCE_DIR})
target_link_libraries(jostle_mpi PRIVATE MPI::MPI_C $<BUILD_INTERFACE:jostle_warnings>)
set_target_properties(jostle_mpi PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}
                      CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
