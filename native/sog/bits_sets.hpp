// Sets of numbered markings, for the observation graph.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bits/operations.hpp"
#include "sog/builder.hpp"
#include "sog/label_steps.hpp"
#include "sog/stopped.hpp"

namespace mpisog::sog {

class BitsSets {
 public:
  // Shared: the sets themselves are never copied.
  class Set {
   public:
    Set() = default;
    explicit Set(bits::Set set) : shared_(std::make_shared<const bits::Set>(std::move(set))) {}
    const bits::Set& operator*() const { return *shared_; }
    const bits::Set* operator->() const { return shared_.get(); }
    bool operator==(const Set& other) const {
      return shared_ == other.shared_ || *shared_ == *other.shared_;
    }

   private:
    std::shared_ptr<const bits::Set> shared_;
  };
  using Steps = const bits::Steps;
  using Enabled = const bits::Truth*;
  // The markings that have what of the label must be kept; null where all steps inside keep it.
  using Kept = const bits::Set*;
  struct Candidates {
    const bits::Steps* steps = nullptr;
    [[nodiscard]] bool none() const { return steps == nullptr || steps->none(); }
  };
  struct CycleSearch {
    std::optional<Set> found;
    bool gave_up;
  };

  struct Atoms {
    std::vector<const bits::Truth*> list;
    const bits::Truth* dead;
  };
  // `stop` is asked before operations, which are short.
  BitsSets(const bits::Reachable& graph, Atoms atoms, std::function<bool()> stop)
      : graph_(&graph),
        atoms_(std::move(atoms)),
        stop_(std::move(stop)),
        empty_(bits::Set(graph.size())) {}

  static std::size_t hash(const Set& set) { return static_cast<std::size_t>(set->hash()); }
  static bool is_empty(const Set& set) { return set->empty(); }
  static std::size_t bytes(const Set& set) {
    return set->members().size_bytes() + set->words().size_bytes();
  }

  Set empty() { return empty_; }
  Set initial() { return of(graph_->number(graph_->net().initial)); }
  Set unite(const Set& a, const Set& b) {
    if (a->empty()) return b;
    return b->empty() ? a : Set(bits::unite(*a, *b));
  }
  Set intersect(const Set& a, const Set& b) { return Set(bits::intersect(*a, *b)); }
  Set subtract(const Set& a, const Set& b) {
    return a->empty() || b->empty() ? a : Set(bits::subtract(*a, *b));
  }
  Set image(const Set& set, Steps& steps) {
    poll();
    return Set(bits::image(*graph_, *set, steps));
  }
  Set preimage(const Set& set, Steps& steps) {
    poll();
    return Set(bits::preimage(*graph_, *set, steps));
  }
  Set closure(const Set& set, Steps& steps) {
    poll();
    return Set(bits::closure(*graph_, *set, steps, nullptr));
  }
  Set closure_within(const Set& set, Steps& steps, const Set& within) {
    poll();
    return Set(bits::closure(*graph_, *set, steps, &*within));
  }
  Set enabled(const Set& set, Enabled atom) { return Set(atom->among(*set)); }
  Set dead(const Set& set) { return Set(atoms_.dead->among(*set)); }
  Set filter(const Set& set, std::size_t atom) { return Set(atoms_.list[atom]->among(*set)); }
  std::vector<std::pair<Label, Set>> split(const Set& set) { return split_from(set, 0); }
  std::size_t nodes(const Set& set) { return set->count(); }
  Set one_marking(const Set& set) { return set->empty() ? set : of(set->smallest()); }

  std::string fingerprint(const Set& set);
  std::string serialise(const Set& set);
  Set deserialise(std::string_view bytes);
  std::vector<std::uint64_t> tokens(const Set& set, const std::vector<std::uint32_t>& places);

  [[nodiscard]] Occupied occupied(std::size_t table) const {
    return {.live = graph_->bytes() + table, .nodes = graph_->bytes() + table};
  }
  void collect_garbage() {}

  std::optional<Set> close(const Set& set, Steps* steps, const Kept& kept) {
    poll();
    if (steps == nullptr) return set;
    return Set(bits::closure(*graph_, *set, *steps, kept));
  }
  CycleSearch explicit_cycle(const Set& states, const Candidates& steps, std::size_t /*limit*/) {
    poll();
    const bits::StateId found = bits::find_cycle(*graph_, *states, *steps.steps);
    return {found == petri::kNoState ? std::nullopt : std::optional(of(found)), false};
  }
  template <class Part>
  std::optional<Part> explicit_part(const Set&, const Kept&, std::size_t) {
    return std::nullopt;
  }

 private:
  Set of(bits::StateId id) { return Set(bits::Set::of_members(graph_->size(), {id})); }
  void poll() {
    if (stop_()) throw Stopped();
  }
  // Native code splits by so many atoms at a time.
  std::vector<std::pair<Label, Set>> split_from(const Set& set, std::size_t first);

  const bits::Reachable* graph_;
  Atoms atoms_;
  std::function<bool()> stop_;
  Set empty_;
};

}  // namespace mpisog::sog
