#include "node_store.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>
#include <utility>

#include "memory/limit.hpp"
#include "op_cache.hpp"

namespace mpisog::mdd {

namespace {

constexpr unsigned kLeastTableBits = 14;
constexpr std::size_t kSlotsPerLevel = 16;
constexpr std::size_t kSmallArena = std::size_t{4} << 20;
constexpr std::uint64_t kNoSignature = 0xFFFFFFFFU;
constexpr std::size_t kManyLate = 1024;
constexpr std::uint32_t kMaxSignedEdges = 8;  // looking at more children costs more than it saves
constexpr std::size_t kMaxArenaBytes = std::size_t{32}
                                       << 30;  // what 32-bit identifiers can address

std::uint64_t hash_words(const std::uint64_t* words, std::size_t count) {
  std::uint64_t hash = mix(words[0], count);
  for (std::size_t i = 1; i < count; ++i) hash = mix(hash, words[i]);
  return hash;
}

unsigned initial_table_bits(Level levels) {
  const auto wanted = static_cast<unsigned>(std::bit_width(kSlotsPerLevel * levels));
  return std::max(kLeastTableBits, wanted);
}

}  // namespace

NodeStore::NodeStore(std::size_t arena_limit_bytes, bool shared, Level levels)
    : arena_(std::min(std::max(arena_limit_bytes, std::size_t{1} << 16), kMaxArenaBytes),
             kSmallArena),
      words_(arena_.as<std::uint64_t>()),
      limit_words_(arena_.bytes() / sizeof(std::uint64_t)),
      top_(2),  // words 0 and 1 stand for the terminals
      table_memory_(
          std::max(std::bit_floor(arena_.bytes()),
                   (std::size_t{1} << initial_table_bits(levels)) * sizeof(std::uint64_t)),
          kSmallArena),
      table_(table_memory_.as<std::uint64_t>()),
      table_bits_(initial_table_bits(levels)),
      shared_(shared) {}

NodeId NodeStore::intern(Region& region, const Value* values, const NodeId* children,
                         std::uint32_t size, bool& is_new) {
  const std::uint64_t range = std::uint64_t{values[size - 1]} - values[0] + 1;
  const bool sparse = range > 2 * std::uint64_t{size};
  const auto slots = sparse ? size : static_cast<std::uint32_t>(range);
  const std::size_t words = words_for(slots, sparse);
  if (static_cast<std::size_t>(region.end - region.cursor) < words) refill(region, words);

  region.cursor[0] = header(values[0], slots, sparse);
  region.cursor[words - 1] = 0;  // no padding and no signature yet
  auto* data = reinterpret_cast<std::uint32_t*>(region.cursor + 1);
  if (sparse) {
    std::memcpy(data, values, size * sizeof(Value));
    std::memcpy(data + size, children, size * sizeof(NodeId));
  } else if (range == size) {
    std::memcpy(data, children, size * sizeof(NodeId));
  } else {
    std::memset(data, 0, slots * sizeof(NodeId));
    for (std::uint32_t i = 0; i < size; ++i) data[values[i] - values[0]] = children[i];
  }
  return find_or_insert(region, words, is_new);
}

NodeId NodeStore::find_child(NodeId id, Value value) const {
  const NodeView node = view(id);
  if (node.values == nullptr) {
    return value >= node.first && value - node.first < node.size ? node.child(value - node.first)
                                                                 : kEmpty;
  }
  const Value* const place = std::lower_bound(node.values, node.values + node.size, value);
  return place != node.values + node.size && *place == value ? node.children[place - node.values]
                                                             : kEmpty;
}

std::uint32_t NodeStore::signature_of(const NodeView& node) const {
  std::uint32_t below = 0;
  if (node.size > kMaxSignedEdges) {
    below = 0xFFFFFFFFU;
  } else {
    for (std::uint32_t i = 0; i < node.size; ++i) {
      if (node.child(i) > kTrue) below |= view(node.child(i)).signature;
    }
  }
  return (below << 1) | (node.value(node.size - 1) > 0 ? 1U : 0U);
}

NodeId NodeStore::find_or_insert(Region& region, std::size_t words, bool& is_new) {
  const std::uint64_t* const node = region.cursor;
  const std::uint64_t tag = hash_words(node, words) >> 32;
  const auto id = static_cast<NodeId>(node - words_);
  const std::uint64_t entry = (tag << 32) | id;
  const std::size_t mask = table_size() - 1;
  const std::size_t home = home_of(entry);
  for (std::size_t probes = 0;; ++probes) {
    if (probes > mask) throw OutOfMemory("the unique table is full");
    std::atomic_ref slot(table_[(home + probes) & mask]);
    std::uint64_t seen = slot.load(std::memory_order_acquire);
    if (seen == 0) {
      region.cursor[words - 1] |= std::uint64_t{signature_of(view(id))} << 32;
      if (!shared_) {
        slot.store(entry, std::memory_order_relaxed);
      } else if (!slot.compare_exchange_strong(seen, entry, std::memory_order_acq_rel,
                                               std::memory_order_acquire)) {
        // Lost the slot to another thread, whose node may be this very one: seen holds it now.
      }
      if (seen == 0) {
        region.cursor += words;
        is_new = true;
        return id;
      }
      region.cursor[words - 1] &= kNoSignature;
    }
    if ((seen >> 32) == tag) {
      const auto other = static_cast<NodeId>(seen);
      if (std::equal(node, node + words - 1, words_ + other) &&
          node[words - 1] == (words_[other + words - 1] & kNoSignature)) {
        is_new = false;
        return other;
      }
    }
  }
}

void NodeStore::write_filler(std::uint64_t* start, std::size_t words) {
  if (words > 0)
    *start = header(0, words == 1 ? 0 : static_cast<std::uint32_t>(2 * words - 3), false);
}

void NodeStore::close_region(Region& region) {
  write_filler(region.cursor, static_cast<std::size_t>(region.end - region.cursor));
  region = Region{};
}

void NodeStore::refill(Region& region, std::size_t words) {
  const std::lock_guard lock(holes_mutex_);
  close_region(region);
  if (take_hole(region, words)) return;
  const std::size_t top = top_.load(std::memory_order_relaxed);
  const std::size_t wanted = std::max(words, chunk_at(top));
  const std::size_t available = limit_words_ - top;
  if (available < words) throw OutOfMemory("the memory budget of the decision diagrams is used up");
  const std::size_t taken = std::min(wanted, available);
  constexpr std::size_t kWordsBetweenLooks = (std::size_t{1} << 20) / sizeof(std::uint64_t);
  if (top / kWordsBetweenLooks != (top + taken) / kWordsBetweenLooks &&
      !memory::fits(taken * sizeof(std::uint64_t)))
    throw OutOfMemory("the memory limit is reached");
  region = Region{words_ + top, words_ + top + taken};
  top_.store(top + taken, std::memory_order_relaxed);
}

// Two threads that use a large page for the first time at the same moment have the system clear it
// twice, so they get large pages of their own.
std::size_t NodeStore::chunk_at(std::size_t top) const {
  constexpr std::size_t kLargePageWords = (std::size_t{2} << 20) / sizeof(std::uint64_t);
  if (!shared_ || top * sizeof(std::uint64_t) < kSmallArena) return kChunkWords;
  const std::size_t at = reinterpret_cast<std::uintptr_t>(words_ + top) / sizeof(std::uint64_t);
  return kLargePageWords - at % kLargePageWords;
}

bool NodeStore::take_hole(Region& region, std::size_t words) {
  const auto use = [&](std::size_t start, std::size_t length) {
    region = Region{words_ + start, words_ + start + length};
    free_words_.fetch_sub(length, std::memory_order_relaxed);
    return true;
  };
  if (!large_holes_.empty() && large_holes_.back().words >= words) {
    const Hole hole = large_holes_.back();
    large_holes_.pop_back();
    return use(hole.start, hole.words);
  }
  for (std::size_t length = words; length < kSmallHole; ++length) {
    if (small_holes_[length].empty()) continue;
    const std::size_t start = small_holes_[length].back();
    small_holes_[length].pop_back();
    return use(start, length);
  }
  return false;
}

void NodeStore::insert(std::uint64_t entry) {
  std::size_t slot = home_of(entry);
  while (table_[slot] != 0) slot = (slot + 1) & (table_size() - 1);
  table_[slot] = entry;
}

// In place, because fresh memory is dear, and from the end, because entries move up. The few whose
// new place is among those that have not moved yet come last.
void NodeStore::grow_table() {
  std::vector<std::uint64_t> late;
  late.reserve(kManyLate);  // nothing should fail once entries move
  const std::size_t old_size = table_size();
  ++table_bits_;
  for (std::size_t i = old_size; i-- > 0;) {
    const std::uint64_t entry = table_[i];
    if (entry == 0) continue;
    table_[i] = 0;
    std::size_t slot = home_of(entry);
    const bool is_late = slot < i;
    while (!is_late && slot < table_size() && table_[slot] != 0) ++slot;
    if (is_late || slot == table_size()) {
      late.push_back(entry);
    } else {
      table_[slot] = entry;
    }
  }
  for (const std::uint64_t entry : late) insert(entry);
}

void NodeStore::mark_from(NodeId root) {
  const auto visit = [&](NodeId id) {
    if (is_marked(id)) return;
    words_[id] |= kMarkBit;
    mark_stack_.push_back(id);
  };
  visit(root);
  while (!mark_stack_.empty()) {
    const NodeView node = view(mark_stack_.back());
    mark_stack_.pop_back();
    for (std::uint32_t i = 0; i < node.size; ++i) visit(node.child(i));
  }
}

// What was marked for nothing would keep its children from being marked the next time.
void NodeStore::unmark() {
  mark_stack_.clear();
  const std::size_t top = top_.load(std::memory_order_relaxed);
  for (std::size_t at = 2; at < top; at += words_of(words_[at])) words_[at] &= ~kMarkBit;
}

// Without any memory, of which there is little when this is needed. It starts behind a free slot,
// so that every entry comes after the slot where it is looked for first.
std::size_t NodeStore::keep_marked_in_table() {
  std::size_t start = 0;
  while (table_[start] != 0) ++start;
  std::size_t kept = 0;
  for (std::size_t step = 1; step < table_size(); ++step) {
    const std::uint64_t entry = std::exchange(table_[(start + step) & (table_size() - 1)], 0);
    if (entry == 0 || !is_marked(static_cast<NodeId>(entry))) continue;
    insert(entry);
    ++kept;
  }
  return kept;
}

void NodeStore::add_hole(std::size_t start, std::size_t words) {
  if (words == 0) return;
  // A filler cannot express more words than a node, so very long holes become several.
  constexpr std::size_t kLongest = std::size_t{1} << 24;
  for (; words > kLongest; start += kLongest, words -= kLongest) add_hole(start, kLongest);
  write_filler(words_ + start, words);
  if (words < 2) return;
  try {
    if (words < kSmallHole) {
      small_holes_[words].push_back(start);
    } else {
      large_holes_.push_back(Hole{start, words});
    }
  } catch (const std::bad_alloc&) {
    return;  // nobody gets it until the next time
  }
  free_words_.fetch_add(words, std::memory_order_relaxed);
}

void NodeStore::sweep() {
  for (auto& holes : small_holes_) holes.clear();
  large_holes_.clear();
  free_words_.store(0, std::memory_order_relaxed);
  std::size_t top = top_.load(std::memory_order_relaxed);
  std::size_t hole_start = 2;
  for (std::size_t at = 2; at < top;) {
    const std::size_t words = words_of(words_[at]);
    if ((words_[at] & kMarkBit) != 0) {
      words_[at] &= ~kMarkBit;
      add_hole(hole_start, at - hole_start);
      hole_start = at + words;
    }
    at += words;
  }
  // What is free at the end is given back to the system rather than kept as a hole.
  top_.store(hole_start, std::memory_order_relaxed);
  if (top > hole_start) arena_.discard_from(hole_start * sizeof(std::uint64_t));
  // The largest holes are used first: they are at the back.
  std::sort(large_holes_.begin(), large_holes_.end(), [](const Hole& a, const Hole& b) {
    return a.words != b.words ? a.words < b.words : a.start > b.start;
  });
}

}  // namespace mpisog::mdd
