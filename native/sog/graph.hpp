// The symbolic observation graph as far as it is built: entry sets and aggregates by number.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "memory/limit.hpp"
#include "sog/builder.hpp"
#include "sog/number_index.hpp"

namespace mpisog::sog {

using Number = std::uint32_t;
inline constexpr Number kNoNumber = ~Number{0};

// Whoever shares it with threads has its mutex for each call. Records stay where they are; what an
// aggregate is never changes, nor do its ways once it is expanded.
class Graph {
 public:
  // What an explorer has done with a record; explorers count from 1, so that a new one does not
  // take the plans of an earlier one for its own.
  struct Progress {
    std::uint32_t queued_by = 0;
    std::uint32_t begun_by = 0;
  };
  struct EntryRecord {
    Entry entry;
    bool stuttering = false;
    Number number = kNoNumber;  // of the aggregate behind it, once that is built
    Progress progress;
  };
  struct Node {
    Built built;
    Expansion ways;
    bool expanded = false;
    std::uint32_t followed_by = 0;  // the explorer that knows where its ways lead
    std::uint64_t listed_in = 0;    // the last list of aggregates that it is in
    Progress progress;
  };

  explicit Graph(std::unique_ptr<Builder> builder) : builder_(std::move(builder)) {}

  [[nodiscard]] std::mutex& mutex() const noexcept { return mutex_; }
  [[nodiscard]] Builder& builder() const { return *builder_; }  // has locks of its own
  [[nodiscard]] std::size_t size() const noexcept { return nodes_.size(); }
  [[nodiscard]] std::uint64_t edges() const noexcept { return edges_; }
  [[nodiscard]] Node& node(Number number) { return nodes_[number]; }
  [[nodiscard]] EntryRecord& entry(std::uint32_t number) { return entries_[number]; }
  std::uint32_t new_explorer() { return ++explorers_; }
  std::uint64_t new_listing() { return ++listings_; }

  // The number of an entry set; the label follows from the set.
  std::uint32_t enter(Entry entry, bool stuttering) {
    const std::size_t place = std::size_t{entry.states} << 1 | (stuttering ? 1U : 0U);
    if (place >= entry_numbers_.size()) {
      memory::require_room(entry_numbers_, place + 1 - entry_numbers_.size());
      entry_numbers_.resize(place + 1, kNoNumber);
    }
    if (entry_numbers_[place] == kNoNumber) {
      meter_.add(sizeof(EntryRecord));
      entries_.push_back({entry, stuttering, kNoNumber, {}});
      entry_numbers_[place] = static_cast<std::uint32_t>(entries_.size() - 1);
    }
    return entry_numbers_[place];
  }
  Number identify(Built built) {
    const std::size_t hash = AggregateHash()(built.aggregate);
    const Number known = index_.find(
        hash, [&](Number number) { return nodes_[number].built.aggregate == built.aggregate; });
    if (known != NumberIndex::kNone) return known;
    meter_.add(kNodeBytes);
    const auto number = static_cast<Number>(nodes_.size());
    nodes_.emplace_back().built = std::move(built);
    index_.add(hash, number);
    return number;
  }
  void expanded(Number number, Expansion ways) {
    std::size_t edges = 0;
    for (const Way& way : ways) edges += way.entries.size();
    meter_.add(ways.size() * sizeof(Way) + edges * sizeof(Entry));
    edges_ += edges;
    nodes_[number].ways = std::move(ways);
    nodes_[number].expanded = true;
  }

 private:
  static constexpr std::size_t kNodeBytes = sizeof(Node) + 32;  // with its place in the index

  mutable std::mutex mutex_;
  std::unique_ptr<Builder> builder_;
  std::deque<EntryRecord> entries_;
  std::deque<Node> nodes_;
  std::vector<std::uint32_t> entry_numbers_;  // by set, without and with stuttering
  NumberIndex index_;                         // of nodes, by aggregate
  std::uint64_t edges_ = 0;
  std::uint32_t explorers_ = 0;
  std::uint64_t listings_ = 0;
  memory::Meter meter_;
};

}  // namespace mpisog::sog
