#include "memory.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>

#include "types.hpp"

namespace mpisog::mdd {

Reservation::Reservation(std::size_t bytes, std::size_t large_pages_from) : bytes_(bytes) {
  void* pages = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (pages == MAP_FAILED) {
    bytes_ = 0;
    throw OutOfMemory("cannot reserve address space for the decision diagrams");
  }
  base_ = pages;
  constexpr std::size_t kWorthwhile = std::size_t{4} << 20;
  madvise(base_, std::min(bytes, large_pages_from), MADV_NOHUGEPAGE);
  if (large_pages_from < bytes && bytes - large_pages_from >= kWorthwhile) {
    madvise(static_cast<char*>(base_) + large_pages_from, bytes - large_pages_from, MADV_HUGEPAGE);
  }
}

Reservation::~Reservation() {
  if (base_ != nullptr) munmap(base_, bytes_);
}

void Reservation::discard_from(std::size_t offset) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t start = (offset + page - 1) / page * page;
  if (start < bytes_) madvise(static_cast<char*>(base_) + start, bytes_ - start, MADV_DONTNEED);
}

void touch(std::span<std::byte> unused) {
  constexpr std::size_t kSmallestPage = 4096;
  for (std::size_t at = 0; at < unused.size(); at += kSmallestPage) unused[at] = std::byte{0};
}

}  // namespace mpisog::mdd
