// Reads PNML files that are nothing but places, transitions and arcs, as fast as they can be
// scanned.
//
// What is read here is what nearly all files have. Anything else - other elements and attributes,
// prefixes, entities but the five of XML, errors of any kind - is not judged here: the answer is
// that the file is not plain, and the reader that knows dialects and words its errors takes over.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mpisog::pnml {

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

// The net of a whole file, or nothing when the file is not plain.
std::optional<PlainNet> read_plain(std::string_view file);

}  // namespace mpisog::pnml
