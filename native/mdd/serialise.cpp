#include "serialise.hpp"

#include <algorithm>

#include "traversal.hpp"

namespace mpisog::mdd {

namespace {

constexpr std::uint8_t kMagic[] = {'L', 'D', 1};

void put(std::vector<std::uint8_t>& bytes, std::uint64_t number) {
  for (; number >= 128; number >>= 7) bytes.push_back(static_cast<std::uint8_t>(number | 128));
  bytes.push_back(static_cast<std::uint8_t>(number));
}

void put_node(std::vector<std::uint8_t>& bytes, const NodeView& node, const Traversal& nodes,
              std::size_t own_index) {
  std::uint32_t edges = 0;
  for (std::uint32_t i = 0; i < node.size; ++i) edges += node.child(i) != kEmpty ? 1 : 0;
  const bool contiguous = node.value(node.size - 1) - node.value(0) + 1 == edges;
  const bool last_level = node.child(0) == kTrue;
  put(bytes, 4 * std::uint64_t{edges} + (last_level ? 2 : 0) + (contiguous ? 1 : 0));
  put(bytes, node.value(0));
  Value previous = node.value(0);
  for (std::uint32_t i = 1; i < node.size && !contiguous; ++i) {
    if (node.child(i) == kEmpty) continue;
    put(bytes, node.value(i) - previous - 1);
    previous = node.value(i);
  }
  for (std::uint32_t i = 0; i < node.size; ++i) {
    if (node.child(i) > kTrue) put(bytes, own_index - nodes.index_of(node.child(i)));
  }
}

class Reader {
 public:
  explicit Reader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  std::uint64_t number(std::uint64_t limit) {
    std::uint64_t result = 0;
    for (unsigned shift = 0; shift < 63; shift += 7) {
      const std::uint8_t byte = next();
      result |= std::uint64_t{byte & 127U} << shift;
      if (byte < 128) {
        if (byte == 0 && shift > 0) fail("a number is longer than necessary");
        if (result > limit) fail("a number is out of range");
        return result;
      }
    }
    fail("a number is too long");
  }
  std::uint8_t next() {
    if (at_ == bytes_.size()) fail("the bytes end too early");
    return bytes_[at_++];
  }
  std::size_t left() const { return bytes_.size() - at_; }
  [[noreturn]] static void fail(const char* reason) {
    throw MalformedBytes(std::string("not a serialised set: ") + reason);
  }

 private:
  std::span<const std::uint8_t> bytes_;
  std::size_t at_ = 0;
};

// Rebuilds the nodes one after the other; all of them stay rooted until the end.
class Builder {
 public:
  Builder(Context& context, Level levels, Reader& reader, std::size_t nodes)
      : context_(context),
        levels_(levels),
        reader_(reader),
        nodes_(context.roots.push(nodes)),
        heights_(nodes) {
    std::fill_n(nodes_, nodes, kEmpty);
  }

  NodeId build() {
    for (std::size_t i = 0; i < heights_.size(); ++i) {
      context_.poll();
      nodes_[i] = read_node(i);
    }
    if (heights_.back() != levels_) Reader::fail("the diagram has another number of levels");
    return nodes_[heights_.size() - 1];
  }

 private:
  NodeId read_node(std::size_t i) {
    const std::uint64_t code = reader_.number(std::uint64_t{kNoLimit} * 4 + 3);
    const std::uint64_t edges = code / 4;
    const bool last_level = (code & 2) != 0;
    const bool contiguous = (code & 1) != 0;
    if (edges == 0) Reader::fail("a node has no edges");
    if (!(contiguous && last_level) && edges > reader_.left())
      Reader::fail("the bytes end too early");
    Row row(context_, edges);
    read_values(row, edges, contiguous);
    if (last_level) {
      std::fill_n(row.children, edges, kTrue);
      heights_[i] = 1;
    } else {
      read_children(row, i);
    }
    return row.make();
  }

  void read_values(Row& row, std::uint64_t edges, bool contiguous) {
    std::uint64_t value = reader_.number(kNoLimit);
    for (std::uint64_t k = 0; k < edges; ++k) {
      if (k > 0) value += 1 + (contiguous ? 0 : reader_.number(kNoLimit));
      if (value > kNoLimit) Reader::fail("a value is too large");
      row.push(static_cast<Value>(value), kEmpty);
    }
  }

  void read_children(Row& row, std::size_t i) {
    for (std::uint32_t k = 0; k < row.size; ++k) {
      const std::uint64_t back = reader_.number(i);
      if (back == 0) Reader::fail("a node refers to itself");
      const std::size_t child = i - back;
      if (k > 0 && heights_[child] + 1 != heights_[i]) Reader::fail("an edge skips a level");
      heights_[i] = heights_[child] + 1;
      if (heights_[i] > levels_) Reader::fail("the diagram has too many levels");
      row.children[k] = nodes_[child];
    }
  }

  Context& context_;
  Level levels_;
  Reader& reader_;
  NodeId* nodes_;
  std::vector<Level> heights_;
};

}  // namespace

std::vector<std::uint8_t> serialise(Context& context, Level levels, NodeId root) {
  std::vector<std::uint8_t> bytes(std::begin(kMagic), std::end(kMagic));
  const Traversal nodes(context, root);
  put(bytes, levels);
  put(bytes, nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    context.look();
    put_node(bytes, context.store.view(nodes.node(i)), nodes, i);
  }
  if (levels == 0) bytes.push_back(root == kTrue ? 1 : 0);
  return bytes;
}

NodeId deserialise(Context& context, Level levels, std::span<const std::uint8_t> bytes) {
  Reader reader(bytes);
  for (const std::uint8_t byte : kMagic) {
    if (reader.next() != byte) Reader::fail("the first bytes are wrong");
  }
  if (reader.number(kNoLimit) != levels) Reader::fail("it has another number of levels");
  const std::uint64_t count = reader.number(kNoLimit);
  if (count > reader.left()) Reader::fail("the bytes end too early");
  NodeId root = kEmpty;
  if (levels == 0) {
    root = reader.next() == 1 ? kTrue : kEmpty;
  } else if (count > 0) {
    root = Builder(context, levels, reader, count).build();
  }
  // Equal sets must have equal bytes: whatever else describes this set is refused.
  const std::vector<std::uint8_t> canonical = serialise(context, levels, root);
  if (!std::equal(bytes.begin(), bytes.end(), canonical.begin(), canonical.end()))
    Reader::fail("it is not in canonical form");
  return root;
}

}  // namespace mpisog::mdd
