// Exact natural numbers of any size, just what counting needs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace mpisog::mdd {

class Natural {
 public:
  Natural() = default;
  explicit Natural(std::uint64_t value) {
    if (value != 0) limbs_.push_back(value);
  }
  Natural(const std::uint64_t* limbs, std::size_t count);

  Natural& operator+=(const Natural& other);
  bool operator==(const Natural&) const = default;
  const std::vector<std::uint64_t>& limbs() const {
    return limbs_;
  }  // least significant first, no leading zeros
  std::string decimal() const;
  double approximate() const;

 private:
  std::vector<std::uint64_t> limbs_;
};

}  // namespace mpisog::mdd
