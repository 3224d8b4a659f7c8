# Fails if OBJECT has a function of core that a linker may take from another object: one without the tag TAG in its name.
# Handlers of std::function are none of core.
execute_process(COMMAND ${NM} --defined-only --no-demangle ${OBJECT} OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
string(LENGTH "${TAG}" length)
string(REGEX MATCHALL "[WV] _ZNK?6jostle[^\n]*" shared "${symbols}")
list(LENGTH shared count)
if(count LESS 100)
  message(FATAL_ERROR "${OBJECT} has ${count} functions that it may share")
endif()
list(FILTER shared EXCLUDE REGEX "B${length}${TAG}")
if(shared)
  list(JOIN shared "\n" shared)
  message(FATAL_ERROR "${OBJECT} shares with others\n${shared}")
endif()
