// Tables that number sets and labels; safe in several threads at once.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "memory/limit.hpp"
#include "sog/aggregate.hpp"
#include "sog/number_index.hpp"

namespace mpisog::sog {

// Keeps every set that it has numbered, until all who had it numbered have dropped it. The empty
// set is number 0.
template <class Sets>
class SetTable {
 public:
  using Set = typename Sets::Set;

  explicit SetTable(Sets& sets) : sets_(sets) { list_.push_back({sets.empty(), 0}); }

  SetId number(Set set) {
    if (sets_.is_empty(set)) return kEmptySet;
    const std::size_t hash = Sets::hash(set);
    const std::lock_guard lock(mutex_);
    SetId id = index_.find(hash, [&](SetId known) { return list_[known].set == set; });
    if (id == NumberIndex::kNone) id = add(std::move(set), hash);
    ++list_[id].uses;
    return id;
  }
  const Set& operator[](SetId id) const {
    const std::lock_guard lock(mutex_);
    return list_[id].set;  // stays where it is
  }
  [[nodiscard]] std::size_t bytes() const {
    const std::lock_guard lock(mutex_);
    return bytes_;
  }
  void drop(SetId id) {
    if (id == kEmptySet || id == kNoSet) return;
    const std::lock_guard lock(mutex_);
    Slot& slot = list_[id];
    if (--slot.uses > 0) return;
    bytes_ -= kEntryBytes + sets_.bytes(slot.set);
    index_.remove(Sets::hash(slot.set), id);
    slot.set = Set();
    free_.push_back(id);
  }

 private:
  struct Slot {
    Set set;
    std::size_t uses = 0;
  };
  static constexpr std::size_t kEntryBytes = sizeof(Slot) + 32;  // with its place in the index

  SetId add(Set set, std::size_t hash) {
    const std::size_t bytes = kEntryBytes + sets_.bytes(set);
    meter_.add(bytes);
    const SetId id = free_slot();
    index_.add(hash, id);
    list_[id].set = std::move(set);
    bytes_ += bytes;
    return id;
  }
  SetId free_slot() {
    if (free_.empty()) {
      list_.emplace_back();
      return static_cast<SetId>(list_.size() - 1);
    }
    const SetId id = free_.back();
    free_.pop_back();
    return id;
  }

  Sets& sets_;
  mutable std::mutex mutex_;
  NumberIndex index_;
  std::deque<Slot> list_;
  std::vector<SetId> free_;
  std::size_t bytes_ = 0;
  memory::Meter meter_;
};

// Labels by number; what is known of each is found out when it is first needed, by one thread or by
// several at the same time, of which the first one counts.
template <class Facts>
class LabelTable {
 public:
  using Find = std::function<std::unique_ptr<Facts>(const Label&)>;

  explicit LabelTable(Find find) : find_(std::move(find)) {}

  LabelId number(const Label& label) {
    const std::lock_guard lock(mutex_);
    const auto known = numbers_.find(label);
    if (known != numbers_.end()) return known->second;
    // Its slot comes first: without one, the next label would get the same number.
    slots_.push_back({label, nullptr});
    return numbers_.try_emplace(label, static_cast<LabelId>(slots_.size() - 1)).first->second;
  }
  const Label& label(LabelId id) const {
    const std::lock_guard lock(mutex_);
    return slots_[id].label;
  }
  // Without the lock while it is found out: whoever knows may have to wait for others.
  Facts& facts(LabelId id) {
    Slot* slot = nullptr;
    {
      const std::lock_guard lock(mutex_);
      slot = &slots_[id];
      if (slot->facts) return *slot->facts;
    }
    std::unique_ptr<Facts> found = find_(slot->label);
    const std::lock_guard lock(mutex_);
    if (!slot->facts) slot->facts = std::move(found);
    return *slot->facts;
  }

 private:
  struct Slot {
    Label label;
    std::unique_ptr<Facts> facts;
  };

  Find find_;
  mutable std::mutex mutex_;
  std::unordered_map<Label, LabelId> numbers_;
  std::deque<Slot> slots_;
};

}  // namespace mpisog::sog
