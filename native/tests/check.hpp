// A test framework of one page: TEST registers, CHECK counts, random cases come from one seed.
#pragma once

#include <cstdlib>
#include <functional>
#include <iostream>
#include <random>
#include <string>
#include <vector>

namespace mpisog::tests {

struct Test {
  const char* name;
  std::function<void()> run;
};

inline std::vector<Test>& registry() {
  static std::vector<Test> tests;
  return tests;
}

inline int& failures() {
  static int count = 0;
  return count;
}

struct Registration {
  Registration(const char* name, std::function<void()> run) {
    registry().push_back({name, std::move(run)});
  }
};

// How many random cases a test tries; MPISOG_NATIVE_TEST_CASES overrides.
inline int random_cases(int usual) {
  const char* given = std::getenv("MPISOG_NATIVE_TEST_CASES");
  return given == nullptr ? usual : std::atoi(given);
}

}  // namespace mpisog::tests

#define TEST(name)                                                       \
  static void name();                                                    \
  static const mpisog::tests::Registration register_##name(#name, name); \
  static void name()

#define CHECK(condition)                                                             \
  do {                                                                               \
    if (!(condition)) {                                                              \
      ++mpisog::tests::failures();                                                   \
      std::cerr << __FILE__ << ':' << __LINE__ << ": " << #condition << " failed\n"; \
    }                                                                                \
  } while (false)
