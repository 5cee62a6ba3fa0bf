// Python's view of reductions.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <tuple>

#include "bind.hpp"
#include "reduce/reducer.hpp"

namespace nb = nanobind;
using namespace nb::literals;
namespace reduce = mpisog::reduce;
using mpisog::bind::make_atoms;
using mpisog::bind::make_poll;
using mpisog::petri::Arc;
using mpisog::petri::Net;
using mpisog::petri::Transition;

namespace {

using Arcs = std::vector<std::pair<std::uint32_t, std::int64_t>>;

struct Reduction {
  std::vector<std::size_t> applied;
  reduce::Reduced reduced;
};

Reduction make_reduction(const Net& net, const nb::list& atoms,
                         const std::vector<std::size_t>& rules, nb::object poll) {
  const auto native_atoms = make_atoms(atoms);
  auto native_beat = make_poll(std::move(poll));
  const nb::gil_scoped_release release;
  reduce::WorkingNet work(net, native_atoms, std::move(native_beat));
  auto applied = reduce::reduce(work, rules);
  return {std::move(applied), reduce::finished(work)};
}

Arcs to_pairs(const std::vector<Arc>& arcs) {
  Arcs pairs;
  pairs.reserve(arcs.size());
  for (const Arc& arc : arcs) pairs.emplace_back(arc.place, arc.weight);
  return pairs;
}

std::vector<std::pair<Arcs, Arcs>> transitions(const Reduction& self) {
  std::vector<std::pair<Arcs, Arcs>> result;
  result.reserve(self.reduced.net.transitions.size());
  for (const Transition& t : self.reduced.net.transitions)
    result.emplace_back(to_pairs(t.pre), to_pairs(t.post));
  return result;
}

// (name, whether it is for stutter-invariant formulas without events only)
std::vector<std::pair<std::string, bool>> rules() {
  std::vector<std::pair<std::string, bool>> result;
  for (const reduce::Rule& rule : reduce::all_rules())
    result.emplace_back(rule.name, rule.stuttering);
  return result;
}

}  // namespace

void bind_reduce(nb::module_& module) {
  nb::class_<Reduction>(module, "Reduction")
      .def_ro("applied", &Reduction::applied)
      .def_prop_ro("places", [](const Reduction& self) { return self.reduced.places; })
      .def_prop_ro("tokens", [](const Reduction& self) { return self.reduced.net.initial; })
      .def_prop_ro("transitions", &transitions)
      .def_prop_ro("words", [](const Reduction& self) { return self.reduced.words; })
      .def_prop_ro("first", [](const Reduction& self) { return self.reduced.first; })
      .def_prop_ro("atoms", [](const Reduction& self) { return self.reduced.atoms; });
  module.def("reduction_rules", &rules);
  module.def("reduce", &make_reduction, "net"_a, "atoms"_a, "rules"_a, "poll"_a.none());
}
