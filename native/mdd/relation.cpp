#include "relation.hpp"

#include <algorithm>
#include <stdexcept>

namespace mpisog::mdd {

namespace {
constexpr std::size_t kMaxGroups = 32;
constexpr std::int64_t kMaxDelta = kNoLimit;
}  // namespace

SuffixId SuffixTable::add(const Event& terms, std::size_t from) {
  if (from == terms.size()) return kDone;
  const SuffixId next = add(terms, from + 1);
  const Term& term = terms[from];
  const Key key{term.level, term.at_least, term.at_most, term.delta, next};
  if (const auto place = known_.find(key); place != known_.end()) return place->second;
  const std::uint32_t tag = tags_.fetch_add(1, std::memory_order_relaxed);
  std::uint32_t needed = term.at_least > 0 ? 1 : 0;
  if (next != kDone && suffixes_[next]->level - term.level < 32) {
    needed |= suffixes_[next]->needed << (suffixes_[next]->level - term.level);
  }
  // It comes before its key: if memory ran out between the two, the key would stand for the next.
  suffixes_.push_back(std::make_unique<const Suffix>(
      Suffix{term.level, term.at_least, term.at_most, term.delta, next, find(next), tag, needed}));
  return known_.try_emplace(key, static_cast<SuffixId>(suffixes_.size() - 1)).first->second;
}

Relation::Relation(Level levels, const std::vector<Event>& events, std::atomic<std::uint32_t>& tags)
    : tag_(tags.fetch_add(1, std::memory_order_relaxed)), suffixes_(tags), groups_(levels) {
  std::vector<std::vector<TopEvent>> tops(levels);
  for (const Event& given : events) {
    Event event = normalised(given, levels);
    const bool has_effect =
        std::any_of(event.begin(), event.end(), [](const Term& t) { return t.delta != 0; });
    if (has_effect) {
      const Term& top = event.front();
      tops[top.level].push_back(
          TopEvent{top.at_least, top.at_most, top.delta, suffixes_.add(event, 1)});
      first_idle_level_ = std::max(first_idle_level_, top.level + 1);
    }
    events_.push_back(std::move(event));
  }
  for (Level level = 0; level < levels; ++level) group_events(level, std::move(tops[level]));
}

void Relation::group_events(Level level, std::vector<TopEvent> tops) {
  std::stable_sort(tops.begin(), tops.end(),
                   [](const TopEvent& a, const TopEvent& b) { return a.delta > b.delta; });
  const std::size_t group_size = (tops.size() + kMaxGroups - 1) / kMaxGroups;
  for (std::size_t i = 0; i < tops.size(); i += group_size) {
    const auto first = tops.begin() + static_cast<std::ptrdiff_t>(i);
    const auto last =
        tops.begin() + static_cast<std::ptrdiff_t>(std::min(i + group_size, tops.size()));
    groups_[level].push_back(EventGroup{first->delta >= 0, std::vector<TopEvent>(first, last)});
  }
}

Event normalised(const Event& event, Level levels) {
  Event sorted = event;
  std::sort(sorted.begin(), sorted.end(),
            [](const Term& a, const Term& b) { return a.level < b.level; });
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    Term& term = sorted[i];
    if (term.level >= levels)
      throw std::invalid_argument("an event uses a level that does not exist");
    if (i > 0 && sorted[i - 1].level == term.level)
      throw std::invalid_argument("an event uses a level twice");
    if (term.delta > kMaxDelta || term.delta < -kMaxDelta)
      throw std::invalid_argument("an effect is too large");
    if (term.delta < 0) term.at_least = std::max(term.at_least, static_cast<Value>(-term.delta));
  }
  std::erase_if(sorted, [](const Term& t) {
    return t.delta == 0 && t.at_least == 0 && t.at_most == kNoLimit;
  });
  return sorted;
}

Event reversed(const Event& event) {
  Event result = event;
  for (Term& term : result) {
    const std::int64_t least = std::int64_t{term.at_least} + term.delta;
    const std::int64_t most = std::int64_t{term.at_most} + term.delta;
    term.at_least = static_cast<Value>(std::min<std::int64_t>(least, kNoLimit));
    const bool unlimited = term.at_most == kNoLimit || most >= kNoLimit;
    // An upper guard below what firing takes away admits nothing: neither does the reversed guard.
    term.at_most = unlimited ? kNoLimit : static_cast<Value>(std::max<std::int64_t>(most, 0));
    if (most < 0) term.at_least = 1, term.at_most = 0;
    term.delta = -term.delta;
  }
  return result;
}

Event without_effect(const Event& event) {
  Event result = event;
  for (Term& term : result) term.delta = 0;
  return result;
}

}  // namespace mpisog::mdd
