// Storage of nodes and the unique table that gives equal nodes one identifier.
//
// A node is a header word followed by its children. Most nodes cover a contiguous range of token
// counts: they store the first value and one child for each value (kEmpty for holes). Nodes with
// large gaps store the values too. Which form is used depends on the content only, so that equal
// nodes are equal words. The last half word of a node is its signature: bit k is clear when the
// place k levels below holds no token in any marking of the node. Nodes with many edges have all
// bits set, which says nothing. All paths from the root to the terminal have one edge per level,
// hence a node belongs to one level only.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "memory.hpp"
#include "types.hpp"

namespace mpisog::mdd {

// The edges of one node. Entry i leads with value(i) to child(i), which is kEmpty in holes of dense
// nodes.
struct NodeView {
  std::uint32_t size;
  Value first;
  const Value* values;  // null when dense
  const NodeId* children;
  std::uint32_t signature;

  Value value(std::uint32_t i) const { return values != nullptr ? values[i] : first + i; }
  NodeId child(std::uint32_t i) const { return children[i]; }
};

// A stretch of the arena that belongs to one thread; new nodes are written at the cursor.
struct Region {
  std::uint64_t* cursor = nullptr;
  std::uint64_t* end = nullptr;
};

class NodeStore {
 public:
  // A thread may make some nodes for every level before it can stand still for the table to grow,
  // so that the table begins with room for that.
  NodeStore(std::size_t arena_limit_bytes, bool shared, Level levels = 0);

  NodeView view(NodeId id) const {
    const std::uint64_t* node = words_ + id;
    const auto* data = reinterpret_cast<const std::uint32_t*>(node + 1);
    const auto meta = static_cast<std::uint32_t>(*node >> 32);
    const std::uint32_t size = meta >> kSizeShift;
    const bool sparse = (meta & kSparse) != 0;
    const std::uint32_t used = sparse ? 2 * size : size;
    return {size, static_cast<Value>(*node), sparse ? data : nullptr, sparse ? data + size : data,
            data[used | 1U]};
  }

  void prefetch(NodeId id) const { __builtin_prefetch(words_ + id); }
  NodeId find_child(NodeId id, Value value) const;

  // Identifier of the node with these edges: values ascend, no child is empty. Sets is_new for a
  // fresh node.
  NodeId intern(Region& region, const Value* values, const NodeId* children, std::uint32_t size,
                bool& is_new);

  std::size_t table_size() const { return std::size_t{1} << table_bits_; }
  std::size_t table_bytes() const { return table_size() * sizeof(std::uint64_t); }
  std::size_t arena_used_bytes() const {
    return top_.load(std::memory_order_relaxed) * sizeof(std::uint64_t);
  }
  // Bytes in use that are not known to be free: what decides about the next collection.
  std::size_t occupied_bytes() const {
    return (top_.load(std::memory_order_relaxed) - free_words_.load(std::memory_order_relaxed)) *
           sizeof(std::uint64_t);
  }
  std::size_t arena_limit_bytes() const { return limit_words_ * sizeof(std::uint64_t); }

  // The remaining functions need all threads to be stopped.
  bool can_grow_table() const { return 2 * table_bytes() <= table_memory_.bytes(); }
  std::span<std::byte> table_growth() const {  // what the table will use after it has grown
    return table_memory_.part(table_bytes(), 2 * table_bytes());
  }
  void grow_table();                  // to twice its size
  void close_region(Region& region);  // makes the unused rest walkable
  void mark_from(NodeId root);
  void unmark();  // all nodes, where memory ran out on the way
  bool is_marked(NodeId id) const { return id <= kTrue || (words_[id] & kMarkBit) != 0; }
  std::size_t keep_marked_in_table();  // number of nodes kept
  void sweep();                        // unmarks live nodes, gathers the holes between them

 private:
  static constexpr unsigned kSizeShift = 2;
  static constexpr std::uint32_t kSparse = 2;
  static constexpr std::uint64_t kMarkBit = std::uint64_t{1} << 32;
  static constexpr std::size_t kChunkWords = 4096;
  static constexpr std::size_t kSmallHole =
      32;  // holes below this size are kept apart by exact size

  static std::uint64_t header(Value first, std::uint32_t size, bool sparse) {
    return (std::uint64_t{(size << kSizeShift) | (sparse ? kSparse : 0U)} << 32) | first;
  }
  static std::size_t words_for(std::size_t size, bool sparse) {
    if (size == 0) return 1;  // only fillers have no edges
    return sparse ? 2 + size : 2 + size / 2;
  }
  static std::size_t words_of(std::uint64_t head) {
    const auto meta = static_cast<std::uint32_t>(head >> 32);
    const std::size_t size = meta >> kSizeShift;
    return words_for(size, (meta & kSparse) != 0);
  }
  static void write_filler(std::uint64_t* start, std::size_t words);
  void refill(Region& region, std::size_t words);
  std::size_t chunk_at(std::size_t top) const;
  bool take_hole(Region& region, std::size_t words);
  std::size_t home_of(std::uint64_t entry) const { return entry >> 32 >> (32 - table_bits_); }
  void insert(std::uint64_t entry);
  NodeId find_or_insert(Region& region, std::size_t words, bool& is_new);
  std::uint32_t signature_of(const NodeView& node) const;
  void add_hole(std::size_t start, std::size_t words);

  Reservation arena_;
  std::uint64_t* words_;
  std::size_t limit_words_;
  std::atomic<std::size_t> top_;
  std::atomic<std::size_t> free_words_{0};

  Reservation table_memory_;
  std::uint64_t* table_;
  unsigned table_bits_;
  bool shared_;

  struct Hole {
    std::size_t start, words;
  };
  std::mutex holes_mutex_;
  std::vector<std::size_t> small_holes_[kSmallHole];
  std::vector<Hole> large_holes_;
  std::vector<NodeId> mark_stack_;
};

}  // namespace mpisog::mdd
