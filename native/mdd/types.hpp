// Plain types shared by every part of the kernel: identifiers, options, events, errors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

namespace mpisog::mdd {

using NodeId = std::uint32_t;  // position of a node in the arena, in words of 8 bytes
using Value = std::uint32_t;   // tokens in a place
using Level = std::uint32_t;   // position of a place in the variable order, 0 is the root
using Marking = std::vector<Value>;

inline constexpr NodeId kEmpty = 0;  // the set without any marking, at every level
inline constexpr NodeId kTrue = 1;   // the terminal below the last level
inline constexpr Value kNoLimit = std::numeric_limits<Value>::max();

// What one event does to one place: it needs at_least <= m <= at_most and adds delta.
struct Term {
  Level level = 0;
  Value at_least = 0;
  Value at_most = kNoLimit;
  std::int64_t delta = 0;
  bool operator==(const Term&) const = default;
};
using Event = std::vector<Term>;  // at most one term a level, any order

// Sum of coefficient * m(level), compared with a constant.
struct LinearTerm {
  Level level = 0;
  std::int64_t coefficient = 0;
};
enum class Comparison : std::uint8_t {
  kLess,
  kLessEqual,
  kEqual,
  kNotEqual,
  kGreaterEqual,
  kGreater
};
struct LinearConstraint {
  std::vector<LinearTerm> terms;
  Comparison comparison = Comparison::kGreaterEqual;
  std::int64_t constant = 0;
};

struct Options {
  Level levels = 0;
  std::size_t memory_budget_bytes = std::size_t{4} << 30;
  unsigned workers = 1;  // threads that share the work of one operation
  bool shared = true;  // false: the caller promises to use one thread at a time (and workers is 1)
  std::function<bool()>
      cancel;  // polled from working threads; true ends running operations with Cancelled
};

// How often, at least, Options::cancel is asked.
inline constexpr unsigned kComputationsBetweenPolls = 512;

struct Statistics {
  std::size_t nodes = 0;  // nodes in the unique table, dead ones included until collected
  std::size_t bytes = 0;  // arena, unique table and operation cache
  std::size_t peak_bytes = 0;
  std::size_t live_bytes = 0;    // without the cache, after the last collection; 0 before the first
  std::size_t cache_bytes = 0;   // those of the operation cache
  std::size_t budget_bytes = 0;  // what was given to it
  std::size_t collections = 0;   // garbage collections so far
  std::size_t cache_entries = 0;
  std::size_t computations =
      0;  // results computed rather than looked up, in finished operations and most of running ones
  const char* phase = "idle";  // what the most recently started operation does
};

struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};
struct OutOfMemory : Error {
  using Error::Error;
};
struct Cancelled : Error {
  Cancelled() : Error("operation cancelled") {}
};
struct MalformedBytes : Error {
  using Error::Error;
};
// A label whose conditions leave too many different rests on the way down.
struct TooComplex : Error {
  TooComplex() : Error("a label is too complex to be followed level by level") {}
};
struct ValueOverflow : Error {
  ValueOverflow() : Error("a place would hold more tokens than a value can express") {}
};

}  // namespace mpisog::mdd
