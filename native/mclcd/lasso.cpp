#include "mclcd/lasso.hpp"

#include <algorithm>
#include <unordered_map>

#include "mclcd/labels.hpp"
#include "petri/state_space.hpp"

namespace mpisog::mclcd {

namespace {

// Memory is counted for so many steps at a time.
constexpr std::size_t kSteps = 4096;
constexpr std::size_t kStepBytes = 64;

void cut(std::vector<std::uint32_t>& firings, std::size_t at, Lasso& lasso) {
  const auto middle = firings.begin() + static_cast<std::ptrdiff_t>(at);
  lasso.prefix.insert(lasso.prefix.end(), firings.begin(), middle);
  lasso.cycle.assign(middle, firings.end());
}

}  // namespace

void Tracer::look() const {
  if (team_.ending()) throw Stopped();
}

void Tracer::count_step() {
  look();
  if (steps_++ % kSteps != 0) return;
  account_.take(kSteps * kStepBytes);
  taken_ += kSteps * kStepBytes;
}

std::vector<std::uint32_t> Tracer::path_to(StateId id) {
  std::vector<std::uint32_t> firings;
  for (StateId father; (father = graph_.store().father(id)) != petri::kNoState; id = father) {
    count_step();
    firings.push_back(firing(father, id));
  }
  std::reverse(firings.begin(), firings.end());
  return firings;
}

std::uint32_t Tracer::firing(StateId from, StateId to) {
  const Word* packed = graph_.store().at(from);
  std::optional<std::uint32_t> found;
  graph_.candidates().visit(graph_.layout(), packed, [&](std::uint32_t t) {
    if (graph_.layout().enabled(packed, t) && graph_.target(from, t, scratch_) == to) found = t;
    return !found;
  });
  return found.value();
}

Lasso Tracer::through(StateId id) {
  Lasso lasso{path_to(id), {}};
  end_anyhow(id, lasso);
  return lasso;
}

// Any way to a dead marking or round a cycle: from every marking it tries first what leads back to
// the path, so that a cycle is closed as soon as it can be.
void Tracer::end_anyhow(StateId id, Lasso& lasso) {
  petri::Net net = graph_.net();
  net.initial = graph_.marking(id);
  petri::StateSpace space(std::move(net));
  std::unordered_map<StateId, std::size_t> position;
  std::vector<std::uint32_t> firings;
  StateId here = petri::StateSpace::initial();
  for (std::size_t counted = 0;;) {
    look();
    if (const std::size_t bytes = space.store().bytes() + kStepBytes * firings.size();
        bytes > counted) {
      account_.take(bytes - counted);
      taken_ += bytes - counted;
      counted = bytes;
    }
    position.emplace(here, firings.size());
    const auto successors = space.expand(here, space.all_transitions());
    if (successors.empty()) return cut(firings, firings.size(), lasso);
    const auto back = std::find_if(successors.begin(), successors.end(),
                                   [&](const auto& s) { return position.contains(s.target); });
    const petri::Successor& step =
        back != successors.end() ? *back : successors[firings.size() % successors.size()];
    firings.push_back(step.transition);
    here = step.target;
    if (back != successors.end()) return cut(firings, position.at(here), lasso);
  }
}

// An uncleared marking that is not dead has an uncleared successor, or it would be cleared.
Lasso Tracer::uncleared(StateId id) {
  look();  // a search for the marking that was stopped has found none
  const Store& store = graph_.store();
  Lasso lasso{path_to(id), {}};
  std::vector<StateId> path;
  std::vector<std::uint32_t> firings;
  for (;;) {
    count_step();
    store.label(id).fetch_or(kOnPath);
    path.push_back(id);
    StateId next = petri::kNoState;
    std::uint32_t by = 0;
    bool dead = true;
    bool closes = false;
    const Word* packed = store.at(id);
    graph_.candidates().visit(graph_.layout(), packed, [&](std::uint32_t t) {
      if (!graph_.layout().enabled(packed, t)) return true;
      dead = false;
      const StateId target = graph_.target(id, t, scratch_);
      const Label label = store.label(target).load();
      closes = (label & kOnPath) != 0;
      if (closes || (next == petri::kNoState && (label & kCleared) == 0)) {
        next = target;
        by = t;
      }
      return !closes;
    });
    if (dead) {
      cut(firings, firings.size(), lasso);
      return lasso;
    }
    if (next == petri::kNoState) throw std::logic_error("an uncleared marking should be cleared");
    firings.push_back(by);
    if (closes) {
      const auto entry = std::find(path.begin(), path.end(), next) - path.begin();
      cut(firings, static_cast<std::size_t>(entry), lasso);
      return lasso;
    }
    id = next;
  }
}

}  // namespace mpisog::mclcd
