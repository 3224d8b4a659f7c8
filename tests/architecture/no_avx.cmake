# Fails if OBJECT, which must run on every x86-64, has an instruction of AVX: those begin with v.
execute_process(COMMAND ${OBJDUMP} -d --no-show-raw-insn ${OBJECT} OUTPUT_VARIABLE code COMMAND_ERROR_IS_FATAL ANY)
if(NOT code MATCHES "\n +[0-9a-f]+:[ \t]+[a-z]")
  message(FATAL_ERROR "${OBJECT} has no code")
endif()
if(code MATCHES "\n +[0-9a-f]+:[ \t]+(v[^\n]*)")
  message(FATAL_ERROR "${OBJECT} needs AVX: ${CMAKE_MATCH_1}")
endif()
