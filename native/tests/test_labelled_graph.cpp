#include <set>
#include <vector>

#include "petri/labelled_graph.hpp"
#include "tests/check.hpp"

using namespace mpisog::petri;

namespace {

using State = std::vector<int>;

// States without their last variable, `stop`, which must be zero.
State without_stop(const int* state, std::size_t size) {
  CHECK(state[size - 1] == 0);
  return {state, state + size - 1};
}

void collect(void* context, mpisog_transition_info*, int* target) {
  auto& [size, states] = *static_cast<std::pair<std::size_t, std::vector<State>>*>(context);
  states.push_back(without_stop(target, size));
}

std::vector<State> successors(const LabelledGraph& graph, const State& from) {
  std::pair<std::size_t, std::vector<State>> context{graph.variables(), {}};
  const mpisog_pins_hooks& hooks = graph.hooks();
  State padded = from;
  padded.push_back(0);
  const int count = hooks.successors(hooks.graph, padded.data(), collect, &context);
  CHECK(static_cast<std::size_t>(count) == context.second.size());
  return context.second;
}

State initial(const LabelledGraph& graph) {
  State state(graph.variables());
  graph.hooks().initial(graph.hooks().graph, state.data());
  return without_stop(state.data(), state.size());
}

Comparison marked(std::uint32_t place) { return {{{place, 1}}, Relation::ge, 1}; }

// p0 --t0--> p1 --t1--> p2, which is dead.
Net chain() { return {{1, 0, 0}, {{{{0, 1}}, {{1, 1}}}, {{{1, 1}}, {{2, 1}}}}}; }

}  // namespace

TEST(state_atoms_label_markings_and_dead_ones_loop) {
  const LabelledGraph graph(chain(), {marked(0), Dead{}}, {});
  const State first = initial(graph);
  CHECK((first == State{0, 0, 1, 0}));
  const auto second = successors(graph, first);
  CHECK((second == std::vector<State>{{1, 0, 0, 0}}));
  const auto third = successors(graph, second[0]);
  CHECK((third == std::vector<State>{{2, 0, 0, 1}}));
  CHECK(successors(graph, third[0]) == third);
}

TEST(the_initial_state_can_be_asked_for_again) {
  const LabelledGraph graph(chain(), {marked(2)}, {});
  const State first = initial(graph);
  successors(graph, successors(graph, first)[0]);
  CHECK(initial(graph) == first);
}

TEST(event_atoms_split_markings_by_choice) {
  // A marked place with an observed and an unobserved self-loop: two choices.
  const Net net{{1}, {{{{0, 1}}, {{0, 1}}}, {{{0, 1}}, {{0, 1}}}}};
  LabelledGraph graph(net, {Fire{1}}, {});
  CHECK(graph.has_root());
  const State root = initial(graph);
  CHECK((root == State{-1, 0, 0}));
  const auto choices = successors(graph, root);
  const std::set<State> expected{{0, 0, 0}, {0, 1, 1}};
  CHECK((std::set<State>(choices.begin(), choices.end()) == expected));
  for (const State& choice : choices) {
    const auto next = successors(graph, choice);
    CHECK((std::set<State>(next.begin(), next.end()) == expected));
  }
  CHECK(graph.firing(0, 0, 0) == 0U);
  CHECK(graph.firing(0, 1, 0) == 1U);
}

TEST(fireable_looks_at_every_transition) {
  const LabelledGraph graph(chain(), {Fireable{{1}}, Fireable{{0, 1}}}, {});
  const State first = initial(graph);
  CHECK((first == State{0, 0, 0, 1}));
  const auto second = successors(graph, first);
  CHECK((second == std::vector<State>{{1, 0, 1, 1}}));
}

TEST(an_unbounded_net_stops_the_graph) {
  const LabelledGraph graph(Net{{0}, {{{}, {{0, 1}}}}}, {marked(0)}, {});
  const mpisog_pins_hooks& hooks = graph.hooks();
  State state(graph.variables());
  hooks.initial(hooks.graph, state.data());
  const auto keep_last = [](void* context, mpisog_transition_info*, int* target) {
    auto& kept = *static_cast<State*>(context);
    kept.assign(target, target + kept.size());
  };
  for (int i = 0; i < 100 && !graph.stopped(); ++i) {
    State next = state;
    hooks.successors(hooks.graph, state.data(), keep_last, &next);
    state = next;
  }
  CHECK(graph.stopped());
  CHECK(graph.unbounded_place() == std::size_t{0});
  CHECK(state.back() == 1);  // the state that says so, and nothing else from then on
  State again = state;
  CHECK(hooks.successors(hooks.graph, state.data(), keep_last, &again) == 1);
  CHECK(again == state);
}
