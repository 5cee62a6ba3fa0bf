// Limits of an unfolding: bytes are counted before they are reserved, and long loops report.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "memory/limit.hpp"

namespace mpisog::unfolding {

struct Figures {
  std::uint64_t events = 0;
  std::uint64_t conditions = 0;
  std::uint64_t cutoffs = 0;
  std::uint64_t queued = 0;
};

// Thrown when the caller wants the work to stop, and when the memory budget is used up.
struct Stopped : std::exception {};
struct OutOfMemory : std::exception {};

class Limits {
 public:
  using Poll = std::function<bool(const Figures&)>;  // true: stop

  Limits(std::size_t bytes, Poll poll) : limit_(bytes), poll_(std::move(poll)) {}

  void reserve(std::size_t bytes) {
    if (bytes > limit_ - used_) throw OutOfMemory();
    if (bytes + unasked_ >= kWorthAsking) memory::require(bytes);
    unasked_ = bytes + unasked_ >= kWorthAsking ? 0 : bytes + unasked_;
    used_ += bytes;
    if (used_ > peak_) peak_ = used_;
  }
  void release(std::size_t bytes) noexcept { used_ -= bytes; }

  // `steps` is work done since the last call, in units of some nanoseconds.
  void work(std::size_t steps, const Figures& figures) {
    steps_ += steps;
    if (steps_ < kStepsBetweenLooks) return;
    steps_ = 0;
    const auto now = Clock::now();
    if (now - last_ < kInterval) return;
    last_ = now;
    if (poll_ && poll_(figures)) throw Stopped();
  }

  [[nodiscard]] std::size_t used() const noexcept { return used_; }
  [[nodiscard]] std::size_t peak() const noexcept { return peak_; }

 private:
  using Clock = std::chrono::steady_clock;
  // What the process occupies beside the unfolding is looked at once for so many bytes.
  static constexpr std::size_t kWorthAsking = std::size_t{1} << 20;
  static constexpr std::size_t kStepsBetweenLooks = 20'000;
  static constexpr std::chrono::milliseconds kInterval{20};

  std::size_t limit_;
  std::size_t used_ = 0;
  std::size_t peak_ = 0;
  std::size_t unasked_ = 0;
  Poll poll_;
  Clock::time_point last_ = Clock::now();
  std::size_t steps_ = 0;
};

// An array that grows by blocks: entries never move, and what is reserved is what is used, nearly.
template <class T>
class Blocks {
 public:
  explicit Blocks(Limits& limits) : limits_(limits) {}
  Blocks(const Blocks&) = delete;
  Blocks& operator=(const Blocks&) = delete;
  ~Blocks() { limits_.release(blocks_.size() * kBlock * sizeof(T)); }

  T& operator[](std::size_t i) { return blocks_[i >> kBits][i & kMask]; }
  const T& operator[](std::size_t i) const { return blocks_[i >> kBits][i & kMask]; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] T& back() { return (*this)[size_ - 1]; }

  std::uint32_t push(const T& value) {
    if (size_ == blocks_.size() * kBlock) {
      limits_.reserve(kBlock * sizeof(T));
      blocks_.push_back(std::make_unique<T[]>(kBlock));
    }
    (*this)[size_] = value;
    return static_cast<std::uint32_t>(size_++);
  }

 private:
  static constexpr unsigned kBits = 8;
  static constexpr std::size_t kBlock = std::size_t{1} << kBits;
  static constexpr std::size_t kMask = kBlock - 1;

  Limits& limits_;
  std::vector<std::unique_ptr<T[]>> blocks_;
  std::size_t size_ = 0;
};

// Lists of numbers that are written once and stay where they are.
class Lists {
 public:
  explicit Lists(Limits& limits) : limits_(limits) {}
  Lists(const Lists&) = delete;
  Lists& operator=(const Lists&) = delete;
  ~Lists() { limits_.release(reserved_); }

  const std::uint32_t* store(const std::vector<std::uint32_t>& list) {
    if (list.size() > left_) open(list.size());
    std::uint32_t* const begin = free_;
    for (const std::uint32_t item : list) *free_++ = item;
    left_ -= list.size();
    return begin;
  }

 private:
  static constexpr std::size_t kChunk = 4096;

  void open(std::size_t least) {
    const std::size_t size = least > kChunk ? least : kChunk;
    limits_.reserve(size * sizeof(std::uint32_t));
    reserved_ += size * sizeof(std::uint32_t);
    chunks_.push_back(std::make_unique<std::uint32_t[]>(size));
    free_ = chunks_.back().get();
    left_ = size;
  }

  Limits& limits_;
  std::vector<std::unique_ptr<std::uint32_t[]>> chunks_;
  std::uint32_t* free_ = nullptr;
  std::size_t left_ = 0;
  std::size_t reserved_ = 0;
};

}  // namespace mpisog::unfolding
