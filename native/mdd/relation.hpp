// Events compiled for firing level by level.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <tuple>
#include <vector>

#include "types.hpp"

namespace mpisog::mdd {

using SuffixId = std::uint32_t;
inline constexpr SuffixId kDone = 0xFFFFFFFFU;  // nothing left to do below

// The part of an event from one level on. Equal parts of different events are one suffix, and so
// share results.
struct Suffix {
  Level level;
  Value at_least, at_most;
  std::int64_t delta;
  SuffixId next;
  const Suffix* next_suffix;  // null when next is kDone
  std::uint32_t tag;          // key in the operation cache
  std::uint32_t needed;       // bit k: the place k levels below must hold a token

  // Whether a node at this level or above it can have a marking that fires, as far as its signature
  // tells.
  bool may_fire(Level at, std::uint32_t signature) const {
    const Level distance = level - at;
    return distance >= 32 || ((needed << distance) & ~signature) == 0;
  }
};

// Events to be fired once each; null for one that looks at nothing.
using Firings = std::vector<const Suffix*>;

class SuffixTable {
 public:
  explicit SuffixTable(std::atomic<std::uint32_t>& tags) : tags_(tags) {}
  SuffixId add(const Event& terms, std::size_t from);  // terms sorted by level
  const Suffix& operator[](SuffixId id) const { return *suffixes_[id]; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(suffixes_.size()); }
  const Suffix* find(SuffixId id) const { return id == kDone ? nullptr : suffixes_[id].get(); }

 private:
  using Key = std::tuple<Level, Value, Value, std::int64_t, SuffixId>;
  std::atomic<std::uint32_t>& tags_;
  std::map<Key, SuffixId> known_;
  std::vector<std::unique_ptr<const Suffix>> suffixes_;
};

// An event at its topmost level.
struct TopEvent {
  Value at_least, at_most;
  std::int64_t delta;
  SuffixId below;
};

// Events of one level that are fired together; a level has at most 32 groups, one bit each.
struct EventGroup {
  bool upwards;  // the order in which values are visited, so that one sweep follows chains of
                 // firings
  std::vector<TopEvent> events;
};

// A set of events under which sets are closed. Immutable, usable by many threads at once.
class Relation {
 public:
  Relation(Level levels, const std::vector<Event>& events, std::atomic<std::uint32_t>& tags);

  const std::vector<EventGroup>& groups(Level level) const { return groups_[level]; }
  bool is_busy(Level level) const { return !groups_[level].empty(); }
  bool is_closed_from(Level level) const { return level >= first_idle_level_; }
  const Suffix& suffix(SuffixId id) const { return suffixes_[id]; }
  std::uint32_t suffix_count() const { return suffixes_.size(); }
  std::uint32_t tag() const { return tag_; }
  const std::vector<Event>& events() const { return events_; }

 private:
  void group_events(Level level, std::vector<TopEvent> tops);

  std::uint32_t tag_;
  SuffixTable suffixes_;
  std::vector<std::vector<EventGroup>> groups_;
  std::vector<Event> events_;
  Level first_idle_level_ = 0;
};

// Sorted by level, lower guards raised to what the delta needs. Throws std::invalid_argument.
Event normalised(const Event& event, Level levels);
Event reversed(const Event& event);        // of a normalised event
Event without_effect(const Event& event);  // the guards only

}  // namespace mpisog::mdd
