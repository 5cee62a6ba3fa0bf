// Python's view of the symbolic kernel: sets of markings and variable orders.
#include "bind.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <chrono>

#include "ldd/kernel.hpp"
#include "order/ordering.hpp"
#include "petri/net.hpp"
#include "search/path_finder.hpp"

namespace nb = nanobind;
using namespace nb::literals;
namespace ldd = mpisog::ldd;
namespace order = mpisog::order;
namespace petri = mpisog::petri;
namespace search = mpisog::search;

namespace {

// True in threads that came from Python. Only they may ask Python whether to stop: a worker that
// waits for the GIL would make the others wait for it.
thread_local bool from_python = false;

// Asks a Python callback, about ten times a second, whether to stop; then running operations end.
class Supervisor {
 public:
  explicit Supervisor(nb::object callback) : callback_(std::move(callback)) {}

  bool stop() {
    if (!callback_.is_none() && from_python && due()) ask();
    return stopped_.load(std::memory_order_relaxed);
  }
  void reset() { stopped_.store(false, std::memory_order_relaxed); }
  void watch(const ldd::Kernel& kernel) { kernel_ = &kernel; }

 private:
  using Clock = std::chrono::steady_clock;

  bool due() {
    const auto now = Clock::now().time_since_epoch().count();
    auto next = next_.load(std::memory_order_relaxed);
    const auto later = now + Clock::duration(std::chrono::milliseconds(100)).count();
    return now >= next && next_.compare_exchange_strong(next, later, std::memory_order_relaxed);
  }
  void ask() {
    const ldd::Statistics figures = kernel_->statistics();
    const nb::gil_scoped_acquire gil;
    try {
      if (nb::cast<bool>(callback_(figures.nodes, figures.computations)))
        stopped_.store(true, std::memory_order_relaxed);
    } catch (nb::python_error& error) {
      error.discard_as_unraisable("progress callback");
      stopped_.store(true, std::memory_order_relaxed);
    }
  }

  nb::object callback_;
  const ldd::Kernel* kernel_ = nullptr;
  std::atomic<bool> stopped_{false};
  std::atomic<Clock::rep> next_{0};
};

// Events with the relations that closures need, made when first used.
struct Events {
  std::vector<ldd::Event> list;
  ldd::RelationPtr forward;
  ldd::RelationPtr backward;
};

class Sets {
 public:
  Sets(ldd::Level levels, std::size_t memory, unsigned workers, nb::object callback)
      : supervisor_(std::make_shared<Supervisor>(std::move(callback))),
        kernel_({.levels = levels,
                 .memory_budget_bytes = memory,
                 .workers = workers,
                 .shared = true,
                 .cancel = [supervisor = supervisor_] { return supervisor->stop(); }}) {
    supervisor_->watch(kernel_);
  }

  // Runs an operation without the GIL.
  template <class Operation>
  auto run(Operation&& operation) {
    const nb::gil_scoped_release release;
    const struct Flag {
      Flag() { from_python = true; }
      ~Flag() { from_python = false; }
    } flag;
    return operation(kernel_);
  }
  ldd::Kernel& kernel() { return kernel_; }
  Supervisor& supervisor() { return *supervisor_; }

