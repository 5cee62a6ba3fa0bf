// Allocations that fail, in programs that are linked with failing_memory.cpp.
#pragma once

namespace mpisog::tests {

// So many allocations from now on succeed, in whatever thread, and the next one fails; below zero:
// none does.
void fail_after(long allocations);

}  // namespace mpisog::tests
