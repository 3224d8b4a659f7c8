// What decides how a LiveBatch continues: saved, restored, and as bytes.
#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "drivers/errors.hpp"
#include "drivers/files/sha256.hpp"
#include "drivers/live/live_engine.hpp"
#include "drivers/results_version.hpp"

namespace jostle {

struct LiveBatch::Snapshot {
  std::string scenario;  ///< its identity
  std::vector<std::int64_t> samples;
  std::vector<LiveNumber> numbers;            ///< of the engine
  std::vector<std::byte> parameters, states;  ///< of its batch, system after system
  std::vector<double> q, v, wrenches;
  std::map<std::string, std::vector<double>> columns;
  std::map<int, std::string> reasons;

  /// f(member) for all of them, in the order of the bytes.
  void visit(auto&& f) {
    f(scenario), f(samples), f(numbers), f(parameters), f(states), f(q), f(v), f(wrenches), f(columns), f(reasons);
  }
};

namespace {

static_assert(std::endian::native == std::endian::little, "bytes of snapshots are little-endian");

constexpr std::size_t digest_size = 64;

/// Before the members.
std::string head_of_snapshots() {
  return "jostle snapshot of results version " + std::to_string(results_version) + "\n";
}

template <class T>
concept Plain = std::is_trivially_copyable_v<T>;

class Writer {
 public:
  template <Plain T>
  void operator()(const T& value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void operator()(const std::string& text) {
    (*this)(text.size());
    bytes_ += text;
  }
  template <Plain T>
  void operator()(const std::vector<T>& list) {
    (*this)(list.size());
    bytes_.append(reinterpret_cast<const char*>(list.data()), list.size() * sizeof(T));
  }
  template <class Key, class Value>
  void operator()(const std::map<Key, Value>& map) {
    (*this)(map.size());
    for (const auto& [key, value] : map) (*this)(key), (*this)(value);
  }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  template <Plain T>
  void operator()(T& value) {
    std::memcpy(&value, next(sizeof value).data(), sizeof value);
  }
  void operator()(std::string& text) { text = next(size()); }
  template <Plain T>
  void operator()(std::vector<T>& list) {
    const std::size_t count = size();
    const std::string_view raw = next(count * sizeof(T));
    list.resize(count);
    if (count > 0) std::memcpy(list.data(), raw.data(), raw.size());
  }
  template <class Key, class Value>
  void operator()(std::map<Key, Value>& map) {
    for (std::size_t left = size(); left > 0; --left) {
      Key key{};
      (*this)(key);
      (*this)(map[key]);
    }
  }

 private:
  /// Of elements, of a byte or more.
  std::size_t size() {
    std::size_t count = 0;
    (*this)(count);
    if (count > bytes_.size()) throw UsageError("this snapshot is damaged");
    return count;
  }
  std::string_view next(std::size_t count) {
    if (count > bytes_.size()) throw UsageError("this snapshot is damaged");
    const std::string_view part = bytes_.substr(0, count);
    bytes_.remove_prefix(count);
    return part;
  }

  std::string_view bytes_;
};

}  // namespace

std::string LiveBatch::bytes_of(const Snapshot& snapshot) {
  Writer writer;
  const_cast<Snapshot&>(snapshot).visit(writer);  // only reads
  const std::string members = writer.take();
  return head_of_snapshots() + sha256_hex(members) + members;
}

std::shared_ptr<const LiveBatch::Snapshot> LiveBatch::snapshot_of(std::string_view bytes) {
  const std::string head = head_of_snapshots();
  if (!bytes.starts_with(head)) {
    const std::string_view found = bytes.substr(0, bytes.find('\n'));
    const bool is_other = found.starts_with("jostle snapshot");
    throw UsageError(is_other ? "this is a " + std::string(found) + ", and this jostle has results version " +
                                    std::to_string(results_version)
                              : "these bytes are no snapshot");
  }
  bytes.remove_prefix(head.size());
  if (bytes.size() < digest_size || sha256_hex(bytes.substr(digest_size)) != bytes.substr(0, digest_size))
    throw UsageError("this snapshot is damaged");
  auto snapshot = std::make_shared<Snapshot>();
  Reader reader(bytes.substr(digest_size));
  snapshot->visit(reader);
  return snapshot;
}

std::shared_ptr<const LiveBatch::Snapshot> LiveBatch::save() const {
  check_is_here();
  Batch& batch = engine_->batch();
  const auto copy = [&](std::byte* first, std::size_t bytes_of_one) {
    return std::vector<std::byte>(first, first + bytes_of_one * samples_.size());
  };
  auto snapshot = std::make_shared<Snapshot>();
  snapshot->scenario = *identity_, snapshot->samples = samples_, snapshot->numbers = engine_->numbers;
  snapshot->parameters = copy(batch.parameter_memory(0), engine_->view().parameter_layout.bytes);
  snapshot->states = copy(batch.state_memory(0), engine_->view().state_layout.bytes);
  snapshot->q = q_, snapshot->v = v_, snapshot->wrenches = wrenches_, snapshot->reasons = reasons_;
  for (const auto& [name, column] : columns_) snapshot->columns[name] = column.values;
  return snapshot;
}

// In an engine of its own, even if another batch has made the snapshot.
void LiveBatch::restore(const Snapshot& snapshot) {
  check_is_here();
  if (snapshot.scenario != *identity_) throw UsageError("this snapshot is of a batch of another scenario");
  if (snapshot.samples != samples_) throw UsageError("this snapshot is of a batch of other samples");
  const std::vector<LiveNumber> wanted = engine_->numbers;
  const std::shared_ptr<Engine> engine =
      snapshot.numbers == wanted ? engine_
                                 : std::make_shared<Engine>(scenario_, snapshot.numbers, samples_, machine_, bodies_);
  if (snapshot.parameters.size() != engine->view().parameter_layout.bytes * samples_.size() ||
      snapshot.states.size() != engine->view().state_layout.bytes * samples_.size())
    throw UsageError("this snapshot is of another build of jostle");
  if (engine != engine_) use(engine);
  std::ranges::copy(snapshot.parameters, engine_->batch().parameter_memory(0));
  std::ranges::copy(snapshot.states, engine_->batch().state_memory(0));
  for (const LiveNumber& number : wanted)
    if (std::ranges::find(engine_->numbers, number) == engine_->numbers.end()) widen(number);
  std::ranges::copy(snapshot.q, q_.begin());
  std::ranges::copy(snapshot.v, v_.begin());
  if (wrenches_.empty()) wrenches_.resize(snapshot.wrenches.size());
  std::ranges::fill(wrenches_, 0.0);
  std::ranges::copy(snapshot.wrenches, wrenches_.begin());
  reasons_ = snapshot.reasons;
  for (const auto& [name, values] : snapshot.columns) variable(name);
  for (auto& [name, column] : columns_) {
    const auto saved = snapshot.columns.find(name);
    for (int i = 0; i < size(); ++i)
      column.values[static_cast<std::size_t>(i)] = saved != snapshot.columns.end()
                                                       ? saved->second[static_cast<std::size_t>(i)]
                                                       : engine_->variables(i)[column.variable];
  }
  for (int i = 0; i < size(); ++i) {
    status_[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(engine_->status(i));
    steps_[static_cast<std::size_t>(i)] = engine_->state(i).steps();
    forget_contacts(i, engine_->last_step());
  }
}

}  // namespace jostle
