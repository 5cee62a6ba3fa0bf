// Work that threads do outside the lock, in the order in which it is wanted (mpisog/team/tasks.py).
#pragma once

#include <algorithm>
#include <cmath>
#include <deque>
#include <memory>
#include <utility>

#include "sog/aggregate.hpp"
#include "team/records.hpp"

namespace mpisog::team {

enum class Kind : std::uint8_t { building, expanding, packing, unpacking };

// A thief gets one in so many of the entry sets that wait.
inline constexpr std::size_t kStealFraction = 16;

// What was found out about an entry set that follows an aggregate.
struct Following {
  Digest key{};
  Position position;
};

// What is to be computed, and what came of it. Sets in it belong to it.
struct Task {
  Kind kind = Kind::building;
  Entry* entry = nullptr;           // to be built or packed
  std::uint32_t turn = 0;           // of the entry
  AggregateRecord* held = nullptr;  // to be expanded
  Rank rank = kNobody;              // who gets what is packed, or has given what is unpacked
  Digest key{};                     // of what is unpacked
  sog::LabelId label = 0;
  bool urgent = false;
  bool is_aggregate = false;  // what is packed or unpacked
  std::uint8_t refusals = 0;
  std::string bytes;  // of the set that is packed or unpacked

  sog::SetId states = sog::kNoSet;
  sog::Aggregate aggregate;
  sog::Built built;
  Digest identity{};
  sog::Expansion ways;
  std::vector<Following> following;  // of all ways, one after the other
  Position position;
};

// What the checker waits for comes first, then what has come last; entry sets that may be given to
// others are in a row, of which each rank takes from its own part.
class Tasks {
 public:
  explicit Tasks(std::optional<double> quantile) : quantile_(quantile) {}

  [[nodiscard]] std::size_t waiting() const noexcept { return waiting_; }

  void build(Entry& entry, bool urgent) {
    entry.stage = Stage::waiting;
    entry.at_front = urgent;
    ++entry.turn;
    ++waiting_;
    const Item item = of(entry);
    if (urgent)
      urgent_.push_back(item);
    else if (!quantile_)
      calm_.push_back(item);
    else
      row_.insert(std::upper_bound(row_.begin(), row_.end(), item, before), item);
  }
  void expand(AggregateRecord& held, bool urgent) {
    held.stage = Stage::waiting;
    held.at_front = urgent;
    ++waiting_;
    (urgent ? urgent_ : calm_).push_back(of(held));
  }
  void move(std::shared_ptr<Task> task) {
    ++waiting_;
    const Kind kind = task->kind;
    urgent_.push_back({kind, nullptr, 0, nullptr, nullptr, std::move(task)});
  }
  // What was put before is waited for; where it was, it will be found begun.
  void raise(Entry& entry) {
    if (entry.stage != Stage::waiting || entry.at_front) return;
    entry.at_front = true;
    urgent_.push_back(of(entry));
  }
  void raise(AggregateRecord& held) {
    if (held.stage != Stage::waiting || held.at_front) return;
    held.at_front = true;
    urgent_.push_back(of(held));
  }
  // It waits no longer: it is not needed any more.
  void withdraw(Entry& entry) {
    if (entry.stage == Stage::waiting) --waiting_;
    entry.stage = Stage::idle;
  }
  void withdraw(AggregateRecord& held) {
    if (held.stage == Stage::waiting) --waiting_;
    held.stage = Stage::begun;
  }

  std::shared_ptr<Task> take() {
    for (std::deque<Item>* stack : {&urgent_, &calm_}) {
      while (!stack->empty()) {
        Item item = std::move(stack->back());
        stack->pop_back();
        if (waits(item)) return begin(std::move(item));
      }
    }
    if (!quantile_) return nullptr;
    Entry* const entry = from_row(*quantile_);
    return entry == nullptr ? nullptr : begin(of(*entry));
  }
  // From another's part of the row, one in so many.
  std::vector<Entry*> give(double quantile, std::size_t fraction) {
    std::vector<Entry*> given;
    for (std::size_t left = 1 + row_.size() / fraction; left > 0; --left) {
      Entry* const entry = from_row(quantile);
      if (entry == nullptr) break;
      --waiting_;
      entry->stage = Stage::begun;
      given.push_back(entry);
    }
    return given;
  }
  void clear() {
    urgent_.clear();
    calm_.clear();
    row_.clear();
    waiting_ = 0;
  }

 private:
  struct Item {
    Kind kind;
    Entry* entry;
    std::uint32_t turn;
    Position position;  // of the entry at that time
    AggregateRecord* held;
    std::shared_ptr<Task> task;
  };

  static Item of(Entry& entry) {
    return {Kind::building, &entry, entry.turn, entry.position, nullptr, nullptr};
  }
  static Item of(AggregateRecord& held) {
    return {Kind::expanding, nullptr, 0, nullptr, &held, nullptr};
  }
  static bool before(const Item& a, const Item& b) { return *a.position < *b.position; }
  static bool waits(const Item& item) {
    if (item.task) return true;
    if (item.held != nullptr) return item.held->stage == Stage::waiting;
    return item.entry->stage == Stage::waiting && item.entry->turn == item.turn;
  }
  std::shared_ptr<Task> begin(Item item) {
    --waiting_;
    if (item.task) return std::move(item.task);
    auto task = std::make_shared<Task>();
    task->kind = item.kind;
    task->held = item.held;
    task->entry = item.entry;
    task->turn = item.turn;
    if (item.held != nullptr) {
      item.held->stage = Stage::begun;
      task->aggregate = *std::exchange(item.held->aggregate, std::nullopt);
    } else {
      item.entry->stage = Stage::begun;
      task->states = std::exchange(item.entry->states, sog::kNoSet);
    }
    return task;
  }
  // Of what is not urgent; without saying that it has begun.
  Entry* from_row(double quantile) {
    while (!row_.empty()) {
      const auto at =
          static_cast<std::ptrdiff_t>(std::lround(quantile * static_cast<double>(row_.size() - 1)));
      const Item item = row_[static_cast<std::size_t>(at)];
      row_.erase(row_.begin() + at);
      if (waits(item) && !item.entry->at_front) return item.entry;
    }
    return nullptr;
  }

  std::optional<double> quantile_;
  std::deque<Item> urgent_, calm_, row_;
  std::size_t waiting_ = 0;
};

}  // namespace mpisog::team
