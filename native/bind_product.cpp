// Python's view of the depth-first search of a product.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bind.hpp"
#include "product/search.hpp"
#include "product/shortener.hpp"
#include "product/walk.hpp"

namespace nb = nanobind;
using namespace nb::literals;
namespace petri = mpisog::petri;
namespace product = mpisog::product;

namespace {

using Triple = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;

product::Automaton make_automaton(const std::vector<Triple>& nodes,
                                  const std::vector<std::vector<Triple>>& edges,
                                  const std::vector<std::uint32_t>& goals, std::uint32_t initial,
                                  product::Marks all_marks) {
  product::Automaton automaton;
  for (const auto& [atom, low, high] : nodes) automaton.nodes.push_back({atom, low, high});
  if (goals.size() != edges.size()) throw nb::index_error("a goal is missing");
  automaton.goals = goals;
  for (const std::vector<Triple>& list : edges) {
    automaton.edges.emplace_back();
    for (const auto& [target, condition, marks] : list) {
      if (target >= edges.size() || condition >= nodes.size()) throw nb::index_error("bad edge");
      automaton.edges.back().push_back({target, condition, marks});
    }
  }
  if (initial >= edges.size()) throw nb::index_error("no such state");
  automaton.initial = initial;
  automaton.all_marks = all_marks;
  return automaton;
}

using Firings = std::vector<std::uint32_t>;

void bind_shortener(nb::module_& module) {
  using product::Shortener;
  const auto release = nb::call_guard<nb::gil_scoped_release>();
  nb::enum_<product::NearestEnd>(module, "NearestEnd")
      .value("found", product::NearestEnd::found)
      .value("none", product::NearestEnd::none)
      .value("gave_up", product::NearestEnd::gave_up);
  nb::class_<product::Near>(module, "Near")
      .def_ro("end", &product::Near::end)
      .def_ro("shortest", &product::Near::shortest)
      .def_prop_ro("prefix", [](const product::Near& self) { return self.lasso.prefix; })
      .def_prop_ro("cycle", [](const product::Near& self) { return self.lasso.cycle; });
  nb::class_<Shortener>(module, "Shortener")
      .def(
          "__init__",
          [](Shortener* self, const petri::Net& net, const nb::list& atoms,
             const product::Automaton& violations, const product::Automaton& monitor,
             nb::object poll) {
            new (self) Shortener(net, mpisog::bind::make_atoms(atoms), violations, monitor,
                                 mpisog::bind::make_poll(std::move(poll)));
          },
          "net"_a, "atoms"_a, "violations"_a, "monitor"_a, "poll"_a.none())
      .def(
          "sealed_after",
          [](Shortener& self, const Firings& prefix, const Firings& cycle) {
            return self.sealed_after({prefix, cycle});
          },
          "prefix"_a, "cycle"_a, release)
      .def(
          "violates",
          [](Shortener& self, const Firings& prefix, const Firings& cycle) {
            return self.violates({prefix, cycle});
          },
          "prefix"_a, "cycle"_a, release)
      .def("bad_prefix", &Shortener::bad_prefix, "fewer_than"_a, "seconds"_a, release)
      .def("lasso", &Shortener::lasso, "fewer_than"_a, "seconds"_a, release)
      .def("shortest", &Shortener::shortest, "fewer_than"_a, "seconds"_a, release)
      .def("trim_bad_prefix", &Shortener::trim_bad_prefix, "firings"_a, "seconds"_a, release)
      .def("bridge_bad_prefix", &Shortener::bridge_bad_prefix, "firings"_a, "seconds"_a, release)
      .def(
          "trim",
          [](Shortener& self, const Firings& prefix, const Firings& cycle, double seconds) {
            product::Lasso lasso = self.trim({prefix, cycle}, seconds);
            return std::pair(std::move(lasso.prefix), std::move(lasso.cycle));
          },
          "prefix"_a, "cycle"_a, "seconds"_a, release)
      .def(
          "bridge",
          [](Shortener& self, const Firings& prefix, const Firings& cycle, double seconds) {
            product::Lasso lasso = self.bridge({prefix, cycle}, seconds);
            return std::pair(std::move(lasso.prefix), std::move(lasso.cycle));
          },
          "prefix"_a, "cycle"_a, "seconds"_a, release);
}

// What all searches tell when they have run.
template <class Search>
void bind_results(nb::class_<Search>& bound) {
  bound.def("run", &Search::run, nb::call_guard<nb::gil_scoped_release>())
      .def_prop_ro("prefix", [](const Search& self) { return self.lasso().prefix; })
      .def_prop_ro("cycle", [](const Search& self) { return self.lasso().cycle; })
      .def_prop_ro("unbounded_place", &Search::unbounded_place)
      .def_prop_ro("states", &Search::states)
      .def_prop_ro("edges", &Search::edges)
      .def_prop_ro("markings", &Search::markings)
      .def_prop_ro("bytes", &Search::bytes);
}

void bind_walk(nb::module_& module) {
  using product::Walk;
  nb::class_<petri::FlatNet>(module, "FlatNet").def(nb::init<const petri::Net&>(), "net"_a);
  nb::class_<Walk> walk(module, "ProductWalk");
  walk.def(
      "__init__",
      [](Walk* self, std::shared_ptr<petri::FlatNet> net, const nb::list& atoms,
         const product::Automaton& automaton, product::Order order, std::uint64_t seed,
         bool look_ahead, std::size_t limit, std::int64_t most_tokens, nb::object poll) {
        new (self) Walk(std::move(net), mpisog::bind::make_atoms(atoms), automaton,
                        {order, seed, look_ahead, limit, most_tokens},
                        mpisog::bind::make_poll(std::move(poll)));
      },
      "net"_a, "atoms"_a, "automaton"_a, "order"_a, "seed"_a, "look_ahead"_a, "limit"_a,
      "most_tokens"_a, "poll"_a.none());
  bind_results(walk);
}

}  // namespace

