#include "pins/source.hpp"

namespace mpisog::pins {

namespace {

Source& as_source(void* graph) { return *static_cast<Source*>(graph); }

void call_initial(void* graph, int* to) {
  Source& source = as_source(graph);
  source.initial({to, source.variables()});
}

int call_successors(void* graph, const int* from, mpisog_emit emit, void* context) {
  Source& source = as_source(graph);
  Emitter emitter(emit, context);
  source.successors({from, source.variables()}, emitter);
  return emitter.count();
}

}  // namespace

Source::Source(std::vector<std::string> variables) : names_(std::move(variables)), hooks_{} {
  for (const std::string& name : names_) name_pointers_.push_back(name.c_str());
  hooks_ = {this, static_cast<int>(names_.size()), name_pointers_.data(), call_initial,
            call_successors};
}

}  // namespace mpisog::pins
