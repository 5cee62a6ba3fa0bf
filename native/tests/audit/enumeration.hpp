// All small nets up to the names of places and transitions.
#pragma once

#include <algorithm>
#include <numeric>

#include "tests/audit/tiny_net.hpp"

namespace mpisog::audit {

struct Family {
  std::size_t places;
  std::size_t transitions;
  std::int32_t weight;  // the largest
  std::int32_t tokens;  // the most in a place at first
  std::size_t arcs;     // the most at a transition
  bool proper;          // only bounded nets in which each transition fires somewhere
};

// Transitions are numbered. A net without its tokens is an ascending list of such numbers, the
// smallest of those that renaming places gives.
class Enumeration {
 public:
  explicit Enumeration(const Family& family) : family_(family) {
    const auto base = static_cast<std::uint32_t>(family.weight + 1);
    std::uint32_t codes = 1;
    for (std::size_t i = 0; i < 2 * family.places; ++i) codes *= base;
    std::vector<std::uint32_t> number(codes);
    for (std::uint32_t code = 0; code < codes; ++code) {
      const Arrow arrow = decoded(code);
      if (arcs_of(arrow) > family.arcs) continue;
      number[code] = static_cast<std::uint32_t>(arrows_.size());
      arrows_.push_back(arrow);
    }
    std::vector<std::size_t> names(family.places);
    std::iota(names.begin(), names.end(), 0);
    do {
      renamings_.push_back(names);
      std::vector<std::uint32_t> table;
      for (const Arrow& before : arrows_) {
        Arrow after;
        for (std::size_t p = 0; p < family.places; ++p) {
          after.pre[names[p]] = before.pre[p];
          after.post[names[p]] = before.post[p];
        }
        table.push_back(number[encoded(after)]);
      }
      tables_.push_back(std::move(table));
    } while (std::next_permutation(names.begin(), names.end()));
  }

  // Calls `visit(net)` for every net whose structure is one of those that `wanted(number)` asks
  // for.
  template <class Wanted, class Visit>
  void each(Wanted&& wanted, Visit&& visit) const {
    std::vector<std::uint32_t> codes(family_.transitions, 0);
    std::uint64_t number = 0;
    while (true) {
      if (is_smallest(codes) && wanted(number++)) each_marking(codes, visit);
      std::size_t at = codes.size();
      while (at > 0 && codes[at - 1] + 1 == arrows_.size()) --at;
      if (at == 0) return;
      std::fill(codes.begin() + static_cast<std::ptrdiff_t>(at) - 1, codes.end(),
                codes[at - 1] + 1);
    }
  }

 private:
  static std::size_t arcs_of(const Arrow& arrow) {
    std::size_t arcs = 0;
    for (const Tokens* side : {&arrow.pre, &arrow.post})
      for (const std::int32_t weight : *side) arcs += weight != 0 ? 1 : 0;
    return arcs;
  }

  [[nodiscard]] Arrow decoded(std::uint32_t code) const {
    const auto base = static_cast<std::uint32_t>(family_.weight + 1);
    Arrow arrow;
    for (Tokens* side : {&arrow.pre, &arrow.post})
      for (std::size_t p = 0; p < family_.places; ++p) {
        (*side)[p] = static_cast<std::int32_t>(code % base);
        code /= base;
      }
    return arrow;
  }

  [[nodiscard]] std::uint32_t encoded(const Arrow& arrow) const {
    const auto base = static_cast<std::uint32_t>(family_.weight + 1);
    std::uint32_t code = 0;
    for (const Tokens* side : {&arrow.post, &arrow.pre})
      for (std::size_t p = family_.places; p-- > 0;)
        code = code * base + static_cast<std::uint32_t>((*side)[p]);
    return code;
  }

  [[nodiscard]] std::vector<std::uint32_t> renamed(const std::vector<std::uint32_t>& codes,
                                                   std::size_t renaming) const {
    std::vector<std::uint32_t> result(codes.size());
    for (std::size_t i = 0; i < codes.size(); ++i) result[i] = tables_[renaming][codes[i]];
    std::sort(result.begin(), result.end());
    return result;
  }

  [[nodiscard]] bool is_smallest(const std::vector<std::uint32_t>& codes) const {
    for (std::size_t i = 1; i < tables_.size(); ++i) {
      std::uint32_t least = tables_[i][codes[0]];
      for (const std::uint32_t code : codes) least = std::min(least, tables_[i][code]);
      if (least < codes[0]) return false;
      if (least == codes[0] && renamed(codes, i) < codes) return false;
    }
    return true;
  }

  template <class Visit>
  void each_marking(const std::vector<std::uint32_t>& codes, Visit& visit) const {
    std::vector<std::size_t> symmetries;
    for (std::size_t i = 1; i < tables_.size(); ++i)
      if (renamed(codes, i) == codes) symmetries.push_back(i);
    TinyNet net;
    for (const std::uint32_t code : codes) net.transitions.push_back(arrows_[code]);
    while (true) {
      if (is_smallest(net.initial, symmetries)) visit(net);
      std::size_t p = 0;
      while (p < family_.places && net.initial[p] == family_.tokens) net.initial[p++] = 0;
      if (p == family_.places) return;
      ++net.initial[p];
    }
  }

  [[nodiscard]] bool is_smallest(const Tokens& m,
                                 const std::vector<std::size_t>& symmetries) const {
    return std::all_of(symmetries.begin(), symmetries.end(), [&](std::size_t i) {
      Tokens other{};
      for (std::size_t p = 0; p < family_.places; ++p) other[renamings_[i][p]] = m[p];
      return m <= other;
    });
  }

  Family family_;
  std::vector<Arrow> arrows_;
  std::vector<std::vector<std::size_t>> renamings_;
  std::vector<std::vector<std::uint32_t>> tables_;  // by renaming: what each number becomes
};

}  // namespace mpisog::audit
