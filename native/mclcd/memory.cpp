#include "mclcd/memory.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>

#include "memory/limit.hpp"

namespace mpisog::mclcd {

namespace {

constexpr std::size_t kWorthAsking = std::size_t{1} << 18;
constexpr std::size_t kSmall = std::size_t{4} << 20;
constexpr std::size_t kLargePage = std::size_t{2} << 20;

// Address space that begins where a large page can; null when there is none.
char* map(std::size_t bytes) noexcept {
  const std::size_t slack = bytes < kLargePage ? 0 : kLargePage;
  void* const mapped = mmap(nullptr, bytes + slack, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) return nullptr;
  auto* const begin = static_cast<char*>(mapped);
  if (slack == 0) return begin;
  const std::size_t before = -reinterpret_cast<std::uintptr_t>(begin) % kLargePage;
  const std::size_t page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t end = before + (bytes + page - 1) / page * page;
  if (before != 0) munmap(begin, before);
  if (end < bytes + slack) munmap(begin + end, bytes + slack - end);
  return begin + before;
}

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

Pages::Pages(std::size_t bytes, Use use) : bytes_(bytes) {
  if (bytes == 0) return;
  base_ = map(bytes);
  if (base_ == nullptr) throw std::bad_alloc();
  const std::size_t small = use == Use::everywhere ? 0 : std::min(bytes, kSmall);
  // A large page that is used in part only would take more than was counted.
  const std::size_t end = use == Use::everywhere ? bytes / kLargePage * kLargePage : bytes;
  if (small > 0) madvise(base_, small, MADV_NOHUGEPAGE);
  if (end > small) madvise(as<char>() + small, end - small, MADV_HUGEPAGE);
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
