// The bind files are the only ones that know Python. Long calls release the GIL; callbacks take it
// again.
#include "bind.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "petri/labelled_graph.hpp"
#include "pins/pulled.hpp"

namespace nb = nanobind;
using namespace nb::literals;
namespace petri = mpisog::petri;

namespace mpisog::bind {

Callback shared(nb::object function) {
  return {new nb::object(std::move(function)), [](nb::object* last) {
            const nb::gil_scoped_acquire gil;
            delete last;
          }};
}

petri::CancellationToken::Poll make_poll(nb::object callback) {
  if (callback.is_none()) return {};
  return [callback = shared(std::move(callback))](const petri::Progress& progress) {
    const nb::gil_scoped_acquire gil;
    try {
      return nb::cast<bool>((*callback)(progress.states, progress.edges));
    } catch (nb::python_error& error) {
      error.discard_as_unraisable("progress callback");
      return true;
    }
  };
}

std::vector<petri::Atom> make_atoms(const nb::list& atoms) {
  std::vector<petri::Atom> result;
  for (const nb::handle atom : atoms) {
    if (nb::isinstance<petri::Comparison>(atom))
      result.emplace_back(nb::cast<petri::Comparison>(atom));
    else if (nb::isinstance<petri::Fireable>(atom))
      result.emplace_back(nb::cast<petri::Fireable>(atom));
    else if (nb::isinstance<petri::Fire>(atom))
      result.emplace_back(nb::cast<petri::Fire>(atom));
    else
      result.emplace_back(nb::cast<petri::Dead>(atom));
  }
  return result;
}

}  // namespace mpisog::bind

