#include "tests/failing_memory.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<long> left{-1};

void* allocate(std::size_t size) {
  if (left.load() >= 0 && left.fetch_sub(1) == 0) return nullptr;
  return std::malloc(std::max<std::size_t>(1, size));
}

}  // namespace

void mpisog::tests::fail_after(long allocations) { left = allocations; }

void* operator new(std::size_t size) {
  if (void* memory = allocate(size)) return memory;
  throw std::bad_alloc();
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return allocate(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
