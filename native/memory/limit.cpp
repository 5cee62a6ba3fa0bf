#include "memory/limit.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <charconv>

namespace mpisog::memory {

namespace {

std::atomic<std::size_t> limit{0};

}  // namespace

// By hand and without buffers: the watchdog calls it beside whatever else goes on.
std::size_t resident_bytes() noexcept {
  char text[128];
  const int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  const ssize_t length = read(file, text, sizeof text);
  close(file);
  if (length <= 0) return 0;
  const char* const end = text + length;
  const char* at = text;
  while (at != end && *at != ' ') ++at;
  std::size_t pages = 0;
  if (at != end) std::from_chars(at + 1, end, pages);
  return pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

void set_limit(std::size_t bytes) noexcept { limit.store(bytes, std::memory_order_relaxed); }

bool fits(std::size_t more) noexcept {
  const std::size_t most = limit.load(std::memory_order_relaxed);
  return most == 0 || resident_bytes() + more <= most;
}

void require(std::size_t more) {
  if (!fits(more)) throw LimitReached();
}

}  // namespace mpisog::memory
