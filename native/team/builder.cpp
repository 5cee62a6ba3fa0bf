#include "team/builder.hpp"

#include <algorithm>
#include <utility>

namespace mpisog::team {

Builder::Builder(sog::Builder& sets, Settings settings)
    : tasks(settings.plan.alone() ? std::nullopt
                                  : std::optional(settings.plan.quantile(settings.plan.rank))),
      sets_(sets),
      settings_(std::move(settings)),
      plan_(settings_.plan),
      levels_(static_cast<std::size_t>(plan_.builders), 0),
      victim_(plan_.rank) {}

// Messages
// -------------------------------------------------------------------------------------------------

std::size_t Builder::receive(Rank source, std::string_view messages) {
  Reader data(messages);
  std::size_t count = 0;
  for (; !data.finished(); ++count) receive_one(source, data);
  return count;
}

void Builder::receive_one(Rank source, Reader& data) {
  const auto tag = static_cast<Tag>(data.u8());
  switch (tag) {
    case Tag::ask_initial:
      return ask_initial();
    case Tag::steal_request:
      return share_work(source);
    case Tag::no_work:
      stealing_ = false;
      return;
    case Tag::room:
      levels_.at(static_cast<std::size_t>(source - kFirstBuilder)) = static_cast<int>(data.i64());
      return;
    default:
      break;
  }
  const Digest name = data.digest();  // of an aggregate or an entry set
  switch (tag) {
    case Tag::ask_successors:
      return ask(name, static_cast<sog::Mode>(data.i64()));
    case Tag::register_:
      return registered(source, name);
    case Tag::registered:
      return drop(name, data.i64());
    case Tag::claim:
      return claimed(source, name, data.flag());
    case Tag::claim_conflict: {
      const Rank rank = data.i64();
      return claim_conflict(entries_.at(name), rank, data.flag());
    }
    case Tag::built_elsewhere:
      return built_elsewhere(entries_.at(name));
    case Tag::found:
      return found_elsewhere(name, read_node(data));
    case Tag::raise_priority:
      return priority_raised(name);
    case Tag::deliver:
      return delivered(name, data);
    case Tag::stolen_work:
      return stolen(source, name, data);
    default:
      throw MalformedMessage("a builder cannot take such a message");
  }
}

void Builder::delivered(const Digest& identity, Reader& data) {
  auto task = std::make_shared<Task>();
  task->kind = Kind::unpacking;
  task->is_aggregate = true;
  task->key = identity;
  task->bytes = data.blob();
  tasks.move(std::move(task));
}

void Builder::stolen(Rank source, const Digest& key, Reader& data) {
  stealing_ = false;
  auto task = std::make_shared<Task>();
  task->kind = Kind::unpacking;
  task->rank = source;
  task->key = key;
  task->label = sets_.number(data.bits());
  task->urgent = data.flag();
  task->bytes = data.blob();
  tasks.move(std::move(task));
}

void Builder::ask_initial() {
  const sog::Entry start = sets_.initial();
  AggregateRecord& before = all_held_.emplace_back();
  before.identity = kInitial;
  before.expanded = true;
  held_[kInitial] = &before;
  know(before, {{sog::kWaiting, {start}}}, {{key_of(start.states), position_of(start.states)}});
  ask(kInitial, sog::kWaiting);
}

void Builder::ask(const Digest& identity, sog::Mode mode) {
  ++asked;
  const auto found = held_.find(identity);
  if (found == held_.end()) {
    const auto holder = holders_.find(identity);
    if (holder == holders_.end() || holder->second == plan_.rank) {
      early_[identity].insert(mode);
      return;
    }
    Writer out = outbox.begin(holder->second, Tag::ask_successors);
    out.digest(identity);
    out.i64(mode);
    return;
  }
  AggregateRecord& held = *found->second;
  held.asked.insert(mode);
  if (!held.expanded) return expand(held, true);
  for (PendingAnswer& part : held.parts)
    if (part.mode == mode) return follow(part, true);
  throw MalformedMessage("an aggregate cannot be left in that mode");
}

void Builder::registered(Rank source, const Digest& identity) {
  const Rank holder = holders_.try_emplace(identity, source).first->second;
  if (holder == source) return;
  Writer out = outbox.begin(source, Tag::registered);
  out.digest(identity);
  out.i64(holder);
}

void Builder::drop(const Digest& identity, Rank holder) {
  holders_[identity] = holder;
  const auto found = held_.find(identity);
  if (found == held_.end()) return;
  AggregateRecord& held = *found->second;
  held_.erase(found);
  held.dropped = true;
  tasks.withdraw(held);
  if (held.aggregate) drop_sets(*std::exchange(held.aggregate, std::nullopt));
  for (const sog::Mode mode : held.asked) ask(identity, mode);
}

void Builder::steal() {
  if (plan_.alone() || !plan_.eager || stealing_ || !has_room()) return;
  stealing_ = true;
  const Rank others = plan_.builders - 1;
  const Rank turn = kFirstBuilder + ++victim_ % others;
  (void)outbox.begin(turn < plan_.rank ? turn : turn + 1, Tag::steal_request);
}

void Builder::share_work(Rank source) {
  if (!give_waiting(source, kStealFraction)) (void)outbox.begin(source, Tag::no_work);
}

// Entry sets
// -------------------------------------------------------------------------------------------------

// Takes the set over.
Entry& Builder::entry_of(sog::Entry given, const Following& name) {
  const auto [place, is_new] = entries_.try_emplace(name.key);
  Entry& entry = place->second;
  if (is_new) {
    entry.key = name.key;
    entry.label = given.label;
    entry.states = given.states;
    entry.position = name.position;
  } else if (!plan_.alone()) {
    sets_.drop(given.states);
  }
  return entry;
}

bool Builder::claim(Entry& entry, bool urgent) {
  const Rank owner = plan_.owner(entry.key);
  if (owner != plan_.rank) {
    Writer out = outbox.begin(owner, Tag::claim);
    out.digest(entry.key);
    out.flag(urgent);
    return true;
  }
  claimed(owner, entry.key, urgent);
  return claimed_by_.at(entry.key) == plan_.rank;
}

// At the owner of the key: who was first builds it.
void Builder::claimed(Rank source, const Digest& key, bool urgent) {
  const Rank builder = claimed_by_.try_emplace(key, source).first->second;
  if (builder == source) return;
  if (builder == plan_.rank) return claim_conflict(entries_.at(key), source, urgent);
  Writer out = outbox.begin(builder, Tag::claim_conflict);
  out.digest(key);
  out.i64(source);
  out.flag(urgent);
}

// Here, unless another rank does.
void Builder::build(Entry& entry, bool urgent) {
  if (entry.stage != Stage::idle) {
    if (urgent) raise_priority(entry);
  } else if (plan_.alone()) {
    tasks.build(entry, urgent);
  } else if (!entry.claimed) {
    entry.claimed = true;
    entry.urgent = urgent;
    if (claim(entry, urgent)) tasks.build(entry, urgent);
  } else if (urgent && !entry.urgent) {
    entry.urgent = true;
    (void)claim(entry, true);
  }
}

void Builder::raise_priority(Entry& entry) {
  tasks.raise(entry);
  if (entry.given_to != kNobody && !entry.urgent)
    outbox.begin(entry.given_to, Tag::raise_priority).digest(entry.key);
  entry.urgent = true;
}

void Builder::priority_raised(const Digest& key) {
  const auto found = entries_.find(key);  // else it is under way to here, and its giver knows
  if (found != entries_.end()) raise_priority(found->second);
}

// Another rank has claimed what this one builds.
void Builder::claim_conflict(Entry& entry, Rank rank, bool urgent) {
  if (!entry.node) outbox.begin(rank, Tag::built_elsewhere).digest(entry.key);
  promise(entry, rank, urgent);
}

// Tell that rank what is found, now or later.
void Builder::promise(Entry& entry, Rank rank, bool urgent) {
  if (entry.node) {
    Writer out = outbox.begin(rank, Tag::found);
    out.digest(entry.key);
    write(out, *entry.node);
    return;
  }
  std::vector<Rank>& all = entry.wanted_by;
  if (std::find(all.begin(), all.end(), rank) == all.end()) all.push_back(rank);
  if (urgent) raise_priority(entry);
}

// Another rank builds it, unless we have begun, or are to build it in another's place.
void Builder::built_elsewhere(Entry& entry) {
  if (entry.stage != Stage::waiting || !entry.wanted_by.empty()) return;
  tasks.withdraw(entry);
  forget_states(entry);
  if (entry.urgent) (void)claim(entry, true);
}

void Builder::found_elsewhere(const Digest& key, const Node& node) {
  const auto found = entries_.find(key);
  if (found != entries_.end() && !found->second.node) complete(found->second, node);
}

void Builder::complete(Entry& entry, const Node& node) {
  entry.node = node;
  tasks.withdraw(entry);
  forget_states(entry);
  entry.position = nullptr;
  for (PendingAnswer* const part : std::exchange(entry.parts, {})) {
    --part->missing;
    answer(*part);
  }
  for (const Rank rank : std::exchange(entry.wanted_by, {})) promise(entry, rank, false);
}

// A lone builder's names are the numbers of sets, which it keeps.
void Builder::forget_states(Entry& entry) {
  if (!plan_.alone()) sets_.drop(std::exchange(entry.states, sog::kNoSet));
}

// Aggregates
// -------------------------------------------------------------------------------------------------

// From now on this builder tells its successors; takes the sets over.
void Builder::hold(const Digest& identity, const sog::Aggregate& aggregate) {
  if (held_.contains(identity)) return drop_sets(aggregate);
  AggregateRecord& held = all_held_.emplace_back();
  held.identity = identity;
  held.aggregate = aggregate;
  if (const auto early = early_.extract(identity)) held.asked = early.mapped();
  held_[identity] = &held;
  if (!held.asked.empty() || plan_.eager) expand(held, !held.asked.empty());
}

void Builder::expand(AggregateRecord& held, bool urgent) {
  if (held.stage == Stage::idle)
    tasks.expand(held, urgent);
  else if (urgent)
    tasks.raise(held);
}

void Builder::know(AggregateRecord& held, const sog::Expansion& ways,
                   const std::vector<Following>& following) {
  held.expanded = true;
  held.parts.reserve(ways.size());
  auto name = following.begin();
  for (const sog::Way& way : ways) {
    PendingAnswer& part = held.parts.emplace_back();
    part.held = &held;
    part.mode = way.mode;
    for (const sog::Entry& entry : way.entries) part.entries.push_back(&entry_of(entry, *name++));
  }
}

// See to it that what follows in this mode gets built, and answer when it is.
void Builder::follow(PendingAnswer& part, bool urgent) {
  if (part.told) return;
  if (!std::exchange(part.followed, true)) {
    for (Entry* const entry : part.entries) {
      if (entry->node) continue;
      ++part.missing;
      entry->parts.push_back(&part);
    }
  }
  for (std::size_t i = 0; i < part.entries.size(); ++i)
    if (!part.entries[i]->node) build(*part.entries[i], urgent);
  answer(part);
}

void Builder::follow_all(AggregateRecord& held) {
  for (PendingAnswer& part : held.parts)
    if (held.asked.contains(part.mode)) follow(part, true);
  if (!plan_.eager) return;
  for (PendingAnswer& part : held.parts) follow(part, false);
}

// Tell the checker when all is there: if it has asked, or at once by a builder ahead.
void Builder::answer(PendingAnswer& part) {
  AggregateRecord& held = *part.held;
  const bool is_asked = held.asked.contains(part.mode);
  if (part.missing > 0 || part.told || held.dropped || !(is_asked || plan_.eager)) return;
  part.told = true;
  held.asked.erase(part.mode);
  Writer out = outbox.begin(kChecker, Tag::successors, is_asked);
  out.digest(held.identity);
  out.i64(part.mode);
  std::vector<std::int64_t> waited;
  if (part.mode == sog::kWaiting)
    for (const PendingAnswer& other : held.parts)
      if (other.mode < 0)
        waited.push_back(settings_.events[static_cast<std::size_t>(-other.mode - 1)]);
  out.ints(waited);
  std::vector<const Node*> nodes;  // each once
  std::unordered_set<Digest, DigestHash> seen;
  for (const Entry* const entry : part.entries)
    if (seen.insert(entry->node->identity).second) nodes.push_back(&*entry->node);
  out.u32(nodes.size());
  for (const Node* const node : nodes) write(out, *node);
  part.entries = {};
}

}  // namespace mpisog::team
