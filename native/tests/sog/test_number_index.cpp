// The index of numbers against a plain list, with hashes that often collide.
#include <algorithm>
#include <random>

#include "sog/number_index.hpp"
#include "tests/check.hpp"

using namespace mpisog;
using sog::NumberIndex;

namespace {

struct Numbered {
  std::uint64_t hash;
  std::uint32_t number;
};

void compare(std::mt19937& random, std::uint64_t different_hashes) {
  NumberIndex index;
  std::vector<Numbered> there;
  for (std::uint32_t next = 0; next < 1500; ++next) {
    const std::uint64_t hash = random() % different_hashes;
    index.add(hash, next);
    there.push_back({hash, next});
    while (there.size() > 1 && random() % 3 == 0) {
      std::swap(there[random() % there.size()], there.back());
      index.remove(there.back().hash, there.back().number);
      there.pop_back();
    }
    const auto asked = static_cast<std::uint32_t>(random() % (next + 1));
    const auto known = std::find_if(there.begin(), there.end(),
                                    [&](const Numbered& one) { return one.number == asked; });
    const std::uint64_t under = known == there.end() ? hash : known->hash;
    const std::uint32_t found =
        index.find(under, [&](std::uint32_t number) { return number == asked; });
    CHECK(found == (known == there.end() ? NumberIndex::kNone : asked));
  }
  for (const Numbered& one : there)
    CHECK(index.find(one.hash, [&](std::uint32_t number) { return number == one.number; }) ==
          one.number);
}

}  // namespace

TEST(numbers_are_found_until_they_are_removed) {
  std::mt19937 random(7);
  for (const std::uint64_t different_hashes : {1ULL, 3ULL, 40ULL, 100'000ULL})
    compare(random, different_hashes);
}
