#include "reduce/endless.hpp"

namespace mpisog::reduce {

std::vector<bool> may_run_on(const WorkingNet& net, std::vector<bool> rest) {
  std::vector<std::size_t> gains(net.places());
  std::vector<Index> todo;
  for (Index t = 0; t < net.transitions(); ++t)
    if (rest[t])
      for (const Entry& entry : net[t].effect) gains[entry.at] += entry.amount > 0 ? 1 : 0;
  for (Index place = 0; place < net.places(); ++place)
    if (net.has_place(place) && gains[place] == 0) todo.push_back(place);
  while (!todo.empty()) {
    const Index place = todo.back();
    todo.pop_back();
    for (const Entry& change : net.changes(place)) {
      if (change.amount > 0 || !rest[change.at]) continue;
      rest[change.at] = false;
      for (const Entry& fed : net[change.at].effect)
        if (fed.amount > 0 && --gains[fed.at] == 0) todo.push_back(fed.at);
    }
  }
  return rest;
}

std::vector<bool> may_run_on(const WorkingNet& net) {
  std::vector<bool> all(net.transitions());
  for (Index t = 0; t < net.transitions(); ++t) all[t] = net.has_transition(t);
  return may_run_on(net, std::move(all));
}

}  // namespace mpisog::reduce
