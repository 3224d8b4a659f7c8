# One test of ctest for every suite of a GoogleTest program: a process for each case would spend its time on starting.
#
# Included by a list of tests, this gives jostle_discover_suites(TARGET LABELS). Run as a script with -D PROGRAM=...
# -D LIST=... -D "LABELS=...", it writes the list for ctest; builds do that after they have linked the program.
if(NOT CMAKE_SCRIPT_MODE_FILE)
  set(jostle_suites_script ${CMAKE_CURRENT_LIST_FILE})
  function(jostle_discover_suites target labels)
    set(list ${CMAKE_CURRENT_BINARY_DIR}/${target}_suites.cmake)
    list(JOIN labels "," labels)
    add_custom_command(TARGET ${target} POST_BUILD BYPRODUCTS ${list} VERBATIM
      COMMAND ${CMAKE_COMMAND} -D PROGRAM=$<TARGET_FILE:${target}> -D LIST=${list} -D "LABELS=${labels}"
              -P ${jostle_suites_script})
    set(included ${CMAKE_CURRENT_BINARY_DIR}/${target}_include.cmake)
    file(WRITE ${included} "if(EXISTS \"${list}\")
  include(\"${list}\")
else()
  add_test(${target}_is_not_built ${target}_is_not_built)
endif()
")
    set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${included})
  endfunction()
  return()
endif()

string(REPLACE "," ";" LABELS "${LABELS}")
execute_process(COMMAND ${PROGRAM} --gtest_list_tests OUTPUT_VARIABLE cases COMMAND_ERROR_IS_FATAL ANY)
string(REGEX REPLACE "[[;]|\\]" "_" cases "${cases}")  # texts of parameters, behind #
string(REPLACE "\n" ";" cases "${cases}")
set(text "")
set(suite "")
set(count 0)
# Suites of many cases begin first. One is skipped if all its cases are (tests/support/main.cpp). Threads that wait for
# others sleep: beside other tests they would spend half of all processor time on waiting.
macro(end_suite)
  if(suite)
    string(APPEND text "add_test([=[${suite}]=] [=[${PROGRAM}]=] --gtest_brief=1 [==[--gtest_filter=${suite}.*]==])\n"
      "set_tests_properties([=[${suite}]=] PROPERTIES COST ${count} LABELS [=[${LABELS}]=] "
      "ENVIRONMENT OMP_WAIT_POLICY=passive SKIP_RETURN_CODE 77)\n")
  endif()
endmacro()
foreach(line ${cases})
  if(line MATCHES "^([^ ]+)[.]")
    end_suite()
    set(suite ${CMAKE_MATCH_1})
    set(count 0)
  elseif(line MATCHES "^  [^ ]")
    math(EXPR count "${count} + 1")
  endif()
endforeach()
end_suite()
file(WRITE ${LIST} "${text}")
