// The markings found so far, by all threads.
//
// A marking's number is its place in one large array of records, of which every thread takes a
// chunk at a time. So a thread's own markings are a queue in order of discovery: from its front
// any thread takes what is to be done next, and no other list of work is needed. A record is the
// packed marking, the number of the marking it was reached from first, a label, and, where edges
// are kept, the head of the list of edges that lead here.
#pragma once

#include <algorithm>
#include <atomic>
#include <memory>

#include "mclcd/index.hpp"
#include "mclcd/memory.hpp"
#include "petri/layout.hpp"

namespace mpisog::mclcd {

using petri::Word;

// Numbers that follow one another.
struct Range {
  StateId first = 0;
  std::uint32_t count = 0;
};

class Store {
 public:
  Store(MemoryAccount& account, unsigned threads, std::size_t words, bool with_edges);
  ~Store();
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  struct Insertion {
    StateId id;
    bool fresh;
  };
  // `hash` must be hash_words() of the marking; room in the index must have been claimed.
  Insertion insert(unsigned worker, const Word* packed, std::uint64_t hash, StateId father);
  [[nodiscard]] StateId find(const Word* packed, std::uint64_t hash) const noexcept {
    return index_.find(hash, [&](StateId id) { return equal(packed, id); });
  }
  void prefetch(StateId id) const noexcept {
    __builtin_prefetch(at(id));
    __builtin_prefetch(at(id) + words_);
  }

  [[nodiscard]] const Word* at(StateId id) const noexcept { return records_ + id * stride_; }
  [[nodiscard]] StateId father(StateId id) const noexcept { return fields(id)[0]; }
  [[nodiscard]] std::atomic_ref<std::uint32_t> label(StateId id) const noexcept {
    return std::atomic_ref<std::uint32_t>(fields(id)[1]);
  }
  [[nodiscard]] std::atomic_ref<std::uint32_t> edges(StateId id) const noexcept {
    return std::atomic_ref<std::uint32_t>(fields(id)[2]);
  }

  // Takes the next markings of a thread's queue, at most so many; none: an empty range.
  Range take(unsigned owner, std::uint32_t most) noexcept;
  [[nodiscard]] bool has_more(unsigned owner) const noexcept;
  // From now on take() begins again with the first ones. Nobody may be in it.
  void rewind() noexcept;

  [[nodiscard]] std::uint64_t size() const noexcept;
  [[nodiscard]] std::size_t record_bytes() const noexcept { return stride_ * sizeof(Word); }
  [[nodiscard]] Index& index() noexcept { return index_; }
  [[nodiscard]] const Index& index() const noexcept { return index_; }

  // Widening, while all threads pause: begin; then every chunk, shared among the threads; then,
  // after a meeting, refile for every chunk; then end. A chunk is named by thread and number.
  [[nodiscard]] std::size_t chunks(unsigned owner) const noexcept;
  [[nodiscard]] Range chunk(unsigned owner, std::size_t chunk) const noexcept;
  void begin_widening(std::size_t words);
  void widen_chunk(unsigned owner, std::size_t chunk, const petri::Layout& from,
                   const petri::Layout& to, std::size_t places);
  void end_widening() noexcept;
  void refile_chunk(unsigned owner, std::size_t chunk) noexcept;

 private:
  // What one thread has found; `taken` is where other threads meddle.
  struct Table {
    alignas(64) std::atomic<std::uint64_t> size = 0;
    Pages chunks;  // their numbers
    std::size_t chunk_count = 0;
    alignas(64) std::atomic<std::uint64_t> taken = 0;
  };

  [[nodiscard]] std::uint32_t* fields(StateId id) const noexcept {
    return reinterpret_cast<std::uint32_t*>(records_ + id * stride_ + words_);
  }
  [[nodiscard]] bool equal(const Word* packed, StateId id) const noexcept {
    return std::equal(packed, packed + words_, at(id));
  }
  [[nodiscard]] StateId number(const Table& table, std::uint64_t position) const noexcept {
    const std::uint32_t chunk = table.chunks.as<std::uint32_t>()[position >> shift_];
    return (chunk << shift_) | static_cast<StateId>(position & mask());
  }
  [[nodiscard]] std::uint64_t mask() const noexcept { return (std::uint64_t{1} << shift_) - 1; }
  [[nodiscard]] std::size_t chunk_bytes(std::size_t stride) const noexcept {
    return (stride << shift_) * sizeof(Word);
  }
  StateId prepare(Table& table, const Word* packed, StateId father);
  void add_chunk(Table& table);
  static Pages reserve(std::size_t bytes);

  MemoryAccount& account_;
  const std::size_t extra_;  // words of a record beside the marking
  std::size_t words_;
  std::size_t stride_;
  unsigned shift_;
  Pages pages_;
  Word* records_;
  std::atomic<std::uint32_t> next_chunk_ = 0;
  const unsigned threads_;
  std::unique_ptr<Table[]> tables_;
  Index index_;
  // While fields are widened.
  Pages wider_pages_;
  std::size_t wider_words_ = 0;
};

}  // namespace mpisog::mclcd
