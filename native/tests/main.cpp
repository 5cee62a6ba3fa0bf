#include "tests/check.hpp"

int main() {
  int failed = 0;
  for (const auto& test : mpisog::tests::registry()) {
    const int before = mpisog::tests::failures();
    test.run();
    if (mpisog::tests::failures() != before) {
      std::cerr << "FAILED " << test.name << '\n';
      ++failed;
    }
  }
  const auto total = static_cast<int>(mpisog::tests::registry().size());
  std::cout << total - failed << " passed, " << failed << " failed\n";
  return failed == 0 ? 0 : 1;
}
