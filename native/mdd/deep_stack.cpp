#include "deep_stack.hpp"

#include <chrono>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>

namespace mpisog::mdd {

namespace {

// Several functions of a few hundred bytes nest at each level; sanitisers make them several times
// larger.
constexpr std::size_t kBytesPerLevel = 32 << 10;
constexpr std::size_t kBaseBytes = std::size_t{64} << 20;

void* run_body(void* argument) {
  const std::unique_ptr<std::function<void()>> body(static_cast<std::function<void()>*>(argument));
  (*body)();
  return nullptr;
}

}  // namespace

pthread_t start_deep_thread(Level levels, std::function<void()> body) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kBaseBytes + levels * kBytesPerLevel);
  auto argument = std::make_unique<std::function<void()>>(std::move(body));
  pthread_t thread{};
  const int failure = pthread_create(&thread, &attributes, run_body, argument.get());
  pthread_attr_destroy(&attributes);
  if (failure != 0) throw OutOfMemory("cannot start a thread");
  argument.release();
  return thread;
}

void run_on_deep_stack(Level levels, const std::function<void()>& body,
                       const std::function<bool()>& idle) {
  std::exception_ptr failure;
  std::mutex mutex;
  std::condition_variable ended;
  bool done = false;
  const pthread_t thread = start_deep_thread(levels, [&] {
    try {
      body();
    } catch (...) {
      failure = std::current_exception();
    }
    const std::lock_guard lock(mutex);
    done = true;
    ended.notify_one();
  });
  {
    std::unique_lock lock(mutex);
    while (!ended.wait_for(lock, std::chrono::milliseconds(50), [&] { return done; })) {
      lock.unlock();
      (void)idle();  // the body asks too, and is told then
      lock.lock();
    }
  }
  pthread_join(thread, nullptr);
  if (failure) std::rethrow_exception(failure);
}

}  // namespace mpisog::mdd
