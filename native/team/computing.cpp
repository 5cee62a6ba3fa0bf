// What threads do for a builder, and what it makes of the results.
#include <utility>

#include "team/builder.hpp"

namespace mpisog::team {

namespace {
constexpr std::uint8_t kWhole = 0;
}  // namespace

void Builder::compute(Task& task) {
  switch (task.kind) {
    case Kind::building:
      return compute_building(task);
    case Kind::expanding:
      return compute_expansion(task);
    case Kind::packing:
      return pack(task);
    case Kind::unpacking:
      return unpack(task);
  }
}

void Builder::finish(Task& task) {
  idle_ = false;
  look_at_memory();
  switch (task.kind) {
    case Kind::building:
      return finish_building(task);
    case Kind::expanding:
      return finish_expansion(task);
    case Kind::packing:
      return finish_packing(task);
    case Kind::unpacking:
      return finish_unpacking(task);
  }
}

void Builder::compute_building(Task& task) {
  task.built = sets_.build({task.entry->label, task.states}, stuttering_matters(task.entry->label));
  if (!plan_.alone()) task.identity = identity_of(task.built.aggregate);
}

void Builder::finish_building(Task& task) {
  ++built;
  ++done_;
  if (!plan_.alone()) sets_.drop(task.states);
  const sog::Aggregate& aggregate = task.built.aggregate;
  if (task.entry->node) return drop_sets(aggregate);  // another rank was faster
  Digest identity = task.identity;
  if (plan_.alone()) {
    const auto number = numbers_.try_emplace(aggregate, numbers_.size() + 1);  // zero is kInitial
    identity = of_number(number.first->second);
  }
  const auto [holder, is_new] = holders_.try_emplace(identity, plan_.rank);
  const Node node{identity, holder->second, aggregate.can_stutter(),
                  traits(aggregate.label, task.built.ready_modes)};
  if (!is_new) {
    drop_sets(aggregate);
  } else {
    const Rank owner = plan_.owner(identity);
    hold(identity, aggregate);
    if (owner != plan_.rank) outbox.begin(owner, Tag::register_).digest(identity);
  }
  complete(*task.entry, node);
}

void Builder::compute_expansion(Task& task) {
  task.ways = sets_.expand(task.aggregate);
  for (const sog::Way& way : task.ways)
    for (const sog::Entry& entry : way.entries)
      task.following.push_back({key_of(entry.states), nullptr});
  if (plan_.alone()) return;
  std::vector<bool> is_new;
  {
    const std::lock_guard lock(mutex_);
    for (const Following& one : task.following) is_new.push_back(!entries_.contains(one.key));
  }
  std::size_t at = 0;
  for (const sog::Way& way : task.ways) {
    for (const sog::Entry& entry : way.entries) {
      if (is_new[at]) task.following[at].position = position_of(entry.states);
      ++at;
    }
  }
}

void Builder::finish_expansion(Task& task) {
  AggregateRecord& held = *task.held;
  drop_sets(task.aggregate);
  if (held.dropped) {
    for (const sog::Way& way : task.ways)
      for (const sog::Entry& entry : way.entries) sets_.drop(entry.states);
    return;
  }
  ++done_;
  know(held, task.ways, task.following);
  edges += task.following.size();
  follow_all(held);
}

// The whole form of an aggregate (mpisog/team/aggregate_bytes.py), or an entry set.
void Builder::pack(Task& task) {
  if (!task.is_aggregate) {
    task.bytes = sets_.serialise(task.states);
    return;
  }
  const sog::Aggregate& aggregate = task.aggregate;
  std::vector<bool> flags{aggregate.stuttering.known, aggregate.stuttering.dead,
                          aggregate.stuttering.divergent};
  const sog::Label label = sets_.label(aggregate.label);
  flags.insert(flags.end(), label.begin(), label.end());
  std::string bytes;
  Writer out(bytes);
  out.u8(kWhole);
  out.bits(flags);
  for (const sog::SetId set :
       {aggregate.ready, aggregate.exit_states, aggregate.deadlocks, aggregate.frontier})
    out.blob(set == sog::kEmptySet ? std::string() : sets_.serialise(set));
  task.bytes = std::move(bytes);
}

void Builder::finish_packing(Task& task) {
  if (task.is_aggregate) {
    drop_sets(task.aggregate);
    Writer out = outbox.begin(task.rank, Tag::deliver);
    out.digest(task.key);
    out.blob(task.bytes);
    return;
  }
  sets_.drop(task.states);
  send_work(*task.entry, task.rank, task.bytes);
}

void Builder::send_work(const Entry& entry, Rank rank, std::string_view states) {
  Writer out = outbox.begin(rank, Tag::stolen_work);
  out.digest(entry.key);
  out.bits(sets_.label(entry.label));
  out.flag(entry.urgent);
  out.blob(states);
}

void Builder::unpack(Task& task) {
  if (!task.is_aggregate) {
    task.states = sets_.deserialise(task.bytes);
    task.position = position_of(task.states);
    return;
  }
  Reader data(task.bytes);
  if (data.u8() != kWhole) throw MalformedMessage("an aggregate in an unknown form");
  const std::vector<bool> flags = data.bits();
  if (flags.size() < 3) throw MalformedMessage("an aggregate without a label");
  sog::Aggregate& aggregate = task.aggregate;
  aggregate.stuttering = {flags[0], flags[1], flags[2]};
  aggregate.label = sets_.number({flags.begin() + 3, flags.end()});
  for (sog::SetId* const set :
       {&aggregate.ready, &aggregate.exit_states, &aggregate.deadlocks, &aggregate.frontier}) {
    const std::string_view bytes = data.blob();
    if (!bytes.empty()) *set = sets_.deserialise(bytes);
  }
}

// What another rank has given away and wants to hear of.
Entry& Builder::stolen_entry(const Task& task) {
  const auto [place, is_new] = entries_.try_emplace(task.key);
  Entry& entry = place->second;
  if (is_new) {
    entry.key = task.key;
    entry.label = task.label;
  }
  promise(entry, task.rank, task.urgent);
  return entry;
}

// Whether it is known, or this builder has a task for it.
bool Builder::built_or_queued(const Entry& entry) {
  return entry.node || (entry.stage != Stage::idle && entry.given_to == kNobody);
}

void Builder::finish_unpacking(Task& task) {
  if (task.is_aggregate) {
    holders_[task.key] = plan_.rank;
    return hold(task.key, task.aggregate);
  }
  Entry& entry = stolen_entry(task);
  // Work may come back to who has given it away: then it waits for no other rank any more.
  if (built_or_queued(entry)) return sets_.drop(task.states);
  sets_.drop(std::exchange(entry.states, task.states));
  entry.position = task.position;
  entry.given_to = kNobody;
  tasks.build(entry, entry.urgent);
}

// Names
// -------------------------------------------------------------------------------------------------

Digest Builder::key_of(sog::SetId states) {
  return plan_.alone() ? of_number(states) : md5(sets_.fingerprint(states));
}

Position Builder::position_of(sog::SetId states) {
  if (plan_.alone()) return nullptr;
  return std::make_shared<const std::vector<std::uint64_t>>(
      sets_.tokens(states, settings_.coordinates));
}

// Made of what the future of an aggregate depends on.
Digest Builder::identity_of(const sog::Aggregate& aggregate) {
  std::string bytes;
  Writer out(bytes);
  out.flag(aggregate.stuttering.known);
  out.flag(aggregate.stuttering.dead);
  out.flag(aggregate.stuttering.divergent);
  out.bits(sets_.label(aggregate.label));
  for (const sog::SetId set :
       {aggregate.ready, aggregate.exit_states, aggregate.deadlocks, aggregate.frontier})
    out.blob(set == sog::kEmptySet ? std::string() : sets_.fingerprint(set));
  return md5(bytes);
}

bool Builder::stuttering_matters(sog::LabelId label) {
  {
    const std::lock_guard lock(matters_mutex_);
    const auto known = matters_.find(label);
    if (known != matters_.end()) return known->second;
  }
  const bool matters = settings_.stuttering_matters(sets_.label(label));
  const std::lock_guard lock(matters_mutex_);
  return matters_.try_emplace(label, matters).first->second;
}

// A lone builder's names are the numbers of sets, which it keeps.
void Builder::drop_sets(const sog::Aggregate& aggregate) {
  if (plan_.alone()) return;
  for (const sog::SetId set : {aggregate.ready, aggregate.exit_states, aggregate.deadlocks,
                               aggregate.frontier, aggregate.next})
    sets_.drop(set);
}

const std::string* Builder::traits(sog::LabelId label, const std::vector<sog::Mode>& ready) {
  std::string bytes;
  Writer out(bytes);
  out.bits(sets_.label(label));
  std::vector<std::int64_t> events;
  for (const sog::Mode mode : ready)
    events.push_back(settings_.events[static_cast<std::size_t>(mode - 1)]);
  out.ints(events);
  return &*traits_.insert(std::move(bytes)).first;
}

Node Builder::read_node(Reader& data) {
  Node node;
  node.identity = data.digest();
  node.holder = data.u32();
  node.can_stutter = data.flag();
  node.traits = &*traits_.emplace(data.blob()).first;
  return node;
}

}  // namespace mpisog::team
