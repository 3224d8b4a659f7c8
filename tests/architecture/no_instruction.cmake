# Fails if FILE, an object or a library, has an instruction whose name begins with FORBIDDEN, a regular expression.
execute_process(COMMAND ${OBJDUMP} -d --no-show-raw-insn ${FILE} OUTPUT_VARIABLE code COMMAND_ERROR_IS_FATAL ANY)
if(NOT code MATCHES "\n +[0-9a-f]+:[ \t]+[a-z]")
  message(FATAL_ERROR "${FILE} has no code")
endif()
if(code MATCHES "\n +[0-9a-f]+:[ \t]+((${FORBIDDEN})[^\n]*)")
  message(FATAL_ERROR "${FILE} has ${CMAKE_MATCH_1}")
endif()
