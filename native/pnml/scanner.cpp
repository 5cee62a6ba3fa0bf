#include "pnml/scanner.hpp"

#include <algorithm>
#include <cstdint>
#include <string>

namespace mpisog::pnml {

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

bool is_name_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

bool is_name_part(char c) {
  return is_name_start(c) || (c >= '0' && c <= '9') || c == '-' || c == '.';
}

// No references but to the five entities of XML.
void check_references(std::string_view text) {
  for (std::size_t i = text.find('&'); i != std::string_view::npos; i = text.find('&', i + 1)) {
    const auto is_at = [&](std::string_view name) { return text.substr(i, name.size()) == name; };
    if (!is_at("&lt;") && !is_at("&gt;") && !is_at("&amp;") && !is_at("&quot;") && !is_at("&apos;"))
      throw NotPlain();
  }
}

// The length of a well-formed sequence of two to four bytes that is a character of XML; else zero.
std::size_t sequence_length(std::string_view rest) {
  const auto byte = [&](std::size_t i) {
    return i < rest.size() ? static_cast<unsigned char>(rest[i]) : 0U;
  };
  const unsigned first = byte(0);
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  std::uint32_t code = first & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return 0;
    code = code << 6 | (byte(i) & 0x3FU);
  }
  constexpr std::uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool good = first >= 0xC2 && first <= 0xF4 && code >= kLeast[length] && code <= 0x10FFFF &&
                    (code < 0xD800 || code > 0xDFFF) && code != 0xFFFE && code != 0xFFFF;
  return good ? length : 0;
}

void check_characters(std::string_view file) {
  for (std::size_t i = 0; i < file.size();) {
    const auto byte = static_cast<unsigned char>(file[i]);
    if (byte >= 0x20 && byte < 0x80) {
      ++i;
    } else if (byte < 0x20) {
      if (!is_space(file[i])) throw NotPlain();
      ++i;
    } else {
      const std::size_t length = sequence_length(file.substr(i));
      if (length == 0) throw NotPlain();
      i += length;
    }
  }
}

}  // namespace

Scanner::Scanner(std::string_view file) : rest_(file) {
  check_characters(file);
  if (at(kByteOrderMark)) rest_.remove_prefix(kByteOrderMark.size());
  if (at("<?xml")) skip_declaration();
}

// Only an encoding other than UTF-8 matters.
void Scanner::skip_declaration() {
  const std::size_t end = rest_.find("?>");
  if (end == std::string_view::npos) throw NotPlain();
  std::string_view declaration = rest_.substr(5, end - 5);
  rest_.remove_prefix(end + 2);
  const bool single = declaration.find('\'') != std::string_view::npos;
  if (single && declaration.find('"') != std::string_view::npos) throw NotPlain();
  std::string kept;
  for (const char c : declaration) kept.push_back(c == '\'' ? '"' : c);
  if (kept.size() > 1 && kept.back() == ' ') kept.pop_back();
  for (const char* encoding : {"", " encoding=\"UTF-8\"", " encoding=\"utf-8\""})
    for (const char* standalone : {"", " standalone=\"no\"", " standalone=\"yes\""})
      if (kept == std::string(" version=\"1.0\"") + encoding + standalone) return;
  throw NotPlain();
}

void Scanner::skip_space() {
  std::size_t i = 0;
  while (i < rest_.size() && is_space(rest_[i])) ++i;
  rest_.remove_prefix(i);
}

bool Scanner::next(Tag& tag) {
  while (true) {
    skip_space();
    if (rest_.empty()) return false;
    if (!at("<!--")) break;
    const std::size_t end = rest_.find("--", 4);
    if (end == std::string_view::npos || rest_.substr(end, 3) != "-->") throw NotPlain();
    rest_.remove_prefix(end + 3);
  }
  expect('<');
  tag.attributes.clear();
  tag.opens = !at("/");
  tag.closes = !tag.opens;
  if (tag.closes) rest_.remove_prefix(1);
  read_name(tag.name);
  while (true) {
    const bool spaced = !rest_.empty() && is_space(rest_.front());
    skip_space();
    if (rest_.empty()) throw NotPlain();
    if (rest_.front() == '>') break;
    if (rest_.front() == '/' && tag.opens) {
      rest_.remove_prefix(1);
      tag.closes = true;
      if (rest_.empty() || rest_.front() != '>') throw NotPlain();
      break;
    }
    if (!spaced || !tag.opens) throw NotPlain();
    read_attribute(tag);
  }
  rest_.remove_prefix(1);
  return true;
}

void Scanner::read_name(std::string_view& name) {
  std::size_t length = 0;
  while (length < rest_.size() && is_name_part(rest_[length])) ++length;
  if (length == 0 || !is_name_start(rest_.front())) throw NotPlain();
  name = rest_.substr(0, length);
  rest_.remove_prefix(length);
}

void Scanner::read_attribute(Tag& tag) {
  Attribute attribute;
  read_name(attribute.name);
  for (const Attribute& other : tag.attributes)
    if (other.name == attribute.name) throw NotPlain();
  skip_space();
  expect('=');
  skip_space();
  const char quote = rest_.empty() ? '\0' : rest_.front();
  if (quote != '"' && quote != '\'') throw NotPlain();
  const std::size_t end = rest_.find(quote, 1);
  if (end == std::string_view::npos) throw NotPlain();
  attribute.value = rest_.substr(1, end - 1);
  if (attribute.value.find('<') != std::string_view::npos) throw NotPlain();
  check_references(attribute.value);
  rest_.remove_prefix(end + 1);
  tag.attributes.push_back(attribute);
}

std::string_view Scanner::text() {
  const std::size_t end = rest_.find('<');
  if (end == std::string_view::npos || rest_.substr(end, 2) == "<!") throw NotPlain();
  const std::string_view found = rest_.substr(0, end);
  if (found.find("]]>") != std::string_view::npos) throw NotPlain();
  check_references(found);
  rest_.remove_prefix(end);
  return found;
}

void Scanner::expect(char c) {
  if (rest_.empty() || rest_.front() != c) throw NotPlain();
  rest_.remove_prefix(1);
}

}  // namespace mpisog::pnml
