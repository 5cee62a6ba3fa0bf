#include "kernel.hpp"

#include <stdexcept>

#include "core.hpp"
#include "counting.hpp"
#include "operations.hpp"
#include "serialise.hpp"
#include "traversal.hpp"

namespace mpisog::mdd {

Set::Set(Context& context, NodeId id)
    : root_(id > kTrue ? &context.handles.take(id) : nullptr), id_(id) {}

Kernel::Kernel(const Options& options) : core_(std::make_unique<Core>(options)) {}
Kernel::~Kernel() = default;

Level Kernel::levels() const { return core_->options.levels; }

template <class Work>
Set Kernel::compute(const char* phase, Work work) {
  Set result;
  const auto operation = [&](Context& context) { result = Set(context, work(context)); };
  core_->run(phase, std::ref(operation));  // a reference needs no memory
  return result;
}

void Kernel::require_own(const Marking& marking) const {
  if (marking.size() != levels())
    throw std::invalid_argument("a marking has the wrong number of places");
}

void Kernel::require_own(const LinearConstraint& constraint) const {
  for (const LinearTerm& term : constraint.terms) {
    if (term.level >= levels())
      throw std::invalid_argument("a constraint uses a level that does not exist");
  }
}

void Kernel::require_own(const std::vector<Condition>& conditions) const {
  for (const Condition& condition : conditions)
    if (condition.comparison) require_own(*condition.comparison);
}

Event Kernel::prepared(const Event& event) const { return normalised(event, levels()); }

Set Kernel::singleton(const Marking& marking) {
  require_own(marking);
  return compute("singleton", [&](Context& context) {
    Keep keep(context, kTrue);
    NodeId node = kTrue;
    for (Level level = levels(); level-- > 0; keep.replace(node)) {
      context.poll();
      node = context.make_single(marking[level], node);
    }
    return node;
  });
}

Set Kernel::from_markings(std::span<const Marking> markings) {
  std::vector<const Marking*> pointers;
  for (const Marking& marking : markings) {
    require_own(marking);
    pointers.push_back(&marking);
  }
  return compute("build", [&](Context& context) {
    return mdd::from_markings(context, levels(), std::move(pointers));
  });
}

Set Kernel::unite(const Set& a, const Set& b) {
  return compute("union", [&](Context& context) { return mdd::unite(context, a.id(), b.id()); });
}

Set Kernel::intersect(const Set& a, const Set& b) {
  return compute("intersection",
                 [&](Context& context) { return mdd::intersect(context, a.id(), b.id()); });
}

Set Kernel::subtract(const Set& a, const Set& b) {
  return compute("difference",
                 [&](Context& context) { return mdd::subtract(context, a.id(), b.id()); });
}

bool Kernel::is_subset(const Set& a, const Set& b) {
  bool holds = false;
  core_->run("subset", [&](Context& context) { holds = mdd::is_subset(context, a.id(), b.id()); });
  return holds;
}

Set Kernel::image(const Set& set, const Event& event) {
  const Suffix* const suffix = core_->plain_suffix(prepared(event));
  return compute("image",
                 [&](Context& context) { return fire_once(context, suffix, 0, set.id()); });
}

Set Kernel::image(const Set& set, std::span<const Event> events) {
  return image(set, firings(events));
}

Firings Kernel::firings(std::span<const Event> events) {
  Firings found;
  for (const Event& event : events) found.push_back(core_->plain_suffix(prepared(event)));
  return found;
}

Set Kernel::image(const Set& set, const Firings& firings) {
  return compute("image", [&](Context& context) {
    Keep result(context, kEmpty);
    NodeId all = kEmpty;
    for (const Suffix* suffix : firings) {
      all = mdd::unite(context, all, fire_once(context, suffix, 0, set.id()));
      result.replace(all);
    }
    return all;
  });
}

Set Kernel::preimage(const Set& set, const Event& event) {
  return image(set, reversed(prepared(event)));
}

Set Kernel::preimage(const Set& set, std::span<const Event> events) {
  std::vector<Event> backwards;
  for (const Event& event : events) backwards.push_back(reversed(prepared(event)));
  return image(set, backwards);
}

Set Kernel::enabled(const Set& set, const Event& event) {
  return image(set, without_effect(prepared(event)));
}

RelationPtr Kernel::relation(const std::vector<Event>& events) {
  return std::make_shared<const Relation>(levels(), events, core_->tags);
}

RelationPtr Kernel::backward_relation(const std::vector<Event>& events) {
  std::vector<Event> backwards;
  for (const Event& event : events) backwards.push_back(reversed(prepared(event)));
  return relation(backwards);
}

Set Kernel::closure(const Set& set, const Relation& relation) {
  return compute("closure",
                 [&](Context& context) { return saturate(context, relation, 0, set.id()); });
}

Set Kernel::closure_within(const Set& set, const Relation& relation, const Set& within) {
  Firings suffixes;
  for (const Event& event : relation.events()) suffixes.push_back(core_->plain_suffix(event));
  return compute("closure within", [&](Context& context) {
    NodeId reached = mdd::intersect(context, set.id(), within.id());
    Keep keep(context, reached);
    // Each event uses what the events before it have added, which needs far fewer rounds than
    // breadth first.
    for (NodeId before = kEmpty; before != reached;) {
      before = reached;
      const Keep keep_before(context, before);
      for (const Suffix* suffix : suffixes) {
        const NodeId fired =
            mdd::intersect(context, fire_once(context, suffix, 0, reached), within.id());
        reached = mdd::unite(context, reached, fired);
        keep.replace(reached);
      }
    }
    return reached;
  });
}

LabelledPtr Kernel::labelled(const RelationPtr& relation,
                             const std::vector<Condition>& conditions) {
  require_own(conditions);
  const std::uint32_t keys = relation->suffix_count() + 1;
  return LabelledPtr(
      new LabelledRelation{relation, Label(levels(), conditions, keys, core_->tags)});
}

Set Kernel::closure_labelled(const Set& set, LabelledRelation& labelled) {
  return compute("labelled closure", [&](Context& context) {
    return saturate_labelled(context, *labelled.relation, labelled.label, set.id());
  });
}

Set Kernel::filter(const Set& set, const LinearConstraint& constraint) {
  require_own(constraint);
  return compute("filter",
                 [&](Context& context) { return filter_linear(context, constraint, set.id()); });
}

LabelPtr Kernel::label(const std::vector<Condition>& conditions) {
  require_own(conditions);
  return LabelPtr(new Label(levels(), conditions, 1, core_->tags));
}

Set Kernel::select(const Set& set, Label& label) {
  return compute("select", [&](Context& context) { return mdd::select(context, label, set.id()); });
}

Set Kernel::fireable(const Set& set, std::span<const Event> events) {
  std::vector<Event> guards;
  for (const Event& event : events) guards.push_back(without_effect(prepared(event)));
  return image(set, guards);
}

Set Kernel::dead(const Set& set, std::span<const Event> events) {
  // Removing event by event keeps the intermediate sets small.
  Set rest = set;
  for (const Event& event : events) {
    if (rest.empty()) break;
    rest = subtract(rest, enabled(rest, event));
  }
  return rest;
}

std::vector<std::pair<std::vector<bool>, Set>> Kernel::split(const Set& set,
                                                             std::span<const Filter> filters) {
  std::vector<std::pair<std::vector<bool>, Set>> classes;
  if (!set.empty()) classes.emplace_back(std::vector<bool>{}, set);
  for (const Filter& filter : filters) {
    std::vector<std::pair<std::vector<bool>, Set>> finer;
    for (auto& [truth, part] : classes) {
      Set yes = filter(part);
      if (Set no = yes == part ? Set() : subtract(part, yes); !no.empty()) {
        finer.emplace_back(truth, std::move(no));
        finer.back().first.push_back(false);
      }
      if (yes.empty()) continue;
      finer.emplace_back(std::move(truth), std::move(yes));
      finer.back().first.push_back(true);
    }
    classes = std::move(finer);
  }
  return classes;
}

Natural Kernel::count(const Set& set) {
  Natural result;
  core_->run("count", [&](Context& context) { result = count_markings(context, set.id()); });
  return result;
}

Natural Kernel::count_steps(const Set& set, std::span<const Event> events) {
  std::vector<Event> all;
  for (const Event& event : events) all.push_back(prepared(event));
  Natural result;
  core_->run("count steps", [&](Context& context) {
    result = mdd::count_steps(context, levels(), set.id(), all);
  });
  return result;
}

std::size_t Kernel::node_count(const Set& set) {
  std::size_t result = 0;
  core_->run("count nodes",
             [&](Context& context) { result = Traversal(context, set.id()).size(); });
  return result;
}

std::vector<Value> Kernel::largest_values(const Set& set) {
  std::vector<Value> result;
  core_->run("bounds",
             [&](Context& context) { result = mdd::largest_values(context, levels(), set.id()); });
  return result;
}

std::optional<std::int64_t> Kernel::largest_sum(const Set& set, std::span<const LinearTerm> terms) {
  if (set.empty()) return std::nullopt;
  std::vector<std::int64_t> coefficients(levels(), 0);
  for (const LinearTerm& term : terms) coefficients.at(term.level) += term.coefficient;
  std::int64_t result = 0;
  core_->run("bounds",
             [&](Context& context) { result = mdd::largest_sum(context, set.id(), coefficients); });
  return result;
}

bool Kernel::contains(const Set& set, const Marking& marking) {
  require_own(marking);
  NodeId node = set.id();
  core_->run("contains", [&](Context&) {
    for (Level level = 0; level < levels() && node != kEmpty; ++level) {
      node = core_->store.find_child(node, marking[level]);
    }
  });
  return node != kEmpty;
}

std::optional<Marking> Kernel::pick(const Set& set) {
  std::optional<Marking> result;
  for_each(set, [&](const Marking& marking) {
    result = marking;
    return false;
  });
  return result;
}

std::optional<Marking> Kernel::nearest(const Set& set, const Marking& wished) {
  require_own(wished);
  if (set.empty()) return std::nullopt;
  std::optional<Marking> result;
  core_->run("nearest",
             [&](Context& context) { result = mdd::nearest(context, levels(), set.id(), wished); });
  return result;
}

void Kernel::for_each(const Set& set, const std::function<bool(const Marking&)>& visit) {
  if (set.empty()) return;
  core_->run("iterate", [&](Context&) {
    Marking marking(levels());
    std::vector<std::pair<NodeId, std::uint32_t>> path{
        {set.id(), 0}};  // node and its next edge, a level each
    while (!path.empty()) {
      auto& [id, edge] = path.back();
      if (path.size() == levels() + std::size_t{1}) {
        if (!visit(marking)) return;
        path.pop_back();
        continue;
      }
      const NodeView node = core_->store.view(id);
      while (edge < node.size && node.child(edge) == kEmpty) ++edge;
      if (edge == node.size) {
        path.pop_back();
        continue;
      }
      marking[path.size() - 1] = node.value(edge);
      const NodeId child = node.child(edge++);
      path.emplace_back(child, 0);
    }
  });
}

Fingerprint Kernel::fingerprint(const Set& set) {
  Fingerprint print{0, 0};
  core_->run("fingerprint",
             [&](Context& context) { print = core_->fingerprints.of(context, set.id()); });
  return print;
}

std::vector<std::uint8_t> Kernel::serialise(const Set& set) {
  std::vector<std::uint8_t> bytes;
  core_->run("serialise",
             [&](Context& context) { bytes = mdd::serialise(context, levels(), set.id()); });
  return bytes;
}

Set Kernel::deserialise(std::span<const std::uint8_t> bytes) {
  return compute("deserialise",
                 [&](Context& context) { return mdd::deserialise(context, levels(), bytes); });
}

void Kernel::collect_garbage() { core_->collect_now(); }

Statistics Kernel::statistics() const { return core_->statistics(); }

}  // namespace mpisog::mdd
