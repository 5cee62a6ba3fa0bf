// Makes counterexamples shorter: searches for near ones, and leaves out steps that are not needed.
#pragma once

#include <optional>
#include <vector>

#include "product/nearest.hpp"
#include "product/word_run.hpp"

namespace mpisog::product {

class Shortener {
 public:
  // `violations` is a Büchi automaton of the words that violate the formula, `monitor` a
  // deterministic automaton without acceptance that falls off after bad prefixes.
  Shortener(petri::Net net, std::vector<petri::Atom> atoms, Automaton violations, Automaton monitor,
            petri::CancellationToken::Poll poll);
  Shortener(const Shortener&) = delete;
  Shortener& operator=(const Shortener&) = delete;

  // Whether the firings are a run whose word is accepted; an empty cycle ends in a dead marking.
  bool violates(const Lasso& lasso);
  // After how many of the firings, the cycle once, no continuation can be right; none: never.
  std::optional<std::size_t> sealed_after(const Lasso& lasso);

  Near bad_prefix(std::size_t fewer_than, double seconds);
  Near lasso(std::size_t fewer_than, double seconds);
  // The same, but the shortest of all runs when it says so.
  Near shortest(std::size_t fewer_than, double seconds);

  // The firings without some that are not needed to be sealed, or for the word to be accepted.
  std::vector<std::uint32_t> trim_bad_prefix(std::vector<std::uint32_t> firings, double seconds);
  Lasso trim(Lasso lasso, double seconds);
  // The firings with shorter ways between the markings that they lead to.
  std::vector<std::uint32_t> bridge_bad_prefix(std::vector<std::uint32_t> firings, double seconds);
  Lasso bridge(Lasso lasso, double seconds);

 private:
  using Firings = std::vector<std::uint32_t>;

  // Fires what is enabled, leaves out the rest and what lies in [skip, skip + count).
  Firings replayed_without(const Firings& firings, std::size_t skip, std::size_t count);
  std::optional<std::size_t> falls_after(const Firings& firings, bool to_the_end);
  bool trim_prefix(Lasso& lasso, Allowance& allowance);
  bool trim_cycle(Lasso& lasso, Allowance& allowance);
  bool cut_repetitions(Lasso& lasso);

  petri::Net net_;
  Moves violations_;
  Moves monitor_;
  WordRun run_;
  WordRun monitored_;
  petri::CancellationToken cancellation_;
};

// The same run with the shortest prefix and cycle that its firings allow.
Lasso folded(Lasso lasso);

}  // namespace mpisog::product