 private:
  std::shared_ptr<Supervisor> supervisor_;
  ldd::Kernel kernel_;
};

using TermTuple = std::tuple<ldd::Level, ldd::Value, std::optional<ldd::Value>, std::int64_t>;

Events make_events(Sets& sets, const std::vector<std::vector<TermTuple>>& given) {
  Events events;
  for (const auto& terms : given) {
    ldd::Event event;
    for (const auto& [level, at_least, at_most, delta] : terms)
      event.push_back({level, at_least, at_most.value_or(ldd::kNoLimit), delta});
    events.list.push_back(std::move(event));
  }
  events.forward = sets.kernel().relation(events.list);
  events.backward = sets.kernel().backward_relation(events.list);
  return events;
}

std::vector<ldd::LinearTerm> linear(
    const std::vector<std::pair<ldd::Level, std::int64_t>>& terms) {
  std::vector<ldd::LinearTerm> result;
  for (const auto& [level, coefficient] : terms) result.push_back({level, coefficient});
  return result;
}

// Little-endian bytes: Python makes an exact integer of them, however large.
nb::bytes to_bytes(const ldd::Natural& natural) {
  const auto& limbs = natural.limbs();
  return nb::bytes(limbs.data(), limbs.size() * sizeof(limbs[0]));
}

// Keeps only the first `limit` markings: Python takes large sets apart piece by piece.
std::vector<ldd::Marking> first_markings(ldd::Kernel& kernel, const ldd::Set& set,
                                         std::size_t limit) {
  std::vector<ldd::Marking> markings;
  kernel.for_each(set, [&](const ldd::Marking& marking) {
    markings.push_back(marking);
    return markings.size() < limit;
  });
  return markings;
}

template <class Operation>
auto unlocked(Operation operation) {
  return [operation](Sets& sets, const ldd::Set& a, const ldd::Set& b) {
    return sets.run([&](ldd::Kernel& kernel) { return operation(kernel, a, b); });
  };
}

void bind_set(nb::module_& module) {
  nb::class_<ldd::Set>(module, "Set")
      .def("__bool__", [](const ldd::Set& set) { return !set.empty(); })
      .def_prop_ro("id", &ldd::Set::id);
  nb::class_<Events>(module, "Events");
}

void bind_steps(nb::class_<Sets>& sets) {
  sets.def("events", &make_events, "events"_a)
      .def("image",
           [](Sets& self, const ldd::Set& set, const Events& events) {
             return self.run([&](ldd::Kernel& kernel) { return kernel.image(set, events.list); });
           },
           nb::keep_alive<0, 1>())
      .def("preimage",
           [](Sets& self, const ldd::Set& set, const Events& events) {
             return self.run([&](ldd::Kernel& kernel) { return kernel.preimage(set, events.list); });
           },
           nb::keep_alive<0, 1>())
      .def("closure",
           [](Sets& self, const ldd::Set& set, const Events& events) {
             return self.run([&](ldd::Kernel& kernel) { return kernel.closure(set, *events.forward); });
           },
           nb::keep_alive<0, 1>())
      .def("closure_within",
           [](Sets& self, const ldd::Set& set, const Events& events, const ldd::Set& within,
              bool backwards) {
             const ldd::Relation& relation = backwards ? *events.backward : *events.forward;
             return self.run(
                 [&](ldd::Kernel& kernel) { return kernel.closure_within(set, relation, within); });
           },
           nb::keep_alive<0, 1>());
}

void bind_selection(nb::class_<Sets>& sets) {
  using Terms = std::vector<std::pair<ldd::Level, std::int64_t>>;
  sets.def("filter",
           [](Sets& self, const ldd::Set& set, const Terms& terms, ldd::Comparison comparison,
              std::int64_t constant) {
             const ldd::LinearConstraint constraint{linear(terms), comparison, constant};
             return self.run([&](ldd::Kernel& kernel) { return kernel.filter(set, constraint); });
           },
           nb::keep_alive<0, 1>())
      .def("fireable",
           [](Sets& self, const ldd::Set& set, const Events& events) {
             return self.run([&](ldd::Kernel& kernel) { return kernel.fireable(set, events.list); });
           },
           nb::keep_alive<0, 1>())
      .def("dead",
           [](Sets& self, const ldd::Set& set, const Events& events) {
             return self.run([&](ldd::Kernel& kernel) { return kernel.dead(set, events.list); });
           },
           nb::keep_alive<0, 1>())
      .def("largest_sum", [](Sets& self, const ldd::Set& set, const Terms& terms) {
        return self.run([&](ldd::Kernel& kernel) { return kernel.largest_sum(set, linear(terms)); });
      });
}

void bind_figures(nb::class_<Sets>& sets) {
  sets.def("count",
           [](Sets& self, const ldd::Set& set) {
             return to_bytes(self.run([&](ldd::Kernel& kernel) { return kernel.count(set); }));
           })
      .def("count_steps",
           [](Sets& self, const ldd::Set& set, const Events& events) {
             return to_bytes(self.run(
                 [&](ldd::Kernel& kernel) { return kernel.count_steps(set, events.list); }));
           })
      .def("node_count",
           [](Sets& self, const ldd::Set& set) {
             return self.run([&](ldd::Kernel& kernel) { return kernel.node_count(set); });
           })
      .def("largest_values",
           [](Sets& self, const ldd::Set& set) {
             return self.run([&](ldd::Kernel& kernel) { return kernel.largest_values(set); });
           })
      .def("contains",
           [](Sets& self, const ldd::Set& set, const ldd::Marking& marking) {
             return self.run([&](ldd::Kernel& kernel) { return kernel.contains(set, marking); });
           })
      .def("pick",
           [](Sets& self, const ldd::Set& set) {
             return self.run([&](ldd::Kernel& kernel) { return kernel.pick(set); });
           })
      .def("first_markings", [](Sets& self, const ldd::Set& set, std::size_t limit) {
        return self.run([&](ldd::Kernel& kernel) { return first_markings(kernel, set, limit); });
      });
}

void bind_bytes(nb::class_<Sets>& sets) {
  sets.def("serialise",
           [](Sets& self, const ldd::Set& set) {
             const auto bytes =
                 self.run([&](ldd::Kernel& kernel) { return kernel.serialise(set); });
             return nb::bytes(reinterpret_cast<const char*>(bytes.data()), bytes.size());
           })
      .def("deserialise",
           [](Sets& self, const nb::bytes& bytes) {
             const std::span data(reinterpret_cast<const std::uint8_t*>(bytes.c_str()), bytes.size());
             return self.run([&](ldd::Kernel& kernel) { return kernel.deserialise(data); });
           },
           nb::keep_alive<0, 1>());
}

void bind_sets(nb::module_& module) {
  nb::enum_<ldd::Comparison>(module, "SetComparison")
      .value("lt", ldd::Comparison::kLess)
      .value("le", ldd::Comparison::kLessEqual)
      .value("eq", ldd::Comparison::kEqual)
      .value("ne", ldd::Comparison::kNotEqual)
      .value("ge", ldd::Comparison::kGreaterEqual)
      .value("gt", ldd::Comparison::kGreater);
  nb::class_<Sets> sets(module, "Sets");
  sets.def(nb::init<ldd::Level, std::size_t, unsigned, nb::object>(), "levels"_a, "memory"_a,
           "workers"_a, "beat"_a.none())
      .def("empty", [](Sets& self) { return self.kernel().empty(); }, nb::keep_alive<0, 1>())
      .def("from_markings",
           [](Sets& self, const std::vector<ldd::Marking>& markings) {
             return self.run([&](ldd::Kernel& kernel) { return kernel.from_markings(markings); });
           },
           nb::keep_alive<0, 1>())
      .def("unite", unlocked([](ldd::Kernel& kernel, const ldd::Set& a, const ldd::Set& b) {
             return kernel.unite(a, b);
           }),
           nb::keep_alive<0, 1>())
      .def("intersect", unlocked([](ldd::Kernel& kernel, const ldd::Set& a, const ldd::Set& b) {
             return kernel.intersect(a, b);
           }),
           nb::keep_alive<0, 1>())
      .def("subtract", unlocked([](ldd::Kernel& kernel, const ldd::Set& a, const ldd::Set& b) {
             return kernel.subtract(a, b);
           }),
           nb::keep_alive<0, 1>())
      .def("is_subset", unlocked([](ldd::Kernel& kernel, const ldd::Set& a, const ldd::Set& b) {
             return kernel.is_subset(a, b);
           }))
      .def("resume", [](Sets& self) { self.supervisor().reset(); })
      .def("collect_garbage",
           [](Sets& self) { self.run([](ldd::Kernel& kernel) { kernel.collect_garbage(); }); })
      .def("statistics", [](Sets& self) {
        const ldd::Statistics figures = self.kernel().statistics();
        return std::make_tuple(figures.nodes, figures.bytes, figures.peak_bytes,
                               figures.collections, figures.computations);
      });
  bind_steps(sets);
  bind_selection(sets);
  bind_figures(sets);
  bind_bytes(sets);
}

using Bounds = std::vector<std::pair<std::uint32_t, std::int64_t>>;
using StepTuple = std::tuple<std::uint32_t, Bounds, Bounds>;

std::vector<petri::Arc> to_arcs(const Bounds& bounds) {
  std::vector<petri::Arc> arcs;
  for (const auto& [place, tokens] : bounds) arcs.push_back({place, tokens});
  return arcs;
}

// Steps that several searches share.
struct SearchSteps {
  std::vector<search::Step> list;
};

// None: there is no path. False: too far for an explicit search. Else (start, firings).
nb::object find_path(Sets& sets, const petri::Net& net, const std::vector<order::Place>& levels,
                     const petri::Marking& target, const SearchSteps& steps, const ldd::Set& within,
                     const ldd::Set& sources, bool at_once, std::size_t limit) {
  const auto member = [&](ldd::Kernel& kernel, const ldd::Set& set) {
    return [&kernel, &set, &levels, values = ldd::Marking(levels.size())](
               const petri::Marking& marking) mutable {
      for (std::size_t level = 0; level < levels.size(); ++level)
        values[level] = static_cast<ldd::Value>(marking[levels[level]]);
      return kernel.contains(set, values);
    };
  };
  const search::Answer answer = sets.run([&](ldd::Kernel& kernel) {
    return search::find_path(net, {target, steps.list, member(kernel, within),
                                   member(kernel, sources), at_once, limit});
  });
  if (answer.end == search::SearchEnd::none) return nb::none();
  if (answer.end == search::SearchEnd::gave_up) return nb::bool_(false);
  return nb::make_tuple(nb::cast(answer.path.start), nb::cast(answer.path.firings));
}

void bind_search(nb::module_& module) {
  nb::class_<SearchSteps>(module, "SearchSteps")
      .def("__init__",
           [](SearchSteps* self, const std::vector<StepTuple>& steps) {
             new (self) SearchSteps{};
             for (const auto& [transition, at_least, at_most] : steps)
               self->list.push_back({transition, to_arcs(at_least), to_arcs(at_most)});
           },
           "steps"_a);
  module.def("find_path", &find_path, "sets"_a, "net"_a, "levels"_a, "target"_a, "steps"_a,
             "within"_a, "sources"_a, "at_once"_a, "limit"_a);
}

void bind_orders(nb::module_& module) {
  using ArcTuple = std::tuple<order::Place, std::uint32_t, std::int64_t>;
  nb::class_<order::Structure>(module, "Structure")
      .def("__init__",
           [](order::Structure* self, std::vector<std::uint32_t> initial,
              const std::vector<std::vector<ArcTuple>>& transitions) {
             new (self) order::Structure{};
             self->places = static_cast<std::uint32_t>(initial.size());
             self->initial = std::move(initial);
             for (const auto& arcs : transitions) {
               auto& added = self->transitions.emplace_back();
               for (const auto& [place, needed, effect] : arcs)
                 added.push_back({place, needed, effect});
             }
           },
           "initial"_a, "transitions"_a);
  using Release = nb::call_guard<nb::gil_scoped_release>;
  module.def("order_auto", &order::choose, "net"_a, Release());
  module.def("order_force",
             [](const order::Structure& net) { return order::force(net, order::file_order(net), 200); },
             "net"_a, Release());
  module.def("order_rcm", [](const order::Structure& net) { return order::cuthill_mckee(net); },
             "net"_a, Release());
  module.def("order_sloan", &order::sloan, "net"_a, Release());
}

}  // namespace

void bind_ldd(nb::module_& module) {
  nb::exception<ldd::OutOfMemory>(module, "OutOfMemory");
  nb::exception<ldd::Cancelled>(module, "Cancelled");
  nb::exception<ldd::MalformedBytes>(module, "MalformedBytes", PyExc_ValueError);
  nb::exception<ldd::ValueOverflow>(module, "ValueOverflow");
  bind_set(module);
  bind_sets(module);
  bind_search(module);
  bind_orders(module);
}