namespace {

using mpisog::bind::make_atoms;
using mpisog::bind::make_poll;

using ArcList = std::vector<std::pair<std::uint32_t, std::int64_t>>;

petri::Net make_net(const std::vector<std::int64_t>& initial, const std::vector<ArcList>& pre,
                    const std::vector<ArcList>& post) {
  petri::Net net{initial, {}};
  const auto arcs = [&](const ArcList& list) {
    std::vector<petri::Arc> result;
    for (const auto& [place, weight] : list) {
      if (place >= initial.size()) throw nb::index_error("no such place");
      result.push_back({place, weight});
    }
    return result;
  };
  for (std::size_t t = 0; t < pre.size(); ++t)
    net.transitions.push_back({arcs(pre[t]), arcs(post.at(t))});
  return net;
}

void bind_atoms(nb::module_& module) {
  nb::enum_<petri::Relation>(module, "Relation")
      .value("le", petri::Relation::le)
      .value("ge", petri::Relation::ge)
      .value("eq", petri::Relation::eq)
      .value("ne", petri::Relation::ne)
      .value("lt", petri::Relation::lt)
      .value("gt", petri::Relation::gt);
  using Terms = std::vector<std::pair<std::uint32_t, std::int64_t>>;
  nb::class_<petri::Comparison>(module, "Comparison")
      .def(
          "__init__",
          [](petri::Comparison* self, Terms terms, petri::Relation relation, std::int64_t bound) {
            new (self) petri::Comparison{std::move(terms), relation, bound};
          },
          "terms"_a, "relation"_a, "bound"_a)
      .def_ro("terms", &petri::Comparison::terms)
      .def_ro("relation", &petri::Comparison::relation)
      .def_ro("bound", &petri::Comparison::bound);
  nb::class_<petri::Fireable>(module, "Fireable")
      .def(
          "__init__",
          [](petri::Fireable* self, std::vector<std::uint32_t> transitions) {
            new (self) petri::Fireable{std::move(transitions)};
          },
          "transitions"_a)
      .def_ro("transitions", &petri::Fireable::transitions);
  nb::class_<petri::Dead>(module, "Dead").def(nb::init<>());
  nb::class_<petri::Fire>(module, "Fire")
      .def(
          "__init__",
          [](petri::Fire* self, std::uint32_t transition) { new (self) petri::Fire{transition}; },
          "transition"_a)
      .def_ro("transition", &petri::Fire::transition);
}

void bind_graph(nb::module_& module) {
  using petri::LabelledGraph;
  nb::class_<LabelledGraph>(module, "LabelledGraph")
      .def(
          "__init__",
          [](LabelledGraph* self, const petri::Net& net, const nb::list& atoms, nb::object poll) {
            new (self) LabelledGraph(net, make_atoms(atoms), make_poll(std::move(poll)));
          },
          "net"_a, "atoms"_a, "poll"_a.none())
      .def_prop_ro(
          "hooks_address",
          [](const LabelledGraph& self) { return reinterpret_cast<std::uintptr_t>(&self.hooks()); })
      .def_prop_ro("stopped", &LabelledGraph::stopped)
      .def_prop_ro("out_of_memory", &LabelledGraph::out_of_memory)
      .def_prop_ro("unbounded_place", &LabelledGraph::unbounded_place)
      .def_prop_ro("states", [](const LabelledGraph& self) { return self.progress().states; })
      .def_prop_ro("edges", [](const LabelledGraph& self) { return self.progress().edges; })
      .def_prop_ro("bytes", [](const LabelledGraph& self) { return self.progress().bytes; })
      .def("marking", &LabelledGraph::marking, "state"_a)
      .def("firing", &LabelledGraph::firing, "source"_a, "choice"_a, "target"_a);
}

// The callbacks must not raise, and states must have the right number of variables: Spot stands in
// between. A callback that breaks the rule ends the search with what Python calls unraisable.
template <class Result, class... Arguments>
std::function<Result(Arguments...)> guarded(nb::object callback) {
  return [callback = std::move(callback)](Arguments... arguments) -> Result {
    const nb::gil_scoped_acquire gil;
    try {
      return nb::cast<Result>(callback(arguments...));
    } catch (nb::python_error& error) {
      error.discard_as_unraisable("graph callback");
    } catch (const std::exception&) {
    }
    return {};
  };
}

void bind_pulled(nb::module_& module) {
  using mpisog::pins::PulledGraph;
  nb::class_<PulledGraph>(module, "PulledGraph")
      .def(
          "__init__",
          [](PulledGraph* self, std::vector<std::string> variables, nb::object initial,
             nb::object successors, nb::object stopped) {
            new (self) PulledGraph(
                std::move(variables),
                {guarded<PulledGraph::State>(std::move(initial)),
                 guarded<std::vector<PulledGraph::State>, int, int>(std::move(successors)),
                 guarded<bool>(std::move(stopped))});
          },
          "variables"_a, "initial"_a, "successors"_a, "stopped"_a)
      .def_prop_ro("hooks_address", [](const PulledGraph& self) {
        return reinterpret_cast<std::uintptr_t>(&self.hooks());
      });
}

}  // namespace

NB_MODULE(_native, module) {
  // Objects that are alive when the interpreter ends, say after Ctrl-C, are no news for the user.
  nb::set_leak_warnings(false);
  module.doc() = "Native core of mpisog: explicit state spaces and decision diagrams.";
#ifdef __clang__
  module.attr("compiler") = __VERSION__;  // says that it is Clang
#else
  module.attr("compiler") = "GCC " __VERSION__;
#endif
  nb::class_<petri::Net>(module, "Net")
      .def(
          "__init__",
          [](petri::Net* self, const std::vector<std::int64_t>& initial,
             const std::vector<ArcList>& pre, const std::vector<ArcList>& post) {
            new (self) petri::Net(make_net(initial, pre, post));
          },
          "initial"_a, "pre"_a, "post"_a);
  bind_atoms(module);
  bind_graph(module);
  bind_pulled(module);
  bind_bits(module);
  bind_mdd(module);
  bind_mclcd(module);
  bind_process(module);
  bind_product(module);
  bind_pnml(module);
  bind_reduce(module);
  bind_search(module);
  bind_sog(module);
  bind_team(module);
  bind_unfolding(module);
}
