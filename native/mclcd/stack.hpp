// Stacks of markings to work on, one for each thread: a private part, and blocks that others may
// take.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "mclcd/memory.hpp"
#include "petri/store.hpp"

namespace mpisog::mclcd {

using petri::StateId;

class WorkStack {
 public:
  explicit WorkStack(MemoryAccount& account) : account_(account) {}
  ~WorkStack();
  WorkStack(const WorkStack&) = delete;
  WorkStack& operator=(const WorkStack&) = delete;

  // The owner's: push, pop (kNoState: nothing left, shared or not), and leave some to others.
  void push(StateId id);
  StateId pop();
  void share();

  // Anybody's: moves a block of the victim's to this stack, which must be the caller's own.
  bool steal_from(WorkStack& victim);
  [[nodiscard]] bool has_shared() const noexcept {
    return shared_count_.load(std::memory_order_acquire) != 0;
  }

 private:
  struct Block {
    std::uint32_t size = 0;
    std::array<StateId, 1021> ids;
    std::unique_ptr<Block> below;
  };
  using Link = std::unique_ptr<Block>;

  Link make();
  void put_away(Link block);
  void put_on_top(Link block);
  Link take_shared();

  MemoryAccount& account_;
  Link top_;
  Link spare_;
  std::mutex mutex_;  // of the shared blocks, which change hands rarely
  std::vector<Link> shared_;
  std::atomic<std::size_t> shared_count_ = 0;
};

}  // namespace mpisog::mclcd
