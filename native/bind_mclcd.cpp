// Python's view of MCLCD checks.
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bind.hpp"
#include "mclcd/check.hpp"

namespace nb = nanobind;
using namespace nb::literals;
namespace mclcd = mpisog::mclcd;
namespace petri = mpisog::petri;

namespace {

using Node = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;

mclcd::Predicate make_predicate(const std::vector<Node>& nodes, std::uint32_t root,
                                std::size_t atoms) {
  mclcd::Predicate predicate{{}, root};
  for (const auto& [atom, low, high] : nodes) {
    const std::size_t number = predicate.nodes.size();
    if (number > 1 && (atom >= atoms || low >= number || high >= number))
      throw nb::index_error("bad node");
    predicate.nodes.push_back({atom, low, high});
  }
  if (nodes.size() < 2 || root >= nodes.size()) throw nb::index_error("no such node");
  return predicate;
}

// The callback gets the figures and says whether to stop; an exception counts as such a wish.
mclcd::Poll make_poll(nb::object callback) {
  if (callback.is_none()) return {};
  return [callback = std::move(callback)](const mclcd::Figures& figures) {
    const nb::gil_scoped_acquire gil;
    try {
      return nb::cast<bool>(callback(figures));
    } catch (nb::python_error& error) {
      error.discard_as_unraisable("progress callback");
      return true;
    }
  };
}

void bind_names(nb::module_& module) {
  nb::enum_<mclcd::Variant>(module, "MclcdVariant")
      .value("rg", mclcd::Variant::rg)
      .value("rpg", mclcd::Variant::rpg)
      .value("no_graph", mclcd::Variant::no_graph)
      .value("automatic", mclcd::Variant::automatic);
  nb::enum_<mclcd::Form>(module, "MclcdForm")
      .value("exists_until", mclcd::Form::exists_until)
      .value("all_until", mclcd::Form::all_until)
      .value("leads_to", mclcd::Form::leads_to)
      .value("count", mclcd::Form::count);
  nb::enum_<mclcd::Outcome>(module, "MclcdOutcome")
      .value("none", mclcd::Outcome::none)
      .value("found", mclcd::Outcome::found)
      .value("stopped", mclcd::Outcome::stopped)
      .value("unbounded", mclcd::Outcome::unbounded)
      .value("out_of_memory", mclcd::Outcome::out_of_memory);
  nb::enum_<mclcd::Phase>(module, "MclcdPhase")
      .value("forward", mclcd::Phase::forward)
      .value("clearing", mclcd::Phase::clearing)
      .value("collecting", mclcd::Phase::collecting)
      .value("lasso", mclcd::Phase::lasso);
}

void bind_figures(nb::module_& module) {
  using mclcd::Figures;
  nb::class_<Figures>(module, "MclcdFigures")
      .def_ro("phase", &Figures::phase)
      .def_ro("variant", &Figures::variant)
      .def_ro("states", &Figures::states)
      .def_ro("edges", &Figures::edges)
      .def_ro("cleared", &Figures::cleared)
      .def_ro("recomputed", &Figures::recomputed)
      .def_ro("rounds", &Figures::rounds)
      .def_ro("steals", &Figures::steals)
      .def_ro("bytes", &Figures::bytes)
      .def_ro("peak_bytes", &Figures::peak_bytes)
      .def_ro("forward_seconds", &Figures::forward_seconds)
      .def_ro("clearing_seconds", &Figures::clearing_seconds)
      .def_ro("collecting_seconds", &Figures::collecting_seconds)
      .def_ro("dead", &Figures::dead)
      .def_ro("max_tokens_in_marking", &Figures::max_tokens_in_marking)
      .def_ro("max_tokens_in_place", &Figures::max_tokens_in_place)
      .def_ro("packed_bytes_per_marking", &Figures::packed_bytes_per_marking);
}

}  // namespace

void bind_mclcd(nb::module_& module) {
  using mclcd::Check;
  bind_names(module);
  bind_figures(module);
  nb::class_<Check>(module, "MclcdCheck")
      .def(
          "__init__",
          [](Check* self, const petri::Net& net, const nb::list& atoms, mclcd::Form form,
             const std::vector<Node>& nodes, std::uint32_t psi, std::uint32_t phi,
             mclcd::Variant variant, unsigned threads, std::size_t memory, nb::object poll) {
            std::vector<petri::Atom> made = mpisog::bind::make_atoms(atoms);
            mclcd::Property property{form, make_predicate(nodes, psi, made.size()),
                                     make_predicate(nodes, phi, made.size())};
            if (threads == 0) throw nb::value_error("no thread");
            new (self) Check(net, std::move(made), std::move(property), {variant, threads, memory},
                             make_poll(std::move(poll)));
          },
          "net"_a, "atoms"_a, "form"_a, "nodes"_a, "psi"_a, "phi"_a, "variant"_a, "threads"_a,
          "memory"_a, "poll"_a.none())
      .def("run", &Check::run, nb::call_guard<nb::gil_scoped_release>())
      .def_prop_ro("prefix", [](const Check& self) { return self.lasso().prefix; })
      .def_prop_ro("cycle", [](const Check& self) { return self.lasso().cycle; })
      .def_prop_ro("unbounded_place", &Check::unbounded_place)
      .def_prop_ro("figures", &Check::figures);
}
