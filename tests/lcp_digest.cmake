# The digest over 3000 LCPs must not depend on how the solver is compiled. Each entry: name, then its flags; none
# of them links jostle_flags, which would fix what is varied here.
set(jostle_lcp_digest f2b87c9a1bcf47ae)

function(jostle_lcp_digest_test name)
  add_executable(lcp_digest_${name} ${CMAKE_CURRENT_SOURCE_DIR}/lcp/digest_main.cpp)
  target_include_directories(lcp_digest_${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_compile_options(lcp_digest_${name} PRIVATE ${ARGN})
  add_test(NAME LcpDigest.${name} COMMAND lcp_digest_${name})
  set_tests_properties(LcpDigest.${name} PROPERTIES PASS_REGULAR_EXPRESSION "lcp digest ${jostle_lcp_digest}")
endfunction()

jostle_lcp_digest_test(unoptimised -O0 -ffp-contract=off)
jostle_lcp_digest_test(contracted -O3 -ffp-contract=fast)
if(NOT JOSTLE_ALL_TESTS)
  return()
endif()
jostle_lcp_digest_test(optimised -O3 -ffp-contract=off)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  jostle_lcp_digest_test(baseline -O3 -march=x86-64)
  jostle_lcp_digest_test(fma -O3 -march=x86-64-v3)
  jostle_lcp_digest_test(native -O3 -march=native)
  jostle_lcp_digest_test(native_contracted -O3 -march=native -ffp-contract=fast)
endif()
