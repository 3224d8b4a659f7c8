# Fails if LIBRARY has an instruction that multiplies and alternately adds and subtracts without rounding in between.
execute_process(COMMAND ${OBJDUMP} -d --no-show-raw-insn ${LIBRARY} OUTPUT_VARIABLE code COMMAND_ERROR_IS_FATAL ANY)
if(NOT code MATCHES "\n +[0-9a-f]+:[ \t]+[a-z]")
  message(FATAL_ERROR "${LIBRARY} has no code")
endif()
if(code MATCHES "(vfmaddsub|vfmsubadd)[^\n]*")
  message(FATAL_ERROR "${LIBRARY}: ${CMAKE_MATCH_0}")
endif()
