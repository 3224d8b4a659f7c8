#include "drivers/lcp_files/numpy_archive.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <zlib.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <limits>

#include "drivers/errors.hpp"

namespace jostle {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::string_view local_mark = "PK\3\4", central_mark = "PK\1\2", end_mark = "PK\5\6";
constexpr std::uint64_t most_bytes = std::numeric_limits<std::uint32_t>::max();
constexpr std::string_view numpy_mark = "\x93NUMPY";

/// Numbers of a zip file are little-endian.
class Bytes {
 public:
  Bytes(std::string_view bytes, const std::string& file) : bytes_(bytes), file_(file) {}

  std::string_view at(std::uint64_t offset, std::uint64_t count) const {
    if (offset > bytes_.size() || count > bytes_.size() - offset) fail();
    return bytes_.substr(offset, count);
  }
  template <class Integer>
  std::uint64_t number(std::uint64_t offset) const {
    Integer value;
    std::memcpy(&value, at(offset, sizeof value).data(), sizeof value);
    return value;
  }
  [[noreturn]] void fail() const { throw UsageError(file_ + ": is not a complete .npz archive"); }

 private:
  std::string_view bytes_;
  const std::string& file_;
};

/// A member as the list at the end of the archive tells it.
struct Entry {
  std::string name;
  std::uint64_t method = 0, checksum = 0, packed = 0, size = 0, offset = 0;
};

std::vector<Entry> list_members(std::string_view whole, const Bytes& bytes, const std::string& file) {
  const std::size_t end = whole.rfind(end_mark);
  if (end == std::string_view::npos) bytes.fail();
  const std::uint64_t count = bytes.number<std::uint16_t>(end + 10);
  std::uint64_t at = bytes.number<std::uint32_t>(end + 16);
  if (count == std::numeric_limits<std::uint16_t>::max() || at == most_bytes)
    throw UsageError(file + ": archives of 4 GiB or 65,535 arrays and more are not supported");
  std::vector<Entry> entries;
  for (std::uint64_t i = 0; i < count; ++i) {
    if (bytes.at(at, 4) != central_mark) bytes.fail();
    const std::uint64_t name = bytes.number<std::uint16_t>(at + 28);
    const std::uint64_t rest = bytes.number<std::uint16_t>(at + 30) + bytes.number<std::uint16_t>(at + 32);
    entries.push_back({std::string(bytes.at(at + 46, name)), bytes.number<std::uint16_t>(at + 10),
                       bytes.number<std::uint32_t>(at + 16), bytes.number<std::uint32_t>(at + 20),
                       bytes.number<std::uint32_t>(at + 24), bytes.number<std::uint32_t>(at + 42)});
    at += 46 + name + rest;
  }
  return entries;
}

std::string inflated(std::string_view packed, const Entry& entry, const Bytes& bytes) {
  constexpr std::uint64_t largest_ratio = 1032;  // of deflate
  if (entry.size > largest_ratio * (packed.size() + 1)) bytes.fail();
  std::string data(entry.size, '\0');
  z_stream stream = {};
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(data.data());
  stream.avail_out = static_cast<uInt>(data.size());
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) throw std::bad_alloc();
  const int end = inflate(&stream, Z_FINISH);
  inflateEnd(&stream);
  if (end != Z_STREAM_END || stream.avail_out != 0) bytes.fail();
  return data;
}

std::uint32_t checksum_of(std::string_view data) {
  return static_cast<std::uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef*>(data.data()), static_cast<z_size_t>(data.size())));
}

std::string content_of(const Entry& entry, const Bytes& bytes, const std::string& file) {
  constexpr std::uint64_t stored = 0, deflated = 8;
  if (bytes.at(entry.offset, 4) != local_mark) bytes.fail();
  const std::uint64_t before =
      bytes.number<std::uint16_t>(entry.offset + 26) + bytes.number<std::uint16_t>(entry.offset + 28) + 30;
  const std::string_view packed = bytes.at(entry.offset + before, entry.packed);
  if (entry.method != stored && entry.method != deflated)
    throw UsageError(fmt::format("{}: {} is compressed in a way that is not supported", file, entry.name));
  std::string data = entry.method == stored ? std::string(packed) : inflated(packed, entry, bytes);
  if (checksum_of(data) != entry.checksum) throw UsageError(file + ": " + entry.name + " has a wrong checksum");
  return data;
}

/// The text between the mark `begin`, behind the key `name`, and `end`; "" if there is none.
std::string header_value(const std::string& header, const std::string& name, char begin, char end) {
  const std::size_t key = header.find("'" + name + "':");
  if (key == std::string::npos) return {};
  const std::size_t from = header.find_first_not_of(' ', key + name.size() + 3);
  if (from == std::string::npos || (begin != '\0' && header[from] != begin)) return {};
  const std::size_t first = begin == '\0' ? from : from + 1, to = header.find(end, first);
  return to == std::string::npos ? std::string() : header.substr(first, to - first);
}

