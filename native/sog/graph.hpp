// The symbolic observation graph as far as it is built: entry sets and aggregates by number.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "memory/limit.hpp"
#include "sog/builder.hpp"

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
    const std::uint64_t key = std::uint64_t{entry.states} << 1 | (stuttering ? 1U : 0U);
    const auto [place, is_new] =
        entry_numbers_.try_emplace(key, static_cast<std::uint32_t>(entries_.size()));
    if (is_new) {
      meter_.add(kEntryBytes);
      entries_.push_back({entry, stuttering, kNoNumber, {}});
    }
    return place->second;
  }
  Number identify(Built built) {
    const auto [place, is_new] =
        numbers_.try_emplace(built.aggregate, static_cast<Number>(nodes_.size()));
    if (is_new) {
      meter_.add(kNodeBytes);
      nodes_.emplace_back().built = std::move(built);
    }
    return place->second;
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
  static constexpr std::size_t kEntryBytes = sizeof(EntryRecord) + 48;
  static constexpr std::size_t kNodeBytes = sizeof(Node) + sizeof(Aggregate) + 64;

  mutable std::mutex mutex_;
  std::unique_ptr<Builder> builder_;
  std::deque<EntryRecord> entries_;
  std::deque<Node> nodes_;
  std::unordered_map<std::uint64_t, std::uint32_t> entry_numbers_;
  std::unordered_map<Aggregate, Number, AggregateHash> numbers_;
  std::uint64_t edges_ = 0;
  std::uint32_t explorers_ = 0;
  std::uint64_t listings_ = 0;
  memory::Meter meter_;
};

}  // namespace mpisog::sog
