#include "pnml/plain_reader.hpp"

#include <algorithm>
#include <unordered_map>

#include "pnml/scanner.hpp"

namespace mpisog::pnml {

namespace {

constexpr std::string_view kNamespace = "http://www.pnml.org/version-2009/grammar/pnml";
constexpr std::string_view kNetType = "http://www.pnml.org/version-2009/grammar/ptnet";

struct FileArc {
  std::string_view source, target;  // as they stand in the file
  std::uint32_t weight;
};

std::string_view stripped(std::string_view text) {
  constexpr std::string_view kSpace = " \n\t\r";
  const std::size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}

// With the five entities of XML put in, which the scanner has checked.
std::string decoded(std::string_view text) {
  if (text.find('\r') != std::string_view::npos) throw NotPlain();
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '&') {
      result.push_back(text[i]);
      continue;
    }
    constexpr std::pair<std::string_view, char> kEntities[] = {
        {"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}, {"&apos;", '\''}};
    const auto* entity = std::find_if(
        std::begin(kEntities), std::end(kEntities),
        [&](const auto& known) { return text.substr(i, known.first.size()) == known.first; });
    if (entity == std::end(kEntities)) throw NotPlain();
    result.push_back(entity->second);
    i += entity->first.size() - 1;
  }
  return result;
}

bool is_part_of_drawing(std::string_view tag) {
  constexpr std::string_view kParts[] = {"graphics", "position", "offset", "dimension",
                                         "fill",     "line",     "font"};
  return std::find(std::begin(kParts), std::end(kParts), tag) != std::end(kParts);
}

std::uint32_t number(std::string_view text) { return plain_number(stripped(text)); }

class Reader {
 public:
  explicit Reader(std::string_view file) : scanner_(file) {}

  PlainNet read() {
    open("pnml");
    for (const Attribute& attribute : tag_.attributes)
      if (attribute.name != "xmlns" || attribute.value != kNamespace) throw NotPlain();
    bool found = false;
    children([&](std::string_view name) {
      if (name != "net" || std::exchange(found, true)) throw NotPlain();
      read_net();
    });
    if (!found || scanner_.next(tag_)) throw NotPlain();
    connect();
    return std::move(net_);
  }

 private:
  // The tag at hand has been read to here; one that closes at once has no children.
  void open(std::string_view name) {
    if (!scanner_.next(tag_) || !tag_.opens || tag_.name != name) throw NotPlain();
  }

  // Calls `child` with the name of each child; the tag is `tag_`.
  template <class Child>
  void children(Child&& child) {
    if (tag_.closes) return;
    const std::string_view parent = tag_.name;
    if (++depth_ > kDeepest) throw NotPlain();
    while (true) {
      if (!scanner_.next(tag_)) throw NotPlain();
      if (!tag_.opens) break;
      child(tag_.name);
    }
    if (tag_.name != parent) throw NotPlain();
    tag_.closes = true;
    --depth_;
  }

  // What says nothing about the net's behaviour; inside it, tags must match and no more.
  void skip_harmless(std::string_view name) {
    if (name != "graphics" && name != "toolspecific") throw NotPlain();
    const bool is_drawing = name == "graphics";
    std::vector<std::string_view> open_tags;
    while (true) {
      if (is_drawing && !is_part_of_drawing(tag_.name)) throw NotPlain();
      if (tag_.opens && !tag_.closes) open_tags.push_back(tag_.name);
      if (!tag_.opens) {
        if (open_tags.back() != tag_.name) throw NotPlain();
        open_tags.pop_back();
      }
      if (open_tags.empty()) return;
      scanner_.text();
      if (!scanner_.next(tag_)) throw NotPlain();
    }
  }

  void read_net() {
    std::string_view type;
    for (const Attribute& attribute : tag_.attributes) {
      if (attribute.name == "id")
        net_.id = id_of(attribute.value);
      else if (attribute.name == "type")
        type = attribute.value;
      else
        throw NotPlain();
    }
    if (type != kNetType) throw NotPlain();
    read_content();
  }

  void read_content() {
    children([&](std::string_view name) {
      if (name == "place") {
        read_place();
      } else if (name == "transition") {
        read_transition();
      } else if (name == "arc") {
        read_arc();
      } else if (name == "page") {
        only_id();
        read_content();
      } else if (name == "name") {
        read_label();
      } else {
        skip_harmless(name);
      }
    });
  }

