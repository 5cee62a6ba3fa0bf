// The parts of the Python module; each bind file adds one.
#pragma once

#include <nanobind/nanobind.h>

void bind_ldd(nanobind::module_& module);
