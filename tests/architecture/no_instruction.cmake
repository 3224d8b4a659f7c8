# Fails if FILE, an object or a library, has an instruction whose name begins with FORBIDDEN, a regular expression.
# Names go first: objdump takes a minute to put thousands of functions' names into one object, and a second without them.
cmake_path(GET FILE FILENAME nameless)
string(APPEND nameless .nameless)
execute_process(COMMAND ${OBJCOPY} --strip-all ${FILE} ${nameless} COMMAND_ERROR_IS_FATAL ANY)
execute_process(
  COMMAND ${OBJDUMP} -d --no-show-raw-insn ${nameless}
  COMMAND awk -F "\t" "$2 ~ /^[a-z]/ {++found} $2 ~ /^(${FORBIDDEN})/ {print; exit} END {if (!found) print \"no code\"}"
  OUTPUT_VARIABLE fault)
file(REMOVE ${nameless})
if(fault)
  message(FATAL_ERROR "${FILE} has ${fault}")
endif()
