#include "bits/set.hpp"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <stdexcept>

namespace mpisog::bits {

namespace {

std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) noexcept {
  hash = (hash ^ value) * 0xFF51AFD7ED558CCDULL;
  return hash ^ (hash >> 32);
}

StateId population(std::span<const Word> words) noexcept {
  std::size_t count = 0;
  for (const Word word : words) count += static_cast<std::size_t>(std::popcount(word));
  return static_cast<StateId>(count);
}

std::vector<Word> to_words(StateId universe, std::span<const StateId> members) {
  std::vector<Word> words(words_for(universe));
  for (const StateId id : members) set_bit(words.data(), id);
  return words;
}

// Bitmaps that nobody uses, all bits cleared. A search needs three at most.
constexpr std::size_t kMostLent = 4;

std::vector<std::vector<Word>>& lent_words() {
  thread_local std::vector<std::vector<Word>> words;
  return words;
}

std::vector<Word> borrow_words(std::size_t size) {
  auto& lent = lent_words();
  if (!lent.empty() && lent.back().size() != size) lent.clear();  // of another net
  if (lent.empty()) {
    lent.reserve(kMostLent);
    return std::vector<Word>(size);
  }
  std::vector<Word> words = std::move(lent.back());
  lent.pop_back();
  return words;
}

void require_same_universe(const Set& a, const Set& b) {
  if (a.universe() != b.universe()) throw std::invalid_argument("sets of different domains");
}

}  // namespace

Set Set::full(StateId universe) {
  std::vector<Word> words(words_for(universe), ~Word{0});
  if (universe % kWordBits != 0) words.back() = (Word{1} << (universe % kWordBits)) - 1;
  return of_words(universe, std::move(words));
}

Set Set::of_members(StateId universe, std::vector<StateId> members) {
  Set set(universe);
  set.count_ = static_cast<StateId>(members.size());
  if (set.dense())
    set.words_ = to_words(universe, members);
  else
    set.members_ = std::move(members);
  set.members_.shrink_to_fit();  // sets are kept
  return set;
}

Set Set::of_words(StateId universe, std::vector<Word> words) {
  Set set(universe);
  set.count_ = population(words);
  if (set.dense()) {
    set.words_ = std::move(words);
    return set;
  }
  set.members_.reserve(set.count_);
  for_each_bit(words, 0, [&](StateId id) {
    set.members_.push_back(id);
    return true;
  });
  return set;
}

std::size_t Set::first_at_least(StateId id) const noexcept {
  const auto found = std::lower_bound(members_.begin(), members_.end(), id);
  return static_cast<std::size_t>(found - members_.begin());
}

bool Set::contains(StateId id) const noexcept {
  if (id >= universe_) return false;
  if (dense()) return test_bit(words_.data(), id);
  return std::binary_search(members_.begin(), members_.end(), id);
}

StateId Set::smallest() const noexcept {
  StateId found = petri::kNoState;
  visit_from(0, [&](StateId id) {
    found = id;
    return false;
  });
  return found;
}

std::uint64_t Set::hash() const noexcept {
  const std::atomic_ref<std::uint64_t> known(hash_);
  std::uint64_t hash = known.load(std::memory_order_relaxed);
  if (hash != 0) return hash;
  hash = mixed(universe_, count_);
  for (const StateId id : members_) hash = mixed(hash, id);
  for (const Word word : words_) hash = mixed(hash, word);
  hash |= 1;
  known.store(hash, std::memory_order_relaxed);
  return hash;
}

bool operator==(const Set& a, const Set& b) noexcept {
  return a.universe_ == b.universe_ && a.count_ == b.count_ && a.members_ == b.members_ &&
         a.words_ == b.words_;
}

Set unite(const Set& a, const Set& b) {
  require_same_universe(a, b);
  const Set& large = a.count_ < b.count_ ? b : a;
  const Set& small = a.count_ < b.count_ ? a : b;
  if (!large.dense()) {
    std::vector<StateId> members;
    members.reserve(large.members_.size() + small.members_.size());
    std::set_union(large.members_.begin(), large.members_.end(), small.members_.begin(),
                   small.members_.end(), std::back_inserter(members));
    return Set::of_members(large.universe_, std::move(members));
  }
  std::vector<Word> words = large.words_;
  if (small.dense())
    for (std::size_t w = 0; w < words.size(); ++w) words[w] |= small.words_[w];
  else
    for (const StateId id : small.members_) set_bit(words.data(), id);
  return Set::of_words(large.universe_, std::move(words));
}

Set intersect(const Set& a, const Set& b) {
  require_same_universe(a, b);
  const Set& large = a.count_ < b.count_ ? b : a;
  const Set& small = a.count_ < b.count_ ? a : b;
  if (small.dense()) {
    std::vector<Word> words = large.words_;
    for (std::size_t w = 0; w < words.size(); ++w) words[w] &= small.words_[w];
    return Set::of_words(large.universe_, std::move(words));
  }
  std::vector<StateId> members;
  if (large.dense())
    std::copy_if(small.members_.begin(), small.members_.end(), std::back_inserter(members),
                 [&](StateId id) { return test_bit(large.words_.data(), id); });
  else
    std::set_intersection(small.members_.begin(), small.members_.end(), large.members_.begin(),
                          large.members_.end(), std::back_inserter(members));
  return Set::of_members(large.universe_, std::move(members));
}

Set subtract(const Set& a, const Set& b) {
  require_same_universe(a, b);
  if (a.dense()) {
    std::vector<Word> words = a.words_;
    if (b.dense())
      for (std::size_t w = 0; w < words.size(); ++w) words[w] &= ~b.words_[w];
    else
      for (const StateId id : b.members_) words[id / kWordBits] &= ~(Word{1} << (id % kWordBits));
    return Set::of_words(a.universe_, std::move(words));
  }
  std::vector<StateId> members;
  if (b.dense())
    std::copy_if(a.members_.begin(), a.members_.end(), std::back_inserter(members),
                 [&](StateId id) { return !test_bit(b.words_.data(), id); });
  else
    std::set_difference(a.members_.begin(), a.members_.end(), b.members_.begin(), b.members_.end(),
                        std::back_inserter(members));
  return Set::of_members(a.universe_, std::move(members));
}

Collector::Collector(StateId universe)
    : universe_(universe), words_(borrow_words(words_for(universe))) {}

Collector::~Collector() {
  if (words_.empty()) return;  // given away, or nothing could be in it
  auto& lent = lent_words();
  if (lent.size() == lent.capacity()) return;
  clear();
  lent.push_back(std::move(words_));
}

void Collector::clear() noexcept {
  if (members_.size() > words_.size()) {
    std::fill(words_.begin(), words_.end(), Word{0});
  } else {
    for (const StateId id : members_) words_[id / kWordBits] = 0;
  }
}

Set Collector::finish() && {
  if (Set::is_dense(universe_, static_cast<StateId>(members_.size())))
    return Set::of_words(universe_, std::exchange(words_, {}));
  clear();  // while the list of members is still here
  std::sort(members_.begin(), members_.end());
  return Set::of_members(universe_, std::move(members_));
}

Lookup::Lookup(const Set& set) : words_(set.words().data()) {
  if (set.dense()) return;
  own_.emplace(set.universe());
  for (const StateId id : set.members()) own_->add(id);
}

}  // namespace mpisog::bits
