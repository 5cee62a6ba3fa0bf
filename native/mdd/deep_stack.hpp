// Threads whose stack is deep enough for recursion over every level of a diagram.
#pragma once

#include <pthread.h>

#include <functional>

#include "types.hpp"

namespace mpisog::mdd {

pthread_t start_deep_thread(Level levels, std::function<void()> body);

// Runs the body on such a thread, waits, and passes on what it throws. While it waits, the caller
// calls `idle` some times a second: only the thread that came in may be able to tell whether to
// stop.
void run_on_deep_stack(Level levels, const std::function<void()>& body,
                       const std::function<bool()>& idle);

}  // namespace mpisog::mdd
