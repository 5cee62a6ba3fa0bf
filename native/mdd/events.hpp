// Events and state atoms with all that operations need of them, each part made when first needed:
// most lists of events serve one purpose. Safe in several threads at once; the kernel must outlive
// them.
#pragma once

#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "kernel.hpp"

namespace mpisog::mdd {

// The markings in which some of the events are enabled, or in which none is.
class Enabled {
 public:
  Enabled(Kernel& kernel, std::vector<Event> events, bool truth)
      : events_(std::move(events)),
        truth_(truth),
        label_(kernel.label({{std::nullopt, events_, truth}})) {}

  // In one go if that is not too complex, else event by event.
  Set of(Kernel& kernel, const Set& set) const {
    try {
      return kernel.select(set, *label_);
    } catch (const TooComplex&) {
      return truth_ ? kernel.fireable(set, events_) : kernel.dead(set, events_);
    }
  }

 private:
  std::vector<Event> events_;
  bool truth_;
  LabelPtr label_;
};
using EnabledPtr = std::shared_ptr<const Enabled>;

class Events {
 public:
  Events(Kernel& kernel, std::vector<Event> list) : kernel_(kernel), list_(std::move(list)) {}
  Events(const Events&) = delete;
  Events& operator=(const Events&) = delete;

  const std::vector<Event>& list() const { return list_; }
  const Firings& firings() {
    return made(firings_, [this] { return kernel_.firings(list_); });
  }
  const RelationPtr& forward() {
    return made(forward_, [this] { return kernel_.relation(list_); });
  }
  const RelationPtr& backward() {
    return made(backward_, [this] { return kernel_.backward_relation(list_); });
  }
  const EnabledPtr& some_enabled() { return enabled(some_, true); }
  const EnabledPtr& none_enabled() { return enabled(none_, false); }

 private:
  template <class Part, class Make>
  const Part& made(std::optional<Part>& part, Make make) {
    const std::lock_guard lock(mutex_);
    if (!part) part = make();
    return *part;  // never changed again
  }
  const EnabledPtr& enabled(std::optional<EnabledPtr>& part, bool truth) {
    return made(part, [&] { return std::make_shared<const Enabled>(kernel_, list_, truth); });
  }

  Kernel& kernel_;
  std::vector<Event> list_;
  std::mutex mutex_;
  std::optional<Firings> firings_;
  std::optional<RelationPtr> forward_;
  std::optional<RelationPtr> backward_;
  std::optional<EnabledPtr> some_;
  std::optional<EnabledPtr> none_;
};

// State atoms by which sets are split.
class Atoms {
 public:
  explicit Atoms(Kernel& kernel) : kernel_(kernel) {}

  void compare(LinearConstraint constraint) {
    filters_.emplace_back([&kernel = kernel_, constraint = std::move(constraint)](const Set& set) {
      return kernel.filter(set, constraint);
    });
  }
  void add(const EnabledPtr& enabled) {
    filters_.emplace_back(
        [&kernel = kernel_, enabled](const Set& set) { return enabled->of(kernel, set); });
  }
  const std::vector<Kernel::Filter>& filters() const { return filters_; }

 private:
  Kernel& kernel_;
  std::vector<Kernel::Filter> filters_;
};

}  // namespace mpisog::mdd
