// Reads PNML files that are nothing but places, transitions and arcs, as fast as they can be
// scanned.
//
// What is read here is what nearly all files have. Anything else - other elements and attributes,
// prefixes, entities but the five of XML, errors of any kind - is not judged here: the answer is
// that the file is not plain, and the reader that knows dialects and words its errors takes over.
#pragma once

#include <optional>
#include <string_view>

#include "pnml/plain_net.hpp"

namespace mpisog::pnml {

// The net of a whole file, or nothing when the file is not plain.
std::optional<PlainNet> read_plain(std::string_view file);

}  // namespace mpisog::pnml
