#include <random>
#include <string>

#include "pnml/plain_reader.hpp"
#include "tests/check.hpp"
#include "tina/plain_reader.hpp"

using namespace mpisog;

namespace {

const std::string kFile =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    "<pnml xmlns=\"http://www.pnml.org/version-2009/grammar/pnml\">\n"
    "<net id=\"n\" type=\"http://www.pnml.org/version-2009/grammar/ptnet\"><page id=\"g\">\n"
    "<place id=\"p&lt;\"><name><text>a &amp; b</text></name>"
    "<initialMarking><text>2</text></initialMarking></place>\n"
    "<transition id=\"t\"><graphics><position x=\"1\"/></graphics></transition>\n"
    "<arc id=\"a\" source=\"p&lt;\" target=\"t\"><inscription><text>2</text></inscription></arc>\n"
    "<arc id=\"b\" source=\"t\" target=\"p&lt;\"/>\n"
    "</page><toolspecific tool=\"x\"><y>z</y></toolspecific></net></pnml>\n";

const std::string kTina = "net n\npl p0 (2)\ntr t p0*2 p1 -> p1 p1\ntr u ->\npl p2 (12)\n";

std::string mutated(std::string file, std::mt19937& random) {
  for (int change = 0; change < 3; ++change) {
    const std::size_t at = random() % file.size();
    if (random() % 2 == 0)
      file[at] = static_cast<char>(random());
    else
      file.erase(at, random() % 20);
    if (file.empty()) file.push_back('x');
  }
  return file;
}

}  // namespace

TEST(a_plain_file_is_read) {
  const auto net = pnml::read_plain(kFile);
  CHECK(net.has_value());
  CHECK(net->id == "n" && net->places.size() == 1 && net->transitions.size() == 1);
  CHECK(net->places[0].id == "p<" && net->places[0].name == "a & b");
  CHECK(net->places[0].initial == 2);
  CHECK((net->transitions[0].pre == pnml::Arcs{{0, 2}}));
  CHECK((net->transitions[0].post == pnml::Arcs{{0, 1}}));
}

TEST(a_file_that_ends_early_is_not_plain) {
  for (std::size_t length = 0; length + 1 < kFile.size(); ++length)
    CHECK(!pnml::read_plain(std::string(kFile, 0, length)));
}

TEST(whatever_the_bytes_reading_ends) {
  std::mt19937 random(13);
  for (int i = 0; i < tests::random_cases(3000); ++i) {
    (void)pnml::read_plain(mutated(kFile, random));
    (void)tina::read_plain(mutated(kTina, random));
  }
}

TEST(a_plain_tina_file_is_read) {
  const auto net = tina::read_plain(kTina);
  CHECK(net.has_value());
  CHECK(net->id == "n" && net->places.size() == 3 && net->transitions.size() == 2);
  CHECK(net->places[0].initial == 2 && net->places[2].initial == 12);
  CHECK((net->transitions[0].pre == pnml::Arcs{{0, 2}, {1, 1}}));
  CHECK((net->transitions[0].post == pnml::Arcs{{1, 2}}));
}
