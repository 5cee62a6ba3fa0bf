#include "mclcd/memory.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>

#include "memory/limit.hpp"

namespace mpisog::mclcd {

namespace {

constexpr std::size_t kWorthAsking = std::size_t{1} << 18;
constexpr std::size_t kSmall = std::size_t{4} << 20;

}  // namespace

bool MemoryAccount::try_take(std::size_t bytes) noexcept {
  // Others in the process may grow too; asking about that is worth it for large pieces only.
  if (bytes >= kWorthAsking && !memory::fits(bytes)) return false;
  const std::size_t used = used_.fetch_add(bytes, std::memory_order_relaxed) + bytes;
  if (used > limit_) {
    give_back(bytes);
    return false;
  }
  std::size_t peak = peak_.load(std::memory_order_relaxed);
  while (peak < used && !peak_.compare_exchange_weak(peak, used, std::memory_order_relaxed)) {
  }
  return true;
}

Pages::Pages(std::size_t bytes) : bytes_(bytes) {
  if (bytes == 0) return;
  base_ = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
               -1, 0);
  if (base_ == MAP_FAILED) {
    base_ = nullptr;
    throw std::bad_alloc();
  }
  madvise(base_, std::min(bytes, kSmall), MADV_NOHUGEPAGE);
  if (bytes > kSmall) madvise(as<char>() + kSmall, bytes - kSmall, MADV_HUGEPAGE);
}

Pages::~Pages() {
  if (base_ != nullptr) munmap(base_, bytes_);
}

void Pages::discard(std::size_t from, std::size_t to) const noexcept {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t first = (from + page - 1) / page * page;
  const std::size_t last = to / page * page;
  if (first < last) madvise(static_cast<char*>(base_) + first, last - first, MADV_DONTNEED);
}

}  // namespace mpisog::mclcd
