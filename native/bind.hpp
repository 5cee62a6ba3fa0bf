// The parts of the Python module; each bind file adds one.
#pragma once

#include <nanobind/nanobind.h>

void bind_bits(nanobind::module_& module);
void bind_ldd(nanobind::module_& module);
void bind_reduce(nanobind::module_& module);
void bind_search(nanobind::module_& module);
