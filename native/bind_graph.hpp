// An observation graph as Python holds it.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>

#include "bind_sets.hpp"
#include "sog/graph.hpp"

namespace mpisog::bind {

// How a graph's operations are stopped, and who waits for Python's lock.
class Host {
 public:
  virtual ~Host() = default;
  virtual bool stop() = 0;      // threads that do not come from Python only hear what others found
  virtual void cancel() = 0;    // running operations end soon,
  virtual void resume() = 0;    // until this
  std::atomic<int> waiting{0};  // threads that want to ask Python something
};

struct FromPython {
  FromPython() : before(from_python) { from_python = true; }
  ~FromPython() { from_python = before; }
  bool before;
};

// Calls Python from any thread; the lock is asked for in a way that the pulling thread notices.
template <class Result, class Ask>
Result with_python(Host& host, Ask ask) {
  host.waiting.fetch_add(1);
  const nb::gil_scoped_acquire gil;
  host.waiting.fetch_sub(1);
  return ask();
}

// What keeps the objects alive that native code points to is destroyed last.
class BoundGraph {
 public:
  using ShowSet = std::function<nb::object(sog::SetId)>;
  BoundGraph(nb::object alive, std::shared_ptr<Host> host, std::unique_ptr<sog::Builder> builder,
             ShowSet show)
      : alive_(std::move(alive)),
        host_(std::move(host)),
        graph_(std::move(builder)),
        show_(std::move(show)) {}

  sog::Graph& graph() { return graph_; }
  // What does not change any more of a record may be read without the lock.
  const sog::Graph::Node& node(sog::Number number) {
    const std::lock_guard lock(graph_.mutex());
    if (number >= graph_.size()) throw nb::index_error("no such aggregate");
    return graph_.node(number);
  }
  Host& host() { return *host_; }
  nb::object show(sog::SetId id) { return show_(id); }

 private:
  nb::object alive_;
  std::shared_ptr<Host> host_;
  sog::Graph graph_;
  ShowSet show_;
};

}  // namespace mpisog::bind
