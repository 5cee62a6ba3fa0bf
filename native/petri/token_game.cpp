#include "petri/token_game.hpp"

namespace mpisog::petri {

TokenGame::TokenGame(const FlatNet& net)
    : net_(net),
      tokens_(net.initial()),
      missing_(net.transitions(), 0),
      enabled_(net.transitions()),
      fingerprint_(net.initial_fingerprint()) {
  for (std::uint32_t t = 0; t < net.transitions(); ++t) {
    for (const Arc& arc : net.pre(t))
      if (tokens_[arc.place] < arc.weight) ++missing_[t];
    if (missing_[t] == 0) enabled_.insert(t);
  }
}

}  // namespace mpisog::petri
