// Python's view of the searches that reductions need.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include "bind.hpp"
#include "reduce/implied.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using mpisog::reduce::ImpliedPlaces;

void bind_reduce(nb::module_& module) {
  nb::class_<ImpliedPlaces>(module, "ImpliedPlaces")
      .def(nb::init<const mpisog::petri::Net&, const std::vector<std::uint32_t>&>(), "net"_a,
           "endless"_a, nb::keep_alive<1, 2>())
      .def("weights", &ImpliedPlaces::weights, "place"_a, "limit"_a)
      .def("remove", &ImpliedPlaces::remove, "place"_a);
}
