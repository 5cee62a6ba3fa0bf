// Memory that is counted before it is taken, so that a limit is kept rather than noticed.
#pragma once

#include <atomic>
#include <cstddef>
#include <new>
#include <utility>

namespace mpisog::mclcd {

// Shared by all threads: how much may be taken and how much is.
class MemoryAccount {
 public:
  explicit MemoryAccount(std::size_t limit) noexcept : limit_(limit) {}

  // False when the limit would be passed; then nothing has changed.
  bool try_take(std::size_t bytes) noexcept;
  // Throws std::bad_alloc when the limit would be passed.
  void take(std::size_t bytes) {
    if (!try_take(bytes)) throw std::bad_alloc();
  }
  void give_back(std::size_t bytes) noexcept { used_.fetch_sub(bytes, std::memory_order_relaxed); }

  [[nodiscard]] std::size_t limit() const noexcept { return limit_; }
  [[nodiscard]] std::size_t used() const noexcept { return used_.load(std::memory_order_relaxed); }
  [[nodiscard]] std::size_t peak() const noexcept { return peak_.load(std::memory_order_relaxed); }

 private:
  std::size_t limit_;
  std::atomic<std::size_t> used_ = 0;
  std::atomic<std::size_t> peak_ = 0;
};

// Zero pages; address space that costs nothing until it is touched.
class Pages {
 public:
  // What is filled from the front gets large pages from a few megabytes on: small jobs would pay
  // for clearing them. What is used everywhere at once gets them wherever they fit.
  enum class Use { from_the_front, everywhere };

  Pages() = default;
  explicit Pages(std::size_t bytes, Use use = Use::from_the_front);
  ~Pages();
  Pages(Pages&& other) noexcept
      : base_(std::exchange(other.base_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
  Pages& operator=(Pages&& other) noexcept {
    std::swap(base_, other.base_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  Pages(const Pages&) = delete;
  Pages& operator=(const Pages&) = delete;

  template <class T>
  [[nodiscard]] T* as() const noexcept {
    return static_cast<T*>(base_);
  }
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }
  // Gives whole pages inside the range back to the system.
  void discard(std::size_t from, std::size_t to) const noexcept;

 private:
  void* base_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace mpisog::mclcd
