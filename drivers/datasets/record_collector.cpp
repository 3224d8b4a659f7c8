#include "drivers/datasets/record_collector.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <type_traits>

#include "drivers/datasets/feature_names.hpp"
#include "drivers/files/stored_numbers.hpp"
#include "drivers/parallel.hpp"
#include "scenarios/ensemble.hpp"
#include "scenarios/parameters/parameters.hpp"

namespace jostle {
namespace {

std::vector<std::string> names_of_shapes(const Scenario& scenario) {
  std::vector<std::string> names;
  for (const BodySpec& body : scenario.bodies)
    for (std::size_t i = 0; i < body.shapes.size(); ++i)
      names.push_back(body.shapes.size() == 1 ? body.name : body.name + "[" + std::to_string(i) + "]");
  return names;
}

/// 0 .. count-1
std::vector<int> all_of(int count) {
  std::vector<int> numbers(static_cast<std::size_t>(count));
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

/// `constants`: the memory of the parameters.
std::vector<ParameterInfo> parameters_of(const Model& model, const std::vector<double>& constants,
                                         const std::vector<int>& bodies) {
  const ModelView view = model.view(0);
  const Dimensions& d = view.dimensions;
  std::vector<ParameterInfo> list;
  const auto add = [&](const char* name, const char* units, const char* meaning, const char* of,
                       const std::vector<int>& numbers, int components, std::size_t bytes) {
    ParameterInfo info{name, units, meaning, of, components, {}, false, {}};
    for (const int number : numbers)
      for (int k = 0; k < components; ++k)
        info.at.push_back(bytes / sizeof(double) + static_cast<std::size_t>(components * number + k));
    info.varies = std::any_of(model.loaded.begin(), model.loaded.end(), [&](const LoadedModel& loaded) {
      return std::find(info.at.begin(), info.at.end(), static_cast<std::size_t>(loaded.parameter)) != info.at.end();
    });
    for (const std::size_t at : info.at)
      if (!info.varies) info.constant.push_back(constants[at]);
    if (!info.at.empty()) list.push_back(info);
  };
  const ParameterLayout& at = view.parameter_layout;
  add("gravity", "m/s^2", "acceleration of gravity, world", "", {0}, 3, at.gravity);
  add("mass", "kg", "mass", "body", bodies, 1, at.mass);
  add("inertia", "kg m^2", "principal moments of inertia, body", "body", bodies, 3, at.inertia);
  add("shape_size", "m", "radius and half lengths, or half edges; zeros where a shape has fewer", "shape",
      all_of(d.shapes), 3, at.shape_size);
  add("friction", "1", "coefficient of friction", "pair", all_of(d.pairs), 1, at.friction);
  if (d.has_impacts) add("restitution", "1", "coefficient of restitution", "pair", all_of(d.pairs), 1, at.restitution);
  return list;
}

/// Writes `valid` of the `made` entries of `from` to those of a sample in `to`, of which there are `entries`; the
/// others are undefined. A field has one number, or six of each body, of which the recorded ones are kept.
template <class T>
void put(const std::vector<T>& from, int made, int valid, int entries, std::size_t sample, std::span<const int> bodies,
         RecordColumnOf<T>& to) {
  constexpr std::size_t wrench = 6;
  const std::size_t each = from.size() / static_cast<std::size_t>(made);
  const std::size_t kept = each == 1 ? 1 : wrench * bodies.size();
  const auto from_entries = static_cast<std::size_t>(valid), to_entries = static_cast<std::size_t>(entries);
  visit_numbers(to, [&]<class Stored>(Stored* memory) {
    Stored* const own = memory + sample * kept * to_entries;
    if (each == 1)
      store(std::span<const T>(from.data(), from_entries), own);
    else
      store_bodies<wrench>(std::span<const T>(from.data(), each * from_entries), each / wrench, bodies, own);
    std::fill(own + kept * from_entries, own + kept * to_entries, undefined_number<Stored>());
  });
}

/// Writes a member of the rows to a column, from row `first` of it on; `member(row)`: its array.
template <class Row>
void put_column(std::span<const Row> rows, std::size_t first, auto& column, const auto& member) {
  using Member = std::remove_cvref_t<decltype(member(rows[0]))>;
  constexpr std::size_t extent = std::is_array_v<Member> ? std::extent_v<Member> : 1;
  visit_numbers(column, [&]<class Stored>(Stored* memory) {
    Stored* to = memory + extent * first;
    for (const Row& row : rows)
      for (std::size_t k = 0; k < extent; ++k) *to++ = stored<Stored>(row_numbers(member(row))[k]);
  });
}

#define JOSTLE_PUT(type, name, extent, unit, meaning) \
  put_column(                                         \
      rows, first, columns.name, [](const auto& row) -> const auto& { return row.name; });
void put_rows(std::span<const ContactRow> rows, std::size_t first, ContactRecords& columns) {
  JOSTLE_CONTACT_FIELDS(JOSTLE_PUT)
}
void put_rows(std::span<const LcpRow> rows, std::size_t first, LcpRecords& columns) { JOSTLE_LCP_FIELDS(JOSTLE_PUT) }
#undef JOSTLE_PUT

/// Room for `count` rows or entries in a column.
auto room_for(std::int64_t count) {
  return [count](const RecordColumn& column, auto& values) {
    values.resize(static_cast<std::size_t>(count) * static_cast<std::size_t>(column.extent));
  };
}

}  // namespace

void append_rows(std::span<const ContactRow> rows, ContactRecords& columns) {
  const std::int64_t before = columns.rows();
  for_each_contact_column(columns, room_for(before + static_cast<std::int64_t>(rows.size())));
  put_rows(rows, static_cast<std::size_t>(before), columns);
}

void describe_step_records(const Scenario& scenario, RecordSettings& settings) {
  const RecordSpec& record = scenario.record;
  settings.stride = record.stride;
  settings.single = record.dtype == RecordType::f4;
  if (settings.which == RecordSettings::Which::none || !record.has_steps()) return;
  settings.steps = true;
  settings.contacts = record.contacts;
  for (const Expression& quantity : record.quantities) settings.quantities.push_back(quantity.text);
  if (!record.contacts && record.lcp.every == 0) return;
  Model model = build_model(scenario);
  const std::vector<double> constants = compile_parameters(scenario, model);
  settings.usual_rows = model.usual_contacts();
  for (std::int64_t step = 0; record.lcp.every > 0 && step <= scenario.world.steps; step += record.lcp.every)
    settings.lcp_time.push_back(static_cast<double>(step) * scenario.world.step);
  for (const JointSpec& joint : scenario.joints) settings.joints.push_back(joint.name);
  settings.usual_lcp = model.view(model.usual_contacts()).dimensions.lcp_size();
  settings.shapes = names_of_shapes(scenario);
  for (const PairModel& pair : model.pairs)
    settings.pairs.push_back(settings.shapes[static_cast<std::size_t>(pair.shape_a)] + " " +
                             settings.shapes[static_cast<std::size_t>(pair.shape_b)]);
  settings.model = describe_model(scenario, model, settings.shapes);
  if (record.contacts) settings.parameters = parameters_of(model, constants, settings.bodies);
}

void reserve_step_records(const DatasetDescription& description, std::int64_t recorded, ShardData& shard) {
  const RecordSettings& record = description.record;
  const auto samples = static_cast<std::size_t>(recorded), times = record.time.size();
  const auto reserve = [](std::size_t rows) {
    return [rows](const RecordColumn& column, auto& values) {
      values.reserve(rows * static_cast<std::size_t>(column.extent));
    };
  };
  if (record.steps)
    for_each_step_column(record.quantities, static_cast<int>(description.bodies.size()), shard.step_records,
                         reserve(samples * times));
  if (record.contacts) {
    shard.contacts.splits.reserve(samples * (times + 1));
    for_each_contact_column(shard.contacts, reserve(samples * times * static_cast<std::size_t>(record.usual_rows)));
  }
  const auto n = static_cast<std::size_t>(record.usual_lcp), lcps = samples * record.lcp_time.size();
  if (record.has_lcps()) {
    for_each_lcp_column(shard.lcps, reserve(lcps * n));
    shard.lcps.matrix.reserve(lcps * n * n);
  }
}

RecordCollector::~RecordCollector() {
  for (Recorded& recorded : recorded_) spare_.push_back(std::move(recorded.memory));
}

void RecordCollector::add(Batch& batch, int index) {
  if (!settings_.steps) return;
  std::unique_ptr<RecordMemory> memory;
  if (spare_.empty()) {
    memory = std::make_unique<RecordMemory>(batch.model(), settings_.stride);
  } else {
    memory = std::move(spare_.back());
    spare_.pop_back();
    memory->progress() = {};
  }
  recorded_.push_back({index, std::move(memory)});
  batch.record(index, *recorded_.back().memory);
}

// First how much each system has, then all of it at once: most of the time is the way from memory to memory.
void RecordCollector::collect(Batch& batch, ShardData& shard) const {
  if (!settings_.steps) return;
  std::vector<Piece> pieces;
  const auto entries = static_cast<std::int64_t>(settings_.time.size());
  const auto samples = static_cast<std::int64_t>(shard.step_records.contacts.size()) / entries;
  Extents end{samples, shard.contacts.rows(), shard.lcps.rows(), shard.lcps.numbers()};
  for (const Recorded& recorded : recorded_) {
    const int valid = valid_entries(batch, recorded.index);
    pieces.push_back({recorded.memory.get(), valid, end});
    end.samples += 1;
    if (settings_.contacts) add_splits(*recorded.memory, valid, end, shard.contacts);
    if (settings_.has_lcps())
      add_splits(*recorded.memory, valid > 0 ? batch.state(recorded.index).steps() : -1, end, shard.lcps);
    if (settings_.contacts) collect_parameters(batch, recorded.index, shard);
  }
  for_each_step_column(settings_.quantities, static_cast<int>(settings_.bodies.size()), shard.step_records,
                       room_for(end.samples * entries));
  if (settings_.contacts) for_each_contact_column(shard.contacts, room_for(end.rows));
  if (settings_.has_lcps()) for_each_lcp_column(shard.lcps, room_for(end.lcp_rows));
  shard.lcps.matrix.resize(static_cast<std::size_t>(end.lcp_numbers));
  parallel_for(static_cast<int>(pieces.size()), [&](int i) { put(pieces[static_cast<std::size_t>(i)], shard); });
}

int RecordCollector::valid_entries(Batch& batch, int index) const {
  const int entries = static_cast<int>(settings_.time.size()), steps = batch.state(index).steps();
  const Status status = batch.status(index);
  if (steps == 0 && status == Status::bad_parameters) return 0;
  if (steps == batch.model().total_steps) return entries;
  return std::min(entries, steps / settings_.stride + 1);
}

void RecordCollector::add_splits(const RecordMemory& memory, int valid, Extents& end, ContactRecords& contacts) const {
  contacts.splits.push_back(end.rows);
  for (int e = 0; e < static_cast<int>(settings_.time.size()); ++e) {
    if (e < valid) end.rows += memory.entry_rows()[static_cast<std::size_t>(e)];
    contacts.splits.push_back(end.rows);
  }
}

void RecordCollector::add_splits(const RecordMemory& memory, int steps, Extents& end, LcpRecords& lcps) const {
  lcps.splits.push_back(end.lcp_rows), lcps.matrix_splits.push_back(end.lcp_numbers);
  for (int e = 0; e < static_cast<int>(settings_.lcp_time.size()); ++e) {
    if (e <= steps / memory.view()->lcp_every && steps >= 0) {
      end.lcp_rows += memory.lcp_entry_rows()[static_cast<std::size_t>(e)];
      end.lcp_numbers += memory.lcp_entry_numbers()[static_cast<std::size_t>(e)];
    }
    lcps.splits.push_back(end.lcp_rows), lcps.matrix_splits.push_back(end.lcp_numbers);
  }
}

void RecordCollector::put(const Piece& piece, ShardData& shard) const {
  const RecordMemory& memory = *piece.memory;
  StepRecords& steps = shard.step_records;
  const int entries = static_cast<int>(settings_.time.size());  // the last one that was made may be left out
  const auto sample = static_cast<std::size_t>(piece.at.samples);
#define JOSTLE_PUT(type, name, extent, unit, meaning) \
  jostle::put(memory.name, memory.entries(), piece.valid, entries, sample, settings_.bodies, steps.name);
  JOSTLE_STEP_FIELDS(JOSTLE_PUT)
#undef JOSTLE_PUT
  const std::size_t count = settings_.quantities.size(), all = settings_.time.size();
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t e = 0; has_own_column(settings_.quantities[i]) && e < all; ++e) {
      const double value =
          e < static_cast<std::size_t>(piece.valid) ? memory.quantities[e * count + i] : undefined_value;
      steps.quantities[i].put(sample * all + e, {&value, 1});
    }
  if (settings_.contacts) {
    const auto split = shard.contacts.splits.begin() + static_cast<std::ptrdiff_t>((sample + 1) * (all + 1)) - 1;
    put_rows(memory.rows().first(static_cast<std::size_t>(*split - piece.at.rows)),
             static_cast<std::size_t>(piece.at.rows), shard.contacts);
  }
  if (!settings_.has_lcps()) return;
  put_rows(memory.lcp_rows(), static_cast<std::size_t>(piece.at.lcp_rows), shard.lcps);
  shard.lcps.matrix.put(static_cast<std::size_t>(piece.at.lcp_numbers), memory.lcp_matrix());
}

void RecordCollector::collect_parameters(Batch& batch, int index, ShardData& shard) const {
  const auto* const memory = reinterpret_cast<const double*>(batch.parameter_memory(index));
  for (std::size_t i = 0; i < settings_.parameters.size(); ++i) {
    const ParameterInfo& info = settings_.parameters[i];
    if (!info.varies) continue;
    RealArray& all = shard.parameters[i];
    const std::size_t before = all.size();
    all.resize(before + info.at.size());
    for (std::size_t k = 0; k < info.at.size(); ++k) all.put(before + k, {memory + info.at[k], 1});
  }
}

}  // namespace jostle