void bind_product(nb::module_& module) {
  using product::Search;
  nb::class_<product::Automaton>(module, "ProductAutomaton")
      .def(
          "__init__",
          [](product::Automaton* self, const std::vector<Triple>& nodes,
             const std::vector<std::vector<Triple>>& edges, const std::vector<std::uint32_t>& goals,
             std::uint32_t initial, product::Marks all_marks) {
            new (self) product::Automaton(make_automaton(nodes, edges, goals, initial, all_marks));
          },
          "nodes"_a, "edges"_a, "goals"_a, "initial"_a, "all_marks"_a);
  nb::enum_<product::Order>(module, "ProductOrder")
      .value("forward", product::Order::forward)
      .value("backward", product::Order::backward)
      .value("random", product::Order::random)
      .value("guided", product::Order::guided);
  nb::enum_<product::Outcome>(module, "ProductOutcome")
      .value("empty", product::Outcome::empty)
      .value("found", product::Outcome::found)
      .value("gave_up", product::Outcome::gave_up)
      .value("left_out", product::Outcome::left_out)
      .value("collided", product::Outcome::collided)
      .value("stopped", product::Outcome::stopped)
      .value("unbounded", product::Outcome::unbounded)
      .value("out_of_memory", product::Outcome::out_of_memory);
  nb::class_<Search> search(module, "ProductSearch");
  search.def(
      "__init__",
      [](Search* self, const petri::Net& net, const nb::list& atoms,
         const product::Automaton& automaton, product::Order order, std::uint64_t seed,
         bool look_ahead, std::size_t limit, nb::object poll) {
        new (self)
            Search(net, mpisog::bind::make_atoms(atoms), automaton,
                   {order, seed, look_ahead, limit}, mpisog::bind::make_poll(std::move(poll)));
      },
      "net"_a, "atoms"_a, "automaton"_a, "order"_a, "seed"_a, "look_ahead"_a, "limit"_a,
      "poll"_a.none());
  bind_results(search);
  bind_walk(module);
  bind_shortener(module);
}
