// The audit of reductions: all small nets, each rule alone and all together, atoms of every kind.
//
//   reduction_audit PLACES TRANSITIONS WEIGHT TOKENS ARCS [EVERY [FROM [THREADS [proper]]]]
//
// looks at the nets with so many places and transitions, with weights, tokens and arcs of a
// transition up to the numbers given, up to the names of places and transitions; with EVERY, at
// each so-many-th structure, beginning with number FROM: all of FROM = 0 .. EVERY - 1 are the
// whole. Proper nets are bounded and each of their transitions fires somewhere. Most nets are not;
// one with a transition that never fires has the words of a net with fewer transitions.
#include <atomic>
#include <cstdlib>
#include <iostream>
#include <mutex>
#include <thread>

#include "tests/audit/enumeration.hpp"
#include "tests/audit/equivalence.hpp"

using namespace mpisog;
using namespace mpisog::audit;

namespace {

constexpr int kMostFaults = 20;
// A rule that does nothing where there are no atoms does nothing for any: that saves most of the
// work. Irrelevant transitions are another matter, since what atoms keep need not be looked at for
// ends. Now and then all is tried nevertheless.
constexpr std::size_t kIrrelevant = 5;
constexpr std::uint64_t kUnprunedEvery = 64;

using AtomSet = std::vector<petri::Atom>;
using Rules = std::vector<std::size_t>;

petri::Atom at_least(std::uint32_t place, std::int64_t bound) {
  return petri::Comparison{{{place, 1}}, petri::Relation::ge, bound};
}

petri::Atom linear(std::uint32_t one, std::uint32_t other, std::int64_t factor,
                   petri::Relation relation, std::int64_t bound) {
  auto terms = std::vector<std::pair<std::uint32_t, std::int64_t>>{{one, 1}, {other, factor}};
  std::sort(terms.begin(), terms.end());
  return petri::Comparison{std::move(terms), relation, bound};
}

// Every kind of atom alone, and kinds together, at all places and transitions.
std::vector<AtomSet> atom_sets(std::uint32_t places, std::uint32_t transitions) {
  using petri::Dead, petri::Fire, petri::Fireable, petri::Relation;
  std::vector<AtomSet> sets{{}, {Dead{}}};
  for (std::uint32_t p = 0; p < places; ++p) {
    sets.insert(sets.end(), {{at_least(p, 1)}, {at_least(p, 2)}, {at_least(p, 1), Dead{}}});
    for (std::uint32_t q = 0; q < places; ++q) {
      if (p == q) continue;
      sets.push_back({linear(p, q, -1, Relation::ge, 1)});
      sets.push_back({linear(p, q, -2, Relation::eq, 0), Dead{}});
      if (p < q) sets.push_back({linear(p, q, 1, Relation::le, 1)});
      if (p < q) sets.push_back({at_least(p, 1), at_least(q, 1)});
    }
    for (std::uint32_t t = 0; t < transitions; ++t)
      sets.insert(sets.end(), {{at_least(p, 1), Fireable{{t}}}, {at_least(p, 1), Fire{t}}});
  }
  for (std::uint32_t t = 0; t < transitions; ++t) {
    sets.insert(sets.end(),
                {{Fireable{{t}}}, {Fireable{{t}}, Dead{}}, {Fire{t}}, {Fire{t}, Dead{}}});
    for (std::uint32_t u = 0; u < transitions; ++u) {
      if (t < u)
        sets.insert(sets.end(),
                    {{Fireable{{t, u}}}, {Fireable{{t, u}}, Dead{}}, {Fire{t}, Fire{u}}});
      sets.push_back({Fire{t}, Fireable{{u}}});
    }
  }
  return sets;
}

bool has_events(const AtomSet& atoms) {
  return std::any_of(atoms.begin(), atoms.end(),
                     [](const petri::Atom& a) { return std::holds_alternative<petri::Fire>(a); });
}

struct Totals {
  std::atomic<std::uint64_t> nets{0};
  std::atomic<std::uint64_t> unbounded{0};
  std::atomic<std::uint64_t> reductions{0};
  std::atomic<std::uint64_t> partly{0};  // of them, with a graph that is not complete
  std::atomic<int> faults{0};
  std::array<std::atomic<std::uint64_t>, 16> by_rule{};
};

class Auditor {
 public:
  Auditor(const Family& family, Totals& totals)
      : family_(family),
        totals_(totals),
        sets_(atom_sets(static_cast<std::uint32_t>(family.places),
                        static_cast<std::uint32_t>(family.transitions))) {
    for (std::size_t i = 0; i < reduce::all_rules().size(); ++i) {
      all_.push_back(i);
      if (!reduce::all_rules()[i].stuttering) exact_.push_back(i);
    }
  }

