# cmake -DGIT=git -DSOURCE=folder -DOUTPUT=... -P commit.cmake: writes a source file that knows the commit of the folder.
set(commit "")
if(GIT)
  execute_process(COMMAND ${GIT} -C ${SOURCE} rev-parse --short=10 HEAD OUTPUT_VARIABLE commit ERROR_QUIET
                  OUTPUT_STRIP_TRAILING_WHITESPACE)
endif()
file(WRITE "${OUTPUT}" "#include \"drivers/commit.hpp\"

namespace jostle {

const char* commit() { return \"${commit}\"; }

}  // namespace jostle
")
