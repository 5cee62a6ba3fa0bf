// How much memory the process may occupy. Stores ask before they reserve, so that the limit is kept
// however fast they grow.
#pragma once

#include <cstddef>
#include <new>

namespace mpisog::memory {

class LimitReached : public std::bad_alloc {
 public:
  [[nodiscard]] const char* what() const noexcept override { return "memory limit reached"; }
};

// What the process occupies now.
std::size_t resident_bytes() noexcept;

// The most that it may occupy; 0: any. It holds for the whole process, as memory does.
void set_limit(std::size_t bytes) noexcept;

// Whether so much more keeps the limit.
bool fits(std::size_t more) noexcept;

// Throws LimitReached when so much more would pass the limit. It reads a file of the system: ask
// for a good deal at a time.
void require(std::size_t more);

// Asks before a container grows to twice its size, as it does when it is full.
template <class Container>
void require_room(const Container& container, std::size_t more = 1) {
  constexpr std::size_t kWorthAsking = std::size_t{1} << 18;
  if (container.size() + more <= container.capacity()) return;
  const std::size_t bytes =
      (2 * container.capacity() + more) * sizeof(typename Container::value_type);
  if (bytes >= kWorthAsking) require(bytes);
}

// Adds up small reservations and asks for a good deal at a time.
class Meter {
 public:
  void add(std::size_t bytes) {
    pending_ += bytes;
    if (pending_ < kStep) return;
    require(pending_);
    pending_ = 0;
  }

 private:
  static constexpr std::size_t kStep = std::size_t{1} << 20;
  std::size_t pending_ = 0;
};

}  // namespace mpisog::memory
