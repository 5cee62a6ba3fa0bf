// Thrown where work ends early because somebody wants it to.
#pragma once

#include <exception>

namespace mpisog::sog {

class Stopped : public std::exception {
 public:
  [[nodiscard]] const char* what() const noexcept override { return "the work was stopped"; }
};

}  // namespace mpisog::sog
