#include "watchdog/watchdog.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "memory/limit.hpp"

namespace mpisog::watchdog {

namespace {

constexpr std::chrono::milliseconds kLookEvery{5};
constexpr int kReaderHasMs = 1000;  // a reader that takes nothing for so long is given up
// Where stores stop by themselves the limit is not passed; this is for what does not ask.
constexpr std::size_t kMemoryPercent = 104;
constexpr std::size_t kLeastRoom = std::size_t{32} << 20;

bool ready(int descriptor, short event, int milliseconds) {
  pollfd entry{descriptor, event, 0};
  return poll(&entry, 1, milliseconds) > 0 && (entry.revents & event) != 0;
}

void write_all(int descriptor, const std::string& bytes) {
  // A page at a time: a pipe that can be written to takes as much without blocking.
  constexpr std::size_t kAtOnce = 4096;
  for (std::size_t at = 0; at < bytes.size();) {
    if (!ready(descriptor, POLLOUT, kReaderHasMs)) return;
    const ssize_t written =
        write(descriptor, bytes.data() + at, std::min(kAtOnce, bytes.size() - at));
    if (written < 0 && errno != EINTR) return;
    if (written > 0) at += static_cast<std::size_t>(written);
  }
}

void say(const Output& output) {
  if (output.path.empty()) return write_all(output.descriptor, output.bytes);
  const int file = open(output.path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) return;
  write_all(file, output.bytes);
  close(file);
}

}  // namespace

Watchdog::Watchdog(std::chrono::milliseconds grace, int signals)
    : grace_(grace), signals_(signals) {
  sigset_t all, before;  // signals are for the threads that know what to do with them
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  thread_ = std::thread([this] { budget(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

Watchdog::~Watchdog() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void Watchdog::expect(std::optional<double> seconds, std::size_t memory, LastWords words) {
  const std::lock_guard lock(mutex_);
  deadline_.reset();
  if (seconds)
    deadline_ =
        Clock::now() + grace_ +
        std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(*seconds));
  // A limit below what the process has already is found out at the first look.
  memory_ = memory == 0
                ? 0
                : std::max(memory, memory::resident_bytes() + kLeastRoom) / 100 * kMemoryPercent;
  words_ = std::move(words);
}

void Watchdog::budget() {
  std::unique_lock lock(mutex_);
  while (!changed_.wait_for(lock, kLookEvery, [this] { return ending_; })) {
    const auto now = Clock::now();
    if (!signalled_ && signal_came()) signalled_ = now + grace_;
    if (too_late(now)) end_process();
  }
}

bool Watchdog::signal_came() { return signals_ >= 0 && ready(signals_, POLLIN, 0); }

bool Watchdog::too_late(Clock::time_point now) const {
  return (deadline_ && now >= *deadline_) || (signalled_ && now >= *signalled_) ||
         (memory_ != 0 && memory::resident_bytes() > memory_);
}

void Watchdog::end_process() {
  for (const Output& output : words_.outputs) say(output);
  _exit(words_.exit_code);
}

}  // namespace mpisog::watchdog
