# jostle_python_environment: variables with which the Python of the build imports the package of this build tree.
set(jostle_python_environment "PYTHONPATH=${PROJECT_BINARY_DIR}/python")
if(JOSTLE_SANITIZE MATCHES "address")
  # Python is not compiled with the sanitizer, so its library comes first, and that of C++, whose exceptions it watches.
  # Python itself gives memory back only at its exit; test_memory.py looks for ours.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    set(address_sanitizer asan)
  else()
    set(address_sanitizer clang_rt.asan-${CMAKE_SYSTEM_PROCESSOR})
  endif()
  foreach(library ${address_sanitizer} stdc++)
    execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=lib${library}.so OUTPUT_VARIABLE path
                    OUTPUT_STRIP_TRAILING_WHITESPACE)
    list(APPEND preloaded ${path})
  endforeach()
  list(JOIN preloaded " " preloaded)
  list(APPEND jostle_python_environment "LD_PRELOAD=${preloaded}" "ASAN_OPTIONS=detect_leaks=0" "PYTHONMALLOC=malloc")
endif()
