#include "bits/bytes.hpp"

#include <bit>

namespace mpisog::bits {

namespace {

constexpr std::size_t kHeader = sizeof(std::uint64_t) + sizeof(StateId);

template <class Number>
void write(std::string& out, Number number) {
  for (std::size_t byte = 0; byte < sizeof(Number); ++byte)
    out.push_back(static_cast<char>((number >> (8 * byte)) & 0xFF));
}

template <class Number>
void write_all(std::string& out, std::span<const Number> numbers) {
  if constexpr (std::endian::native == std::endian::little) {
    out.append(reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes());
  } else {
    for (const Number number : numbers) write(out, number);
  }
}

template <class Number>
Number read(std::span<const unsigned char> bytes, std::size_t at) {
  Number number = 0;
  for (std::size_t byte = 0; byte < sizeof(Number); ++byte)
    number |= static_cast<Number>(static_cast<Number>(bytes[at + byte]) << (8 * byte));
  return number;
}

template <class Number>
std::vector<Number> read_all(std::span<const unsigned char> bytes) {
  std::vector<Number> numbers;
  numbers.reserve(bytes.size() / sizeof(Number));
  for (std::size_t at = 0; at < bytes.size(); at += sizeof(Number))
    numbers.push_back(read<Number>(bytes, at));
  return numbers;
}

void require(bool condition, const char* why) {
  if (!condition) throw MalformedSet(why);
}

Set read_words(const Reachable& graph, std::span<const unsigned char> body, StateId count) {
  std::vector<Word> words = read_all<Word>(body);
  const unsigned used = graph.size() % kWordBits;
  require(used == 0 || (words.back() >> used) == 0, "a number beyond the last marking");
  Set set = Set::of_words(graph.size(), std::move(words));
  require(set.count() == count, "another number of members than announced");
  return set;
}

Set read_members(const Reachable& graph, std::span<const unsigned char> body) {
  std::vector<StateId> members = read_all<StateId>(body);
  for (std::size_t i = 0; i < members.size(); ++i) {
    require(members[i] < graph.size(), "a number beyond the last marking");
    require(i == 0 || members[i - 1] < members[i], "numbers that do not ascend");
  }
  return Set::of_members(graph.size(), std::move(members));
}

}  // namespace

std::string serialise(const Reachable& graph, const Set& states) {
  if (states.universe() != graph.size()) throw std::invalid_argument("a set of another domain");
  std::string out;
  out.reserve(kHeader + states.members().size_bytes() + states.words().size_bytes());
  write(out, graph.fingerprint());
  write(out, states.count());
  write_all(out, states.members());
  write_all(out, states.words());
  return out;
}

Set deserialise(const Reachable& graph, std::span<const unsigned char> bytes) {
  require(bytes.size() >= kHeader, "too short");
  require(read<std::uint64_t>(bytes, 0) == graph.fingerprint(), "a set of another net");
  const auto count = read<StateId>(bytes, sizeof(std::uint64_t));
  require(count <= graph.size(), "more members than markings");
  const bool dense = Set::is_dense(graph.size(), count);
  const auto body = bytes.subspan(kHeader);
  const std::size_t expected =
      dense ? words_for(graph.size()) * sizeof(Word) : count * sizeof(StateId);
  require(body.size() == expected, "not as long as announced");
  return dense ? read_words(graph, body, count) : read_members(graph, body);
}

}  // namespace mpisog::bits
