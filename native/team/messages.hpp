// The messages between the ranks of a team (mpisog/team/messages.py), and those that wait to be
// sent.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sog/aggregate.hpp"
#include "team/bytes.hpp"
#include "team/plan.hpp"

namespace mpisog::team {

enum class Tag : std::uint8_t {
  ask_initial = 2,
  ask_successors = 3,
  successors = 4,
  deliver = 5,
  register_ = 6,
  registered = 7,
  claim = 8,
  claim_conflict = 9,
  built_elsewhere = 10,
  found = 11,
  raise_priority = 12,
  steal_request = 13,
  stolen_work = 14,
  no_work = 15,
  room = 22,
};

// Stands for "before the initial aggregate".
inline constexpr Digest kInitial{};

// All that the checker knows of an aggregate. Label and events that are ready are bytes: builders
// hand them on.
struct Node {
  Digest identity{};
  Rank holder = kNobody;
  bool can_stutter = false;
  const std::string* traits = nullptr;
};

inline void write(Writer& out, const Node& node) {
  out.digest(node.identity);
  out.u32(static_cast<std::uint64_t>(node.holder));
  out.flag(node.can_stutter);
  out.blob(*node.traits);
}

// Messages of one builder by receiver. `urgent`: it is waited for. The rest is what the
// checker is told before it asks, and goes along.
class Outbox {
 public:
  struct Packet {
    Rank to;
    std::string bytes;
    std::size_t messages;
  };

  Writer begin(Rank to, Tag tag, bool urgent = true) {
    Bytes& bytes = (urgent ? urgent_ : ahead_)[to];
    ++bytes.messages;
    Writer out(bytes.text);
    out.u8(static_cast<std::uint8_t>(tag));
    return out;
  }
  [[nodiscard]] std::size_t bytes() const noexcept {
    std::size_t sum = 0;
    for (const auto* const all : {&urgent_, &ahead_})
      for (const auto& [to, bytes] : *all) sum += bytes.text.size();
    return sum;
  }
  [[nodiscard]] bool urgent() const noexcept { return !urgent_.empty(); }
  [[nodiscard]] bool empty() const noexcept { return urgent_.empty() && ahead_.empty(); }
  std::vector<Packet> take() {
    for (auto& [to, bytes] : ahead_) {
      urgent_[to].text += bytes.text;
      urgent_[to].messages += bytes.messages;
    }
    std::vector<Packet> taken;
    for (auto& [to, bytes] : urgent_) taken.push_back({to, std::move(bytes.text), bytes.messages});
    urgent_.clear();
    ahead_.clear();
    return taken;
  }

 private:
  struct Bytes {
    std::string text;
    std::size_t messages = 0;
  };
  std::map<Rank, Bytes> urgent_, ahead_;
};

}  // namespace mpisog::team
