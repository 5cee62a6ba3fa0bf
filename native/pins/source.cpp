#include "pins/source.hpp"

#include <limits>

namespace mpisog::pins {

namespace {

constexpr int kStopped = std::numeric_limits<int>::min();  // no graph has a state of that number

Source& as_source(void* graph) { return *static_cast<Source*>(graph); }

void call_initial(void* graph, int* to) {
  Source& source = as_source(graph);
  source.initial({to, source.variables()});
}

int call_successors(void* graph, const int* from, mpisog_emit emit, void* context) {
  Source& source = as_source(graph);
  Emitter emitter(emit, context);
  source.give_successors({from, source.variables()}, emitter);
  return emitter.count();
}

void call_settle(void* graph) { as_source(graph).settle(); }

}  // namespace

Source::Source(std::vector<std::string> variables) : names_(std::move(variables)), hooks_{} {
  names_.emplace_back("stop");
  for (const std::string& name : names_) name_pointers_.push_back(name.c_str());
  stop_state_.assign(names_.size(), 0);
  stop_state_.front() = kStopped;
  stop_state_.back() = 1;
  hooks_ = {this,
            static_cast<int>(names_.size()),
            name_pointers_.data(),
            call_initial,
            call_successors,
            call_settle};
}

void Source::give_successors(std::span<const int> from, Emitter& emit) noexcept {
  const auto gives_up = [&] { return !settled_ && stopped() && !answered(from); };
  if (!gives_up()) successors(from, emit);
  if (gives_up()) emit(stop_state_.data());
}

}  // namespace mpisog::pins
