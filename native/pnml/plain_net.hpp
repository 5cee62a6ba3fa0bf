// What a plain file says, whatever its format, before it becomes a net of Python's.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mpisog::pnml {

struct NotPlain {};  // thrown: the file needs another reader

using Arcs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;  // (place, weight), by place

struct PlainPlace {
  std::string id, name;
  std::uint32_t initial = 0;
};

struct PlainTransition {
  std::string id, name;
  Arcs pre, post;
};

struct PlainNet {
  std::string id;  // empty: the file gives none
  std::vector<PlainPlace> places;
  std::vector<PlainTransition> transitions;
};

// The largest initial token count and arc weight that is read here.
inline constexpr std::uint64_t kMostTokens = 0x7FFFFFFF;

// Digits only; throws NotPlain for anything else and for more than kMostTokens.
std::uint32_t plain_number(std::string_view digits);

// Sorts by place and makes parallel arcs one.
void add_up(Arcs& arcs);

}  // namespace mpisog::pnml
