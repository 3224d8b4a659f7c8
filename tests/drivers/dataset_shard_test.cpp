// A shard: complete, equal bytes for equal content, and verified before it is trusted.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <bit>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <utility>

#include "drivers/datasets/shard_digest.hpp"
#include "drivers/datasets/shard_reader.hpp"
#include "drivers/errors.hpp"
#include "drivers/files/atomic_file.hpp"
#include "drivers/files/sha256.hpp"
#include "tests/support/fake_producer.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tests/support/write_shard.hpp"

namespace jostle {
namespace {

using test::fake_description;
using test::fake_shard;
using test::ScratchFolder;
using Which = RecordSettings::Which;

TEST(Sha256, GivesTheDigestsOfFips180) {
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256_hex(std::string(1000000, 'a')), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, DoesNotDependOnHowTheDataIsCut) {
  const std::string text(1000, 'x');
  Sha256 hash;
  for (std::size_t at = 0, piece = 1; at < text.size(); at += piece, piece = std::min(piece + 7, text.size() - at))
    hash.update(text.data() + at, std::min(piece, text.size() - at));
  EXPECT_EQ(hash.hex(), sha256_hex(text));
}

TEST(Shard, HasEqualBytesForEqualContent) {
  const ScratchFolder folder;
  const DatasetDescription description = fake_description(Which::all);
  ShardData one = fake_shard(description, 0, 300), two = fake_shard(description, 0, 300);
  write_shard(folder / "one.h5", description, one);
  std::vector<std::string> clutter(1000, std::string(5000, '?'));  // other memory than the first time
  clutter.clear();
  write_shard(folder / "two.h5", description, two);
  EXPECT_EQ(read_text_file(folder / "one.h5"), read_text_file(folder / "two.h5"));
}

TEST(Shard, ReadsBackWhatWasWritten) {
  const ScratchFolder folder;
  for (const Which which : {Which::none, Which::first, Which::all, Which::failures}) {
    const DatasetDescription description = fake_description(which, 16);
    ShardData shard = fake_shard(description, 10, 300);
    const std::string digest = write_shard(folder / "shard.h5", description, shard);
    const ShardReader reader(folder / "shard.h5");
    EXPECT_EQ(reader.first(), 10);
    EXPECT_EQ(reader.count(), 300);
    EXPECT_EQ(reader.digest(), digest);
    EXPECT_EQ(reader.recorded_samples(), shard.trajectories.sample);
    EXPECT_EQ(shard_digest(description, reader.read(description)), digest);
    EXPECT_THAT(reader.numbers("mu"), testing::ElementsAreArray(shard.variables[0]));
    EXPECT_EQ(reader.steps(), shard.steps);
  }
}

TEST(Shard, WritesOneNanWhateverNanItWasGiven) {
  const ScratchFolder folder;
  const DatasetDescription description = fake_description();
  ShardData shard = fake_shard(description, 0, 4), other = shard;
  shard.outcomes[1][2] = -std::numeric_limits<double>::quiet_NaN();
  other.outcomes[1][2] = std::bit_cast<double>(0x7FF8000000000123ull);
  EXPECT_EQ(write_shard(folder / "a.h5", description, shard), write_shard(folder / "b.h5", description, other));
  const std::vector<double> column = ShardReader(folder / "a.h5").numbers("rest_x");
  EXPECT_EQ(std::bit_cast<std::uint64_t>(column[2]), 0x7FF8000000000000ull);
}

TEST(Shard, DigestSeesEveryField) {
  const DatasetDescription description = fake_description(Which::all);
  const ShardData shard = fake_shard(description, 0, 10);
  const std::string digest = shard_digest(description, shard);
  const auto changed = [&](auto change) {
    ShardData other = shard;
    change(other);
    return shard_digest(description, other) != digest;
  };
  EXPECT_TRUE(changed([](ShardData& s) { s.first = 1; }));
  EXPECT_TRUE(changed([](ShardData& s) { s.variables[1][3] = 5; }));
  EXPECT_TRUE(changed([](ShardData& s) { s.outcomes[0][9] = 0.5; }));
  EXPECT_TRUE(changed([](ShardData& s) { s.status[0] = 4; }));
  EXPECT_TRUE(changed([](ShardData& s) { s.energy_drift[4] = -0.0; }));
  EXPECT_TRUE(changed([](ShardData& s) { s.trajectories.valid_steps[2] = 0; }));
  EXPECT_TRUE(changed([](ShardData& s) { s.trajectories.v.doubles().back() = 1; }));
}

TEST(Shard, IsTrustedOnlyIfWholeAndOfThisDataset) {
  const ScratchFolder folder;
  const DatasetDescription description = fake_description(Which::failures);
  const auto path = folder / "shard.h5";
  EXPECT_FALSE(verify_shard(path, description, 0, 300)) << "absent";
  ShardData shard = fake_shard(description, 0, 300);
  write_shard(path, description, shard);
  EXPECT_TRUE(verify_shard(path, description, 0, 300));
  EXPECT_TRUE(verify_shard(path, description, 0, 200)) << "more samples than wanted";
  EXPECT_FALSE(verify_shard(path, description, 0, 301)) << "fewer samples than wanted";
  EXPECT_FALSE(verify_shard(path, description, 16384, 300)) << "another place";
  DatasetDescription other = description;
  other.seed = 8;
  EXPECT_FALSE(verify_shard(path, other, 0, 300)) << "another seed";
  other = description;
  other.scenario += "x";
  EXPECT_FALSE(verify_shard(path, other, 0, 300)) << "another scenario";
}

TEST(Shard, IsNotTrustedWithAnyByteOfItsDataFlipped) {
  const ScratchFolder folder;
  const DatasetDescription description = fake_description(Which::all);
  ShardData shard = fake_shard(description, 0, 300);
  write_shard(folder / "shard.h5", description, shard);
  const std::string whole = read_text_file(folder / "shard.h5");
  // The bytes of the number 123/8, once in a column of the summary, and of a state of sample 123.
  for (const double number : {123.0 / 8, 123.0 + 0.001 * 40}) {
    const std::string bytes(reinterpret_cast<const char*>(&number), sizeof number);
    const std::size_t at = whole.find(bytes);
    ASSERT_NE(at, std::string::npos);
    std::string damaged = whole;
    damaged[at + 3] = static_cast<char>(damaged[at + 3] ^ 16);
    std::ofstream(folder / "damaged.h5", std::ios::binary) << damaged;
    EXPECT_FALSE(verify_shard(folder / "damaged.h5", description, 0, 300));
  }
  for (const std::size_t length : {std::size_t{0}, std::size_t{100}, whole.size() / 2, whole.size() - 1}) {
    std::ofstream(folder / "cut.h5", std::ios::binary) << whole.substr(0, length);
    EXPECT_FALSE(verify_shard(folder / "cut.h5", description, 0, 300)) << length << " bytes";
  }
}

/// Where the texts of the root's attributes begin in a file, and how many bytes they take; they have no checksum there.
std::pair<std::size_t, std::size_t> texts_in(const std::string& file, const DatasetDescription& description) {
  const std::size_t at = file.rfind("GCOL", file.find(sha256_hex(description.scenario)));
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, file.data() + at + 8, sizeof bytes);
  return {at, bytes};
}

// The library itself would write into other memory, or never come back.
TEST(Shard, IsNotTrustedWithTextsOfOtherSizes) {
  const ScratchFolder folder;
  const auto path = folder / "damaged.h5";
  const DatasetDescription description = fake_description(Which::all);
  write_shard(folder / "shard.h5", description, fake_shard(description, 0, 30));
  const std::string whole = read_text_file(folder / "shard.h5");
  const auto [at, texts] = texts_in(whole, description);
  ASSERT_EQ(texts, 4096u);
  const auto damage = [&](std::size_t begin, std::size_t bytes, auto change) {
    std::string damaged = whole;
    for (std::size_t i = begin; i < begin + bytes; ++i) damaged[i] = static_cast<char>(change(damaged[i]));
    std::ofstream(path, std::ios::binary) << damaged;
    const FoundShard found = check_shard(path, description, {0, 0, 30});
    return found.state == FoundShard::State::broken;
  };
  const auto zero = [](char) { return 0; };
  EXPECT_TRUE(damage(at, texts, zero));
  EXPECT_TRUE(damage(at + 16, 512, zero)) << "a sector";
  EXPECT_TRUE(damage(at + 16 + 8, 8, zero)) << "the size of the first text";
  for (int bit = 0; bit < 8; ++bit) {
    const auto flip = [bit](char byte) { return byte ^ (1 << bit); };
    for (std::size_t byte = 8; byte < 16; ++byte) EXPECT_TRUE(damage(at + byte, 1, flip)) << byte << ' ' << bit;
    // Less than 8 bytes more or less are where it is filled up.
    for (std::size_t byte = bit < 3 ? 25 : 24; byte < 32; ++byte)
      EXPECT_TRUE(damage(at + byte, 1, flip)) << byte << ' ' << bit;
  }
  for (std::size_t byte = 0; byte < texts; byte += 5)
    damage(at + byte, 1, [byte](char value) { return value ^ (1 << byte % 8); });  // comes back, whatever it finds
}

// Numbers of samples are not in the digest.
TEST(Shard, IsNotTrustedWithOtherNumbersOfSamples) {
  const ScratchFolder folder;
  const DatasetDescription description = fake_description();
  const std::string path = folder / "shard.h5";
  write_shard(path, description, fake_shard(description, 0, 300));
  hsize_t first = 0, bytes = 0;
  haddr_t address = 0;
  unsigned filters = 0;
  {
    const hdf5::Handle file = hdf5::open_for_reading(path);
    const hid_t samples = H5Dopen2(file, "summary/sample", H5P_DEFAULT);
    const hid_t space = H5Dget_space(samples);
    EXPECT_GE(H5Dget_chunk_info(samples, space, 0, &first, &filters, &address, &bytes), 0);
    H5Sclose(space), H5Dclose(samples);
  }
  ASSERT_GT(bytes, 0U);
  const std::string whole = read_text_file(path);
  for (hsize_t at = address; at < address + bytes; ++at) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 16);
    std::ofstream(folder / "damaged.h5", std::ios::binary) << damaged;
    EXPECT_FALSE(verify_shard(folder / "damaged.h5", description, 0, 300)) << at - address;
  }
}

