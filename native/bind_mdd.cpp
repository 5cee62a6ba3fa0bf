// Python's view of the symbolic kernel: sets of markings.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <optional>

#include "bind.hpp"
#include "bind_sets.hpp"
#include "mdd/events.hpp"
#include "sog/mdd_searches.hpp"

namespace nb = nanobind;
using namespace nb::literals;
namespace mdd = mpisog::mdd;
using mpisog::bind::Sets;
using mpisog::mdd::Atoms;
using mpisog::mdd::Events;

namespace {

using TermTuple = std::tuple<mdd::Level, mdd::Value, std::optional<mdd::Value>, std::int64_t>;

// One event, read from Python once: the same events come again with every label.
struct Event {
  explicit Event(const std::vector<TermTuple>& given) {
    for (const auto& [level, at_least, at_most, delta] : given)
      terms.push_back({level, at_least, at_most.value_or(mdd::kNoLimit), delta});
  }
  mdd::Event terms;
};

std::vector<mdd::LinearTerm> linear(const std::vector<std::pair<mdd::Level, std::int64_t>>& terms) {
  std::vector<mdd::LinearTerm> result;
  for (const auto& [level, coefficient] : terms) result.push_back({level, coefficient});
  return result;
}

// Little-endian bytes: Python makes an exact integer of them, however large.
nb::bytes to_bytes(const mdd::Natural& natural) {
  const auto& limbs = natural.limbs();
  return nb::bytes(limbs.data(), limbs.size() * sizeof(limbs[0]));
}

template <class Operation>
auto unlocked(Operation operation) {
  return [operation](Sets& sets, const mdd::Set& a, const mdd::Set& b) {
    return sets.run([&](mdd::Kernel& kernel) { return operation(kernel, a, b); });
  };
}

using Terms = std::vector<std::pair<mdd::Level, std::int64_t>>;
using ComparisonTuple = std::tuple<Terms, mdd::Comparison, std::int64_t, bool>;

mdd::LabelledPtr make_labelled(Sets& sets, Events& events,
                               const std::vector<ComparisonTuple>& comparisons,
                               const std::vector<std::pair<Events*, bool>>& enabled) {
  std::vector<mdd::Condition> conditions;
  for (const auto& [terms, comparison, constant, truth] : comparisons)
    conditions.push_back({mdd::LinearConstraint{linear(terms), comparison, constant}, {}, truth});
  for (const auto& [some, truth] : enabled)
    conditions.push_back({std::nullopt, some->list(), truth});
  return sets.kernel().labelled(events.forward(), conditions);
}

// What is left of a set after it was split: labels and parts.
struct Split {
  std::vector<std::pair<std::vector<bool>, mdd::Set>> classes;
};

// A closed set, and its markings in which some of the given events are enabled.
struct Closed {
  mdd::Set states;
  mdd::Set leaving;
};

void bind_set(nb::module_& module) {
  nb::class_<mdd::Set>(module, "Set")
      .def("__bool__", [](const mdd::Set& set) { return !set.empty(); })
      .def_prop_ro("id", &mdd::Set::id);
  nb::class_<Event>(module, "Event").def(nb::init<const std::vector<TermTuple>&>(), "terms"_a);
  nb::class_<Events>(module, "Events")
      .def(
          "__init__",
          [](Events* self, Sets& sets, const std::vector<const Event*>& given) {
            std::vector<mdd::Event> list;
            for (const Event* event : given) list.push_back(event->terms);
            new (self) Events(sets.kernel(), std::move(list));
          },
          "sets"_a, "events"_a, nb::keep_alive<1, 2>());
  nb::class_<Atoms>(module, "Atoms")
      .def(
          "__init__", [](Atoms* self, Sets& sets) { new (self) Atoms(sets.kernel()); }, "sets"_a,
          nb::keep_alive<1, 2>())
      .def(
          "compare",
          [](Atoms& atoms, const Terms& terms, mdd::Comparison comparison, std::int64_t constant) {
            atoms.compare({linear(terms), comparison, constant});
          },
          "terms"_a, "comparison"_a, "bound"_a)
      .def("fireable", [](Atoms& atoms, Events& events) { atoms.add(events.some_enabled()); })
      .def("dead", [](Atoms& atoms, Events& events) { atoms.add(events.none_enabled()); });
  nb::class_<Split>(module, "Split")
      .def("__len__", [](const Split& split) { return split.classes.size(); })
      .def("label", [](const Split& split, std::size_t i) { return split.classes.at(i).first; })
      .def(
          "part", [](const Split& split, std::size_t i) { return split.classes.at(i).second; },
          nb::keep_alive<0, 1>());
  nb::class_<Closed>(module, "Closed")
      .def_prop_ro(
          "states", [](const Closed& closed) { return closed.states; }, nb::keep_alive<0, 1>())
      .def_prop_ro(
          "leaving", [](const Closed& closed) { return closed.leaving; }, nb::keep_alive<0, 1>());
  nb::class_<mdd::LabelledRelation>(module, "LabelledEvents");
}

void bind_steps(nb::class_<Sets>& sets) {
  sets.def(
          "image",
          [](Sets& self, const mdd::Set& set, Events& events) {
            const mdd::Firings& firings = events.firings();
            return self.run([&](mdd::Kernel& kernel) { return kernel.image(set, firings); });
          },
          nb::keep_alive<0, 1>())
      .def(
          "preimage",
          [](Sets& self, const mdd::Set& set, const Events& events) {
            return self.run(
                [&](mdd::Kernel& kernel) { return kernel.preimage(set, events.list()); });
          },
          nb::keep_alive<0, 1>())
      .def(
          "closure",
          [](Sets& self, const mdd::Set& set, Events& events) {
            const mdd::Relation& relation = *events.forward();
            return self.run([&](mdd::Kernel& kernel) { return kernel.closure(set, relation); });
          },
          nb::keep_alive<0, 1>())
      .def(
          "closure_within",
          [](Sets& self, const mdd::Set& set, Events& events, const mdd::Set& within,
             bool backwards) {
            const mdd::Relation& relation = backwards ? *events.backward() : *events.forward();
            return self.run(
                [&](mdd::Kernel& kernel) { return kernel.closure_within(set, relation, within); });
          },
          nb::keep_alive<0, 1>())
      .def("labelled", &make_labelled, "events"_a, "comparisons"_a, "enabled"_a,
           nb::keep_alive<0, 1>());
}

// What an aggregate takes, in one call each: short operations in a row would pass the GIL to and
// fro between threads.
void bind_aggregates(nb::class_<Sets>& sets) {
  sets.def(
          "close",
          [](Sets& self, const mdd::Set& set, Events& events, Events& leaving) {
            const mdd::Relation& relation = *events.forward();
            const mdd::Enabled& wanted = *leaving.some_enabled();
            return self.run([&](mdd::Kernel& kernel) {
              mdd::Set states = kernel.closure(set, relation);
              return Closed{states, wanted.of(kernel, states)};
            });
          },
          nb::keep_alive<0, 1>())
      .def(
          "close_labelled",
          [](Sets& self, const mdd::Set& set, mdd::LabelledRelation& labelled, Events& leaving) {
            const mdd::Enabled& wanted = *leaving.some_enabled();
            return self.run([&](mdd::Kernel& kernel) {
              mdd::Set states = kernel.closure_labelled(set, labelled);
              return Closed{states, wanted.of(kernel, states)};
            });
          },
          nb::keep_alive<0, 1>())
      .def(
          "split_image",
          [](Sets& self, const mdd::Set& set, Events& events, const Atoms& atoms) {
            const mdd::Firings& firings = events.firings();
            return self.run([&](mdd::Kernel& kernel) {
              return Split{kernel.split(kernel.image(set, firings), atoms.filters())};
            });
          },
          nb::keep_alive<0, 1>());
}

void bind_selection(nb::class_<Sets>& sets) {
  sets.def(
          "filter",
          [](Sets& self, const mdd::Set& set, const Terms& terms, mdd::Comparison comparison,
             std::int64_t constant) {
            const mdd::LinearConstraint constraint{linear(terms), comparison, constant};
            return self.run([&](mdd::Kernel& kernel) { return kernel.filter(set, constraint); });
          },
          nb::keep_alive<0, 1>())
      .def(
          "fireable",
          [](Sets& self, const mdd::Set& set, Events& events) {
            const mdd::Enabled& some = *events.some_enabled();
            return self.run([&](mdd::Kernel& kernel) { return some.of(kernel, set); });
          },
          nb::keep_alive<0, 1>())
      .def(
          "dead",
          [](Sets& self, const mdd::Set& set, Events& events) {
            const mdd::Enabled& none = *events.none_enabled();
            return self.run([&](mdd::Kernel& kernel) { return none.of(kernel, set); });
          },
          nb::keep_alive<0, 1>())
      .def(
          "split",
          [](Sets& self, const mdd::Set& set, const Atoms& atoms) {
            return Split{
                self.run([&](mdd::Kernel& kernel) { return kernel.split(set, atoms.filters()); })};
          },
          "states"_a, "atoms"_a, nb::keep_alive<0, 1>())
      .def("largest_sum", [](Sets& self, const mdd::Set& set, const Terms& terms) {
        return self.run(
            [&](mdd::Kernel& kernel) { return kernel.largest_sum(set, linear(terms)); });
      });
}

void bind_figures(nb::class_<Sets>& sets) {
  sets.def("count",
           [](Sets& self, const mdd::Set& set) {
             return to_bytes(self.run([&](mdd::Kernel& kernel) { return kernel.count(set); }));
           })
      .def("count_steps",
           [](Sets& self, const mdd::Set& set, const Events& events) {
             return to_bytes(self.run(
                 [&](mdd::Kernel& kernel) { return kernel.count_steps(set, events.list()); }));
           })
      .def("node_count",
           [](Sets& self, const mdd::Set& set) {
             return self.run([&](mdd::Kernel& kernel) { return kernel.node_count(set); });
           })
      .def("largest_values",
           [](Sets& self, const mdd::Set& set) {
             return self.run([&](mdd::Kernel& kernel) { return kernel.largest_values(set); });
           })
      .def("contains",
           [](Sets& self, const mdd::Set& set, const mdd::Marking& marking) {
             return self.run([&](mdd::Kernel& kernel) { return kernel.contains(set, marking); });
           })
      .def("pick",
           [](Sets& self, const mdd::Set& set) {
             return self.run([&](mdd::Kernel& kernel) { return kernel.pick(set); });
           })
      .def("nearest",
           [](Sets& self, const mdd::Set& set, const mdd::Marking& wished) {
             return self.run([&](mdd::Kernel& kernel) { return kernel.nearest(set, wished); });
           })
      .def("first_markings", [](Sets& self, const mdd::Set& set, std::size_t limit) {
        return self.run(
            [&](mdd::Kernel& kernel) { return mpisog::sog::first_markings(kernel, set, limit); });
      });
}

void bind_bytes(nb::class_<Sets>& sets) {
  sets.def("fingerprint",
           [](Sets& self, const mdd::Set& set) {
             const mdd::Fingerprint print =
                 self.run([&](mdd::Kernel& kernel) { return kernel.fingerprint(set); });
             std::array<std::uint8_t, 12> bytes{};  // little-endian on every machine
             for (unsigned i = 0; i < bytes.size(); ++i)
               bytes[i] = static_cast<std::uint8_t>(print.words[i / 4] >> (8 * (i % 4)));
             return nb::bytes(reinterpret_cast<const char*>(bytes.data()), bytes.size());
           })
      .def("serialise",
           [](Sets& self, const mdd::Set& set) {
             const auto bytes =
                 self.run([&](mdd::Kernel& kernel) { return kernel.serialise(set); });
             return nb::bytes(reinterpret_cast<const char*>(bytes.data()), bytes.size());
           })
      .def(
          "deserialise",
          [](Sets& self, const nb::bytes& bytes) {
            const std::span data(reinterpret_cast<const std::uint8_t*>(bytes.c_str()),
                                 bytes.size());
            return self.run([&](mdd::Kernel& kernel) { return kernel.deserialise(data); });
          },
          nb::keep_alive<0, 1>());
}

void bind_sets(nb::module_& module) {
  nb::enum_<mdd::Comparison>(module, "SetComparison")
      .value("lt", mdd::Comparison::kLess)
      .value("le", mdd::Comparison::kLessEqual)
      .value("eq", mdd::Comparison::kEqual)
      .value("ne", mdd::Comparison::kNotEqual)
      .value("ge", mdd::Comparison::kGreaterEqual)
      .value("gt", mdd::Comparison::kGreater);
  nb::class_<Sets> sets(module, "Sets");
  sets.def(nb::init<mdd::Level, std::size_t, unsigned, nb::object>(), "levels"_a, "memory"_a,
           "workers"_a, "poll"_a.none())
      .def(
          "empty", [](Sets& self) { return self.kernel().empty(); }, nb::keep_alive<0, 1>())
      .def(
          "from_markings",
          [](Sets& self, const std::vector<mdd::Marking>& markings) {
            return self.run([&](mdd::Kernel& kernel) { return kernel.from_markings(markings); });
          },
          nb::keep_alive<0, 1>())
      .def("unite", unlocked([](mdd::Kernel& kernel, const mdd::Set& a, const mdd::Set& b) {
             return kernel.unite(a, b);
           }),
           nb::keep_alive<0, 1>())
      .def("intersect", unlocked([](mdd::Kernel& kernel, const mdd::Set& a, const mdd::Set& b) {
             return kernel.intersect(a, b);
           }),
           nb::keep_alive<0, 1>())
      .def("subtract", unlocked([](mdd::Kernel& kernel, const mdd::Set& a, const mdd::Set& b) {
             return kernel.subtract(a, b);
           }),
           nb::keep_alive<0, 1>())
      .def("is_subset", unlocked([](mdd::Kernel& kernel, const mdd::Set& a, const mdd::Set& b) {
             return kernel.is_subset(a, b);
           }))
      .def("resume", [](Sets& self) { self.supervisor().reset(); })
      .def("collect_garbage",
           [](Sets& self) { self.run([](mdd::Kernel& kernel) { kernel.collect_garbage(); }); })
      .def("statistics", [](Sets& self) {
        const mdd::Statistics figures = self.kernel().statistics();
        return std::make_tuple(figures.nodes, figures.bytes, figures.peak_bytes,
                               figures.collections, figures.computations);
      });
  bind_steps(sets);
  bind_aggregates(sets);
  bind_selection(sets);
  bind_figures(sets);
  bind_bytes(sets);
}

}  // namespace

void bind_mdd(nb::module_& module) {
  nb::exception<mdd::OutOfMemory>(module, "OutOfMemory");
  nb::exception<mdd::Cancelled>(module, "Cancelled");
  nb::exception<mdd::MalformedBytes>(module, "MalformedBytes", PyExc_ValueError);
  nb::exception<mdd::ValueOverflow>(module, "ValueOverflow");
  nb::exception<mdd::TooComplex>(module, "TooComplex");
  bind_set(module);
  bind_sets(module);
}
