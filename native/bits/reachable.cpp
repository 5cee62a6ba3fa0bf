#include "bits/reachable.hpp"

#include <numeric>

#include "memory/limit.hpp"

namespace mpisog::bits {

namespace {

// Places that are packed anew in the time in which a word of a successor is written.
constexpr std::uint64_t kPlacesPerWork = 8;

}  // namespace

class Enumerator {
 public:
  Enumerator(petri::Net net, Limits limits, petri::CancellationToken::Poll poll)
      : limits_(limits), cancellation_(std::move(poll)), found_(new Reachable(std::move(net))) {}

  Ending run() {
    petri::StateSpace& space = found_->space_;
    auto& [begin, edges] = found_->out_;
    const auto progress = [&] {
      return petri::Progress{space.store().size(), edges.size(), found_->bytes()};
    };
    std::uint64_t work = 0;
    std::vector<unsigned> bits = space.layout().bits();
    for (StateId id = petri::StateSpace::initial(); id < space.store().size(); ++id) {
      if (cancellation_.check(progress)) return Ending::stopped;
      const auto reached = space.expand(id, space.all_transitions());
      memory::require_room(edges, reached.size());
      for (const petri::Successor& next : reached) edges.push_back({next.transition, next.target});
      work += (1 + edges.size() - begin.back()) * (1 + space.layout().words());
      begin.push_back(edges.size());
      if (bits != space.layout().bits()) {  // everything was written again
        bits = space.layout().bits();
        work += std::uint64_t{space.store().size()} * bits.size() / kPlacesPerWork;
      }
      if (space.store().size() > limits_.markings || work > limits_.work) return Ending::too_many;
    }
    found_->add_predecessors();
    found_->take_fingerprint();
    return Ending::complete;
  }

  std::shared_ptr<Reachable> found() { return std::move(found_); }

 private:
  Limits limits_;
  petri::CancellationToken cancellation_;
  std::shared_ptr<Reachable> found_;
};

Enumeration enumerate(petri::Net net, Limits limits, petri::CancellationToken::Poll poll) {
  Enumerator enumerator(std::move(net), limits, std::move(poll));
  Enumeration result;
  try {
    result.ending = enumerator.run();
  } catch (const petri::UnboundedNet& found) {
    result.ending = Ending::unbounded;
    result.unbounded_place = found.place;
  }
  if (result.ending == Ending::complete) result.reachable = enumerator.found();
  return result;
}

void Reachable::add_predecessors() {
  memory::require(out_.edges.size() * sizeof(Edge) + 2 * size() * sizeof(std::size_t));
  in_.begin.assign(std::size_t{size()} + 1, 0);
  for (const Edge& edge : out_.edges) ++in_.begin[edge.state + 1];
  std::partial_sum(in_.begin.begin(), in_.begin.end(), in_.begin.begin());
  in_.edges.resize(out_.edges.size());
  std::vector<std::size_t> next(in_.begin.begin(), in_.begin.end() - 1);
  for (StateId id = 0; id < size(); ++id)
    for (const Edge& edge : successors(id)) in_.edges[next[edge.state]++] = {edge.transition, id};
}

void Reachable::take_fingerprint() {
  std::vector<petri::Word> words{net().places(), size(), edge_count()};
  for (const std::int64_t tokens : net().initial) words.push_back(static_cast<Word>(tokens));
  const auto add = [&](const std::vector<petri::Arc>& arcs) {
    words.push_back(arcs.size());
    for (const petri::Arc& arc : arcs) {
      words.push_back(arc.place);
      words.push_back(static_cast<petri::Word>(arc.weight));
    }
  };
  for (const petri::Transition& t : net().transitions) {
    add(t.pre);
    add(t.post);
  }
  fingerprint_ = petri::hash_words(words.data(), words.size());
}

StateId Reachable::number(std::span<const std::int64_t> marking) const {
  if (marking.size() != net().places()) return petri::kNoState;
  for (std::size_t p = 0; p < marking.size(); ++p)
    if (marking[p] < 0 || petri::bits_for(marking[p]) > layout().bits()[p]) return petri::kNoState;
  std::vector<petri::Word> packed(layout().words());
  layout().pack(marking, packed.data());
  return space_.store().find(packed.data(), petri::hash_words(packed.data(), packed.size()));
}

std::size_t Reachable::bytes() const noexcept {
  return space_.store().bytes() + (out_.edges.capacity() + in_.edges.capacity()) * sizeof(Edge) +
         (out_.begin.capacity() + in_.begin.capacity()) * sizeof(std::size_t);
}

}  // namespace mpisog::bits
