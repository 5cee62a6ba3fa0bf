// How builders share what memory they have: who is full gives work to who has room.
#include <algorithm>
#include <utility>

#include "team/builder.hpp"

namespace mpisog::team {

namespace {

// How full a builder is: what it cannot do without, in parts of what it may have at most.
constexpr int kFull = 8;
constexpr int kMuch = 5;                        // from here on it looks for others
constexpr int kWorthGiving = 3;                 // that have so much less
constexpr std::size_t kHalf = 2, kQuarter = 4;  // one in so many of what waits
constexpr std::uint8_t kTries = 2;
constexpr int kReturns = 8;

}  // namespace

int Builder::own_level() const {
  return levels_[static_cast<std::size_t>(plan_.rank - kFirstBuilder)];
}

// The kernel gives up when three quarters cannot be freed.
int Builder::level() const {
  const sog::Occupied now = sets_.occupied();
  if (now.budget == 0) return 0;
  const std::size_t most = now.budget / 4 * 3 / kFull;
  return std::min(kFull - 1, static_cast<int>(now.live / std::max<std::size_t>(1, most)));
}

void Builder::say_level(int level) {
  int& own = levels_[static_cast<std::size_t>(plan_.rank - kFirstBuilder)];
  if (std::exchange(own, level) == level) return;
  for (Rank rank = kFirstBuilder; rank < kFirstBuilder + plan_.builders; ++rank)
    if (rank != plan_.rank) outbox.begin(rank, Tag::room).i64(level);
}

// The other builder that is least full, and less than that.
Rank Builder::emptiest(int below) const {
  Rank found = kNobody;
  for (Rank rank = kFirstBuilder; rank < kFirstBuilder + plan_.builders; ++rank) {
    const int level = levels_[static_cast<std::size_t>(rank - kFirstBuilder)];
    if (rank == plan_.rank || level >= below) continue;
    found = rank;
    below = level;
  }
  return found;
}

// After every collection, when it is known what is needed.
void Builder::look_at_memory() {
  if (plan_.alone()) return;
  const std::size_t collections = sets_.occupied().collections;
  if (std::exchange(collections_, collections) == collections) return;
  say_level(level());
  if (own_level() < kMuch) return;
  const Rank to = emptiest(own_level() - kWorthGiving + 1);
  if (to != kNobody) (void)give_waiting(to, kQuarter);
}

// Who has nothing to do may find that it needs little of what it has.
bool Builder::has_room() {
  if (own_level() < kMuch) return true;
  if (!std::exchange(idle_, true)) {
    sets_.collect_garbage();
    look_at_memory();
  }
  return own_level() < kMuch;
}

bool Builder::give_waiting(Rank rank, std::size_t fraction) {
  const std::vector<Entry*> given = tasks.give(plan_.quantile(rank), fraction);
  for (Entry* const entry : given) give(*entry, rank);
  return !given.empty();
}

void Builder::give(Entry& entry, Rank rank) {
  entry.stage = Stage::begun;
  entry.given_to = rank;
  auto task = std::make_shared<Task>();
  task->kind = Kind::packing;
  task->entry = &entry;
  task->rank = rank;
  task->states = std::exchange(entry.states, sog::kNoSet);
  tasks.move(std::move(task));
}

// Whoever asks for it here is passed on.
void Builder::give(AggregateRecord& held, Rank rank) {
  auto task = std::make_shared<Task>();
  task->kind = Kind::packing;
  task->is_aggregate = true;
  task->key = held.identity;
  task->rank = rank;
  task->aggregate = *std::exchange(held.aggregate, std::nullopt);
  tasks.move(std::move(task));
  drop(held.identity, rank);
}

// What could not be unpacked here.
void Builder::forward(Task& task, Rank rank) {
  if (task.is_aggregate) {
    task.rank = rank;
    task.aggregate = {};
    holders_[task.key] = rank;
    if (const auto early = early_.extract(task.key))
      for (const sog::Mode mode : early.mapped()) ask(task.key, mode);
    return finish_packing(task);
  }
  Entry& entry = stolen_entry(task);
  if (built_or_queued(entry)) return;
  entry.stage = Stage::begun;
  entry.given_to = rank;
  send_work(entry, rank, task.bytes);
}

// What was found before memory ran out.
void Builder::drop_results(Task& task) {
  drop_sets(std::exchange(task.built.aggregate, {}));
  for (const sog::Way& way : std::exchange(task.ways, {}))
    for (const sog::Entry& entry : way.entries) sets_.drop(entry.states);
  task.following.clear();
  if (task.kind != Kind::unpacking) return;
  drop_sets(std::exchange(task.aggregate, {}));
  sets_.drop(std::exchange(task.states, sog::kNoSet));
}

// Whether builders hand it to each other while nothing gets done. What comes back has a new record,
// so that this is counted by name.
bool Builder::goes_round(const Task& task) {
  if (std::exchange(done_before_, done_) != done_) returns_.clear();
  const Digest& name = task.entry != nullptr  ? task.entry->key
                       : task.held != nullptr ? task.held->identity
                                              : task.key;
  return ++returns_[name] > kReturns;
}

bool Builder::relieve(Task& task) {
  if (plan_.alone()) return false;
  idle_ = false;
  say_level(kFull);
  const Rank to = emptiest(kFull - 1);
  std::uint8_t& refusals = task.kind == Kind::building    ? task.entry->refusals
                           : task.kind == Kind::expanding ? task.held->refusals
                                                          : task.refusals;
  if (++refusals > kTries || goes_round(task)) return false;
  drop_results(task);
  if (task.kind == Kind::building) {
    task.entry->states = task.states;
    if (task.entry->node) {
      forget_states(*task.entry);
    } else if (to != kNobody) {
      give(*task.entry, to);
    } else {
      tasks.build(*task.entry, task.entry->urgent);
    }
  } else if (task.kind == Kind::expanding) {
    AggregateRecord& held = *task.held;
    if (held.dropped) {
      drop_sets(task.aggregate);
    } else {
      held.aggregate = task.aggregate;
      to != kNobody ? give(held, to) : tasks.expand(held, !held.asked.empty());
    }
  } else if (task.kind == Kind::unpacking && to != kNobody) {
    forward(task, to);
  } else {
    tasks.move(std::make_shared<Task>(task));
  }
  if (to != kNobody) (void)give_waiting(to, kHalf);
  return true;
}

std::size_t Builder::table_bytes() const {
  constexpr std::size_t kNodeOfTable = 48;  // links, keys and what an allocation costs
  return entries_.size() * (sizeof(Entry) + 2 * kNodeOfTable) +
         all_held_.size() * (sizeof(AggregateRecord) + sizeof(PendingAnswer) + 2 * kNodeOfTable) +
         (holders_.size() + claimed_by_.size() + numbers_.size()) * 2 * kNodeOfTable;
}

}  // namespace mpisog::team
