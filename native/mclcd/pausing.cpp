// What the forward phase does while all threads pause: wider fields, a larger index, edges given
// up.
#include "mclcd/forward.hpp"
#include "mclcd/labels.hpp"

namespace mpisog::mclcd {

void Forward::pause() {
  if (!pause_wanted_.load(std::memory_order_acquire)) return;
  if (!team_.meet([this] { plan(); })) return;
  if (layout_) widen();
  if (drops_) drop_edges();
  if (grows_) grow_index();
  team_.meet([this] {
    layout_.reset();
    grows_ = drops_ = false;
  });
}

// By one thread, the others wait.
void Forward::plan() {
  pause_wanted_.store(false);
  grows_ = growth_wanted_.exchange(false);
  drops_ = drop_wanted_.exchange(false) && !parental_;
  overflows_.clear();
  for (Worker& worker : workers_) {
    overflows_.insert(overflows_.end(), worker.overflows.begin(), worker.overflows.end());
    worker.overflows.clear();
  }
  next_part_.store(0);
  if (overflows_.empty()) return;
  layout_ = std::make_unique<petri::Layout>(graph_.layout_for(overflows_));
  graph_.store().begin_widening(layout_->words());
}

// Every part is visited by one of the threads, and all have been when it returns.
template <class Visit>
void Forward::for_each_part(std::size_t count, Visit&& visit) {
  while (!team_.ending()) {
    const std::size_t part = next_part_.fetch_add(1);
    if (part >= count) break;
    visit(part);
  }
  team_.meet([this] { next_part_.store(0); });
}

template <class Visit>
void Forward::for_each_chunk(Visit&& visit) {
  const Store& store = graph_.store();
  std::size_t count = 0;
  for (unsigned owner = 0; owner < team_.threads(); ++owner) count += store.chunks(owner);
  for_each_part(count, [&](std::size_t part) {
    unsigned owner = 0;
    for (; part >= store.chunks(owner); ++owner) part -= store.chunks(owner);
    visit(owner, part);
  });
}

void Forward::widen() {
  Store& store = graph_.store();
  for_each_part(store.index().shards(), [&](std::size_t s) { store.index().clear_shard(s); });
  for_each_chunk([&](unsigned owner, std::size_t chunk) {
    store.widen_chunk(owner, chunk, graph_.layout(), *layout_, graph_.net().places());
  });
  team_.meet([&] {
    store.end_widening();
    graph_.set_layout(std::move(*layout_));
    for (const Graph::Overflow& overflow : overflows_) graph_.check_bounded(overflow);
  });
  if (team_.ending()) return;
  for_each_chunk([&](unsigned owner, std::size_t chunk) { store.refile_chunk(owner, chunk); });
}

// From a counter of firings to one of sons, with a flag for firings that lead elsewhere.
void Forward::drop_edges() {
  const Store& store = graph_.store();
  const auto for_each_marking = [&](auto&& visit) {
    for_each_chunk([&](unsigned owner, std::size_t chunk) {
      const auto [first, used] = store.chunk(owner, chunk);
      for (StateId id = first; id < first + used; ++id) visit(id);
    });
  };
  const auto with_father = [&](StateId id, auto&& change) {
    const StateId father = store.father(id);
    if (father == petri::kNoState) return;
    const auto label = store.label(father);
    const Label now = label.load(std::memory_order_relaxed);
    if ((now & kCleared) == 0) change(label, now);
  };
  for_each_marking([&](StateId id) {
    with_father(id, [](auto label, Label now) {
      // One that has not all its successors yet has no label yet, and will get a new one.
      if ((now & kCounter) != 0) label.fetch_sub(1, std::memory_order_relaxed);
    });
  });
  for_each_marking([&](StateId id) {
    const auto label = store.label(id);
    const Label now = label.load(std::memory_order_relaxed);
    if ((now & kCleared) == 0 && (now & kCounter) != 0)
      label.store((now & ~kCounter) | kOther, std::memory_order_relaxed);
  });
  for_each_marking([&](StateId id) {
    with_father(id, [](auto label, Label) { label.fetch_add(1, std::memory_order_relaxed); });
  });
  team_.meet([&] {
    graph_.edges()->drop();
    parental_ = true;
  });
}

void Forward::grow_index() {
  Index& index = graph_.store().index();
  for_each_part(index.shards(), [&](std::size_t shard) { index.grow_shard(shard); });
  team_.meet([&] { index.finish_growing(); });
}

}  // namespace mpisog::mclcd
