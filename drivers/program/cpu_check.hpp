#pragma once
// Refuses to start on a processor that lacks instructions this program was built for, instead of crashing with an
// illegal one. Only its source is compiled for every processor of the architecture, and it runs before all other code
// of the program, including static initialisers.

namespace jostle {

/// The first instruction set that the build uses and this processor lacks, e.g. "avx2"; nullptr if there is none.
const char* missing_cpu_feature();

}  // namespace jostle
