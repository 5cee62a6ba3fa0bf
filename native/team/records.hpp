// The tables of a builder: entry sets, aggregates, and what waits for what.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "team/messages.hpp"

namespace mpisog::team {

// Tokens of one marking: sets near each other have much in common. Shared by all that are in a row.
using Position = std::shared_ptr<const std::vector<std::uint64_t>>;

// Whether something is to be computed; `begun` also by a rank that was given it.
enum class Stage : std::uint8_t { idle, waiting, begun };

struct PendingAnswer;

// An entry set on its way to the aggregate behind it.
struct Entry {
  Digest key{};
  sog::LabelId label = 0;
  // Kept as long as it may be needed here: a task that has begun, or the rank that was given it,
  // has it.
  sog::SetId states = sog::kNoSet;
  Position position;
  std::optional<Node> node;
  Stage stage = Stage::idle;
  std::uint32_t turn = 0;  // what is in a queue of an earlier turn is void
  bool claimed = false;
  bool urgent = false;        // it is waited for
  bool at_front = false;      // of the tasks
  std::uint8_t refusals = 0;  // how often there was not enough memory for it
  Rank given_to = kNobody;    // the rank that builds it in our place
  std::vector<Rank> wanted_by;
  std::vector<PendingAnswer*> parts;  // those that wait for it
};

struct AggregateRecord;

// What follows an aggregate in one mode.
struct PendingAnswer {
  AggregateRecord* held = nullptr;
  sog::Mode mode = sog::kWaiting;
  std::vector<Entry*> entries;  // until it is told
  std::size_t missing = 0;
  bool followed = false;
  bool told = false;
};

// An aggregate whose successors this builder tells, or what is before the initial one.
struct AggregateRecord {
  Digest identity{};
  std::optional<sog::Aggregate> aggregate;  // until a task takes it
  std::vector<PendingAnswer> parts;         // once it is expanded
  bool expanded = false;
  bool dropped = false;  // another rank holds it
  std::uint8_t refusals = 0;
  Stage stage = Stage::idle;
  bool at_front = false;
  std::set<sog::Mode> asked;  // modes that the checker waits for
};

}  // namespace mpisog::team