TEST(Shard, LeavesNothingBehindWhereItCannotBeWritten) {
  const ScratchFolder folder;
  const DatasetDescription description = fake_description();
  ShardData shard = fake_shard(description, 0, 10);
  EXPECT_THROW(write_shard(folder / "absent/shard.h5", description, shard), FileError);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

/// HDF5 itself recovers badly from a full disk.
TEST(Shard, CanBeWrittenAfterTheDiskWasFull) {
  const ScratchFolder folder;
  const DatasetDescription description = fake_description(Which::all);
  ShardData shard = fake_shard(description, 0, 3000);
  write_shard(folder / "whole.h5", description, shard);
  const std::string whole = read_text_file(folder / "whole.h5");
  rlimit before;
  getrlimit(RLIMIT_FSIZE, &before);
  auto* const old_handler = std::signal(SIGXFSZ, SIG_IGN);  // the write then fails with EFBIG
  for (std::size_t size = 0; size < whole.size(); size += whole.size() / 40) {
    const rlimit small = {size, RLIM_INFINITY};
    setrlimit(RLIMIT_FSIZE, &small);
    std::string message = "no error";
    try {
      write_shard(folder / "shard.h5", description, shard);
    } catch (const FileError& error) {
      message = error.what();
    }
    setrlimit(RLIMIT_FSIZE, &before);
    EXPECT_EQ(message, (folder / "shard.h5").string() + ": cannot be written: File too large") << size;
    const auto files = std::distance(std::filesystem::directory_iterator(folder.path()), {});
    EXPECT_EQ(files, 1) << "only whole.h5";
  }
  std::signal(SIGXFSZ, old_handler);
  write_shard(folder / "shard.h5", description, shard);
  EXPECT_EQ(read_text_file(folder / "shard.h5"), whole);
}

TEST(ShardSize, IsTheLargestPowerOfTwoBelowOneGibibyteOfRecords) {
  EXPECT_EQ(samples_per_shard(fake_description()), 16384);
  // 2 bodies x 13 numbers x 8 bytes = 208 bytes per instant.
  DatasetDescription description = fake_description(Which::all, 0, 401);
  EXPECT_EQ(trajectory_bytes(description), 401 * 208);
  EXPECT_EQ(samples_per_shard(description), 8192);
  EXPECT_LT(8192 * trajectory_bytes(description), std::int64_t{1} << 30);
  EXPECT_GE(16384 * trajectory_bytes(description), std::int64_t{1} << 30);
  EXPECT_EQ(samples_per_shard(fake_description(Which::failures, 0, 401)), 8192) << "every sample may fail";
  EXPECT_EQ(samples_per_shard(fake_description(Which::first, 100, 401)), 16384) << "100 records are small";
  EXPECT_EQ(samples_per_shard(fake_description(Which::all, 0, 1 << 23)), 1) << "never less than one sample";
}

}  // namespace
}  // namespace jostle
