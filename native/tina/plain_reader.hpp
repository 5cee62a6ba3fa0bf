// Reads Tina files whose lines are plain: `net n`, `pl p (2)`, `tr t p q*2 -> r`, and no others.
//
// As in pnml/plain_reader.hpp, nothing is judged here: labels, comments, intervals, names with
// spaces, escapes or beyond ASCII, declarations over several lines and every error are left to the
// other reader.
#pragma once

#include <optional>
#include <string_view>

#include "pnml/plain_net.hpp"

namespace mpisog::tina {

// The net of a whole file, or nothing when the file is not plain.
std::optional<pnml::PlainNet> read_plain(std::string_view file);

}  // namespace mpisog::tina
