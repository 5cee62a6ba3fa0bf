// Python's view of sets over enumerated markings.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include "bind.hpp"
#include "bits/bytes.hpp"
#include "bits/operations.hpp"

namespace nb = nanobind;
using namespace nb::literals;
namespace bits = mpisog::bits;
namespace petri = mpisog::petri;
namespace search = mpisog::search;

namespace {

using bits::Reachable;
using bits::Set;
using bits::Steps;
using bits::Truth;
using Release = nb::call_guard<nb::gil_scoped_release>;

using Bounds = std::vector<std::pair<std::uint32_t, std::int64_t>>;
using StepTuple = std::tuple<std::uint32_t, Bounds, Bounds>;

std::vector<search::Step> to_steps(const std::vector<StepTuple>& tuples) {
  const auto arcs = [](const Bounds& bounds) {
    std::vector<petri::Arc> result;
    for (const auto& [place, tokens] : bounds) result.push_back({place, tokens});
    return result;
  };
  std::vector<search::Step> steps;
  for (const auto& [transition, at_least, at_most] : tuples)
    steps.push_back({transition, arcs(at_least), arcs(at_most)});
  return steps;
}

// An exception in the callback counts as a wish to stop: native code stands in between.
bits::Enumeration enumerate(const petri::Net& net, petri::StateId markings, std::uint64_t work,
                            const nb::object& poll) {
  const auto ask = [&](const petri::Progress& progress) {
    const nb::gil_scoped_acquire gil;
    try {
      return nb::cast<bool>(poll(progress.states, progress.edges));
    } catch (nb::python_error& error) {
      error.discard_as_unraisable("progress callback");
      return true;
    }
  };
  const nb::gil_scoped_release release;
  return bits::enumerate(net, {markings, work}, ask);
}

// The set of one marking; nothing when it is not reachable.
std::optional<Set> singleton(const Reachable& graph, const petri::Marking& marking) {
  const petri::StateId id = graph.number(marking);
  if (id == petri::kNoState) return std::nullopt;
  return Set::of_members(graph.size(), {id});
}

// A piece of a set, and where the next one begins; Python lists large sets piece by piece.
std::pair<std::vector<petri::Marking>, petri::StateId> markings_from(const Reachable& graph,
                                                                     const Set& states,
                                                                     petri::StateId first,
                                                                     std::size_t limit) {
  std::vector<petri::Marking> found;
  states.visit_from(first, [&](petri::StateId id) {
    if (found.size() == limit) return false;
    found.push_back(graph.marking(id));
    first = id + 1;
    return true;
  });
  return {std::move(found), first};
}

std::optional<petri::Marking> find_cycle(const Reachable& graph, const Set& states,
                                         const Steps& steps) {
  const petri::StateId found = bits::find_cycle(graph, states, steps);
  if (found == petri::kNoState) return std::nullopt;
  return graph.marking(found);
}

using PathTuple = std::pair<petri::Marking, std::vector<std::uint32_t>>;

std::optional<PathTuple> find_path(const Reachable& graph, const petri::Marking& target,
                                   const Steps& steps, const Set& within, const Set& sources,
                                   bool at_once) {
  auto found = bits::find_path(graph, graph.number(target), steps, within, sources, at_once);
  if (!found) return std::nullopt;
  return PathTuple{graph.marking(found->start), std::move(found->firings)};
}

using PartPair = std::pair<std::vector<bool>, Set>;

std::vector<PartPair> split(const Reachable& graph, const Set& states,
                            const std::vector<const Truth*>& atoms) {
  std::vector<PartPair> pairs;
  for (bits::Part& part : bits::split(graph, states, atoms)) {
    std::vector<bool> label(atoms.size());
    for (std::size_t i = 0; i < label.size(); ++i) label[i] = ((part.label >> i) & 1U) != 0;
    pairs.emplace_back(std::move(label), std::move(part.states));
  }
  return pairs;
}

void bind_set(nb::module_& module) {
  nb::class_<Set>(module, "MarkingSet")
      .def("__or__", &bits::unite, nb::is_operator())
      .def("__and__", &bits::intersect, nb::is_operator())
      .def("__sub__", &bits::subtract, nb::is_operator())
      .def(
          "__eq__", [](const Set& a, const Set& b) { return a == b; }, nb::is_operator())
      .def("__hash__", [](const Set& set) { return static_cast<std::int64_t>(set.hash() >> 2); })
      .def("__bool__", [](const Set& set) { return !set.empty(); })
      .def_prop_ro("count", &Set::count);
  nb::class_<Steps>(module, "MarkingSteps");
  nb::class_<Truth>(module, "MarkingTruth").def("among", &Truth::among, "states"_a, Release());
}

void bind_graph(nb::module_& module) {
  nb::class_<Reachable>(module, "ReachableMarkings")
      .def_prop_ro("size", &Reachable::size)
      .def_prop_ro("edges", &Reachable::edge_count)
      .def_prop_ro("bytes", &Reachable::bytes)
      .def("empty", [](const Reachable& graph) { return Set(graph.size()); })
      .def("everything", [](const Reachable& graph) { return Set::full(graph.size()); })
      .def("singleton", &singleton, "marking"_a)
      .def(
          "steps",
          [](const Reachable& graph, const std::vector<StepTuple>& steps) {
            return new Steps(graph, to_steps(steps));
          },
          "steps"_a, nb::keep_alive<0, 1>(), nb::rv_policy::take_ownership)
      .def(
          "truth",
          [](const Reachable& graph, petri::Atom atom) {
            return new Truth(graph, std::move(atom));
          },
          "atom"_a, nb::keep_alive<0, 1>(), nb::rv_policy::take_ownership)
      .def("image", &bits::image, "states"_a, "steps"_a, Release())
      .def("split", &split, "states"_a, "atoms"_a, Release())
      .def(
          "split_image",
          [](const Reachable& graph, const Set& states, const Steps& steps,
             const std::vector<const Truth*>& atoms) {
            return split(graph, bits::image(graph, states, steps), atoms);
          },
          "states"_a, "steps"_a, "atoms"_a, Release())
      .def("preimage", &bits::preimage, "states"_a, "steps"_a, Release())
      .def("closure", &bits::closure, "states"_a, "steps"_a, "within"_a.none(), Release())
      .def("backward_closure", &bits::backward_closure, "states"_a, "steps"_a, "within"_a,
           Release())
      .def("count_steps", &bits::count_steps, "states"_a, "steps"_a, Release())
      .def("largest_sum", &bits::largest_sum, "states"_a, "terms"_a, Release())
      .def("largest_tokens", &bits::largest_tokens, "states"_a, Release())
      .def(
          "pick",
          [](const Reachable& graph, const Set& states) -> std::optional<petri::Marking> {
            if (states.empty() || states.universe() != graph.size()) return std::nullopt;
            return graph.marking(states.smallest());
          },
          "states"_a)
      .def("markings_from", &markings_from, "states"_a, "first"_a, "limit"_a)
      .def(
          "contains",
          [](const Reachable& graph, const Set& states, const petri::Marking& marking) {
            return states.contains(graph.number(marking));
          },
          "states"_a, "marking"_a)
      .def("find_cycle", &find_cycle, "states"_a, "steps"_a, Release())
      .def("find_path", &find_path, "target"_a, "steps"_a, "within"_a, "sources"_a, "at_once"_a,
           Release())
      .def(
          "serialise",
          [](const Reachable& graph, const Set& states) {
            const std::string bytes = [&] {
              const nb::gil_scoped_release release;
              return bits::serialise(graph, states);
            }();
            return nb::bytes(bytes.data(), bytes.size());
          },
          "states"_a)
      .def(
          "deserialise",
          [](const Reachable& graph, const nb::bytes& bytes) {
            return bits::deserialise(
                graph, {reinterpret_cast<const unsigned char*>(bytes.c_str()), bytes.size()});
          },
          "data"_a);
}

void bind_enumeration(nb::module_& module) {
  nb::enum_<bits::Ending>(module, "Ending")
      .value("complete", bits::Ending::complete)
      .value("stopped", bits::Ending::stopped)
      .value("unbounded", bits::Ending::unbounded)
      .value("too_many", bits::Ending::too_many);
  nb::class_<bits::Enumeration>(module, "Enumeration")
      .def_ro("ending", &bits::Enumeration::ending)
      .def_ro("unbounded_place", &bits::Enumeration::unbounded_place)
      .def_ro("reachable", &bits::Enumeration::reachable);
  module.def("enumerate_markings", &enumerate, "net"_a, "markings"_a, "work"_a, "poll"_a);
}

}  // namespace

void bind_bits(nb::module_& module) {
  nb::exception<bits::MalformedSet>(module, "MalformedSet", PyExc_ValueError);
  bind_set(module);
  bind_graph(module);
  bind_enumeration(module);
}
