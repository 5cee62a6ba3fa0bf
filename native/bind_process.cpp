// What concerns the whole process: its memory, and the thread that ends it as a last resort.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bind.hpp"
#include "memory/limit.hpp"
#include "watchdog/watchdog.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using mpisog::watchdog::LastWords;
using mpisog::watchdog::Watchdog;

namespace {

// To Python it is one limit among others.
void raise_limit(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const mpisog::memory::LimitReached&) {
    const nb::object limit = nb::module_::import_("mpisog.budget").attr("memory_limit_reached")();
    PyErr_SetObject(limit.type().ptr(), limit.ptr());
  }
}

}  // namespace

void bind_process(nb::module_& module) {
  nb::register_exception_translator(raise_limit);
  module.def("set_memory_limit", &mpisog::memory::set_limit, "bytes"_a);
  module.def("memory_fits", &mpisog::memory::fits, "more"_a);
  module.def("resident_bytes", &mpisog::memory::resident_bytes);
  nb::class_<Watchdog>(module, "Watchdog")
      .def(
          "__init__",
          [](Watchdog* self, double grace, int signals) {
            new (self) Watchdog(std::chrono::milliseconds(static_cast<int>(grace * 1000)), signals);
          },
          "grace"_a, "signals"_a)
      .def(
          "expect",
          [](Watchdog& self, std::optional<double> seconds, std::size_t memory,
             const std::vector<std::tuple<int, std::string, nb::bytes>>& outputs, int exit_code) {
            LastWords words{{}, exit_code};
            for (const auto& [descriptor, path, bytes] : outputs)
              words.outputs.push_back({descriptor, path, std::string(bytes.c_str(), bytes.size())});
            self.expect(seconds, memory, std::move(words));
          },
          "seconds"_a.none(), "memory"_a, "outputs"_a, "exit_code"_a);
}
