// Python's view of the observation graph. Python says once for each label how its markings move,
// and sees aggregates only when it asks for them.
#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <thread>

#include "bind.hpp"
#include "bind_graph.hpp"
#include "bind_sets.hpp"
#include "bits/operations.hpp"
#include "sog/builders.hpp"
#include "sog/kripke.hpp"

namespace nb = nanobind;
using namespace nb::literals;
namespace bits = mpisog::bits;
namespace mdd = mpisog::mdd;
namespace petri = mpisog::petri;
namespace sog = mpisog::sog;
using mpisog::bind::BoundGraph;
using mpisog::bind::Callback;
using mpisog::bind::from_python;
using mpisog::bind::FromPython;
using mpisog::bind::Host;
using mpisog::bind::Sets;
using mpisog::bind::shared;
using mpisog::bind::with_python;
using sog::BitsSets;
using sog::MddSets;

namespace {

class MddHost final : public Host {
 public:
  explicit MddHost(Sets& sets) : sets_(sets) {}
  bool stop() override { return sets_.supervisor().stop(); }
  void cancel() override { sets_.supervisor().cancel(); }
  void resume() override { sets_.supervisor().reset(); }

 private:
  Sets& sets_;
};

// Asks a Python callback, about ten times a second.
class PollingHost final : public Host {
 public:
  explicit PollingHost(nb::object poll) : poll_(std::move(poll)) {}
  bool stop() override {
    if (from_python && due()) {
      const nb::gil_scoped_acquire gil;
      try {
        if (nb::cast<bool>(poll_())) stopped_.store(true, std::memory_order_relaxed);
      } catch (nb::python_error& error) {
        error.discard_as_unraisable("progress callback");
        stopped_.store(true, std::memory_order_relaxed);
      }
    }
    return stopped_.load(std::memory_order_relaxed);
  }
  void cancel() override { stopped_.store(true, std::memory_order_relaxed); }
  void resume() override { stopped_.store(false, std::memory_order_relaxed); }

 private:
  using Clock = std::chrono::steady_clock;
  bool due() {
    const Clock::time_point now = Clock::now();
    if (now < next_) return false;
    next_ = now + std::chrono::milliseconds(100);
    return true;
  }

  nb::object poll_;
  std::atomic<bool> stopped_{false};
  Clock::time_point next_{};  // only for threads from Python: there is one
};

// One formula's structure over a graph, and the threads that build it.
class BoundKripke {
 public:
  BoundKripke(BoundGraph& graph, const std::vector<std::pair<bool, std::uint32_t>>& atoms,
              nb::object staying, unsigned threads, bool run_ahead)
      : host_(graph.host()),
        kripke_(graph.graph(), atoms_of(atoms), hooks(std::move(staying)), {threads, run_ahead}) {}
  ~BoundKripke() { close(); }

  void close() {
    const nb::gil_scoped_release release;  // a thread may wait for it
    kripke_.explorer().end();
    host_.resume();
  }
  sog::Kripke& kripke() { return kripke_; }
  template <class Work>
  auto run(Work work) {
    const nb::gil_scoped_release release;
    const FromPython flag;
    return work(kripke_.explorer());
  }

 private:
  static std::vector<sog::AtomOf> atoms_of(
      const std::vector<std::pair<bool, std::uint32_t>>& atoms) {
    std::vector<sog::AtomOf> found;
    for (const auto& [is_event, index] : atoms) found.push_back({is_event, index});
    return found;
  }
  sog::Kripke::Hooks hooks(nb::object staying) {
    sog::Kripke::Hooks made;
    made.explorer.staying = [&host = host_, ask = std::move(staying)](const sog::Label& label) {
      return with_python<sog::Staying>(host, [&] {
        const auto [matters, may_end] = nb::cast<std::pair<bool, bool>>(ask(nb::cast(label)));
        return sog::Staying{matters, may_end};
      });
    };
    made.explorer.stop = [&host = host_] {
      const FromPython flag;
      return host.stop();
    };
    made.explorer.hurry = [&host = host_] { host.cancel(); };
    made.unlocked = [](const std::function<void()>& work) {
      const nb::gil_scoped_release release;
      const FromPython flag;
      work();
    };
    made.pulled = [&host = host_] {
      if (host.waiting.load(std::memory_order_relaxed) == 0) return;
      const nb::gil_scoped_release release;
      std::this_thread::yield();
    };
    return made;
  }

