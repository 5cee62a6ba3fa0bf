// Address space reserved once and paid for page by page as it is touched.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <utility>

namespace mpisog::mdd {

class Reservation {
 public:
  static constexpr std::size_t kNoLargePages = ~std::size_t{0};

  Reservation() = default;
  // Zero pages; throws OutOfMemory. Large pages spare most of the faults of what is used densely,
  // but cost a lot where little is used: they begin at this offset.
  explicit Reservation(std::size_t bytes, std::size_t large_pages_from = kNoLargePages);
  ~Reservation();
  Reservation(Reservation&& other) noexcept
      : base_(std::exchange(other.base_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
  Reservation& operator=(Reservation&& other) noexcept {
    std::swap(base_, other.base_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  Reservation(const Reservation&) = delete;
  Reservation& operator=(const Reservation&) = delete;

  template <class T>
  T* as() const {
    return static_cast<T*>(base_);
  }
  std::size_t bytes() const { return bytes_; }
  std::span<std::byte> part(std::size_t from, std::size_t to) const {
    return {as<std::byte>() + from, to - from};
  }
  // Leaves the pages to whoever has the result, until they are given to ``of``.
  void* release() { return std::exchange(base_, nullptr); }
  static Reservation of(void* base, std::size_t bytes) {
    Reservation result;
    result.base_ = base;
    result.bytes_ = bytes;
    return result;
  }
  // Gives the pages from this offset on back to the system; they read as zero afterwards.
  void discard_from(std::size_t offset);

 private:
  void* base_ = nullptr;
  std::size_t bytes_ = 0;
};

// Gives containers that are large large pages: lookups all over them miss fewer translations.
template <class T>
struct PageAllocator {
  using value_type = T;
  static constexpr std::size_t kLarge = (std::size_t{4} << 20) / sizeof(T);

  PageAllocator() = default;
  template <class U>
  explicit PageAllocator(const PageAllocator<U>&) {}
  T* allocate(std::size_t count) {
    if (count < kLarge) return std::allocator<T>().allocate(count);
    return static_cast<T*>(Reservation(count * sizeof(T), 0).release());
  }
  void deallocate(T* start, std::size_t count) {
    if (count < kLarge) return std::allocator<T>().deallocate(start, count);
    (void)Reservation::of(start, count * sizeof(T));
  }
  bool operator==(const PageAllocator&) const = default;
};

// Has the system provide the pages of memory that has not been used yet.
void touch(std::span<std::byte> unused);

}  // namespace mpisog::mdd
