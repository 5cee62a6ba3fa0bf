#include "product/shortener.hpp"

#include <algorithm>
#include <map>
#include <new>

#include "product/bridges.hpp"
#include "product/shortest.hpp"

namespace mpisog::product {

Shortener::Shortener(petri::Net net, std::vector<petri::Atom> atoms, Automaton violations,
                     Automaton monitor, petri::CancellationToken::Poll poll)
    : net_(std::move(net)),
      violations_(std::move(violations), atoms, net_.transitions.size()),
      monitor_(std::move(monitor), std::move(atoms), net_.transitions.size()),
      run_(net_, violations_),
      monitored_(net_, monitor_),
      cancellation_(std::move(poll)) {}

bool Shortener::violates(const Lasso& lasso) {
  run_.restart();
  std::vector<Letter> prefix, cycle;
  const auto step = [this](std::uint32_t transition, std::vector<Letter>& word) {
    if (!run_.enabled(transition)) return false;
    word.push_back({run_.label(), transition});
    run_.fire(transition);
    return true;
  };
  for (const std::uint32_t t : lasso.prefix)
    if (!step(t, prefix)) return false;
  const petri::Marking entry = run_.marking();
  for (const std::uint32_t t : lasso.cycle)
    if (!step(t, cycle)) return false;
  if (run_.marking() != entry) return false;
  if (lasso.cycle.empty()) {
    if (!run_.dead()) return false;
    cycle.push_back({run_.label(), kNoTransition});
  }
  return accepts(violations_, prefix, cycle);
}

std::optional<std::size_t> Shortener::sealed_after(const Lasso& lasso) {
  Firings firings = lasso.prefix;
  firings.insert(firings.end(), lasso.cycle.begin(), lasso.cycle.end());
  return falls_after(firings, true);
}

// The firings must be enabled. A marking that is wrong whatever fires from it needs no next step.
std::optional<std::size_t> Shortener::falls_after(const Firings& firings, bool to_the_end) {
  monitored_.restart();
  std::uint32_t state = monitor_.automaton().initial;
  const auto hopeless = [&] { return monitor_.stuck(monitored_.label(), state); };
  for (std::size_t i = 0; i < firings.size(); ++i) {
    const auto& edges = monitor_.edges(monitored_.label(), firings[i], state);
    if (edges.empty()) return hopeless() ? i : i + 1;
    state = edges.front().target;
    monitored_.fire(firings[i]);
  }
  if (to_the_end && hopeless()) return firings.size();
  return std::nullopt;
}

Near Shortener::bad_prefix(std::size_t fewer_than, double seconds) {
  Allowance allowance(cancellation_, seconds);
  return nearest_bad_prefix(net_, monitor_, fewer_than, allowance);
}

Near Shortener::lasso(std::size_t fewer_than, double seconds) {
  Allowance allowance(cancellation_, seconds);
  return nearest_lasso(net_, violations_, fewer_than, allowance);
}

Near Shortener::shortest(std::size_t fewer_than, double seconds) {
  Allowance allowance(cancellation_, seconds);
  return shortest_lasso(net_, violations_, fewer_than, allowance);
}

Shortener::Firings Shortener::replayed_without(const Firings& firings, std::size_t skip,
                                               std::size_t count) {
  Firings kept(firings.begin(), firings.begin() + static_cast<std::ptrdiff_t>(skip));
  run_.restart();
  for (const std::uint32_t t : kept) run_.fire(t);
  for (std::size_t i = skip + count; i < firings.size(); ++i)
    if (run_.enabled(firings[i])) {
      run_.fire(firings[i]);
      kept.push_back(firings[i]);
    }
  return kept;
}

std::vector<std::uint32_t> Shortener::trim_bad_prefix(Firings firings, double seconds) {
  Allowance allowance(cancellation_, seconds);
  for (bool shorter = true; shorter;) {
    shorter = false;
    for (std::size_t size = std::max<std::size_t>(1, firings.size() / 2); size > 0; size /= 2)
      for (std::size_t at = 0; at + size <= firings.size();) {
        if (allowance.spent()) return firings;
        Firings candidate = replayed_without(firings, at, size);
        const auto sealed = falls_after(candidate, true);
        if (sealed && *sealed < firings.size()) {
          candidate.resize(*sealed);
          firings = std::move(candidate);
          shorter = true;
        } else {
          at += size;
        }
      }
  }
  return firings;
}

Lasso Shortener::trim(Lasso lasso, double seconds) {
  Allowance allowance(cancellation_, seconds);
  lasso = folded(std::move(lasso));
  while (!allowance.spent()) {
    bool shorter = cut_repetitions(lasso);
    if (!lasso.cycle.empty()) shorter = trim_cycle(lasso, allowance) || shorter;
    shorter = trim_prefix(lasso, allowance) || shorter;
    if (!shorter) break;
    lasso = folded(std::move(lasso));
  }
  return lasso;
}

bool Shortener::trim_prefix(Lasso& lasso, Allowance& allowance) {
  bool shorter = false;
  for (std::size_t size = std::max<std::size_t>(1, lasso.prefix.size() / 2); size > 0; size /= 2)
    for (std::size_t at = 0; at + size <= lasso.prefix.size();) {
      if (allowance.spent()) return shorter;
      Lasso candidate{replayed_without(lasso.prefix, at, size), lasso.cycle};
      if (violates(candidate)) {
        lasso = std::move(candidate);
        shorter = true;
      } else {
        at += size;
      }
    }
  return shorter;
}

bool Shortener::trim_cycle(Lasso& lasso, Allowance& allowance) {
  bool shorter = false;
  const std::size_t before = lasso.prefix.size();
  for (std::size_t size = std::max<std::size_t>(1, lasso.cycle.size() / 2); size > 0; size /= 2)
    for (std::size_t at = 0; at + size <= lasso.cycle.size();) {
      if (allowance.spent()) return shorter;
      Firings whole = lasso.prefix;
      whole.insert(whole.end(), lasso.cycle.begin(), lasso.cycle.end());
      const Firings kept = replayed_without(whole, before + at, size);
      Lasso candidate{lasso.prefix,
                      Firings(kept.begin() + static_cast<std::ptrdiff_t>(before), kept.end())};
      if (!candidate.cycle.empty() && violates(candidate)) {
        lasso = std::move(candidate);
        shorter = true;
      } else {
        at += size;
      }
    }
  return shorter;
}

// Where a marking comes again, what lies between may be left out, or be the cycle.
bool Shortener::cut_repetitions(Lasso& lasso) {
  std::map<petri::Marking, std::size_t> first;
  run_.restart();
  first.emplace(run_.marking(), 0);
  for (std::size_t i = 0; i < lasso.prefix.size(); ++i) {
    run_.fire(lasso.prefix[i]);
    const auto [entry, fresh] = first.try_emplace(run_.marking(), i + 1);
    if (fresh) continue;
    const auto at = [&](std::size_t n) {
      return lasso.prefix.begin() + static_cast<std::ptrdiff_t>(n);
    };
    const std::size_t from = entry->second;
    Lasso round{Firings(lasso.prefix.begin(), at(from)), Firings(at(from), at(i + 1))};
    Lasso without{round.prefix, lasso.cycle};
    without.prefix.insert(without.prefix.end(), at(i + 1), lasso.prefix.end());
    for (Lasso* candidate : {&round, &without})
      if (violates(*candidate)) {
        lasso = std::move(*candidate);
        return true;
      }
    run_.restart();
    for (std::size_t k = 0; k <= i; ++k) run_.fire(lasso.prefix[k]);
  }
  return false;
}

std::vector<std::uint32_t> Shortener::bridge_bad_prefix(Firings firings, double seconds) {
  Allowance allowance(cancellation_, seconds);
  const auto is_sealed_sooner = [&](const Firings& run) {
    const auto sealed = falls_after(run, true);
    return sealed && *sealed < firings.size();
  };
  try {
    Bridges bridges(net_, monitor_, Bridges::Reads::bad_prefixes);
    bridges.shorten(firings, 0, firings.size(), false, allowance, is_sealed_sooner);
  } catch (const std::bad_alloc&) {  // what was found before is good
  }
  if (const auto sealed = falls_after(firings, true)) firings.resize(*sealed);
  return firings;
}

Lasso Shortener::bridge(Lasso lasso, double seconds) {
  try {
    Bridges bridges(net_, violations_, Bridges::Reads::accepted);
    const auto entry = static_cast<std::ptrdiff_t>(lasso.prefix.size());
    const auto round = [&](const Firings& run) {
      return Lasso{lasso.prefix, Firings(run.begin() + entry, run.end())};
    };
    Firings run = lasso.prefix;
    run.insert(run.end(), lasso.cycle.begin(), lasso.cycle.end());
    Allowance half(cancellation_, seconds / 2);
    if (bridges.shorten(run, lasso.prefix.size(), run.size(), true, half,
                        [&](const Firings& other) { return violates(round(other)); }))
      lasso = round(run);
    Allowance rest(cancellation_, seconds / 2);
    bridges.shorten(lasso.prefix, 0, lasso.prefix.size(), false, rest,
                    [&](const Firings& other) { return violates({other, lasso.cycle}); });
  } catch (const std::bad_alloc&) {  // as above
  }
  return folded(std::move(lasso));
}

Lasso folded(Lasso lasso) {
  auto& [prefix, cycle] = lasso;
  for (std::size_t period = 1; period < cycle.size(); ++period)
    if (cycle.size() % period == 0 &&
        std::equal(cycle.begin() + static_cast<std::ptrdiff_t>(period), cycle.end(),
                   cycle.begin())) {
      cycle.resize(period);
      break;
    }
  while (!prefix.empty() && !cycle.empty() && prefix.back() == cycle.back()) {
    std::rotate(cycle.begin(), cycle.end() - 1, cycle.end());
    prefix.pop_back();
  }
  return lasso;
}

}  // namespace mpisog::product