  void audit(const TinyNet& net) {
    graph_.explore(net);
    if (family_.proper && !(graph_.complete && all_fire())) return;
    ++nets_;
    if (!graph_.complete) ++unbounded_;
    net_ = &net;
    native_ = to_petri(net, family_.places);
    const bool unpruned = nets_ % kUnprunedEvery == 0;
    std::vector<bool> useful(all_.size());
    for (const std::size_t rule : all_)
      useful[rule] = check({rule}, sets_[0]) || rule == kIrrelevant;
    check(all_, sets_[0]);
    for (std::size_t i = 1; i < sets_.size(); ++i) {
      const Rules& fitting = has_events(sets_[i]) ? exact_ : all_;
      bool any = false;
      for (const std::size_t rule : fitting) {
        if (!useful[rule] && !unpruned) continue;
        const bool did = check({rule}, sets_[i]);
        if (did && !useful[rule]) report("atoms let a rule do more", {rule}, sets_[i]);
        any = any || did;
      }
      if (any) check(fitting, sets_[i]);
    }
  }

  ~Auditor() {
    totals_.nets += nets_;
    totals_.unbounded += unbounded_;
  }

 private:
  [[nodiscard]] bool all_fire() const {
    std::vector<bool> fires(family_.transitions);
    for (const Edge& edge : graph_.edges) fires[edge.transition] = true;
    return std::find(fires.begin(), fires.end(), false) == fires.end();
  }

  // Whether the rules did something.
  bool check(const Rules& rules, const AtomSet& atoms) {
    reduce::WorkingNet work(native_, atoms);
    const std::vector<std::size_t> applied = reduce::reduce(work, rules);
    bool any = false;
    bool stuttering = false;
    for (std::size_t i = 0; i < applied.size(); ++i) {
      any = any || applied[i] != 0;
      stuttering = stuttering || (applied[i] != 0 && reduce::all_rules()[i].stuttering);
    }
    if (!any) return false;
    if (rules.size() == 1) ++totals_.by_rule[rules[0]];
    const Judgement judgement = compare({*net_, graph_, atoms}, reduce::finished(work), stuttering);
    ++totals_.reductions;
    if (!judgement.whole) ++totals_.partly;
    if (judgement.fault) report(*judgement.fault, rules, atoms);
    return true;
  }

  void report(const std::string& fault, const Rules& rules, const AtomSet& atoms) {
    static std::mutex mutex;
    const std::lock_guard lock(mutex);
    if (++totals_.faults > kMostFaults) return;
    std::cerr << fault << ": " << shown(*net_) << "\n  rules:";
    for (const std::size_t rule : rules) std::cerr << ' ' << reduce::all_rules()[rule].name << ';';
    std::cerr << "\n  atoms:";
    for (const petri::Atom& atom : atoms) describe(atom);
    std::cerr << '\n';
  }

  static void describe(const petri::Atom& atom) {
    if (const auto* c = std::get_if<petri::Comparison>(&atom)) {
      for (const auto& [place, factor] : c->terms) std::cerr << ' ' << factor << "*p" << place;
      std::cerr << " relation " << static_cast<int>(c->relation) << ' ' << c->bound << ';';
    } else if (const auto* fireable = std::get_if<petri::Fireable>(&atom)) {
      std::cerr << " fireable";
      for (const std::uint32_t t : fireable->transitions) std::cerr << " t" << t;
      std::cerr << ';';
    } else if (const auto* fire = std::get_if<petri::Fire>(&atom)) {
      std::cerr << " fire t" << fire->transition << ';';
    } else {
      std::cerr << " dead;";
    }
  }

  Family family_;
  Totals& totals_;
  std::vector<AtomSet> sets_;
  Rules all_;
  Rules exact_;
  std::uint64_t nets_ = 0;
  std::uint64_t unbounded_ = 0;
  const TinyNet* net_ = nullptr;
  petri::Net native_;
  Graph graph_;
};

std::uint64_t argument(int count, char** values, int at, std::uint64_t otherwise) {
  return at < count ? std::strtoull(values[at], nullptr, 10) : otherwise;
}

}  // namespace

int main(int count, char** values) {
  if (count < 6) {
    std::cerr << "reduction_audit PLACES TRANSITIONS WEIGHT TOKENS ARCS [EVERY [FROM [THREADS]]]\n";
    return 2;
  }
  const Family family{argument(count, values, 1, 0),
                      argument(count, values, 2, 0),
                      static_cast<std::int32_t>(argument(count, values, 3, 0)),
                      static_cast<std::int32_t>(argument(count, values, 4, 0)),
                      argument(count, values, 5, 0),
                      count > 9};
  const std::uint64_t every = argument(count, values, 6, 1);
  const std::uint64_t from = argument(count, values, 7, 0);
  const std::uint64_t threads = argument(count, values, 8, 1);
  Totals totals;
  const Enumeration enumeration(family);
  std::vector<std::thread> workers;
  for (std::uint64_t worker = 0; worker < threads; ++worker)
    workers.emplace_back([&, worker] {
      Auditor auditor(family, totals);
      enumeration.each(
          [&](std::uint64_t n) { return n % every == from && n / every % threads == worker; },
          [&](const TinyNet& net) { auditor.audit(net); });
    });
  for (std::thread& worker : workers) worker.join();
  std::cout << totals.nets << " nets, " << totals.unbounded << " of them unbounded; "
            << totals.reductions << " reductions, " << totals.partly << " compared in part; "
            << totals.faults << " faults\n";
  for (std::size_t i = 0; i < reduce::all_rules().size(); ++i)
    std::cout << "  " << reduce::all_rules()[i].name << ' ' << totals.by_rule[i] << '\n';
  return totals.faults == 0 ? 0 : 1;
}
