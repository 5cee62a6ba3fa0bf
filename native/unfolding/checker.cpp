#include "unfolding/checker.hpp"

#include <utility>

namespace mpisog::unfolding {

Checker::Checker(petri::Net net, std::vector<petri::Atom> atoms,
                 std::optional<product::Automaton> automaton, const std::vector<Role>& roles,
                 std::size_t bytes, Limits::Poll poll)
    : net_(std::move(net)),
      limits_(bytes, std::move(poll)),
      rules_(net_, roles, true),
      silent_rules_(net_, roles, false),
      reader_(automaton ? std::optional<Reader>(std::in_place, net_, std::move(atoms),
                                                *std::move(automaton))
                        : std::nullopt),
      tableau_(rules_, reader_ ? &*reader_ : nullptr, limits_),
      livelocks_(silent_rules_, limits_) {}

Outcome Checker::build_tableau() noexcept {
  return limited(tableau_.process, [this] {
    const std::optional<Violation> found = tableau_.build();
    if (!found) return Outcome::complete;
    lasso_ = found->companion == kNone
                 ? open_lasso(tableau_.process, found->event)
                 : accepting_lasso(tableau_.process, found->event, found->companion);
    return Outcome::found;
  });
}

Outcome Checker::search_livelocks() noexcept {
  return limited(livelocks_.process, [this] {
    for (const std::uint32_t checkpoint : tableau_.checkpoints()) {
      const auto found = livelocks_.search(tableau_.process.marking(checkpoint));
      if (!found) continue;
      lasso_ = livelock_lasso(tableau_.process, checkpoint, livelocks_.process, found->event,
                              found->companion);
      return Outcome::found;
    }
    return Outcome::complete;
  });
}

Outcome Checker::ask_for_deadlocks() noexcept {
  return limited(tableau_.process, [this] {
    deadlocks_ = deadlock_problem(tableau_.process, *reader_, net_);
    return deadlocks_.possible ? Outcome::found : Outcome::complete;
  });
}

Lasso Checker::dead_end(const std::vector<std::uint32_t>& configuration) {
  return dead_lasso(tableau_.process, configuration);
}

template <class Work>
Outcome Checker::limited(Process& process, Work&& work) noexcept {
  try {
    return work();
  } catch (const Unsafe& found) {
    const auto transition = [&](std::uint32_t event) {
      const std::uint32_t rule = process.events[event].rule;
      return rule == kNone ? kNone : process.rules()[rule].transition;
    };
    unsafe_ = {found.place, transition(found.first), transition(found.second)};
    return Outcome::unsafe;
  } catch (const Stopped&) {
    return Outcome::stopped;
  } catch (const std::exception&) {  // our own count of memory, or bad_alloc
    return Outcome::out_of_memory;
  }
}

}  // namespace mpisog::unfolding
