// Python's view of the readers of plain files.
#include "bind.hpp"
#include "pnml/plain_reader.hpp"
#include "tina/plain_reader.hpp"

namespace nb = nanobind;
using namespace nb::literals;
namespace pnml = mpisog::pnml;

namespace {

nb::object text(const std::string& characters) {
  return nb::str(characters.data(), characters.size());
}

nb::object arcs(const pnml::Arcs& list) {
  nb::object result = nb::steal(PyTuple_New(static_cast<Py_ssize_t>(list.size())));
  Py_ssize_t i = 0;
  for (const auto& [place, weight] : list)
    PyTuple_SetItem(result.ptr(), i++, nb::make_tuple(place, weight).release().ptr());
  return result;
}

// (id, places as (id, name, tokens), transitions as (id, name, pre, post)); none: not plain.
template <auto read>
nb::object read_plain(nb::handle file) {
  Py_buffer view;
  if (PyObject_GetBuffer(file.ptr(), &view, PyBUF_SIMPLE) != 0) throw nb::python_error();
  std::optional<pnml::PlainNet> net;
  try {
    const nb::gil_scoped_release release;
    net = read({static_cast<const char*>(view.buf), static_cast<std::size_t>(view.len)});
  } catch (...) {
    PyBuffer_Release(&view);
    throw;
  }
  PyBuffer_Release(&view);
  if (!net) return nb::none();
  nb::list places, transitions;
  for (const pnml::PlainPlace& place : net->places) {
    const nb::object id = text(place.id);
    places.append(
        nb::make_tuple(id, place.name == place.id ? id : text(place.name), place.initial));
  }
  for (pnml::PlainTransition& transition : net->transitions) {
    const nb::object id = text(transition.id);
    transitions.append(nb::make_tuple(id,
                                      transition.name == transition.id ? id : text(transition.name),
                                      arcs(transition.pre), arcs(transition.post)));
    transition = {};
  }
  return nb::make_tuple(text(net->id), places, transitions);
}

}  // namespace

void bind_pnml(nb::module_& module) {
  module.def("read_plain_pnml", &read_plain<pnml::read_plain>, "file"_a);
  module.def("read_plain_tina", &read_plain<mpisog::tina::read_plain>, "file"_a);
}
