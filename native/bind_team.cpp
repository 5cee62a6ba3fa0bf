// A builder of a team with its threads, as Python holds it: packets in, packets out.
#include <nanobind/stl/function.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bind.hpp"
#include "bind_graph.hpp"
#include "team/pool.hpp"

namespace nb = nanobind;
using namespace nb::literals;
namespace sog = mpisog::sog;
namespace team = mpisog::team;
using mpisog::bind::BoundGraph;
using mpisog::bind::FromPython;
using mpisog::bind::Host;
using mpisog::bind::with_python;

namespace {

class BoundPool {
 public:
  BoundPool(BoundGraph& graph, const std::tuple<team::Rank, team::Rank, bool>& plan,
            std::vector<std::int64_t> events, std::vector<std::uint32_t> coordinates,
            nb::object matters, unsigned threads)
      : host_(graph.host()),
        graph_(graph),
        pool_(graph.graph().builder(),
              {{std::get<0>(plan), std::get<1>(plan), std::get<2>(plan)},
               std::move(events),
               std::move(coordinates),
               [&host = graph.host(), ask = std::move(matters)](const sog::Label& label) {
                 return with_python<bool>(host,
                                          [&] { return nb::cast<bool>(ask(nb::cast(label))); });
               }},
              threads, [&host = graph.host()] { host.cancel(); }) {}
  ~BoundPool() { end(); }

  void end() {
    const nb::gil_scoped_release release;  // a thread may wait for it
    pool_.end();
    host_.resume();
  }
  template <class Work>
  auto run(Work work) {
    const nb::gil_scoped_release release;
    const FromPython flag;
    return work(pool_);
  }
  nb::list outgoing() {
    const auto packets = run([](team::Pool& pool) { return pool.outgoing(); });
    nb::list list;
    for (const team::Outbox::Packet& packet : packets)
      list.append(nb::make_tuple(packet.to, nb::bytes(packet.bytes.data(), packet.bytes.size()),
                                 packet.messages));
    return list;
  }
  nb::tuple figures() {
    const team::Pool::Figures found = run([](team::Pool& pool) { return pool.figures(); });
    const auto& seconds = found.seconds;
    const sog::Occupied occupied = graph_.graph().builder().occupied();
    return nb::make_tuple(
        found.built, found.held, found.edges, found.asked, seconds[0], seconds[1],
        seconds[2] + seconds[3], found.busy,
        nb::make_tuple(occupied.nodes, occupied.caches, found.table_bytes, found.message_bytes));
  }
  void raise_failure() {
    const std::exception_ptr failure = run([](team::Pool& pool) { return pool.failure(); });
    if (failure) std::rethrow_exception(failure);
  }

 private:
  Host& host_;
  BoundGraph& graph_;
  team::Pool pool_;
};

}  // namespace

void bind_team(nb::module_& module) {
  nb::exception<team::MalformedMessage>(module, "MalformedMessage");
  module.def(
      "team_digest",
      [](const nb::bytes& bytes) {
        const team::Digest found = team::md5({bytes.c_str(), bytes.size()});
        return nb::bytes(found.data(), found.size());
      },
      "bytes"_a);
  nb::class_<BoundPool>(module, "TeamPool")
      .def(nb::init<BoundGraph&, const std::tuple<team::Rank, team::Rank, bool>&,
                    std::vector<std::int64_t>, std::vector<std::uint32_t>, nb::object, unsigned>(),
           "graph"_a, "plan"_a, "events"_a, "coordinates"_a, "stuttering_matters"_a, "threads"_a,
           nb::keep_alive<1, 2>())
      .def(
          "receive",
          [](BoundPool& self, team::Rank source, const nb::bytes& messages, std::size_t from) {
            const std::string_view bytes(messages.c_str(), messages.size());
            return self.run(
                [&](team::Pool& pool) { return pool.receive(source, bytes.substr(from)); });
          },
          "source"_a, "messages"_a, "start"_a)
      .def("outgoing", &BoundPool::outgoing)
      .def(
          "wait",
          [](BoundPool& self, double seconds) {
            self.run([&](team::Pool& pool) { pool.wait(std::chrono::duration<double>(seconds)); });
          },
          "seconds"_a)
      .def("work",
           [](BoundPool& self) { return self.run([](team::Pool& pool) { return pool.work(); }); })
      .def("look_for_work",
           [](BoundPool& self) { self.run([](team::Pool& pool) { pool.look_for_work(); }); })
      .def_prop_ro(
          "waiting",
          [](BoundPool& self) { return self.run([](team::Pool& pool) { return pool.waiting(); }); })
      .def_prop_ro("figures", &BoundPool::figures)
      .def("raise_failure", &BoundPool::raise_failure)
      .def("end", &BoundPool::end);
}
