# cmake -DFILES=a.html,b.js -DOUTPUT=... -P embed_files.cmake: writes a source file that holds these files.
string(REPLACE "," ";" files "${FILES}")
set(entries "")
foreach(file ${files})
  get_filename_component(name "${file}" NAME)
  file(READ "${file}" content)
  string(APPEND entries "      {\"${name}\", R\"embedded(${content})embedded\"},\n")
endforeach()
file(WRITE "${OUTPUT}" "#include \"drivers/embedded_files.hpp\"

namespace jostle {

const std::map<std::string, std::string_view>& embedded_files() {
  static const std::map<std::string, std::string_view> files = {
${entries}  };
  return files;
}

}  // namespace jostle
")
