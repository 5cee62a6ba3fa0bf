// The reachability graph that all threads build: net, packed markings, and reverse edges.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "mclcd/edges.hpp"
#include "mclcd/store.hpp"
#include "mclcd/team.hpp"
#include "petri/candidates.hpp"

namespace mpisog::mclcd {

// What firing leads to from some markings, before it is looked up; one for each thread.
struct Firings {
  struct Source {
    StateId id;
    std::uint32_t begin, end;  // its firings
    std::uint32_t flags;       // of its label
    bool last;                 // there are no more of them
  };
  std::vector<Source> sources;
  std::vector<std::uint64_t> hashes;
  std::vector<Word> words;  // the packed markings, one after another

  void clear() noexcept {
    sources.clear();
    hashes.clear();
  }
};

class Graph {
 public:
  Graph(petri::Net net, MemoryAccount& account, unsigned threads, bool with_edges);

  // Appends what is enabled, but no more than fits into a megabyte: a marking of a large net may
  // have a great many successors. `tried` are the transitions that were tried before, and with this
  // call. When a firing overflows a field, that has to be widened before the call can be repeated.
  struct Fired {
    std::uint32_t tried = 0;
    bool complete = true;
    std::optional<std::uint32_t> overflowed;
  };
  Fired fire_all(StateId id, std::uint32_t tried, Firings& to) const;
  [[nodiscard]] bool is_full(const Firings& firings) const noexcept {
    return firings.hashes.size() * layout_.words() >= kMostWords;
  }
  // Appends one firing, which must be enabled; false when it overflowed a field.
  bool fire(const Word* from, std::uint32_t transition, Firings& to) const;
  // Brings what is about to be looked up nearer, all at once.
  void prefetch(const Firings& firings) const noexcept;

  // The number of the marking that a firing leads to, or kNoState; `scratch` is the caller's.
  StateId target(StateId id, std::uint32_t transition, std::vector<Word>& scratch) const;

  [[nodiscard]] const petri::Net& net() const noexcept { return net_; }
  [[nodiscard]] const petri::Layout& layout() const noexcept { return layout_; }
  [[nodiscard]] const petri::Candidates& candidates() const noexcept { return candidates_; }
  [[nodiscard]] Store& store() noexcept { return store_; }
  [[nodiscard]] const Store& store() const noexcept { return store_; }
  [[nodiscard]] EdgeLists* edges() const noexcept { return edges_.get(); }
  [[nodiscard]] const Word* words_of(const Firings& firings, std::size_t i) const noexcept {
    return firings.words.data() + i * layout_.words();
  }
  [[nodiscard]] petri::Marking marking(StateId id) const;

  // While all threads pause: fields wide enough for what these firings lead to. Throws UnboundedNet
  // when one of them shows that (see check_bounded).
  struct Overflow {
    StateId from;
    std::uint32_t transition;
  };
  [[nodiscard]] petri::Layout layout_for(const std::vector<Overflow>& overflows) const;
  void set_layout(petri::Layout layout) { layout_ = std::move(layout); }
  void check_bounded(const Overflow& overflow) const;

 private:
  static constexpr std::size_t kMostWords = std::size_t{1} << 17;

  [[nodiscard]] petri::Marking reached(const Overflow& overflow) const;
  [[nodiscard]] StateId covered_ancestor(const Word* upper, StateId ancestor) const noexcept;

  petri::Net net_;
  petri::Layout layout_;
  petri::Candidates candidates_;
  Store store_;
  std::unique_ptr<EdgeLists> edges_;
};

// All transitions of a net.
std::vector<std::uint32_t> all_transitions(const petri::Net& net);

}  // namespace mpisog::mclcd
