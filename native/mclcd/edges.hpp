// Reverse edges: for each marking a list of those that lead to it, one entry a firing.
#pragma once

#include <atomic>
#include <memory>

#include "mclcd/memory.hpp"
#include "petri/store.hpp"

namespace mpisog::mclcd {

using petri::StateId;

class EdgeLists {
 public:
  EdgeLists(MemoryAccount& account, unsigned threads);
  ~EdgeLists() { drop(); }
  EdgeLists(const EdgeLists&) = delete;
  EdgeLists& operator=(const EdgeLists&) = delete;

  // False when there is no memory for it; then nothing has changed.
  bool add(unsigned worker, std::atomic_ref<std::uint32_t> list, StateId source) noexcept {
    Pool& pool = pools_[worker];
    if (pool.next == pool.end && !refill(pool)) return false;
    const std::uint32_t number = pool.next++;
    Edge& edge = edges_[number];
    edge.source = source;
    edge.next = list.load(std::memory_order_relaxed);
    while (!list.compare_exchange_weak(edge.next, number, std::memory_order_release,
                                       std::memory_order_relaxed)) {
    }
    return true;
  }

  template <class Visit>
  void for_each(std::uint32_t list, Visit&& visit) const {
    for (std::uint32_t number = list; number != 0; number = edges_[number].next)
      visit(edges_[number].source);
  }

  // Gives everything back; the lists are void from now on.
  void drop() noexcept;

 private:
  struct Edge {
    StateId source;
    std::uint32_t next;  // zero ends a list: edge zero is not used
  };
  struct alignas(64) Pool {
    std::uint32_t next = 0;
    std::uint32_t end = 0;
  };
  bool refill(Pool& pool) noexcept;

  MemoryAccount& account_;
  const std::size_t limit_;
  Pages pages_;
  Edge* edges_ = nullptr;
  std::atomic<std::uint32_t> next_block_ = 0;
  std::unique_ptr<Pool[]> pools_;
  const unsigned threads_;
};

}  // namespace mpisog::mclcd
