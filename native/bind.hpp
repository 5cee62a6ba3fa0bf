// The parts of the Python module; each bind file adds one.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <vector>

#include "petri/atoms.hpp"
#include "petri/cancellation.hpp"

namespace mpisog::bind {

// A Python function that may be copied and given up by a thread without Python's lock.
using Callback = std::shared_ptr<nanobind::object>;
Callback shared(nanobind::object function);

// The callback gets (states, edges) and says whether to stop. It must not raise: Spot or
// a native loop stands between it and Python, so an exception counts as a wish to stop.
petri::CancellationToken::Poll make_poll(nanobind::object callback);
std::vector<petri::Atom> make_atoms(const nanobind::list& atoms);

}  // namespace mpisog::bind

void bind_bits(nanobind::module_& module);
void bind_mdd(nanobind::module_& module);
void bind_mclcd(nanobind::module_& module);
void bind_pnml(nanobind::module_& module);
void bind_process(nanobind::module_& module);
void bind_product(nanobind::module_& module);
void bind_reduce(nanobind::module_& module);
void bind_search(nanobind::module_& module);
void bind_sog(nanobind::module_& module);
void bind_team(nanobind::module_& module);
void bind_unfolding(nanobind::module_& module);
