#include "petri/labelled_graph.hpp"

#include <algorithm>
#include <limits>
#include <new>

namespace mpisog::petri {

namespace {

constexpr int kRoot = -1;
constexpr std::size_t kFixedVariables = 2;  // the marking's number and the choice

std::vector<std::string> variable_names(std::size_t atoms) {
  std::vector<std::string> names{"marking", "choice"};
  for (std::size_t i = 0; i < atoms; ++i) names.emplace_back("a").append(std::to_string(i));
  return names;
}

std::vector<std::uint32_t> observed_transitions(const std::vector<Atom>& atoms) {
  std::vector<std::uint32_t> observed;
  for (const Atom& atom : atoms)
    if (const auto* fire = std::get_if<Fire>(&atom))
      if (std::find(observed.begin(), observed.end(), fire->transition) == observed.end())
        observed.push_back(fire->transition);
  return observed;
}

}  // namespace

LabelledGraph::LabelledGraph(Net net, std::vector<Atom> atoms, CancellationToken::Poll poll)
    : Source(variable_names(atoms.size())),
      space_(std::move(net)),
      atoms_(std::move(atoms)),
      cancellation_(std::move(poll)),
      observed_(observed_transitions(atoms_)) {
  for (std::uint32_t t = 0; t < space_.net().transitions.size(); ++t)
    if (std::find(observed_.begin(), observed_.end(), t) == observed_.end())
      unobserved_.push_back(t);
  choices_.emplace_back(space_.net(), unobserved_);
  for (const std::uint32_t t : observed_) choices_.emplace_back(space_.net(), std::span(&t, 1));
}

void LabelledGraph::initial(std::span<int> to) noexcept {
  std::fill(to.begin(), to.end(), 0);
  if (has_root()) {
    to[0] = kRoot;
    return;
  }
  try {
    const std::vector<int>& vector = class_of(StateSpace::initial()).vectors.front();
    std::copy(vector.begin(), vector.end(), to.begin());
    to[0] = static_cast<int>(StateSpace::initial());
  } catch (const std::bad_alloc&) {
    out_of_memory_ = true;
    cancellation_.stop();
  }
}

void LabelledGraph::successors(std::span<const int> from, pins::Emitter& emit) noexcept {
  if (!settled() && !answered(from) && cancellation_.check([this] { return progress(); })) return;
  try {
    if (from[0] == kRoot)
      emit_choices(StateSpace::initial(), emit);
    else
      expand(static_cast<StateId>(from[0]), from[1], emit);
    const std::size_t index = answer_index(from);
    if (index >= answered_.size()) answered_.resize(index + 1);
    answered_[index] = true;
  } catch (const UnboundedNet& found) {
    unbounded_ = found.place;
    cancellation_.stop();
  } catch (const std::exception&) {  // bad_alloc, or more markings than numbers
    out_of_memory_ = true;
    cancellation_.stop();
  }
}

std::size_t LabelledGraph::answer_index(std::span<const int> from) const noexcept {
  if (from[0] == kRoot) return 0;
  return 1 + static_cast<std::size_t>(from[0]) * choices_.size() +
         static_cast<std::size_t>(from[1]);
}

bool LabelledGraph::answered(std::span<const int> from) const noexcept {
  const std::size_t index = answer_index(from);
  return index < answered_.size() && answered_[index];
}

void LabelledGraph::expand(StateId id, int choice, pins::Emitter& emit) {
  const auto reached = space_.expand(id, choices_[static_cast<std::size_t>(choice)]);
  edges_ += reached.size();
  for (const Successor& successor : reached) emit_choices(successor.target, emit);
  if (reached.empty()) {  // choice 0 in a dead marking: it stays there for ever
    LabelClass& label = class_of(id);
    label.vectors.front()[0] = static_cast<int>(id);
    emit(label.vectors.front().data());
  }
}

void LabelledGraph::emit_choices(StateId id, pins::Emitter& emit) {
  if (id > static_cast<StateId>(std::numeric_limits<int>::max())) throw std::bad_alloc();
  for (std::vector<int>& vector : class_of(id).vectors) {
    vector[0] = static_cast<int>(id);
    emit(vector.data());
  }
}

LabelledGraph::LabelClass& LabelledGraph::class_of(StateId id) {
  constexpr std::uint32_t unset = std::numeric_limits<std::uint32_t>::max();
  if (class_of_.size() <= id) class_of_.resize(space_.store().size(), unset);
  if (class_of_[id] == unset) {
    const LabelKey label = label_of(id);
    const auto [entry, fresh] =
        class_numbers_.try_emplace(label, static_cast<std::uint32_t>(classes_.size()));
    if (fresh) classes_.push_back(make_class(label));
    class_of_[id] = entry->second;
  }
  return classes_[class_of_[id]];
}

// The atoms' truth values; with event atoms also which observed transitions are enabled, and
// whether choice 0 exists (an unobserved transition is enabled, or nothing is).
LabelledGraph::LabelKey LabelledGraph::label_of(StateId id) const {
  const Layout& layout = space_.layout();
  const Word* packed = space_.store().at(id);
  LabelKey label;
  for (const Atom& atom : atoms_)
    label.push_back(holds(atom, layout, packed, space_.net().transitions.size()));
  if (!has_root()) return label;
  const auto is_enabled = [&](std::uint32_t t) { return layout.enabled(packed, t); };
  const bool silent = std::any_of(unobserved_.begin(), unobserved_.end(), is_enabled);
  bool any = silent;
  for (const std::uint32_t t : observed_) {
    label.push_back(is_enabled(t));
    any = any || label.back();
  }
  label.push_back(silent || !any);
  return label;
}

LabelledGraph::LabelClass LabelledGraph::make_class(const LabelKey& label) const {
  std::vector<int> base(variables());
  for (std::size_t i = 0; i < atoms_.size(); ++i) base[kFixedVariables + i] = label[i] ? 1 : 0;
  LabelClass result;
  if (!has_root() || label.back()) result.vectors.push_back(base);
  if (!has_root()) return result;
  for (std::size_t k = 0; k < observed_.size(); ++k) {
    if (!label[atoms_.size() + k]) continue;
    std::vector<int> chosen = base;
    chosen[1] = static_cast<int>(k) + 1;
    for (std::size_t i = 0; i < atoms_.size(); ++i)
      if (const auto* fire = std::get_if<Fire>(&atoms_[i]))
        chosen[kFixedVariables + i] = fire->transition == observed_[k] ? 1 : 0;
    result.vectors.push_back(std::move(chosen));
  }
  return result;
}

std::optional<std::uint32_t> LabelledGraph::firing(StateId from, int choice, StateId to) {
  for (const Successor& successor : space_.expand(from, choices_[static_cast<std::size_t>(choice)]))
    if (successor.target == to) return successor.transition;
  return std::nullopt;
}

}  // namespace mpisog::petri