  void read_place() {
    PlainPlace place;
    place.id = id_of(only_id());
    bool has_name = false;
    bool has_marking = false;
    children([&](std::string_view name) {
      if (name == "name" && !std::exchange(has_name, true))
        place.name = decoded(stripped(read_label()));
      else if (name == "initialMarking" && !std::exchange(has_marking, true))
        place.initial = number(read_label());
      else
        skip_harmless(name);
    });
    if (place.name.empty()) place.name = place.id;
    net_.places.push_back(std::move(place));
  }

  void read_transition() {
    PlainTransition transition;
    transition.id = id_of(only_id());
    bool has_name = false;
    children([&](std::string_view name) {
      if (name == "name" && !std::exchange(has_name, true))
        transition.name = decoded(stripped(read_label()));
      else
        skip_harmless(name);
    });
    if (transition.name.empty()) transition.name = transition.id;
    net_.transitions.push_back(std::move(transition));
  }

  void read_arc() {
    FileArc arc{{}, {}, 1};
    for (const Attribute& attribute : tag_.attributes) {
      if (attribute.name == "source")
        arc.source = attribute.value;
      else if (attribute.name == "target")
        arc.target = attribute.value;
      else if (attribute.name != "id")
        throw NotPlain();
    }
    bool has_weight = false;
    children([&](std::string_view name) {
      if (name == "inscription" && !std::exchange(has_weight, true))
        arc.weight = number(read_label());
      else
        skip_harmless(name);
    });
    if (arc.weight == 0) throw NotPlain();
    arcs_.push_back(arc);
  }

  // The text of a label.
  std::string_view read_label() {
    if (!tag_.attributes.empty()) throw NotPlain();
    std::string_view text;
    bool found = false;
    children([&](std::string_view name) {
      if (name == "text" && !std::exchange(found, true))
        text = read_text();
      else
        skip_harmless(name);
    });
    if (!found) throw NotPlain();
    return text;
  }

  std::string_view read_text() {
    if (!tag_.attributes.empty()) throw NotPlain();
    if (tag_.closes) return {};
    const std::string_view text = scanner_.text();
    children([](std::string_view) { throw NotPlain(); });
    return text;
  }

  std::string_view only_id() const {
    if (tag_.attributes.size() != 1 || tag_.attributes.front().name != "id") throw NotPlain();
    return tag_.attributes.front().value;
  }

  // An id that means the same to every reader.
  static std::string id_of(std::string_view value) {
    if (value.empty() || value != stripped(value) ||
        value.find_first_of("\n\t") != std::string_view::npos)
      throw NotPlain();
    return decoded(value);
  }

  void connect() {
    using Index = std::uint32_t;
    constexpr Index kTransition = 0x80000000U;
    std::unordered_map<std::string_view, Index> nodes;
    nodes.reserve(net_.places.size() + net_.transitions.size());
    for (Index i = 0; i < net_.places.size(); ++i)
      if (!nodes.emplace(net_.places[i].id, i).second) throw NotPlain();
    for (Index i = 0; i < net_.transitions.size(); ++i)
      if (!nodes.emplace(net_.transitions[i].id, i | kTransition).second) throw NotPlain();
    const auto find = [&](std::string_view end) {
      const auto found =
          end.find('&') == std::string_view::npos ? nodes.find(end) : nodes.find(decoded(end));
      if (found == nodes.end()) throw NotPlain();
      return found->second;
    };
    for (const FileArc& arc : arcs_) {
      const Index source = find(arc.source);
      const Index target = find(arc.target);
      if ((source & kTransition) == (target & kTransition)) throw NotPlain();
      if ((source & kTransition) != 0)
        net_.transitions[source & ~kTransition].post.emplace_back(target, arc.weight);
      else
        net_.transitions[target & ~kTransition].pre.emplace_back(source, arc.weight);
    }
    for (PlainTransition& transition : net_.transitions) {
      add_up(transition.pre);
      add_up(transition.post);
    }
  }

  static constexpr std::size_t kDeepest = 100;  // pages in pages: this reader calls itself

  Scanner scanner_;
  Tag tag_;
  std::size_t depth_ = 0;
  PlainNet net_;
  std::vector<FileArc> arcs_;
};

}  // namespace

std::optional<PlainNet> read_plain(std::string_view file) {
  try {
    return Reader(file).read();
  } catch (const NotPlain&) {
    return std::nullopt;
  }
}

}  // namespace mpisog::pnml
