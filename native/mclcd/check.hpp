// MCLCD: parallel explicit model checking with lazy cycle detection (Tacla Saad, Dal Zilio,
// Berthomieu).
//
// Forward, all threads explore and label what they find. For until and leads-to a backward phase
// follows that clears markings whose successors are all cleared: what stays uncleared lies on a
// run that never gets to phi. The variants differ in how a cleared marking finds those to tell:
// by stored reverse edges, by the one marking it was reached from first (others are collected in
// rounds), or by firing backwards.
#pragma once

#include <atomic>
#include <memory>

#include "mclcd/graph.hpp"
#include "mclcd/predicate.hpp"

namespace mpisog::mclcd {

enum class Variant { rg, rpg, no_graph, automatic };

// What is looked for: a run that goes through psi to phi; one that violates A(psi U phi); one that
// violates psi --> phi; or nothing: all markings are counted.
enum class Form { exists_until, all_until, leads_to, count };

struct Property {
  Form form = Form::count;
  Predicate psi, phi;
};

enum class Outcome { none, found, stopped, unbounded, out_of_memory };

enum class Phase { forward, clearing, collecting, lasso };

struct Options {
  Variant variant = Variant::automatic;
  unsigned threads = 1;
  std::size_t memory = 0;  // bytes
};

struct Lasso {
  std::vector<std::uint32_t> prefix;
  std::vector<std::uint32_t> cycle;  // empty: the prefix leads to a dead marking
};

// Seconds by phase and what was counted; a consistent picture once the check has ended.
struct Figures {
  Phase phase = Phase::forward;
  Variant variant = Variant::automatic;  // the one that was used
  std::uint64_t states = 0;
  std::uint64_t edges = 0;
  std::uint64_t cleared = 0;
  std::uint64_t recomputed = 0;
  std::uint64_t rounds = 0;
  std::uint64_t steals = 0;
  std::uint64_t bytes = 0;
  std::uint64_t peak_bytes = 0;
  double forward_seconds = 0;
  double clearing_seconds = 0;
  double collecting_seconds = 0;
  // Of a count only.
  std::uint64_t dead = 0;
  std::uint64_t max_tokens_in_marking = 0;
  std::uint64_t max_tokens_in_place = 0;
  std::uint64_t packed_bytes_per_marking = 0;
};

using Poll = std::function<bool(const Figures&)>;

// What one thread counts; the others read it now and then.
struct alignas(64) Tally {
  std::atomic<std::uint64_t> edges = 0;
  std::atomic<std::uint64_t> cleared = 0;
  std::atomic<std::uint64_t> recomputed = 0;
  std::atomic<std::uint64_t> steals = 0;
  std::atomic<std::uint64_t> seeds = 0;
  std::atomic<std::uint64_t> cleared_seeds = 0;
  std::atomic<std::uint64_t> dead = 0;
  std::atomic<std::uint64_t> max_tokens_in_marking = 0;
  std::atomic<std::uint64_t> max_tokens_in_place = 0;

  // Only its thread writes.
  static void add(std::atomic<std::uint64_t>& counter, std::uint64_t amount) noexcept {
    counter.store(counter.load(std::memory_order_relaxed) + amount, std::memory_order_relaxed);
  }
  static void raise(std::atomic<std::uint64_t>& most, std::uint64_t value) noexcept {
    if (value > most.load(std::memory_order_relaxed)) most.store(value, std::memory_order_relaxed);
  }
};

class Backward;
class Tracer;

class Check {
 public:
  Check(petri::Net net, std::vector<petri::Atom> atoms, Property property, Options options,
        Poll poll);
  ~Check();
  Check(const Check&) = delete;
  Check& operator=(const Check&) = delete;

  // Throws std::logic_error where what was found contradicts itself.
  Outcome run();

  [[nodiscard]] const Lasso& lasso() const noexcept { return lasso_; }
  [[nodiscard]] std::size_t unbounded_place() const noexcept { return unbounded_; }
  [[nodiscard]] Figures figures() const noexcept;

 private:
  bool search();
  bool clear(Backward& backward);
  bool trace(const std::function<Lasso(Tracer&)>& make);
  [[nodiscard]] Variant forward_variant() const noexcept;

  petri::Net net_;  // until the graph has it
  std::vector<petri::Atom> atoms_;
  Property property_;
  Options options_;
  MemoryAccount account_;
  std::unique_ptr<Tally[]> tallies_;
  Team team_;
  Figures figures_;  // what is not counted by threads
  std::unique_ptr<Graph> graph_;
  std::atomic<Phase> phase_ = Phase::forward;
  std::atomic<Variant> variant_ = Variant::automatic;
  std::atomic<std::uint64_t> rounds_ = 0;
  Lasso lasso_;
  std::size_t unbounded_ = 0;
};

}  // namespace mpisog::mclcd
