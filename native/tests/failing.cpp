// Ways for a test to fail: none of them may keep the others from running, or from being counted.
#include <csignal>
#include <stdexcept>

#include "tests/check.hpp"

TEST(passes_first) { CHECK(true); }
TEST(fails_a_check) { CHECK(false); }
TEST(throws) { throw std::runtime_error("thrown"); }
TEST(crashes) { std::raise(SIGKILL); }
TEST(leaves) { std::exit(3); }
TEST(passes_last) { CHECK(true); }
