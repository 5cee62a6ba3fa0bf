#include "sog/kripke.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <stdexcept>

#include "sog/stopped.hpp"

namespace mpisog::sog {

namespace {

constexpr int kRoot = -1;
constexpr int kFirstSink = -2;  // and down from there
constexpr std::size_t kFixedVariables = 2;

std::vector<std::string> variable_names(std::size_t atoms) {
  std::vector<std::string> names{"number", "mode"};
  for (std::size_t i = 0; i < atoms; ++i) names.emplace_back("a").append(std::to_string(i));
  return names;
}

bool waits(std::span<const int> state) { return state[0] >= 0 && state[1] == kWaiting; }

std::uint64_t key(std::span<const int> state) {
  return std::uint64_t{static_cast<std::uint32_t>(state[0])} << 32 |
         static_cast<std::uint32_t>(state[1]);
}

}  // namespace

Kripke::Kripke(Graph& graph, std::vector<AtomOf> atoms, Hooks hooks, Explorer::Options options)
    : Source(variable_names(atoms.size())),
      graph_(graph),
      atoms_(std::move(atoms)),
      hooks_(std::move(hooks)),
      has_root_(std::any_of(atoms_.begin(), atoms_.end(),
                            [](const AtomOf& atom) { return atom.is_event; })),
      explorer_(graph, hooks_.explorer, options) {}

void Kripke::initial(std::span<int> to) noexcept {
  std::fill(to.begin(), to.end(), 0);
  try {
    if (has_root_) {
      to[0] = kRoot;
      return;
    }
    const Number number = first();
    const LabelId label = explorer_.node(number).built.aggregate.label;
    const std::vector<int>& whole = state(static_cast<int>(number), label, kWaiting);
    std::copy(whole.begin(), whole.end(), to.begin());
  } catch (...) {
    failure_ = std::current_exception();
  }
}

void Kripke::successors(std::span<const int> from, pins::Emitter& emit) noexcept {
  try {
    if (hooks_.pulled) hooks_.pulled();
    if (!settled() && !answered(from)) {
      if (failure_) return;
      if (hooks_.explorer.stop && hooks_.explorer.stop()) throw Stopped();
    }
    give(from[0], from[1], emit);
    remember(from);
  } catch (...) {
    if (!failure_) failure_ = std::current_exception();
  }
}

bool Kripke::answered(std::span<const int> from) const noexcept {
  if (!waits(from)) return answered_.contains(key(from));
  const auto number = static_cast<std::size_t>(from[0]);
  return number < waited_.size() && waited_[number];
}

void Kripke::remember(std::span<const int> from) {
  if (!waits(from)) {
    answered_.insert(key(from));
    return;
  }
  const auto number = static_cast<std::size_t>(from[0]);
  if (number >= waited_.size()) waited_.resize(number + 1);
  waited_[number] = true;
}

void Kripke::give(int number, Mode mode, pins::Emitter& emit) {
  if (number == kRoot) return give_entered({first()}, emit);
  if (number <= kFirstSink) {
    const LabelId label = sink_labels_[static_cast<std::size_t>(kFirstSink - number)];
    return give_state(number, label, kWaiting, emit);
  }
  const auto aggregate = static_cast<Number>(number);
  const std::vector<Number> following = targets(aggregate, mode);
  if (mode != kWaiting) return give_entered(following, emit);
  const Graph::Node& node = explorer_.node(aggregate);
  const LabelId label = node.built.aggregate.label;
  for (const Way& way : node.ways)
    if (way.mode < 0) give_state(number, label, way.mode, emit);
  give_entered(following, emit);
  if (node.built.aggregate.can_stutter() || explorer_.may_end(label))
    give_state(sink(label), label, kWaiting, emit);
}

void Kripke::give_entered(const std::vector<Number>& numbers, pins::Emitter& emit) {
  for (const Number number : numbers) {
    if (number > static_cast<Number>(std::numeric_limits<int>::max()))
      throw std::length_error("more aggregates than numbers");
    const Built& built = explorer_.node(number).built;
    for (const Mode mode : built.ready_modes)
      give_state(static_cast<int>(number), built.aggregate.label, mode, emit);
    give_state(static_cast<int>(number), built.aggregate.label, kWaiting, emit);
  }
}

void Kripke::give_state(int number, LabelId label, Mode mode, pins::Emitter& emit) {
  emit(state(number, label, mode).data());
}

std::vector<Number> Kripke::targets(Number number, Mode mode) {
  if (auto known = explorer_.known_targets(number, mode)) return std::move(*known);
  std::vector<Number> found;
  const auto find = [&] { found = explorer_.targets(number, mode); };
  hooks_.unlocked(std::ref(find));  // a reference needs no memory
  return found;
}

Number Kripke::first() {
  Number number = kNoNumber;
  hooks_.unlocked([&] { number = explorer_.initial(); });
  return number;
}

int Kripke::sink(LabelId label) {
  const int next = kFirstSink - static_cast<int>(sink_labels_.size());
  const auto [place, is_new] = sinks_.try_emplace(label, next);
  if (is_new) sink_labels_.push_back(label);
  return place->second;
}

std::vector<int>& Kripke::state(int number, LabelId label, Mode mode) {
  const auto fired = static_cast<std::uint32_t>(std::abs(mode));
  const auto [place, is_new] = letters_.try_emplace(std::uint64_t{label} << 32 | fired);
  std::vector<int>& whole = place->second;
  if (is_new) {
    whole.assign(variables(), 0);
    const Label truth = graph_.builder().label(label);
    for (std::size_t i = 0; i < atoms_.size(); ++i) {
      const AtomOf& atom = atoms_[i];
      const bool holds = atom.is_event ? atom.index + 1 == fired : truth[atom.index];
      whole[kFixedVariables + i] = holds ? 1 : 0;
    }
  }
  whole[0] = number;
  whole[1] = mode;
  return whole;
}

}  // namespace mpisog::sog
