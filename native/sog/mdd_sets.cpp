#include "sog/mdd_sets.hpp"

#include <algorithm>

namespace mpisog::sog {

namespace {

// What a search may cost, in places and steps looked at: some seconds.
constexpr std::size_t kCycleWork = 3'000'000;

}  // namespace

MddSets::Set MddSets::one_marking(const Set& set) {
  const std::optional<mdd::Marking> picked = kernel_->pick(set);
  return picked ? kernel_->singleton(*picked) : set;
}

std::string MddSets::fingerprint(const Set& set) {
  const mdd::Fingerprint found = kernel_->fingerprint(set);
  std::string bytes;
  for (const std::uint32_t word : found.words)
    for (unsigned shift = 0; shift < 32; shift += 8)
      bytes.push_back(static_cast<char>(word >> shift));
  return bytes;
}

std::string MddSets::serialise(const Set& set) {
  const std::vector<std::uint8_t> bytes = kernel_->serialise(set);
  return {bytes.begin(), bytes.end()};
}

MddSets::Set MddSets::deserialise(std::string_view bytes) {
  return kernel_->deserialise({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
}

std::vector<std::uint64_t> MddSets::tokens(const Set& set,
                                           const std::vector<std::uint32_t>& places) {
  const std::optional<mdd::Marking> picked = kernel_->pick(set);
  std::vector<std::uint64_t> found;
  for (const std::uint32_t place : places) found.push_back(picked->at(levels_[place]));
  return found;
}

Occupied MddSets::occupied(std::size_t /*table*/) const {
  const mdd::Statistics found = kernel_->statistics();
  return {found.live_bytes, found.bytes - found.cache_bytes, found.cache_bytes, found.budget_bytes,
          found.collections};
}

std::optional<MddSets::Set> MddSets::close(const Set& set, Steps* steps, const Kept& kept) {
  if (steps == nullptr) return set;
  if (!kept.labelled) return kernel_->closure(set, *steps->forward());
  if (kept.too_complex->load(std::memory_order_relaxed)) return std::nullopt;
  try {
    return kernel_->closure_labelled(set, *kept.labelled);
  } catch (const mdd::TooComplex&) {
    kept.too_complex->store(true, std::memory_order_relaxed);
    return std::nullopt;
  }
}

MddSets::CycleSearch MddSets::explicit_cycle(const Set& states, const Candidates& steps,
                                             std::size_t limit) {
  const std::vector<search::Step>& list = steps.one_by_one->list;
  const std::size_t work = kCycleWork / std::max<std::size_t>(1, net_.order.size() + list.size());
  const auto found =
      find_cycle(*kernel_, net_.net, net_.order, list, states, states, std::min(limit, work + 1));
  if (!found.found) return {std::nullopt, found.gave_up};
  return {to_set(*kernel_, net_.order, {found.found->lasso.meeting}), false};
}

GrownPart MddSets::grown(const Set& entry, const Kept& kept, std::size_t limit) {
  const std::optional<mdd::Marking> start = kernel_->pick(entry);
  const auto poll = [this] {
    if (stop_()) throw mdd::Cancelled();
  };
  return grow(*kernel_, net_.net, net_.order, *kept.one_by_one, to_marking(net_.order, *start),
              limit, poll);
}

}  // namespace mpisog::sog
