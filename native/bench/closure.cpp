// Times the closure of a net's initial marking: bench_closure NET [--given-order] [--shuffle SEED]
// [--workers N]
// [--shared] [--budget-mb M] [--repeat N] [--figures]
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <string>

#include "mdd/kernel.hpp"
#include "net_file.hpp"

using namespace mpisog;

namespace {

struct Arguments {
  std::string file;
  bool given_order = false, figures = false, shared = false;
  unsigned seed = 0, workers = 1, repeat = 1;
  std::size_t budget_mb = 6000;
};

Arguments parse(int argc, char** argv) {
  Arguments result;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto number = [&] { return static_cast<unsigned>(std::atoi(argv[++i])); };
    if (word == "--given-order")
      result.given_order = true;
    else if (word == "--figures")
      result.figures = true;
    else if (word == "--shared")
      result.shared = true;
    else if (word == "--shuffle" && i + 1 < argc)
      result.seed = number();
    else if (word == "--workers" && i + 1 < argc)
      result.workers = number();
    else if (word == "--repeat" && i + 1 < argc)
      result.repeat = number();
    else if (word == "--budget-mb" && i + 1 < argc)
      result.budget_mb = number();
    else
      result.file = word;
  }
  return result;
}

// Time that the calling thread, or all threads, have spent computing: tells more than wall time on
// a busy machine.
double cpu_seconds(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void run_once(const Arguments& arguments, const bench::Net& given) {
  const auto start = std::chrono::steady_clock::now();
  const bench::Net net = arguments.given_order
                             ? given
                             : bench::reordered(given, order::choose(bench::structure_of(given)));
  const double order_time = seconds_since(start);
  mdd::Kernel kernel({.levels = static_cast<mdd::Level>(net.initial.size()),
                      .memory_budget_bytes = arguments.budget_mb << 20,
                      .workers = arguments.workers,
                      .shared = arguments.shared,
                      .cancel = {}});
  const mdd::RelationPtr relation = kernel.relation(net.transitions);
  const mdd::Set reached = kernel.closure(kernel.singleton(net.initial), *relation);
  const double time = seconds_since(start);
  const double own_cpu = cpu_seconds(CLOCK_THREAD_CPUTIME_ID);
  const double all_cpu = cpu_seconds(CLOCK_PROCESS_CPUTIME_ID);
  const mdd::Statistics statistics = kernel.statistics();
  std::printf(
      "states %s nodes %zu total %zu peak_mb %zu gc %zu order %.6f caller_cpu %.3f all_cpu %.3f "
      "time %.6f s\n",
      kernel.count(reached).decimal().c_str(), kernel.node_count(reached), statistics.nodes,
      statistics.peak_bytes >> 20, statistics.collections, order_time, own_cpu, all_cpu, time);
  if (arguments.figures) {
    std::vector<mdd::LinearTerm> all;
    for (mdd::Level level = 0; level < kernel.levels(); ++level) all.push_back({level, 1});
    const auto largest = kernel.largest_values(reached);
    std::printf("edges %s tokens %lld in_place %u dead %s total_time %.3f\n",
                kernel.count_steps(reached, net.transitions).decimal().c_str(),
                static_cast<long long>(kernel.largest_sum(reached, all).value()),
                *std::max_element(largest.begin(), largest.end()),
                kernel.dead(reached, net.transitions).empty() ? "FALSE" : "TRUE",
                seconds_since(start));
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const Arguments arguments = parse(argc, argv);
    std::ifstream in(arguments.file);
    bench::Net net = bench::read_net(in);
    if (arguments.seed != 0)
      net = bench::reordered(net, bench::shuffled_order(net.initial.size(), arguments.seed));
    for (unsigned i = 0; i < arguments.repeat; ++i) run_once(arguments, net);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 1;
  }
  return 0;
}