template <class Value>
std::vector<double> converted(std::string_view data, bool is_swapped) {
  std::vector<double> values(data.size() / sizeof(Value));
  for (std::size_t i = 0; i < values.size(); ++i) {
    char bytes[sizeof(Value)];
    std::memcpy(bytes, data.data() + i * sizeof(Value), sizeof(Value));
    if (is_swapped) std::reverse(bytes, bytes + sizeof(Value));
    Value value;
    std::memcpy(&value, bytes, sizeof(Value));
    values[i] = static_cast<double>(value);
  }
  return values;
}

struct NumberType {
  std::string_view name;
  std::size_t bytes;
  std::vector<double> (*convert)(std::string_view data, bool is_swapped);
};

constexpr NumberType number_types[] = {
    {"f8", 8, converted<double>},        {"f4", 4, converted<float>},         {"i8", 8, converted<std::int64_t>},
    {"u8", 8, converted<std::uint64_t>}, {"i4", 4, converted<std::int32_t>},  {"u4", 4, converted<std::uint32_t>},
    {"i2", 2, converted<std::int16_t>},  {"u2", 2, converted<std::uint16_t>}, {"i1", 1, converted<std::int8_t>},
    {"u1", 1, converted<std::uint8_t>},  {"b1", 1, converted<std::uint8_t>}};

/// Values whose first index runs fastest, in the other order.
std::vector<double> reordered(const std::vector<double>& values, const std::vector<std::size_t>& shape) {
  std::vector<double> result(values.size());
  std::vector<std::size_t> index(shape.size(), 0);
  for (const double value : values) {
    std::size_t at = 0;
    for (std::size_t axis = 0; axis < shape.size(); ++axis) at = at * shape[axis] + index[axis];
    result[at] = value;
    for (std::size_t axis = 0; axis < shape.size() && ++index[axis] == shape[axis]; ++axis) index[axis] = 0;
  }
  return result;
}

/// "3, 4" or "3,".
std::vector<std::size_t> parse_shape(const std::string& text) {
  std::vector<std::size_t> shape;
  for (const char* at = text.data(); at < text.data() + text.size();) {
    std::size_t extent = 0;
    const auto [rest, error] = std::from_chars(at, text.data() + text.size(), extent);
    if (error == std::errc()) shape.push_back(extent);
    at = error == std::errc() ? rest : at + 1;
  }
  return shape;
}

/// https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
NumpyArray parse_array(std::string name, std::string_view data, const std::string& file) {
  const Bytes bytes(data, file);
  if (bytes.at(0, numpy_mark.size()) != numpy_mark) throw UsageError(file + ": " + name + " is not an array of numpy");
  const bool is_short = bytes.number<std::uint8_t>(6) == 1;
  const std::uint64_t length = is_short ? bytes.number<std::uint16_t>(8) : bytes.number<std::uint32_t>(8);
  const std::uint64_t begin = is_short ? 10 : 12;
  const std::string header(bytes.at(begin, length));
  const std::string type = header_value(header, "descr", '\'', '\'');
  NumpyArray array{std::move(name), parse_shape(header_value(header, "shape", '(', ')')), {}};
  const NumberType* const known =
      std::find_if(std::begin(number_types), std::end(number_types),
                   [&](const NumberType& one) { return type.size() == 3 && type.substr(1) == one.name; });
  if (known == std::end(number_types))
    throw UsageError(fmt::format("{}: {}: expected numbers (float64, float32, integers), not the type '{}' of numpy",
                                 file, array.name, type.empty() ? "?" : type));
  const std::string_view values = data.substr(begin + length);
  std::size_t count = 1;
  for (const std::size_t extent : array.shape)
    count = count == 0 || extent <= values.size() / count ? count * extent : values.size() + 1;
  if (count * known->bytes != values.size()) bytes.fail();
  array.values = known->convert(values, type[0] == '>');
  if (header_value(header, "fortran_order", '\0', ',') == "True") array.values = reordered(array.values, array.shape);
  return array;
}

template <class Integer>
void append(std::string& text, std::uint64_t number) {
  const auto value = static_cast<Integer>(number);
  text.append(reinterpret_cast<const char*>(&value), sizeof value);
}

