// Python's view of explicit searches inside sets, and of variable orders.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <map>

#include "bind.hpp"
#include "bind_sets.hpp"
#include "order/ordering.hpp"
#include "search/path_finder.hpp"
#include "sog/mdd_searches.hpp"

namespace nb = nanobind;
using namespace nb::literals;
namespace mdd = mpisog::mdd;
namespace order = mpisog::order;
namespace petri = mpisog::petri;
namespace search = mpisog::search;
namespace sog = mpisog::sog;
using mpisog::bind::Sets;
using mpisog::sog::membership;
using mpisog::sog::SearchSteps;

namespace {

using Bounds = std::vector<std::pair<std::uint32_t, std::int64_t>>;
using StepTuple = std::tuple<std::uint32_t, Bounds, Bounds>;

std::vector<petri::Arc> to_arcs(const Bounds& bounds) {
  std::vector<petri::Arc> arcs;
  for (const auto& [place, tokens] : bounds) arcs.push_back({place, tokens});
  return arcs;
}

// None: there is no path. False: too far for an explicit search. Else (start, firings).
nb::object find_path(Sets& sets, const petri::Net& net, const std::vector<order::Place>& levels,
                     const petri::Marking& target, const petri::Marking& anchor,
                     const SearchSteps& steps, const mdd::Set& within, const mdd::Set& sources,
                     bool at_once, std::size_t limit) {
  const search::Answer answer = sets.run([&](mdd::Kernel& kernel) {
    return search::find_path(net, {target, anchor, steps.list, membership(kernel, within, levels),
                                   membership(kernel, sources, levels), at_once, limit});
  });
  if (answer.end == search::SearchEnd::none) return nb::none();
  if (answer.end == search::SearchEnd::gave_up) return nb::bool_(false);
  return nb::make_tuple(nb::cast(answer.path.start), nb::cast(answer.path.firings));
}

// None: there is no cycle. False: too many markings for an explicit search. Else a tuple
// (start, stem, marking on the cycle, cycle).
nb::object find_cycle(Sets& sets, const petri::Net& net, const std::vector<order::Place>& levels,
                      const SearchSteps& steps, const mdd::Set& starts, const mdd::Set& within,
                      std::size_t limit) {
  const sog::CycleSearch search = sets.run([&](mdd::Kernel& kernel) {
    return sog::find_cycle(kernel, net, levels, steps.list, starts, within, limit);
  });
  if (!search.found) return search.gave_up ? nb::object(nb::bool_(false)) : nb::object(nb::none());
  const auto& [start, lasso] = *search.found;
  return nb::make_tuple(nb::cast(start), nb::cast(lasso.stem), nb::cast(lasso.meeting),
                        nb::cast(lasso.cycle));
}

// What is met depth first, where steps lead out of it, and the deepest marking there.
sog::GrownPart grow(Sets& sets, const petri::Net& net, const std::vector<order::Place>& levels,
                    const SearchSteps& steps, const petri::Marking& start, std::size_t limit) {
  return sets.run([&](mdd::Kernel& kernel) {
    const auto poll = [&] {
      if (sets.supervisor().stop()) throw mdd::Cancelled();
    };
    return sog::grow(kernel, net, levels, steps, start, limit, poll);
  });
}

void bind_finders(nb::module_& module) {
  nb::class_<SearchSteps>(module, "SearchSteps")
      .def(
          "__init__",
          [](SearchSteps* self, const std::vector<StepTuple>& steps, const nb::list& atoms,
             const std::vector<bool>& truths) {
            new (self) SearchSteps{};
            for (const auto& [transition, at_least, at_most] : steps)
              self->list.push_back({transition, to_arcs(at_least), to_arcs(at_most)});
            std::vector<petri::Atom> native = mpisog::bind::make_atoms(atoms);
            for (std::size_t i = 0; i < native.size(); ++i)
              self->kept.push_back({std::move(native[i]), truths.at(i)});
          },
          "steps"_a, "atoms"_a, "truths"_a);
  using Kept = nb::keep_alive<0, 1>;  // the kernel must outlive its sets
  nb::class_<sog::GrownPart>(module, "GrownPart")
      .def_prop_ro(
          "inside", [](const sog::GrownPart& part) { return part.inside; }, Kept())
      .def_prop_ro(
          "beyond", [](const sog::GrownPart& part) { return part.beyond; }, Kept())
      .def_prop_ro("deepest", [](const sog::GrownPart& part) { return part.deepest; }, Kept());
  module.def("grow", &grow, "sets"_a, "net"_a, "levels"_a, "steps"_a, "start"_a, "limit"_a, Kept());
  module.def("find_path", &find_path, "sets"_a, "net"_a, "levels"_a, "target"_a, "anchor"_a,
             "steps"_a, "within"_a, "sources"_a, "at_once"_a, "limit"_a);
  module.def("find_cycle", &find_cycle, "sets"_a, "net"_a, "levels"_a, "steps"_a, "starts"_a,
             "within"_a, "limit"_a);
}

order::Structure structure_of(const petri::Net& net) {
  order::Structure structure;
  structure.places = static_cast<std::uint32_t>(net.places());
  for (const std::int64_t tokens : net.initial)
    structure.initial.push_back(static_cast<std::uint32_t>(tokens));
  std::map<order::Place, order::Arc> arcs;  // of one transition, by place
  for (const petri::Transition& transition : net.transitions) {
    arcs.clear();
    for (const petri::Arc& arc : transition.pre) {
      order::Arc& both = arcs.try_emplace(arc.place, order::Arc{arc.place, 0, 0}).first->second;
      both.needed += static_cast<std::uint32_t>(arc.weight);
      both.effect -= arc.weight;
    }
    for (const petri::Arc& arc : transition.post)
      arcs.try_emplace(arc.place, order::Arc{arc.place, 0, 0}).first->second.effect += arc.weight;
    auto& added = structure.transitions.emplace_back();
    for (const auto& [place, arc] : arcs) added.push_back(arc);
  }
  return structure;
}

void bind_orders(nb::module_& module) {
  nb::class_<order::Structure>(module, "Structure")
      .def(
          "__init__",
          [](order::Structure* self, const petri::Net& net) {
            new (self) order::Structure(structure_of(net));
          },
          "net"_a);
  using Release = nb::call_guard<nb::gil_scoped_release>;
  module.def(
      "order_auto",
      [](order::Structure& net, std::optional<double> seconds) {
        using Clock = std::chrono::steady_clock;
        if (seconds)
          net.until = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                         std::chrono::duration<double>(*seconds));
        return order::choose(net);
      },
      "net"_a, "seconds"_a = nb::none(), Release());
  module.def(
      "order_force",
      [](const order::Structure& net) { return order::force(net, order::file_order(net), 200); },
      "net"_a, Release());
  module.def(
      "order_rcm", [](const order::Structure& net) { return order::cuthill_mckee(net); }, "net"_a,
      Release());
  module.def("order_sloan", &order::sloan, "net"_a, Release());
}

}  // namespace

void bind_search(nb::module_& module) {
  bind_finders(module);
  bind_orders(module);
}
