#include "drivers/datasets/shard_reader.hpp"

#include <fmt/format.h>

#include <numeric>

#include "drivers/datasets/shard_digest.hpp"
#include "drivers/datasets/shard_writer.hpp"
#include "drivers/datasets/summary_columns.hpp"
#include "drivers/errors.hpp"
#include "drivers/files/sha256.hpp"
#include "drivers/text.hpp"

namespace jostle {

namespace {

/// Reads the whole dataset, which must have these extents.
void read_checked(const hdf5::Handle& file, const std::filesystem::path& path, const std::string& name,
                  const hdf5::Extents& extents, auto& values) {
  hsize_t size = 1;
  for (const hsize_t extent : extents) size *= extent;
  values.resize(size);
  if (size == 0) return;
  if (hdf5::extents_of(file, name.c_str()) != extents)
    throw FileError(path, name + " has other extents than the scenario says");
  visit_numbers(values,
                [&](auto* numbers) { hdf5::read_dataset(file, name.c_str(), hdf5::file_type(numbers), numbers); });
}

FileError damaged(const std::filesystem::path& path, const hdf5::Error& error) {
  return {path, std::string("is damaged: ") + error.what()};
}

}  // namespace

/// Adds the file's name to errors of the library.
template <class Read>
auto ShardReader::guarded(Read&& read) const {
  try {
    return read();
  } catch (const hdf5::Error& error) {
    throw damaged(path_, error);
  }
}

ShardReader::ShardReader(std::filesystem::path path) : path_(std::move(path)) {
  guarded([&] {
    file_ = hdf5::open_for_reading(path_.string());
    summary_ = hdf5::open_group(file_, "summary");
    first_ = hdf5::integer_attribute(file_, "first_sample");
    count_ = hdf5::integer_attribute(file_, "count");
    digest_ = hdf5::text_attribute(file_, "digest");
    if (hdf5::exists(file_, "trajectory"))
      recorded_ = static_cast<std::int64_t>(hdf5::extents_of(file_, "trajectory/sample").at(0));
  });
}

ShardReader::ShardReader(const std::filesystem::path& folder, const ShardRange& range)
    : ShardReader(folder / shard_name(range.index)) {
  if (first_ != range.first || count_ < range.count)
    throw FileError(
        path_, fmt::format("has samples {} to {}, not {} to {}", with_commas(first_), with_commas(first_ + count_ - 1),
                           with_commas(range.first), with_commas(range.first + range.count - 1)));
}

void ShardReader::read_column(const std::string& name, hid_t type, void* data) const {
  guarded([&] {
    if (hdf5::extents_of(summary_, name.c_str()) != hdf5::Extents{static_cast<hsize_t>(count_)})
      throw FileError(path_, "column " + name + " has another length than the shard");
    hdf5::read_dataset(summary_, name.c_str(), type, data);
  });
}

bool ShardReader::has(const std::string& column) const {
  return guarded([&] { return hdf5::exists(summary_, column.c_str()); });
}

std::vector<double> ShardReader::numbers(const std::string& column) const {
  std::vector<double> values(static_cast<std::size_t>(count_));
  read_column(column, H5T_NATIVE_DOUBLE, values.data());
  return values;
}

std::vector<std::uint8_t> ShardReader::status() const {
  std::vector<std::uint8_t> values(static_cast<std::size_t>(count_));
  read_column("status", H5T_NATIVE_UINT8, values.data());
  return values;
}

std::vector<std::int32_t> ShardReader::counts(const std::string& column) const {
  std::vector<std::int32_t> values(static_cast<std::size_t>(count_));
  read_column(column, H5T_NATIVE_INT32, values.data());
  return values;
}

ShardData ShardReader::read_summary(const DatasetDescription& description) const {
  ShardData shard = make_shard(description, first_, count_);
  for_each_column(description, shard, [&](const SummaryColumn& column, auto& values) {
    read_column(column.name, hdf5::file_type(values.data()), values.data());
  });
  return shard;
}

std::vector<std::int64_t> ShardReader::recorded_samples() const {
  std::vector<std::int64_t> samples(static_cast<std::size_t>(recorded_));
  if (recorded_ > 0) guarded([&] { hdf5::read_dataset(file_, "trajectory/sample", H5T_NATIVE_INT64, samples.data()); });
  return samples;
}

template <class Values>
void ShardReader::read_rows(const std::string& name, const hdf5::Extents& extents, Values& values) const {
  guarded([&] { read_checked(file_, path_, name, extents, values); });
}

RealArray ShardReader::step_column(const DatasetDescription& description, const std::string& name) const {
  RealArray values(description.record.single);
  if (recorded_ > 0)
    read_rows("step/" + name, {static_cast<hsize_t>(recorded_), description.record.time.size()}, values);
  return values;
}

ShardData ShardReader::read(const DatasetDescription& description) const {
  ShardData shard = read_summary(description);
  if (recorded_ > 0) shard.trajectories = read_trajectories(file_, path_, description);
  check_sample_scales(shard.trajectories.sample);
  read_step_records(description, shard);
  return shard;
}

// The digest does not have them, as what it has says what they are. But the view of a dataset shows them.
void ShardReader::check_sample_scales(const std::vector<std::int64_t>& recorded) const {
  const auto check = [&](const std::string& group, const std::vector<std::int64_t>& expected) {
    if (!guarded(
            [&] { return hdf5::exists(file_, group.c_str()) && hdf5::exists(file_, (group + "/sample").c_str()); }))
      return;
    std::vector<std::int64_t> samples;
    read_rows(group + "/sample", {expected.size()}, samples);
    if (samples != expected) throw FileError(path_, group + "/sample has other numbers than those of the shard");
  };
  std::vector<std::int64_t> all(static_cast<std::size_t>(count_));
  std::iota(all.begin(), all.end(), first_);
  check("summary", all);
  for (const char* const group : {"param", "step", "contact", "lcp"}) check(group, recorded);
}

std::vector<std::int64_t> ShardReader::read_splits(const char* name, std::size_t times) const {
  std::vector<std::int64_t> splits;
  read_rows(name, {static_cast<hsize_t>(recorded_), times + 1}, splits);
  return splits;
}
std::vector<std::int64_t> ShardReader::contact_splits(const DatasetDescription& description) const {
  return read_splits("contact/splits", description.record.time.size());
}
std::vector<std::int64_t> ShardReader::lcp_splits(const DatasetDescription& description) const {
  return read_splits("lcp/splits", description.record.lcp_time.size());
}
std::vector<std::int64_t> ShardReader::matrix_splits(const DatasetDescription& description) const {
  return read_splits("lcp/M_splits", description.record.lcp_time.size());
}

void ShardReader::read_lcps(const DatasetDescription& description, ShardData& shard) const {
  shard.lcps.splits = lcp_splits(description);
  shard.lcps.matrix_splits = matrix_splits(description);
  const auto extent = [&](const char* name) { return guarded([&] { return hdf5::extents_of(file_, name).at(0); }); };
  const hsize_t rows = extent("lcp/size");
  for_each_lcp_column(shard.lcps, [&](const RecordColumn& column, auto& values) {
    hdf5::Extents extents = {rows};
    if (column.extent > 1) extents.push_back(static_cast<hsize_t>(column.extent));
    read_rows("lcp/" + column.name, extents, values);
  });
  read_rows("lcp/M", {extent("lcp/M")}, shard.lcps.matrix);
}

void ShardReader::read_step_records(const DatasetDescription& description, ShardData& shard) const {
  const RecordSettings& record = description.record;
  const auto recorded = static_cast<hsize_t>(recorded_);
  const hsize_t times = record.time.size(), bodies = description.bodies.size();
  if (record.steps)
    for_each_step_column(record.quantities, static_cast<int>(bodies), shard.step_records,
                         [&](const RecordColumn& column, auto& values) {
                           hdf5::Extents extents = {recorded, times};
                           if (column.extent > 1) extents.insert(extents.end(), {bodies, 6});
                           read_rows("step/" + column.name, extents, values);
                         });
  if (record.has_lcps()) read_lcps(description, shard);
  if (!record.contacts) return;
  shard.contacts.splits = contact_splits(description);
  const hsize_t rows = guarded([&] { return hdf5::extents_of(file_, "contact/pair").at(0); });
  for_each_contact_column(shard.contacts, [&](const RecordColumn& column, auto& values) {
    hdf5::Extents extents = {rows};
    if (column.extent > 1) extents.push_back(static_cast<hsize_t>(column.extent));
    read_rows("contact/" + column.name, extents, values);
  });
  for (std::size_t i = 0; i < record.parameters.size(); ++i) {
    const ParameterInfo& info = record.parameters[i];
    const auto components = static_cast<hsize_t>(info.components);
    if (!info.varies) continue;
    hdf5::Extents extents = {recorded};
    if (!info.of.empty()) extents.push_back(info.at.size() / components);
    if (components == 3) extents.push_back(components);
    read_rows("param/" + info.name, extents, shard.parameters[i]);
  }
}

Trajectories read_trajectories(const hdf5::Handle& file, const std::filesystem::path& path,
                               const DatasetDescription& description) {
  Trajectories data(description.record.single);
  try {
    const hsize_t recorded = hdf5::extents_of(file, "trajectory/sample").at(0);
    const hsize_t times = description.record.time.size(), bodies = description.bodies.size();
    const auto read_rows = [&](const char* name, const hdf5::Extents& extents, auto& values) {
      read_checked(file, path, name, extents, values);
    };
    read_rows("trajectory/sample", {recorded}, data.sample);
    read_rows("trajectory/valid_steps", {recorded}, data.valid_steps);
    read_rows("trajectory/q", {recorded, times, bodies, 7}, data.q);
    read_rows("trajectory/v", {recorded, times, bodies, 6}, data.v);
  } catch (const hdf5::Error& error) {
    throw damaged(path, error);
  }
  return data;
}

bool has_identity(const hdf5::Handle& file, const DatasetDescription& description) {
  const bool has_table = !description.table_sha256.empty();
  return hdf5::integer_attribute(file, "format") == description.format &&
         hdf5::integer_attribute(file, "results_version") == description.results_version &&
         hdf5::text_attribute(file, "scenario_sha256") == sha256_hex(description.scenario) &&
         hdf5::unsigned_attribute(file, "seed") == description.seed &&
         hdf5::text_attribute(file, "sampler") == description.sampler &&
         (!has_table || hdf5::text_attribute(file, "table_sha256") == description.table_sha256);
}

namespace {

FoundShard broken(std::string reason) { return {FoundShard::State::broken, 0, {}, std::move(reason)}; }

/// What the message of an error says of its file.
FoundShard broken(const FileError& error) {
  const std::string message = error.what(), name = error.path().string() + ": ";
  return broken(message.starts_with(name) ? message.substr(name.size()) : message);
}

FoundShard found_in(const ShardReader& shard, const DatasetDescription& description, const ShardRange& range) {
  if (!has_identity(shard.file(), description)) return broken("is of another dataset");
  if (shard.first() != range.first)
    return broken(fmt::format("begins with sample {}, not {}", with_commas(shard.first()), with_commas(range.first)));
  if (shard.count() < 1 || shard.count() > samples_per_shard(description))
    return broken(fmt::format("has {}", counted(shard.count(), "sample")));
  const bool is_whole = shard.count() >= range.count;
  return {is_whole ? FoundShard::State::whole : FoundShard::State::shorter, shard.count(), shard.digest(), {}};
}

}  // namespace

FoundShard find_shard(const std::filesystem::path& path, const DatasetDescription& description,
                      const ShardRange& range) {
  std::error_code error;
  if (std::filesystem::status(path, error).type() == std::filesystem::file_type::not_found) return {};
  try {
    return found_in(ShardReader(path), description, range);
  } catch (const FileError& failure) {
    return broken(failure);
  } catch (const hdf5::Error& failure) {
    return broken(damaged(path, failure));
  }
}

FoundShard check_shard(const std::filesystem::path& path, const DatasetDescription& description,
                       const ShardRange& range) {
  FoundShard found = find_shard(path, description, range);
  if (found.state != FoundShard::State::whole && found.state != FoundShard::State::shorter) return found;
  try {
    if (shard_digest(description, ShardReader(path).read(description)) == found.digest) return found;
    return broken("is damaged: its digest is not that of its samples");
  } catch (const FileError& failure) {
    return broken(failure);
  }
}

bool is_shard_of(const std::filesystem::path& path, const DatasetDescription& description, std::int64_t first,
                 std::int64_t count) {
  return find_shard(path, description, {0, first, count}).state == FoundShard::State::whole;
}

bool verify_shard(const std::filesystem::path& path, const DatasetDescription& description, std::int64_t first,
                  std::int64_t count) {
  return check_shard(path, description, {0, first, count}).state == FoundShard::State::whole;
}

}  // namespace jostle