/// What the headers of a member before its data and in the list at the end have in common.
std::string common_header(std::uint32_t checksum, std::uint32_t bytes, const std::string& name) {
  constexpr std::uint64_t version = 20, first_day = 33;  // of 1980; files of equal content are equal
  std::string text;
  for (const std::uint64_t field : {version, std::uint64_t{0}, std::uint64_t{0}, std::uint64_t{0}, first_day})
    append<std::uint16_t>(text, field);
  for (const std::uint32_t number : {checksum, bytes, bytes}) append<std::uint32_t>(text, number);
  append<std::uint16_t>(text, name.size());
  append<std::uint16_t>(text, 0);
  return text;
}

std::string numpy_header(const std::string& type, const std::vector<std::size_t>& shape) {
  constexpr std::size_t unit = 64;
  std::string text = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}{}), }}", type,
                                 fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
  const std::size_t bytes = (10 + text.size() + 1 + unit - 1) / unit * unit;
  text.append(bytes - 10 - text.size() - 1, ' ');
  text += '\n';
  std::string header = std::string(numpy_mark) + std::string("\1\0", 2);
  append<std::uint16_t>(header, text.size());
  return header + text;
}

template <class Value>
std::string_view memory_of(std::span<const Value> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

}  // namespace

bool is_zip(std::string_view bytes) { return bytes.starts_with(local_mark) || bytes.starts_with(end_mark); }

std::vector<NumpyArray> read_numpy_archive(std::string_view bytes, const std::string& file,
                                           const std::function<bool(const std::string&)>& wanted) {
  const Bytes checked(bytes, file);
  std::vector<NumpyArray> arrays;
  for (const Entry& entry : list_members(bytes, checked, file)) {
    constexpr std::string_view ending = ".npy";
    if (!entry.name.ends_with(ending)) continue;
    const std::string name = entry.name.substr(0, entry.name.size() - ending.size());
    if (wanted(name)) arrays.push_back(parse_array(name, content_of(entry, checked, file), file));
  }
  return arrays;
}

bool NumpyArchiveWriter::add(const std::string& name, const std::vector<std::size_t>& shape,
                             std::span<const double> values) {
  return add_member(name, "<f8", shape, memory_of(values));
}

bool NumpyArchiveWriter::add(const std::string& name, const std::vector<std::size_t>& shape,
                             std::span<const std::int32_t> values) {
  return add_member(name, "<i4", shape, memory_of(values));
}

bool NumpyArchiveWriter::add(const std::string& name, const std::vector<std::size_t>& shape,
                             std::span<const std::string> values) {
  std::size_t longest = 1;
  for (const std::string& text : values) longest = std::max(longest, text.size());
  std::vector<std::uint32_t> characters(longest * values.size(), 0);
  for (std::size_t i = 0; i < values.size(); ++i)
    std::copy(values[i].begin(), values[i].end(), characters.begin() + static_cast<std::ptrdiff_t>(i * longest));
  return add_member(name, fmt::format("<U{}", longest), shape, memory_of(std::span<const std::uint32_t>(characters)));
}

bool NumpyArchiveWriter::add_member(const std::string& name, const std::string& type,
                                    const std::vector<std::size_t>& shape, std::string_view data) {
  const std::string member = name + ".npy", header = numpy_header(type, shape);
  constexpr std::uint64_t list_room = 1 << 20;
  const std::uint64_t bytes = header.size() + data.size();
  if (written_ + bytes + list_room + 200 * members_.size() > most_bytes || members_.size() == 65534) return false;
  std::uint32_t checksum = checksum_of(header);
  checksum = static_cast<std::uint32_t>(
      crc32_z(checksum, reinterpret_cast<const Bytef*>(data.data()), static_cast<z_size_t>(data.size())));
  members_.push_back({member, checksum, static_cast<std::uint32_t>(bytes), static_cast<std::uint32_t>(written_)});
  const std::string local =
      std::string(local_mark) + common_header(checksum, static_cast<std::uint32_t>(bytes), member) + member;
  out_ << local << header << data;
  written_ += local.size() + bytes;
  return true;
}

void NumpyArchiveWriter::finish() {
  std::string list;
  for (const Member& member : members_) {
    list += std::string(central_mark);
    append<std::uint16_t>(list, 20);  // version of the writer
    list += common_header(member.checksum, member.bytes, member.name);
    append<std::uint16_t>(list, 0);  // length of the comment
    append<std::uint32_t>(list, 0);  // disk, internal attributes
    append<std::uint32_t>(list, 0);  // external attributes
    append<std::uint32_t>(list, member.offset);
    list += member.name;
  }
  const std::size_t bytes = list.size();
  list += std::string(end_mark);
  append<std::uint32_t>(list, 0);  // disks
  append<std::uint16_t>(list, members_.size());
  append<std::uint16_t>(list, members_.size());
  append<std::uint32_t>(list, bytes);
  append<std::uint32_t>(list, written_);
  append<std::uint16_t>(list, 0);
  out_ << list;
}

}  // namespace jostle
