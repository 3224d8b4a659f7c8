# CUDA, where there is an nvcc. CMake's own CUDA language is not used: it would make nvcc a matter of the whole build.
set(JOSTLE_CUDA AUTO CACHE STRING "Build for GPUs: AUTO (where there are nvcc and a GPU), ON or OFF")
set(JOSTLE_CUDA_ARCHITECTURES "" CACHE STRING
    "Architectures of GPUs, e.g. 80;90; 'all' for those that nvcc knows; empty: those of this machine's GPUs, 90 if it has \
none. Newer ones get code at the first start.")
set(JOSTLE_CUDA_TEAMS "warp1;warp4;warp8;warp32" CACHE STRING
    "Kinds of teams of cuda/team_kinds.hpp that kernels are compiled for, by default those that placement.cpp chooses; \
each takes a minute or two")
set(JOSTLE_CUDA_TEAMS_FOR_ALL "warp8" CACHE STRING
    "Kinds of teams that also get kernels for all systems: joints, springs in every method, methods with impacts, circular \
cones, records of steps. Each takes two minutes")
set(JOSTLE_CUDA_REGISTERS "255" CACHE STRING
    "Bounds of the registers of a lane, e.g. 255;168;128, for teams whose dictionary is in memory; the first is used, the
others can be measured. Fewer registers let more teams work at a time, and spill")
set(JOSTLE_CUDA_FLAGS "" CACHE STRING "Further flags of nvcc")

find_program(JOSTLE_NVCC nvcc PATHS /usr/local/cuda/bin DOC "CUDA compiler")
set(JOSTLE_WITH_CUDA OFF)  # the program has kernels
set(JOSTLE_CAN_COMPILE_CUDA OFF)
if(JOSTLE_CUDA AND JOSTLE_NVCC)
  execute_process(COMMAND ${JOSTLE_NVCC} --version OUTPUT_VARIABLE nvcc_version)
  string(REGEX MATCH "release ([0-9]+[.][0-9]+)" nvcc_version "${nvcc_version}")
  set(nvcc_version "${CMAKE_MATCH_1}")
  set(oldest_nvcc 12.4)  # __maxnreg__
  if(nvcc_version VERSION_LESS oldest_nvcc)
    set(too_old "${JOSTLE_NVCC} has the version '${nvcc_version}'; kernels need ${oldest_nvcc} or newer")
    if(JOSTLE_CUDA STREQUAL "ON")
      message(FATAL_ERROR "JOSTLE_CUDA is ON, but ${too_old}")
    endif()
    message(STATUS "${too_old}")
    set(JOSTLE_NVCC_IS_OLD ON)
  endif()
endif()
if(JOSTLE_CUDA AND JOSTLE_NVCC AND NOT JOSTLE_NVCC_IS_OLD)
  set(JOSTLE_CAN_COMPILE_CUDA ON)
elseif(JOSTLE_CUDA STREQUAL "ON")
  message(FATAL_ERROR "JOSTLE_CUDA is ON, but there is no nvcc; give JOSTLE_NVCC")
else()
  message(STATUS "No CUDA: jostle will run on the CPU alone")
  return()
endif()

# "9.0" of every GPU of this machine, as 90.
find_program(JOSTLE_NVIDIA_SMI nvidia-smi DOC "Lists the GPUs of this machine")
set(own_architectures "")
if(JOSTLE_NVIDIA_SMI)
  execute_process(COMMAND ${JOSTLE_NVIDIA_SMI} --query-gpu=compute_cap --format=csv,noheader OUTPUT_VARIABLE capabilities
                  ERROR_QUIET RESULT_VARIABLE without_gpu)
  if(NOT without_gpu)
    string(REPLACE "." "" capabilities "${capabilities}")
    string(REGEX MATCHALL "[0-9]+" own_architectures "${capabilities}")
    list(REMOVE_DUPLICATES own_architectures)
  endif()
endif()
if(JOSTLE_CUDA STREQUAL "ON" OR own_architectures)
  set(JOSTLE_WITH_CUDA ON)
else()
  message(STATUS "There is an nvcc, but no GPU: jostle will run on the CPU alone. -DJOSTLE_CUDA=ON builds kernels all the same")
endif()

cmake_path(GET JOSTLE_NVCC PARENT_PATH cuda_bin)
cmake_path(GET cuda_bin PARENT_PATH JOSTLE_CUDA_ROOT)
find_library(JOSTLE_CUDART cudart_static PATHS ${JOSTLE_CUDA_ROOT}/lib64 ${JOSTLE_CUDA_ROOT}/lib REQUIRED)

set(architectures ${JOSTLE_CUDA_ARCHITECTURES})
if(NOT architectures)
  set(architectures ${own_architectures})
endif()
if(NOT architectures)
  set(architectures 90)
endif()
if(architectures STREQUAL "all")
  execute_process(COMMAND ${JOSTLE_NVCC} --list-gpu-arch OUTPUT_VARIABLE known OUTPUT_STRIP_TRAILING_WHITESPACE)
  string(REGEX MATCHALL "[0-9]+" architectures "${known}")
endif()
list(SORT architectures COMPARE NATURAL)
if(NOT "${architectures}" MATCHES "^[0-9]+(;[0-9]+)*$")
  message(FATAL_ERROR "JOSTLE_CUDA_ARCHITECTURES wants numbers such as 80;90, not ${architectures}")
endif()
set(jostle_gencode "")
foreach(architecture ${architectures})
  list(APPEND jostle_gencode -gencode arch=compute_${architecture},code=sm_${architecture})
endforeach()
list(GET architectures 0 oldest)
list(GET architectures -1 newest)
list(APPEND jostle_gencode -gencode arch=compute_${newest},code=compute_${newest})
if(JOSTLE_WITH_CUDA)
  message(STATUS "CUDA: ${JOSTLE_NVCC}, architectures ${architectures}, teams ${JOSTLE_CUDA_TEAMS}, and for all systems "
                 "${JOSTLE_CUDA_TEAMS_FOR_ALL}")
endif()

# Equal bits on the device: no contraction, no approximations (nvcc's defaults for division and square root are IEEE's).
# The include folder of Thrust is nvcc's own.
get_target_property(eigen_include Eigen3::Eigen INTERFACE_INCLUDE_DIRECTORIES)
set(jostle_nvcc_flags -std=c++20 --fmad=false --expt-relaxed-constexpr -diag-suppress 20012 -Xcompiler -ffp-contract=off
    -DEIGEN_DONT_VECTORIZE -DEIGEN_MPL2_ONLY -I${PROJECT_SOURCE_DIR} -isystem ${eigen_include}
    -Xcompiler -fPIC -ccbin ${CMAKE_CXX_COMPILER} ${JOSTLE_CUDA_FLAGS})
if(JOSTLE_WARNINGS_AS_ERRORS)
  list(APPEND jostle_nvcc_flags -Werror all-warnings -Xcompiler -Wall,-Wextra)
endif()

# Compiles `source` into `output` with further flags; the report of the assembler is kept beside it in OUTPUT.log.
function(jostle_nvcc source output)
  add_custom_command(OUTPUT ${output}
    COMMAND ${PROJECT_SOURCE_DIR}/cmake/logged.sh ${output}.log ${JOSTLE_NVCC} ${jostle_nvcc_flags} ${ARGN}
            -MD -MF ${output}.d -o ${output} ${source}
    DEPENDS ${source} DEPFILE ${output}.d COMMENT "nvcc ${output}" VERBATIM)
endfunction()
