// Runs every test in a process of its own, so that one that crashes fails alone; with the name of a
// test, runs that one here.
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <exception>

#include "tests/check.hpp"

namespace {

using mpisog::tests::Test;

int run_here(const Test& test) {
  try {
    test.run();
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
  return mpisog::tests::failures() == 0 ? 0 : 1;
}

bool passes(const Test& test) {
  std::string program = "/proc/self/exe";
  std::string name = test.name;
  char* arguments[] = {program.data(), name.data(), nullptr};
  pid_t child = 0;
  if (posix_spawn(&child, program.c_str(), nullptr, nullptr, arguments, environ) != 0) return false;
  int status = 0;
  if (waitpid(child, &status, 0) != child) return false;
  if (WIFSIGNALED(status)) std::cerr << strsignal(WTERMSIG(status)) << '\n';
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

int main(int count, char** arguments) {
  const std::string wanted = count > 1 ? arguments[1] : "";
  int passed = 0;
  int failed = 0;
  for (const Test& test : mpisog::tests::registry()) {
    if (wanted == test.name) return run_here(test);
    if (!wanted.empty()) continue;
    const bool fine = passes(test);
    ++(fine ? passed : failed);
    if (!fine) std::cerr << "FAILED " << test.name << '\n';
  }
  if (!wanted.empty()) std::cerr << "no test " << wanted << '\n';
  std::cout << passed << " passed, " << failed << " failed\n";
  return passed > 0 && failed == 0 ? 0 : 1;
}