  Host& host_;
  sog::Kripke kripke_;
};

// Decision diagrams
// -------------------------------------------------------------------------------------------------

using MddSteps = sog::LabelSteps<MddSets>;
using MddCandidates = std::pair<mdd::Events*, const sog::SearchSteps*>;

MddSets::Candidates to_candidates(const std::optional<MddCandidates>& given) {
  return given ? MddSets::Candidates{given->first, given->second} : MddSets::Candidates{};
}

// Python makes one for each label; `candidates` gives those of cycles, after a closer look or not.
struct MddLabelSteps {
  MddSteps steps;
  Callback candidates;
};

void bind_mdd_steps(nb::module_& module) {
  nb::class_<MddLabelSteps>(module, "MddLabelSteps")
      .def(
          "__init__",
          [](MddLabelSteps* self, mdd::Events* free, mdd::Events* checked, mdd::Events* inside,
             mdd::Events* exits, mdd::Events* postponed, std::vector<mdd::Events*> one_by_one,
             mdd::Events& leaving, std::shared_ptr<mdd::LabelledRelation> labelled,
             bool too_complex, const sog::SearchSteps* search_inside, nb::object candidates,
             std::optional<sog::Label> when_dead) {
            new (self) MddLabelSteps{};
            MddSteps& steps = self->steps;
            steps.free = free;
            steps.checked = checked;
            steps.inside = inside;
            steps.exits = exits;
            steps.postponed = postponed;
            steps.one_by_one = std::move(one_by_one);
            steps.leaving = &leaving;
            steps.kept.labelled = std::move(labelled);
            steps.kept.one_by_one = search_inside;
            steps.kept.too_complex->store(too_complex);
            steps.when_dead = std::move(when_dead);
            self->candidates = shared(std::move(candidates));
          },
          nb::kw_only(), "free"_a.none(), "checked"_a.none(), "inside"_a.none(), "exits"_a.none(),
          "postponed"_a.none(), "one_by_one"_a, "leaving"_a, "labelled"_a.none(), "too_complex"_a,
          "search_inside"_a.none(), "candidates"_a, "when_dead"_a.none());
}

std::unique_ptr<BoundGraph> make_mdd_graph(
    nb::object alive, Sets& sets, const petri::Net& net, sog::PlaceOrder order,
    mdd::Events& all_steps, const mdd::Atoms& atoms, std::vector<mdd::Events*> events,
    mdd::Events& some_event, std::vector<bool> says_dead, bool precise, bool tell_both,
    std::optional<std::size_t> most_nodes, std::optional<std::size_t> most_markings,
    sog::Label initial_label, nb::object describe) {
  const auto host = std::make_shared<MddHost>(sets);
  sog::Observed<MddSets> observed;
  observed.events = events;
  observed.some_event = &some_event;
  observed.event_enabled = std::move(events);
  observed.says_dead = std::move(says_dead);
  observed.precise = precise;
  observed.tell_both = tell_both;
  observed.most_nodes = most_nodes;
  observed.most_markings = most_markings;
  const auto ask = [host, describe = std::move(describe)](const sog::Label& label) {
    return with_python<MddSteps>(*host, [&] {
      const nb::object made = describe(nb::cast(label));
      const auto& found = nb::cast<const MddLabelSteps&>(made);
      MddSteps steps = found.steps;
      steps.candidates = [host, candidates = found.candidates](bool closer) {
        return with_python<MddSets::Candidates>(*host, [&] {
          return to_candidates(nb::cast<std::optional<MddCandidates>>((*candidates)(closer)));
        });
      };
      return steps;
    });
  };
  MddSets over(sets.kernel(), {net, std::move(order), &all_steps, &atoms},
               [host] { return host->stop(); });
  auto builder = std::make_unique<sog::MddBuilder>(std::move(over), std::move(observed),
                                                   std::move(initial_label), ask);
  const auto show = [&known = *builder](sog::SetId id) {
    return nb::cast(known.set(id), nb::rv_policy::copy);
  };
  return std::make_unique<BoundGraph>(std::move(alive), host, std::move(builder), show);
}

// Numbered markings
// -------------------------------------------------------------------------------------------------

using BitsSteps = sog::LabelSteps<BitsSets>;

struct BitsLabelSteps {
  BitsSteps steps;
  Callback candidates;
};

void bind_bits_steps(nb::module_& module) {
  nb::class_<BitsLabelSteps>(module, "BitsLabelSteps")
      .def(
          "__init__",
          [](BitsLabelSteps* self, const bits::Steps* free, const bits::Steps* checked,
             const bits::Steps* inside, const bits::Steps* exits, const bits::Steps* postponed,
             std::vector<const bits::Steps*> one_by_one, const bits::Truth& leaving,
             const bits::Set* kept, nb::object candidates, std::optional<sog::Label> when_dead) {
            new (self) BitsLabelSteps{};
            BitsSteps& steps = self->steps;
            steps.free = free;
            steps.checked = checked;
            steps.inside = inside;
            steps.exits = exits;
            steps.postponed = postponed;
            steps.one_by_one = std::move(one_by_one);
            steps.leaving = &leaving;
            steps.kept = kept;
            self->candidates = shared(std::move(candidates));
            steps.when_dead = std::move(when_dead);
          },
          nb::kw_only(), "free"_a.none(), "checked"_a.none(), "inside"_a.none(), "exits"_a.none(),
          "postponed"_a.none(), "one_by_one"_a, "leaving"_a, "kept"_a.none(), "candidates"_a,
          "when_dead"_a.none());
}

std::unique_ptr<BoundGraph> make_bits_graph(
    nb::object alive, const bits::Reachable& reachable, nb::object poll,
    std::vector<const bits::Truth*> atoms, const bits::Truth& dead,
    std::vector<const bits::Steps*> events, std::vector<const bits::Truth*> event_enabled,
    const bits::Truth& some_event, std::vector<bool> says_dead, bool precise, bool tell_both,
    std::optional<std::size_t> most_nodes, std::optional<std::size_t> most_markings,
    sog::Label initial_label, nb::object describe) {
  const auto host = std::make_shared<PollingHost>(std::move(poll));
  sog::Observed<BitsSets> observed;
  observed.events = std::move(events);
  observed.some_event = &some_event;
  observed.event_enabled = std::move(event_enabled);
  observed.says_dead = std::move(says_dead);
  observed.precise = precise;
  observed.tell_both = tell_both;
  observed.most_nodes = most_nodes;
  observed.most_markings = most_markings;
  const auto ask = [host, describe = std::move(describe)](const sog::Label& label) {
    return with_python<BitsSteps>(*host, [&] {
      const nb::object made = describe(nb::cast(label));
      const auto& found = nb::cast<const BitsLabelSteps&>(made);
      BitsSteps steps = found.steps;
      steps.candidates = [host, candidates = found.candidates](bool closer) {
        return with_python<BitsSets::Candidates>(*host, [&] {
          return BitsSets::Candidates{nb::cast<const bits::Steps*>((*candidates)(closer))};
        });
      };
      return steps;
    });
  };
  BitsSets over(reachable, {std::move(atoms), &dead}, [host] { return host->stop(); });
  auto builder = std::make_unique<sog::BitsBuilder>(std::move(over), std::move(observed),
                                                    std::move(initial_label), ask);
  const auto show = [&known = *builder](sog::SetId id) {
    const bits::Set& set = *known.set(id);
    return nb::cast(bits::unite(set, set));  // sets are moved, never copied
  };
  return std::make_unique<BoundGraph>(std::move(alive), host, std::move(builder), show);
}

// Both
// -------------------------------------------------------------------------------------------------

// Label, numbers of sets, and how it stays.
nb::object show_aggregate(BoundGraph& bound, sog::Number number) {
  const sog::Aggregate& found = bound.node(number).built.aggregate;
  using Pair = std::pair<bool, bool>;
  std::optional<Pair> stuttering;
  if (found.stuttering.known) stuttering = Pair(found.stuttering.dead, found.stuttering.divergent);
  std::optional<sog::SetId> next;
  if (found.next != sog::kNoSet) next = found.next;
  return nb::make_tuple(bound.graph().builder().label(found.label), found.ready, found.exit_states,
                        found.deadlocks, found.frontier, stuttering, next);
}

// Of each mode, labels and entry sets; of an aggregate whose successors were asked for.
nb::list show_ways(BoundGraph& bound, sog::Number number) {
  nb::list ways;
  for (const sog::Way& way : bound.node(number).ways) {
    nb::list entries;
    for (const sog::Entry& entry : way.entries)
      entries.append(nb::make_tuple(bound.graph().builder().label(entry.label), entry.states));
    ways.append(nb::make_tuple(way.mode, entries));
  }
  return ways;
}

void bind_graphs(nb::module_& module) {
  nb::class_<BoundGraph>(module, "SogGraph")
      .def_prop_ro("size",
                   [](BoundGraph& self) {
                     const std::lock_guard lock(self.graph().mutex());
                     return self.graph().size();
                   })
      .def_prop_ro("edges",
                   [](BoundGraph& self) {
                     const std::lock_guard lock(self.graph().mutex());
                     return self.graph().edges();
                   })
      .def("set", &BoundGraph::show, "number"_a, nb::keep_alive<0, 1>())
      .def("aggregate", &show_aggregate, "number"_a)
      .def("ways", &show_ways, "number"_a)
      .def("label",
           [](BoundGraph& self, sog::Number number) {
             const sog::LabelId label = self.node(number).built.aggregate.label;
             return self.graph().builder().label(label);
           })
      .def("ready_modes",
           [](BoundGraph& self, sog::Number number) { return self.node(number).built.ready_modes; })
      .def("can_stutter", [](BoundGraph& self, sog::Number number) {
        return self.node(number).built.aggregate.can_stutter();
      });
  module.def("mdd_graph", &make_mdd_graph, nb::kw_only(), "alive"_a, "sets"_a, "net"_a, "order"_a,
             "all_steps"_a, "atoms"_a, "events"_a, "some_event"_a, "says_dead"_a, "precise"_a,
             "tell_both"_a, "most_nodes"_a.none(), "most_markings"_a.none(), "initial_label"_a,
             "describe"_a);
  module.def("bits_graph", &make_bits_graph, nb::kw_only(), "alive"_a, "reachable"_a, "poll"_a,
             "atoms"_a, "dead"_a, "events"_a, "event_enabled"_a, "some_event"_a, "says_dead"_a,
             "precise"_a, "tell_both"_a, "most_nodes"_a.none(), "most_markings"_a.none(),
             "initial_label"_a, "describe"_a);
}

void bind_kripke(nb::module_& module) {
  nb::class_<BoundKripke>(module, "SogKripke")
      .def(nb::init<BoundGraph&, const std::vector<std::pair<bool, std::uint32_t>>&, nb::object,
                    unsigned, bool>(),
           "graph"_a, "atoms"_a, "staying"_a, "threads"_a, "run_ahead"_a, nb::keep_alive<1, 2>())
      .def_prop_ro("hooks_address",
                   [](BoundKripke& self) {
                     return reinterpret_cast<std::uintptr_t>(&self.kripke().hooks());
                   })
      .def_prop_ro("stopped", [](BoundKripke& self) { return self.kripke().stopped(); })
      .def("raise_failure",
           [](BoundKripke& self) {
             if (self.kripke().failure()) std::rethrow_exception(self.kripke().failure());
           })
      .def("close", &BoundKripke::close)
      .def_prop_ro("figures",
                   [](BoundKripke& self) {
                     const sog::Explorer::Figures found = self.kripke().explorer().figures();
                     return nb::make_tuple(found.built, found.building, found.expanding,
                                           found.busy);
                   })
      .def("initial",
           [](BoundKripke& self) {
             return self.run([](sog::Explorer& explorer) { return explorer.initial(); });
           })
      .def(
          "targets",
          [](BoundKripke& self, sog::Number number, sog::Mode mode) {
            return self.run(
                [&](sog::Explorer& explorer) { return explorer.targets(number, mode); });
          },
          "number"_a, "mode"_a);
}

}  // namespace

void bind_sog(nb::module_& module) {
  nb::exception<sog::Stopped>(module, "Stopped");
  bind_mdd_steps(module);
  bind_bits_steps(module);
  bind_graphs(module);
  bind_kripke(module);
}
