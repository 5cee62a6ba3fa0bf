#include "unfolding/lasso.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace mpisog::unfolding {

namespace {

// The events of one local configuration that another does not have, in an order of firing.
std::vector<std::uint32_t> difference(Process& process, std::uint32_t event,
                                      std::uint32_t without) {
  std::vector<std::uint32_t> result = process.sequence(event);
  process.configuration(without);
  std::erase_if(result, [&](std::uint32_t e) { return process.visited(e); });
  return result;
}

void add_all(LazyRun& run, const Process& process, const std::vector<std::uint32_t>& events) {
  for (const std::uint32_t e : events) run.add(process.events[e].rule);
}

}  // namespace

LazyRun::LazyRun(const Process& process, const Rules& rules)
    : rules_(rules), producer_(rules.places(), kNone), marking_(rules.places()) {
  const Event& root = process.events[0];
  for (std::uint32_t i = 0; i < root.output_count; ++i)
    marking_[process.conditions[root.first_output + i].place] = true;
}

void LazyRun::add(std::uint32_t rule) {
  const auto number = static_cast<std::uint32_t>(steps_.size());
  Step step{rule, false, {}};
  for (const std::uint32_t p : rules_[rule].inputs)
    if (producer_[p] != kNone) step.causes.push_back(producer_[p]);
  for (const std::uint32_t p : rules_[rule].inputs) producer_[p] = kNone;
  for (const std::uint32_t p : rules_[rule].outputs) producer_[p] = number;
  steps_.push_back(std::move(step));
  if (rules_[rule].moves) fire(number);
}

void LazyRun::fire_all() {
  for (std::uint32_t i = 0; i < steps_.size(); ++i) fire(i);
}

void LazyRun::fire(std::uint32_t last) {
  if (steps_[last].fired) return;
  std::vector<std::uint32_t> due{last};
  steps_[last].fired = true;
  for (std::size_t i = 0; i < due.size(); ++i)
    for (const std::uint32_t cause : steps_[due[i]].causes)
      if (!steps_[cause].fired) {
        steps_[cause].fired = true;
        due.push_back(cause);
      }
  std::sort(due.begin(), due.end());
  for (const std::uint32_t number : due) {
    const Rule& rule = rules_[steps_[number].rule];
    fired_.push_back(rule.transition);
    for (const std::uint32_t p : rule.inputs) marking_[p] = false;
    for (const std::uint32_t p : rule.outputs) marking_[p] = true;
  }
}

// The loop is repeated until what has fired leads to a marking for the second time.
Lasso accepting_lasso(Process& process, std::uint32_t event, std::uint32_t companion) {
  LazyRun run(process, process.rules());
  add_all(run, process, process.sequence(companion));
  const std::vector<std::uint32_t> loop = difference(process, event, companion);
  std::map<std::vector<bool>, std::size_t> seen;
  while (true) {
    const auto [first, fresh] = seen.emplace(run.marking(), run.fired().size());
    if (!fresh) {
      const auto split = run.fired().begin() + static_cast<std::ptrdiff_t>(first->second);
      return {{run.fired().begin(), split}, {split, run.fired().end()}};
    }
    add_all(run, process, loop);
    process.limits().work(loop.size() * 10, process.figures);
  }
}

Lasso open_lasso(Process& process, std::uint32_t event) {
  LazyRun run(process, process.rules());
  add_all(run, process, process.sequence(event));
  return {run.fired(), {}, true};
}

Lasso livelock_lasso(Process& process, std::uint32_t checkpoint, Process& livelock,
                     std::uint32_t event, std::uint32_t companion) {
  Lasso lasso = open_lasso(process, checkpoint);
  lasso.any_ending = false;
  const std::vector<std::uint32_t> cycle = difference(livelock, event, companion);
  const auto transition = [&](std::uint32_t e) {
    return livelock.rules()[livelock.events[e].rule].transition;
  };
  for (const std::uint32_t e : livelock.sequence(event))
    if (std::find(cycle.begin(), cycle.end(), e) == cycle.end())
      lasso.prefix.push_back(transition(e));
  for (const std::uint32_t e : cycle) lasso.cycle.push_back(transition(e));
  return lasso;
}

Lasso dead_lasso(Process& process, std::vector<std::uint32_t> configuration) {
  std::sort(configuration.begin(), configuration.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::tuple(process.events[a].depth, a) < std::tuple(process.events[b].depth, b);
  });
  LazyRun run(process, process.rules());
  add_all(run, process, configuration);
  run.fire_all();
  return {run.fired(), {}};
}

}  // namespace mpisog::unfolding
