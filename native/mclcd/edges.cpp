#include "mclcd/edges.hpp"

#include <algorithm>

namespace mpisog::mclcd {

namespace {

constexpr unsigned kShift = 16;  // edges of a block, half a megabyte
constexpr std::size_t kMostEdges = std::size_t{1} << 32;

}  // namespace

EdgeLists::EdgeLists(MemoryAccount& account, unsigned threads)
    : account_(account),
      limit_(std::min(kMostEdges * sizeof(Edge), account.limit())),
      pages_(std::max(limit_, sizeof(Edge) << kShift)),
      edges_(pages_.as<Edge>()),
      pools_(std::make_unique<Pool[]>(threads)),
      threads_(threads) {}

bool EdgeLists::refill(Pool& pool) noexcept {
  constexpr std::size_t bytes = sizeof(Edge) << kShift;
  if (!account_.try_take(bytes)) return false;
  std::uint32_t block = next_block_.load(std::memory_order_relaxed);
  do {
    if ((std::size_t{block} + 1) * bytes > limit_) {
      account_.give_back(bytes);
      return false;
    }
  } while (!next_block_.compare_exchange_weak(block, block + 1, std::memory_order_relaxed));
  pool.next = std::max(1U, block << kShift);
  // The last block of all would end at 2^32: it is one edge shorter.
  pool.end = static_cast<std::uint32_t>(
      std::min<std::size_t>((std::size_t{block} + 1) << kShift, kMostEdges - 1));
  return true;
}

void EdgeLists::drop() noexcept {
  account_.give_back(next_block_.exchange(0) * (sizeof(Edge) << kShift));
  pages_ = Pages();
  edges_ = nullptr;
  for (unsigned worker = 0; worker < threads_; ++worker) pools_[worker] = {};
}

}  // namespace mpisog::mclcd
