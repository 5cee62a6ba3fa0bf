#include "tina/plain_reader.hpp"

#include <algorithm>
#include <unordered_map>

namespace mpisog::tina {

namespace {

using pnml::NotPlain;

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.';
}

bool is_plain_in_braces(char c) { return c > ' ' && c <= '~' && c != '{' && c != '}' && c != '\\'; }

// The name that a word stands for.
std::string_view name_of(std::string_view word) {
  const bool quoted = word.size() > 2 && word.front() == '{' && word.back() == '}';
  if (quoted) word = word.substr(1, word.size() - 2);
  if (word.empty() ||
      !std::all_of(word.begin(), word.end(), quoted ? is_plain_in_braces : is_plain))
    throw NotPlain();
  return word;
}

// The words of one line, which spaces and tabs keep apart.
class Words {
 public:
  explicit Words(std::string_view line) : rest_(line) {}

  // Empty at the end of the line.
  std::string_view next() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t"), rest_.size()));
    const std::string_view word = rest_.substr(0, rest_.find_first_of(" \t"));
    rest_.remove_prefix(word.size());
    return word;
  }

 private:
  std::string_view rest_;
};

class Reader {
 public:
  pnml::PlainNet read(std::string_view file) {
    while (!file.empty()) {
      const std::string_view line = file.substr(0, file.find('\n'));
      file.remove_prefix(std::min(line.size() + 1, file.size()));
      read_line(Words(line));
    }
    for (const auto& [name, index] : transitions_)
      if (places_.count(name) != 0) throw NotPlain();
    for (pnml::PlainTransition& transition : net_.transitions) {
      pnml::add_up(transition.pre);
      pnml::add_up(transition.post);
    }
    return std::move(net_);
  }

 private:
  using Index = std::unordered_map<std::string_view, std::uint32_t>;

  void read_line(Words words) {
    const std::string_view keyword = words.next();
    if (keyword.empty()) return;
    const std::string_view name = name_of(words.next());
    if (keyword == "tr") {
      read_arcs(net_.transitions[node(transitions_, net_.transitions, name)], words);
    } else if (keyword == "pl") {
      read_tokens(net_.places[node(places_, net_.places, name)], words);
    } else if (keyword == "net") {
      net_.id = name;
    } else {
      throw NotPlain();
    }
    if (!words.next().empty()) throw NotPlain();
  }

  // The index of a node, which is new when it is named for the first time.
  template <class Node>
  static std::uint32_t node(Index& known, std::vector<Node>& nodes, std::string_view name) {
    const auto [place, is_new] = known.emplace(name, static_cast<std::uint32_t>(nodes.size()));
    if (is_new) {
      nodes.emplace_back();
      nodes.back().id = nodes.back().name = name;
    }
    return place->second;
  }

  // Several declarations of a place add up.
  static void read_tokens(pnml::PlainPlace& place, Words& words) {
    const std::string_view tokens = words.next();
    if (tokens.empty()) return;
    if (tokens.size() < 3 || tokens.front() != '(' || tokens.back() != ')') throw NotPlain();
    const std::uint64_t sum =
        std::uint64_t{place.initial} + pnml::plain_number(tokens.substr(1, tokens.size() - 2));
    if (sum > pnml::kMostTokens) throw NotPlain();
    place.initial = static_cast<std::uint32_t>(sum);
  }

  void read_arcs(pnml::PlainTransition& transition, Words& words) {
    bool has_arrow = false;
    std::string_view word = words.next();
    if (word.empty()) return;  // a transition without arcs needs no arrow
    for (; !word.empty(); word = words.next()) {
      if (word != "->")
        (has_arrow ? transition.post : transition.pre).push_back(arc(word));
      else if (std::exchange(has_arrow, true))
        throw NotPlain();
    }
    if (!has_arrow) throw NotPlain();
  }

  std::pair<std::uint32_t, std::uint32_t> arc(std::string_view word) {
    const std::size_t star = word.find('*', word.front() == '{' ? word.find('}') : 0);
    const std::uint32_t weight =
        star == std::string_view::npos ? 1 : pnml::plain_number(word.substr(star + 1));
    if (weight == 0) throw NotPlain();
    return {node(places_, net_.places, name_of(word.substr(0, star))), weight};
  }

  pnml::PlainNet net_;
  Index places_, transitions_;  // by name
};

}  // namespace

std::optional<pnml::PlainNet> read_plain(std::string_view file) {
  try {
    return Reader().read(file);
  } catch (const NotPlain&) {
    return std::nullopt;
  }
}

}  // namespace mpisog::tina
