#pragma once
// One number for each scenario of the library: every bit of the states in which its first samples end. The number
// depends on the scenario file alone; threads, compiler, flags and machine must all give the same.
#include <cstdint>
#include <cstdio>
#include <string>

#include "scenarios/ensemble.hpp"

namespace jostle {

/// The model of an ensemble with everything that can be collected.
inline Model with_all_tallies(const Ensemble& ensemble) {
  Model model = ensemble.model();
  model.has_contact_tallies = true;
  return model;
}

/// Samples first .. first + count - 1, run to their end.
inline Batch run_samples(const Ensemble& ensemble, const Model& model, std::int64_t first, int count,
                         const RunOptions& options = {}) {
  Batch batch(model, count);
  for (int i = 0; i < count; ++i) ensemble.load(first + i, batch, i);
  run_batch(batch, static_cast<int>(ensemble.model().total_steps), options);
  return batch;
}

inline constexpr int digest_samples = 12;

/// The digest of a scenario: FNV-1a over those of its first samples, in their order, all tallies among them.
inline std::uint64_t library_digest(const Ensemble& ensemble, const RunOptions& options = {}) {
  const Model model = with_all_tallies(ensemble);
  Batch batch = run_samples(ensemble, model, 0, digest_samples, options);
  std::uint64_t hash = 14695981039346656037u;
  for (int i = 0; i < digest_samples; ++i) hash = (hash ^ state_digest(batch, i)) * 1099511628211u;
  return hash;
}

/// As tests/data/golden_digests.json writes it.
inline std::string digest_text(std::uint64_t digest) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(digest));
  return text;
}

}  // namespace jostle
