// Values to bytes and back (mpisog/transport/codec.py): little-endian, lengths first.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "team/digest.hpp"

namespace mpisog::team {

class MalformedMessage : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Writer {
 public:
  explicit Writer(std::string& to) : to_(to) {}
  void u8(std::uint8_t value) { to_.push_back(static_cast<char>(value)); }
  void flag(bool value) { u8(value ? 1 : 0); }
  void u32(std::uint64_t value) { number(value, 4); }
  void i64(std::int64_t value) { number(static_cast<std::uint64_t>(value), 8); }
  void digest(const Digest& value) {
    to_.append(reinterpret_cast<const char*>(value.data()), value.size());
  }
  void raw(std::string_view value) { to_.append(value); }
  void blob(std::string_view value) {
    u32(value.size());
    raw(value);
  }
  void ints(const std::vector<std::int64_t>& values) {
    u32(values.size());
    for (const std::int64_t value : values) i64(value);
  }
  void bits(const std::vector<bool>& values) {
    u32(values.size());
    for (std::size_t from = 0; from < values.size(); from += 8) {
      unsigned packed = 0;
      for (std::size_t i = 0; i < 8 && from + i < values.size(); ++i)
        packed |= values[from + i] ? 1U << i : 0U;
      u8(static_cast<std::uint8_t>(packed));
    }
  }

 private:
  void number(std::uint64_t value, unsigned bytes) {
    for (unsigned i = 0; i < bytes; ++i) u8(static_cast<std::uint8_t>(value >> (8 * i)));
  }
  std::string& to_;
};

class Reader {
 public:
  explicit Reader(std::string_view data) : data_(data) {}
  [[nodiscard]] bool finished() const { return data_.empty(); }
  std::string_view take(std::size_t size) {
    if (size > data_.size()) throw MalformedMessage("the message is shorter than it says");
    const std::string_view taken = data_.substr(0, size);
    data_.remove_prefix(size);
    return taken;
  }
  std::uint8_t u8() { return static_cast<std::uint8_t>(take(1).front()); }
  bool flag() { return u8() != 0; }
  std::uint32_t u32() { return static_cast<std::uint32_t>(number(4)); }
  std::int64_t i64() { return static_cast<std::int64_t>(number(8)); }
  Digest digest() {
    Digest found{};
    const std::string_view bytes = take(found.size());
    std::memcpy(found.data(), bytes.data(), found.size());
    return found;
  }
  std::string_view blob() { return take(u32()); }
  std::vector<bool> bits() {
    const std::size_t count = u32();
    const std::string_view packed = take((count + 7) / 8);
    std::vector<bool> values(count);
    for (std::size_t i = 0; i < count; ++i)
      values[i] = ((static_cast<std::uint8_t>(packed[i / 8]) >> (i % 8)) & 1U) != 0;
    return values;
  }

 private:
  std::uint64_t number(std::size_t bytes) {
    const std::string_view from = take(bytes);
    std::uint64_t value = 0;
    for (std::size_t i = bytes; i-- > 0;) value = value << 8 | static_cast<std::uint8_t>(from[i]);
    return value;
  }
  std::string_view data_;
};

}  // namespace mpisog::team
