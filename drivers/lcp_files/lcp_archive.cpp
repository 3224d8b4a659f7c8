// LCPs from an archive of numpy.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "drivers/errors.hpp"
#include "drivers/lcp_files/lcp_file.hpp"
#include "drivers/lcp_files/numpy_archive.hpp"
#include "scenarios/text/utf8.hpp"

namespace jostle {
namespace {

bool is_part(const std::string& name, char part) {
  return name == std::string(1, part) || name.starts_with(std::string(1, part) + "_");
}

std::string shape_text(const std::vector<std::size_t>& shape) {
  return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

/// A matrix, or a stack of them, with its vectors.
struct Stack {
  const NumpyArray& M;
  const NumpyArray& q;
  std::string file;

  void check() const {
    const auto& shape = M.shape;
    if ((shape.size() != 2 && shape.size() != 3) || shape[shape.size() - 1] != shape[shape.size() - 2])
      fail(M, "expected the shape (n, n), or (k, n, n) for a stack", shape);
    if (q.shape != std::vector<std::size_t>(shape.begin(), shape.end() - 1))
      fail(q,
           "expected the shape " + shape_text({shape.begin(), shape.end() - 1}) + ", as " + M.name + " has " +
               shape_text(shape),
           q.shape);
    for (const NumpyArray* array : {&M, &q})
      if (!std::all_of(array->values.begin(), array->values.end(), [](double value) { return std::isfinite(value); }))
        throw UsageError(file + ": " + array->name + ": numbers must be finite");
  }
  void append_to(std::vector<NamedLcp>& problems) const {
    const bool is_stack = M.shape.size() == 3;
    const std::size_t n = M.shape.back(), count = is_stack ? M.shape[0] : 1;
    const std::string name = M.name.size() > 2 ? M.name.substr(2) : "";
    for (std::size_t k = 0; k < count; ++k) {
      const double *const matrix = M.values.data() + k * n * n, *const vector = q.values.data() + k * n;
      problems.push_back({{{matrix, matrix + n * n}, {vector, vector + n}},
                          is_stack && !name.empty() ? fmt::format("{}[{}]", name, k) : name});
    }
  }

 private:
  [[noreturn]] void fail(const NumpyArray& array, const std::string& wanted,
                         const std::vector<std::size_t>& shape) const {
    throw UsageError(fmt::format("{}: {}: {}, not {}", file, array.name, wanted, shape_text(shape)));
  }
};

}  // namespace

std::vector<NamedLcp> lcps_of_archive(std::string_view bytes, const std::string& file) {
  std::vector<std::string> names;
  const std::vector<NumpyArray> arrays = read_numpy_archive(bytes, file, [&](const std::string& name) {
    if (find_no_utf8(name) != std::string::npos) throw UsageError(file + ": the name of an array is not UTF-8");
    names.push_back(name);
    return is_part(name, 'M') || is_part(name, 'q');
  });
  std::vector<NamedLcp> problems;
  for (const NumpyArray& M : arrays) {
    if (!is_part(M.name, 'M')) continue;
    const std::string partner = "q" + M.name.substr(1);
    const auto q = std::find_if(arrays.begin(), arrays.end(), [&](const NumpyArray& a) { return a.name == partner; });
    if (q == arrays.end()) throw UsageError(fmt::format("{}: {}: there is no {} for it", file, M.name, partner));
    const Stack stack{M, *q, file};
    stack.check();
    stack.append_to(problems);
  }
  if (problems.empty())
    throw UsageError(fmt::format("{}: has no problem in M and q, or M_NAME and q_NAME{}", file,
                                 names.empty() ? "" : fmt::format("; it has {}", fmt::join(names, ", "))));
  return problems;
}

}  // namespace jostle
