// Sets of markings of a Petri net as multi-valued decision diagrams: the public interface.
//
// A Kernel owns all nodes. A Set is a reference to one of its sets, kept alive through garbage
// collections for as long as the Set lives; a kernel must outlive its sets. Equal sets of one
// kernel have the same id. All functions may be called by several threads at once unless
// Options::shared is false. Operations that take time throw OutOfMemory or Cancelled; the kernel
// and all sets remain usable afterwards.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "fingerprint.hpp"
#include "label.hpp"
#include "natural.hpp"
#include "relation.hpp"
#include "roots.hpp"
#include "types.hpp"

namespace mpisog::mdd {

class Core;
struct Context;

class Set {
 public:
  Set() = default;
  Set(const Set& other) : root_(other.root_), id_(other.id_) {
    if (root_ != nullptr) root_->retain();
  }
  Set(Set&& other) noexcept
      : root_(std::exchange(other.root_, nullptr)), id_(std::exchange(other.id_, kEmpty)) {}
  Set& operator=(Set other) noexcept {
    std::swap(root_, other.root_);
    std::swap(id_, other.id_);
    return *this;
  }
  ~Set() {
    if (root_ != nullptr) root_->release();
  }

  bool empty() const { return id_ == kEmpty; }
  NodeId id() const { return id_; }
  bool operator==(const Set& other) const { return id_ == other.id_; }

 private:
  friend class Kernel;
  Set(Context& context, NodeId id);  // inside an operation

  Root* root_ = nullptr;  // of nodes that collections could take away
  NodeId id_ = kEmpty;
};

using RelationPtr = std::shared_ptr<const Relation>;

// Events under which sets are closed as long as a label stays. Usable by many threads at once.
struct LabelledRelation {
  RelationPtr relation;
  Label label;
};
using LabelledPtr = std::shared_ptr<LabelledRelation>;
using LabelPtr = std::shared_ptr<Label>;

class Kernel {
 public:
  explicit Kernel(const Options& options);
  ~Kernel();
  Kernel(const Kernel&) = delete;
  Kernel& operator=(const Kernel&) = delete;

  Level levels() const;

  // Building sets. A marking has one value a level.
  Set empty() const { return {}; }
  Set singleton(const Marking& marking);
  Set from_markings(std::span<const Marking> markings);

  Set unite(const Set& a, const Set& b);
  Set intersect(const Set& a, const Set& b);
  Set subtract(const Set& a, const Set& b);
  bool is_subset(const Set& a, const Set& b);

  // Single steps.
  Set image(const Set& set, const Event& event);
  Set image(const Set& set, std::span<const Event> events);  // union over the events
  // The same for events that come again: looking them up can take longer than a small image.
  Firings firings(std::span<const Event> events);
  Set image(const Set& set, const Firings& firings);
  Set preimage(const Set& set, const Event& event);
  Set preimage(const Set& set, std::span<const Event> events);
  Set enabled(const Set& set, const Event& event);  // the markings in which the guards hold

  // Closure: the least superset that is closed under all events of the relation.
  RelationPtr relation(const std::vector<Event>& events);
  RelationPtr backward_relation(const std::vector<Event>& events);
  Set closure(const Set& set, const Relation& relation);
  // Only through markings of the given set: what is reachable from set ∩ within without leaving
  // within.
  Set closure_within(const Set& set, const Relation& relation, const Set& within);
  // Only through markings with a label. Throws TooComplex.
  LabelledPtr labelled(const RelationPtr& relation, const std::vector<Condition>& conditions);
  Set closure_labelled(const Set& set, LabelledRelation& labelled);

  // Selection.
  Set filter(const Set& set, const LinearConstraint& constraint);
  LabelPtr label(const std::vector<Condition>& conditions);
  Set select(const Set& set, Label& label);                     // throws TooComplex
  Set fireable(const Set& set, std::span<const Event> events);  // some event is enabled
  Set dead(const Set& set, std::span<const Event> events);      // no event is enabled
  // The classes of markings that agree on all filters, with the filters' truth values; no class is
  // empty.
  using Filter = std::function<Set(const Set&)>;
  std::vector<std::pair<std::vector<bool>, Set>> split(const Set& set,
                                                       std::span<const Filter> filters);

  // Figures.
  Natural count(const Set& set);
  Natural count_steps(const Set& set, std::span<const Event> events);
  std::size_t node_count(const Set& set);
  std::vector<Value> largest_values(const Set& set);
  std::optional<std::int64_t> largest_sum(const Set& set,
                                          std::span<const LinearTerm> terms);  // none if empty

  // Markings.
  bool contains(const Set& set, const Marking& marking);
  std::optional<Marking> pick(const Set& set);  // the lexicographically smallest
  // One with the fewest tokens more or less than the wished marking, the smallest of those.
  std::optional<Marking> nearest(const Set& set, const Marking& wished);
  // Ascending; the visitor returns false to stop. It must not call the kernel.
  void for_each(const Set& set, const std::function<bool(const Marking&)>& visit);

  // Equal sets have equal fingerprints and equal bytes in every kernel with as many levels.
  Fingerprint fingerprint(const Set& set);
  std::vector<std::uint8_t> serialise(const Set& set);
  Set deserialise(std::span<const std::uint8_t> bytes);

  void collect_garbage();
  Statistics statistics() const;  // at any time, from any thread

 private:
  template <class Work>
  Set compute(const char* phase, Work work);
  void require_own(const Marking& marking) const;
  void require_own(const LinearConstraint& constraint) const;
  void require_own(const std::vector<Condition>& conditions) const;
  Event prepared(const Event& event) const;

  std::unique_ptr<Core> core_;
};

}  // namespace mpisog::mdd
