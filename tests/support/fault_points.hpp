#pragma once
// Named places in the writing of a dataset where a test can kill a program, as a power cut would:
// JOSTLE_FAULT=shard.renamed kills it right after the first shard got its name, shard.renamed:3 after the third.
// Programs heed that variable if they are linked with faults_from_environment.cpp.
#include <array>
#include <string_view>

namespace jostle::test {

/// Every kind of file passes four points.
inline constexpr std::array<std::string_view, 28> fault_points = {
    "run.half",      "run.written",      "run.synced",      "run.renamed",       //
    "scenario.half", "scenario.written", "scenario.synced", "scenario.renamed",  //
    "shard.half",    "shard.written",    "shard.synced",    "shard.renamed",     //
    "view.half",     "view.written",     "view.synced",     "view.renamed",      //
    "csv.half",      "csv.written",      "csv.synced",      "csv.renamed",       //
    "summary.half",  "summary.written",  "summary.synced",  "summary.renamed",   //
    "page.half",     "page.written",     "page.synced",     "page.renamed"};

}  // namespace jostle::test
