#include "mclcd/check.hpp"

#include <algorithm>
#include <chrono>
#include <system_error>

#include "mclcd/backward.hpp"
#include "mclcd/forward.hpp"
#include "mclcd/lasso.hpp"
#include "petri/state_space.hpp"

namespace mpisog::mclcd {

namespace {

template <class Work>
void timed(double& seconds, Work&& work) {
  const auto begun = std::chrono::steady_clock::now();
  const auto stop = [&] {
    seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  };
  try {
    work();
  } catch (...) {
    stop();
    throw;
  }
  stop();
}

}  // namespace

Check::Check(petri::Net net, std::vector<petri::Atom> atoms, Property property, Options options,
             Poll poll)
    : net_(std::move(net)),
      atoms_(std::move(atoms)),
      property_(std::move(property)),
      options_(options),
      account_(options.memory),
      tallies_(std::make_unique<Tally[]>(options.threads)),
      team_(options.threads, [this, poll = std::move(poll)] { return poll && poll(figures()); }) {}

Check::~Check() = default;

Outcome Check::run() {
  try {
    return search() ? Outcome::found : Outcome::none;
  } catch (const petri::UnboundedNet& found) {
    unbounded_ = found.place;
    return Outcome::unbounded;
  } catch (const Stopped&) {
    return Outcome::stopped;
  } catch (const std::bad_alloc&) {
    return Outcome::out_of_memory;
  } catch (const std::length_error&) {  // more markings than numbers
    return Outcome::out_of_memory;
  } catch (const std::system_error&) {  // no more threads
    return Outcome::out_of_memory;
  }
}

// Reachability needs no backward phase, so no edges either.
Variant Check::forward_variant() const noexcept {
  const bool backward = property_.form == Form::all_until || property_.form == Form::leads_to;
  return backward ? options_.variant : Variant::no_graph;
}

bool Check::search() {
  const Variant asked = forward_variant();
  const bool with_edges = asked == Variant::rg || asked == Variant::automatic;
  graph_ = std::make_unique<Graph>(std::move(net_), account_, options_.threads, with_edges);
  const Evaluator evaluator(atoms_, graph_->net().transitions.size(), graph_->candidates());
  Forward forward(*graph_, team_, account_, property_, evaluator, asked, tallies_.get());
  timed(figures_.forward_seconds, [&] { forward.run(); });
  figures_.packed_bytes_per_marking = graph_->layout().words() * sizeof(Word);
  if (forward.decisive() != petri::kNoState)
    return trace([&](Tracer& tracer) { return tracer.through(forward.decisive()); });
  if (property_.form == Form::exists_until || property_.form == Form::count) return false;
  variant_ = forward.parental()           ? Variant::rpg
             : asked == Variant::no_graph ? Variant::no_graph
                                          : Variant::rg;
  Backward backward(*graph_, team_, account_, property_.form, variant_, tallies_.get());
  if (clear(backward)) return false;
  return trace([&](Tracer& tracer) { return tracer.uncleared(backward.uncleared()); });
}

bool Check::clear(Backward& backward) {
  for (;;) {
    phase_ = Phase::clearing;
    ++rounds_;
    bool complete = false;
    timed(figures_.clearing_seconds, [&] { complete = backward.clear(); });
    if (complete || variant_ != Variant::rpg) return complete;
    phase_ = Phase::collecting;
    bool collected = false;
    timed(figures_.collecting_seconds, [&] { collected = backward.collect(); });
    if (!collected) return false;
  }
}

// The lasso is made by one thread, and the caller budgets as over the other phases.
bool Check::trace(const std::function<Lasso(Tracer&)>& make) {
  phase_ = Phase::lasso;
  Tracer tracer(*graph_, team_, account_);
  team_.run_alone([&] { lasso_ = make(tracer); });
  return true;
}

Figures Check::figures() const noexcept {
  Figures result = figures_;
  result.phase = phase_;
  result.variant = variant_;
  result.rounds = rounds_;
  result.bytes = account_.used();
  result.peak_bytes = account_.peak();
  if (graph_) result.states = graph_->store().size();
  const auto get = [](const std::atomic<std::uint64_t>& counter) {
    return counter.load(std::memory_order_relaxed);
  };
  for (unsigned worker = 0; worker < options_.threads; ++worker) {
    const Tally& tally = tallies_[worker];
    result.edges += get(tally.edges);
    result.cleared += get(tally.cleared);
    result.recomputed += get(tally.recomputed);
    result.steals += get(tally.steals);
    result.dead += get(tally.dead);
    result.max_tokens_in_marking =
        std::max(result.max_tokens_in_marking, get(tally.max_tokens_in_marking));
    result.max_tokens_in_place =
        std::max(result.max_tokens_in_place, get(tally.max_tokens_in_place));
  }
  return result;
}

}  // namespace mpisog::mclcd
