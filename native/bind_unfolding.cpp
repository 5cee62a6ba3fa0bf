// Python's view of unfoldings.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bind.hpp"
#include "unfolding/checker.hpp"

namespace nb = nanobind;
using namespace nb::literals;
namespace petri = mpisog::petri;
namespace unfolding = mpisog::unfolding;

namespace {

using unfolding::Checker;
using unfolding::kNone;
using MaybeNumber = std::optional<std::uint32_t>;

MaybeNumber maybe(std::uint32_t number) {
  return number == kNone ? MaybeNumber() : MaybeNumber(number);
}

// The callback gets events, conditions, cut-offs and what is queued, and says whether to stop; an
// exception counts as a wish to.
unfolding::Limits::Poll make_poll(nb::object callback) {
  if (callback.is_none()) return {};
  return [callback = std::move(callback)](const unfolding::Figures& figures) {
    const nb::gil_scoped_acquire gil;
    try {
      return nb::cast<bool>(
          callback(figures.events, figures.conditions, figures.cutoffs, figures.queued));
    } catch (nb::python_error& error) {
      error.discard_as_unraisable("progress callback");
      return true;
    }
  };
}

void make_checker(Checker* self, const petri::Net& net, const nb::list& atoms,
                  const std::optional<mpisog::product::Automaton>& automaton,
                  const std::vector<unfolding::Role>& roles, std::size_t bytes, nb::object poll) {
  if (roles.size() != net.transitions.size()) throw nb::index_error("a role is missing");
  if (automaton && automaton->edges.size() > 0xFFFE) throw nb::value_error("too many states");
  new (self)
      Checker(net, mpisog::bind::make_atoms(atoms), automaton, roles, bytes, make_poll(poll));
}

// Placed events: (number, transition, inputs, the automaton's states, terminal, companion).
nb::list events(Checker& checker) {
  nb::list result;
  unfolding::Process& process = checker.tableau();
  for (std::uint32_t e = 0; e < process.events.size(); ++e) {
    const unfolding::Event& event = process.events[e];
    if (event.first_output == 0) continue;  // the root's conditions come first; or not placed
    const unfolding::Rule& rule = process.rules()[event.rule];
    const auto inputs = process.inputs(event);
    nb::object move = nb::none();
    if (rule.moves) {
      const unfolding::Move& moved = process.moves[event.move];
      move = nb::make_tuple(moved.source, moved.state);
    }
    result.append(nb::make_tuple(e, rule.transition,
                                 std::vector<std::uint32_t>(inputs.begin(), inputs.end()), move,
                                 event.terminal, maybe(event.companion)));
  }
  return result;
}

// By number: (place, producer); no producer: the initial marking. Places beyond the net's are the
// automaton's token, and those of transitions without inputs.
nb::list conditions(Checker& checker) {
  nb::list result;
  unfolding::Process& process = checker.tableau();
  for (std::uint32_t c = 0; c < process.conditions.size(); ++c) {
    const unfolding::Condition& condition = process.conditions[c];
    const bool root = process.events[condition.producer].rule == kNone;
    result.append(
        nb::make_tuple(condition.place, root ? MaybeNumber() : MaybeNumber(condition.producer)));
  }
  return result;
}

}  // namespace

void bind_unfolding(nb::module_& module) {
  const auto release = nb::call_guard<nb::gil_scoped_release>();
  nb::enum_<unfolding::Role>(module, "UnfoldingRole")
      .value("invisible", unfolding::Role::invisible)
      .value("visible", unfolding::Role::visible)
      .value("copied", unfolding::Role::copied);
  nb::enum_<unfolding::Outcome>(module, "UnfoldingOutcome")
      .value("complete", unfolding::Outcome::complete)
      .value("found", unfolding::Outcome::found)
      .value("unsafe", unfolding::Outcome::unsafe)
      .value("stopped", unfolding::Outcome::stopped)
      .value("out_of_memory", unfolding::Outcome::out_of_memory);
  nb::class_<unfolding::Lasso>(module, "UnfoldingLasso")
      .def_ro("prefix", &unfolding::Lasso::prefix)
      .def_ro("cycle", &unfolding::Lasso::cycle)
      .def_ro("any_ending", &unfolding::Lasso::any_ending);
  nb::class_<Checker>(module, "UnfoldingChecker")
      .def("__init__", &make_checker, "net"_a, "atoms"_a, "automaton"_a.none(), "roles"_a,
           "bytes"_a, "poll"_a.none())
      .def("build_tableau", &Checker::build_tableau, release)
      .def("search_livelocks", &Checker::search_livelocks, release)
      .def("ask_for_deadlocks", &Checker::ask_for_deadlocks, release)
      .def("dead_end", &Checker::dead_end, "configuration"_a, release)
      .def_prop_ro("lasso", &Checker::lasso)
      .def_prop_ro("unsafe",
                   [](const Checker& self) {
                     const unfolding::UnsafePlace& found = self.unsafe();
                     return std::tuple(found.place, maybe(found.first), maybe(found.second));
                   })
      .def_prop_ro("deadlock_events", [](const Checker& self) { return self.deadlocks().events; })
      .def_prop_ro("deadlock_clauses",
                   [](const Checker& self) {
                     const std::vector<std::int32_t>& clauses = self.deadlocks().clauses;
                     return nb::bytes(clauses.data(), clauses.size() * sizeof(std::int32_t));
                   })
      .def_prop_ro("figures",
                   [](Checker& self) {
                     const unfolding::Figures& f = self.tableau().figures;
                     return std::tuple(f.events, f.conditions, f.cutoffs, f.queued);
                   })
      .def_prop_ro("livelock_figures",
                   [](const Checker& self) {
                     const unfolding::Figures& f = self.livelock_figures();
                     return std::tuple(f.events, f.conditions, f.cutoffs, f.queued);
                   })
      .def_prop_ro("checkpoints", &Checker::checkpoints)
      .def_prop_ro("peak_bytes", &Checker::peak_bytes)
      .def("events", &events)
      .def("conditions", &conditions);
}
