// Sets of markings as decision diagrams, for the observation graph.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mdd/events.hpp"
#include "sog/builder.hpp"
#include "sog/label_steps.hpp"
#include "sog/mdd_searches.hpp"

namespace mpisog::sog {

class MddSets {
 public:
  using Set = mdd::Set;
  using Steps = mdd::Events;
  using Enabled = mdd::Events*;  // some of them

  // What of the label the steps inside must keep; both null where they keep it anyway.
  struct Kept {
    std::shared_ptr<mdd::LabelledRelation> labelled;
    const SearchSteps* one_by_one = nullptr;  // the steps inside and what they keep, for searches
    std::shared_ptr<std::atomic<bool>> too_complex = std::make_shared<std::atomic<bool>>(false);
  };
  struct Candidates {
    mdd::Events* steps = nullptr;
    const SearchSteps* one_by_one = nullptr;
    [[nodiscard]] bool none() const { return steps == nullptr; }
  };
  struct CycleSearch {
    std::optional<Set> found;
    bool gave_up;
  };

  struct Net {
    petri::Net net;
    PlaceOrder order;
    mdd::Events* all_steps;
    const mdd::Atoms* atoms;
  };
  // `stop` says whether searches are to end; it is asked now and then.
  MddSets(mdd::Kernel& kernel, Net net, std::function<bool()> stop)
      : kernel_(&kernel), net_(std::move(net)), stop_(std::move(stop)), levels_(net_.order.size()) {
    for (std::size_t level = 0; level < levels_.size(); ++level) levels_[net_.order[level]] = level;
  }

  static std::size_t hash(const Set& set) {
    return static_cast<std::size_t>(set.id() * 0x9E3779B97F4A7C15ULL);
  }
  static bool is_empty(const Set& set) { return set.empty(); }
  static std::size_t bytes(const Set&) { return 0; }  // the kernel counts its nodes

  Set empty() { return kernel_->empty(); }
  Set initial() { return to_set(*kernel_, net_.order, {net_.net.initial}); }
  Set unite(const Set& a, const Set& b) {
    if (a.empty() || a == b) return b;
    return b.empty() ? a : kernel_->unite(a, b);
  }
  Set intersect(const Set& a, const Set& b) {
    if (a == b || a.empty()) return a;
    return b.empty() ? b : kernel_->intersect(a, b);
  }
  Set subtract(const Set& a, const Set& b) {
    if (a == b) return {};
    return a.empty() || b.empty() ? a : kernel_->subtract(a, b);
  }
  Set image(const Set& set, Steps& steps) { return kernel_->image(set, steps.firings()); }
  Set preimage(const Set& set, Steps& steps) { return kernel_->preimage(set, steps.list()); }
  Set closure(const Set& set, Steps& steps) { return kernel_->closure(set, *steps.forward()); }
  Set closure_within(const Set& set, Steps& steps, const Set& within) {
    return kernel_->closure_within(set, *steps.forward(), within);
  }
  Set enabled(const Set& set, Enabled some) {
    return set.empty() ? set : some->some_enabled()->of(*kernel_, set);
  }
  Set dead(const Set& set) {
    return set.empty() ? set : net_.all_steps->none_enabled()->of(*kernel_, set);
  }
  Set filter(const Set& set, std::size_t atom) { return net_.atoms->filters()[atom](set); }
  std::vector<std::pair<Label, Set>> split(const Set& set) {
    return kernel_->split(set, net_.atoms->filters());
  }
  std::size_t nodes(const Set& set) { return kernel_->node_count(set); }
  Set one_marking(const Set& set);

  std::string fingerprint(const Set& set);
  std::string serialise(const Set& set);
  Set deserialise(std::string_view bytes);
  std::vector<std::uint64_t> tokens(const Set& set, const std::vector<std::uint32_t>& places);

  [[nodiscard]] Occupied occupied(std::size_t table) const;
  void collect_garbage() { kernel_->collect_garbage(); }

  // Nothing when the label is too complex to be looked at meanwhile.
  std::optional<Set> close(const Set& set, Steps* steps, const Kept& kept);
  CycleSearch explicit_cycle(const Set& states, const Candidates& steps, std::size_t limit);
  template <class Part>
  std::optional<Part> explicit_part(const Set& entry, const Kept& kept, std::size_t limit) {
    GrownPart found = grown(entry, kept, limit);
    return Part{std::move(found.inside), std::move(found.beyond), std::move(found.deepest)};
  }

 private:
  GrownPart grown(const Set& entry, const Kept& kept, std::size_t limit);

  mdd::Kernel* kernel_;
  Net net_;
  std::function<bool()> stop_;
  std::vector<std::size_t> levels_;  // of each place
};

}  // namespace mpisog::sog
