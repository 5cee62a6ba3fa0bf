#include "mclcd/store.hpp"

#include <bit>
#include <vector>

namespace mpisog::mclcd {

namespace {

constexpr std::size_t kChunkBytes = std::size_t{1} << 20;
constexpr unsigned kLeastShift = 4;
constexpr unsigned kMostShift = 16;
// Address space is reserved for what the account allows, and for this when it allows everything.
constexpr std::size_t kMostReserved = std::size_t{1} << 44;
constexpr std::size_t kLeastReserved = std::size_t{1} << 28;

unsigned shift_for(std::size_t record_bytes) {
  const auto shift = static_cast<unsigned>(std::bit_width(kChunkBytes / record_bytes));
  return std::clamp(shift == 0 ? 0 : shift - 1, kLeastShift, kMostShift);
}

}  // namespace

Store::Store(MemoryAccount& account, unsigned threads, std::size_t words, bool with_edges)
    : account_(account),
      extra_(with_edges ? 2 : 1),
      words_(words),
      stride_(words + extra_),
      shift_(shift_for(stride_ * sizeof(Word))),
      pages_(reserve(account.limit())),
      records_(pages_.as<Word>()),
      threads_(threads),
      tables_(std::make_unique<Table[]>(threads)),
      index_(account, threads) {
  const std::size_t most_chunks = (std::size_t{1} << 32) >> shift_;
  for (unsigned worker = 0; worker < threads; ++worker)
    tables_[worker].chunks = Pages(most_chunks * sizeof(std::uint32_t));
}

Store::~Store() { account_.give_back(next_chunk_.load() * chunk_bytes(stride_)); }

// As much address space as there is, if the system sets a limit to that.
Pages Store::reserve(std::size_t bytes) {
  bytes = std::clamp(bytes, kLeastReserved, kMostReserved);
  for (;; bytes /= 2) {
    try {
      return Pages(bytes);
    } catch (const std::bad_alloc&) {
      if (bytes <= kLeastReserved) throw;
    }
  }
}

Store::Insertion Store::insert(unsigned worker, const Word* packed, std::uint64_t hash,
                               StateId father) {
  Table& table = tables_[worker];
  StateId made = petri::kNoState;
  const StateId id = index_.insert(
      hash, [&](StateId other) { return equal(packed, other); },
      [&] { return made = prepare(table, packed, father); });
  const bool fresh = id == made;
  if (fresh)
    table.size.store(table.size.load(std::memory_order_relaxed) + 1, std::memory_order_release);
  return {id, fresh};
}

// Writes the record behind the last one; it counts once the table's size says so.
StateId Store::prepare(Table& table, const Word* packed, StateId father) {
  const std::uint64_t position = table.size.load(std::memory_order_relaxed);
  if ((position >> shift_) == table.chunk_count) add_chunk(table);
  const StateId id = number(table, position);
  std::copy(packed, packed + words_, records_ + id * stride_);
  fields(id)[0] = father;
  return id;
}

void Store::add_chunk(Table& table) {
  account_.take(chunk_bytes(stride_));
  const std::uint32_t chunk = next_chunk_.fetch_add(1, std::memory_order_relaxed);
  const std::uint64_t end = (std::uint64_t{chunk} + 1) << shift_;
  if (end * stride_ * sizeof(Word) > pages_.bytes() || end > petri::kNoState)
    throw std::bad_alloc();
  table.chunks.as<std::uint32_t>()[table.chunk_count++] = chunk;
}

Range Store::take(unsigned owner, std::uint32_t most) noexcept {
  Table& table = tables_[owner];
  std::uint64_t taken = table.taken.load(std::memory_order_relaxed);
  for (;;) {
    const std::uint64_t size = table.size.load(std::memory_order_acquire);
    if (taken >= size) return {};
    // Something is left for the others, and a range does not leave its chunk.
    const std::uint64_t fair = (size - taken + 2 * threads_ - 1) / (2 * threads_);
    const std::uint64_t wanted = threads_ == 1 ? most : std::min<std::uint64_t>(most, fair);
    const std::uint64_t end = std::min({taken + wanted, size, (taken | mask()) + 1});
    if (table.taken.compare_exchange_weak(taken, end, std::memory_order_acq_rel,
                                          std::memory_order_relaxed))
      return {number(table, taken), static_cast<std::uint32_t>(end - taken)};
  }
}

bool Store::has_more(unsigned owner) const noexcept {
  const Table& table = tables_[owner];
  return table.taken.load(std::memory_order_relaxed) < table.size.load(std::memory_order_acquire);
}

void Store::rewind() noexcept {
  for (unsigned worker = 0; worker < threads_; ++worker) tables_[worker].taken.store(0);
}

std::uint64_t Store::size() const noexcept {
  std::uint64_t total = 0;
  for (unsigned worker = 0; worker < threads_; ++worker)
    total += tables_[worker].size.load(std::memory_order_relaxed);
  return total;
}

std::size_t Store::chunks(unsigned owner) const noexcept { return tables_[owner].chunk_count; }

Range Store::chunk(unsigned owner, std::size_t chunk) const noexcept {
  const Table& table = tables_[owner];
  const std::uint64_t size = table.size.load(std::memory_order_relaxed);
  const std::uint64_t begin = std::uint64_t{chunk} << shift_;
  const std::uint64_t used = size <= begin ? 0 : std::min<std::uint64_t>(size - begin, mask() + 1);
  return {table.chunks.as<std::uint32_t>()[chunk] << shift_, static_cast<std::uint32_t>(used)};
}

void Store::begin_widening(std::size_t words) {
  wider_words_ = words;
  wider_pages_ = reserve(account_.limit());
  const std::size_t needed = next_chunk_.load() * chunk_bytes(words + extra_);
  if (needed > wider_pages_.bytes()) throw std::bad_alloc();
}

void Store::widen_chunk(unsigned owner, std::size_t chunk, const petri::Layout& from,
                        const petri::Layout& to, std::size_t places) {
  const auto [first, used] = this->chunk(owner, chunk);
  const std::size_t stride = wider_words_ + extra_;
  account_.take(chunk_bytes(stride));
  const Word* old = records_ + first * stride_;
  Word* wide = wider_pages_.as<Word>() + first * stride;
  std::vector<std::int64_t> marking(places);
  for (std::size_t i = 0; i < used; ++i, old += stride_, wide += stride) {
    from.unpack(old, marking);
    to.pack(marking, wide);
    std::copy(old + words_, old + stride_, wide + wider_words_);
  }
  const std::size_t begin = first * stride_ * sizeof(Word);
  pages_.discard(begin, begin + chunk_bytes(stride_));
  account_.give_back(chunk_bytes(stride_));
}

void Store::end_widening() noexcept {
  words_ = wider_words_;
  stride_ = words_ + extra_;
  pages_ = std::move(wider_pages_);
  wider_pages_ = Pages();
  records_ = pages_.as<Word>();
}

void Store::refile_chunk(unsigned owner, std::size_t chunk) noexcept {
  const auto [first, used] = this->chunk(owner, chunk);
  for (StateId id = first; id < first + used; ++id)
    index_.refile(petri::hash_words(at(id), words_), id);
}

}  // namespace mpisog::mclcd
