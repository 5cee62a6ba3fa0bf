// Tags and text of an XML file in UTF-8, one after the other; gives up on what is not simple.
#pragma once

#include <string_view>
#include <vector>

#include "pnml/plain_net.hpp"

namespace mpisog::pnml {

struct Attribute {
  std::string_view name, value;  // the value as it stands in the file
};

struct Tag {
  std::string_view name;
  std::vector<Attribute> attributes;
  bool opens = false;   // <a> and <a/>
  bool closes = false;  // </a> and <a/>
};

class Scanner {
 public:
  // Throws NotPlain unless the file is in UTF-8 without characters that XML does not allow.
  explicit Scanner(std::string_view file);

  // The next tag, past white space and comments; other text throws. False at the end of the file.
  bool next(Tag& tag);
  // The text up to the next tag.
  std::string_view text();

 private:
  void skip_space();
  void skip_declaration();
  void read_name(std::string_view& name);
  void read_attribute(Tag& tag);
  [[nodiscard]] bool at(std::string_view expected) const {
    return rest_.substr(0, expected.size()) == expected;
  }
  void expect(char c);

  std::string_view rest_;
};

}  // namespace mpisog::pnml
