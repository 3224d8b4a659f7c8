#pragma once
// Archives of numpy (.npz): zip files with an array in each member, NAME.npy.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace jostle {

/// Whether these are the first bytes of a zip file.
bool is_zip(std::string_view bytes);

struct NumpyArray {
  std::string name;
  std::vector<std::size_t> shape;
  std::vector<double> values;  ///< the last index runs fastest
};

/// The arrays with wanted(name), in the order of the archive: float64, float32, integers or bool, in any byte order,
/// stored (numpy.savez) or deflated (numpy.savez_compressed). Throws UsageError, which names the file and the array, if
/// the archive is damaged, has 4 GiB or more, or an array has other values.
std::vector<NumpyArray> read_numpy_archive(std::string_view bytes, const std::string& file,
                                           const std::function<bool(const std::string&)>& wanted);

/// Writes an archive, array by array, stored.
class NumpyArchiveWriter {
 public:
  /// The stream must outlive the writer. Check it after finish().
  explicit NumpyArchiveWriter(std::ostream& out) : out_(out) {}

  /// The product of `shape` is the number of values; the last index runs fastest. False, with nothing written, if the
  /// archive would get 4 GiB or more.
  bool add(const std::string& name, const std::vector<std::size_t>& shape, std::span<const double> values);
  bool add(const std::string& name, const std::vector<std::size_t>& shape, std::span<const std::int32_t> values);
  /// Of ASCII characters.
  bool add(const std::string& name, const std::vector<std::size_t>& shape, std::span<const std::string> values);
  /// Writes the list of members, once, at the end.
  void finish();

 private:
  struct Member {
    std::string name;
    std::uint32_t checksum, bytes, offset;
  };

  bool add_member(const std::string& name, const std::string& type, const std::vector<std::size_t>& shape,
                  std::string_view data);

  std::ostream& out_;
  std::vector<Member> members_;
  std::uint64_t written_ = 0;
};

}  // namespace jostle
