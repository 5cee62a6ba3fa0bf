// Builders with threads that exchange packets, against the graph's definition; builders that run
// out of memory again and again.
#include <atomic>
#include <chrono>
#include <map>
#include <thread>

#include "team/pool.hpp"
#include "tests/check.hpp"
#include "tests/sog/fixtures.hpp"

using namespace mpisog;
using namespace mpisog::tests;

namespace {

// Sets of another builder, whose operations fail now and then for want of memory.
class Scarce : public sog::Builder {
 public:
  Scarce(sog::Builder& plain, unsigned one_in) : plain_(plain), one_in_(one_in) {}

  sog::Entry initial() override { return plain_.initial(); }
  sog::Built build(sog::Entry entry, bool stuttering) override {
    fail();
    return plain_.build(entry, stuttering);
  }
  sog::Expansion expand(const sog::Aggregate& aggregate) override {
    fail();
    return plain_.expand(aggregate);
  }
  [[nodiscard]] sog::Label label(sog::LabelId id) const override { return plain_.label(id); }
  [[nodiscard]] std::size_t events() const override { return plain_.events(); }
  sog::LabelId number(const sog::Label& label) override { return plain_.number(label); }
  std::string fingerprint(sog::SetId set) override {
    if (started_) fail();
    return plain_.fingerprint(set);
  }
  std::string serialise(sog::SetId set) override { return plain_.serialise(set); }
  sog::SetId deserialise(std::string_view bytes) override {
    fail();
    return plain_.deserialise(bytes);
  }
  std::vector<std::uint64_t> tokens(sog::SetId set,
                                    const std::vector<std::uint32_t>& places) override {
    return plain_.tokens(set, places);
  }
  void drop(sog::SetId set) override { plain_.drop(set); }
  [[nodiscard]] sog::Occupied occupied() const override { return plain_.occupied(); }
  void collect_garbage() override { plain_.collect_garbage(); }

 private:
  void fail() {
    started_ = true;
    if (one_in_ != 0 && ++calls_ % one_in_ == 0) throw mdd::OutOfMemory("on purpose");
  }

  sog::Builder& plain_;
  unsigned one_in_;
  std::atomic<unsigned> calls_{0};
  std::atomic<bool> started_{false};
};

// What follows an aggregate never fits, though collections free nearly all there is.
class Cramped final : public Scarce {
 public:
  explicit Cramped(sog::Builder& plain) : Scarce(plain, 0) {}

  sog::Expansion expand(const sog::Aggregate&) override { throw mdd::OutOfMemory("on purpose"); }
  [[nodiscard]] sog::Occupied occupied() const override {
    return {.live = 1, .budget = 1'000, .collections = ++collections_};
  }

 private:
  mutable std::atomic<std::size_t> collections_{0};
};

struct Shape {
  team::Rank builders = 1;
  unsigned threads = 1;
  bool eager = true;
  unsigned failing_one_in = 0;
  bool cramped = false;
};

// A checker that asks for everything, and the mail between it and the builders.
template <class Fixture>
class Run {
 public:
  Run(const petri::Net& net, const Watched& watched, Shape shape) {
    std::vector<std::int64_t> events(watched.events.begin(), watched.events.end());
    std::vector<std::uint32_t> places(net.places());
    std::iota(places.begin(), places.end(), 0U);
    for (team::Rank rank = 1; rank <= shape.builders; ++rank) {
      Fixture& fixture = *fixtures_.emplace_back(std::make_unique<Fixture>(net, watched));
      const unsigned one_in = rank == 1 ? shape.failing_one_in : 0;
      sog::Builder& plain = fixture.graph->builder();
      if (shape.cramped)
        scarce_.push_back(std::make_unique<Cramped>(plain));
      else
        scarce_.push_back(std::make_unique<Scarce>(plain, one_in));
      Scarce& sets = *scarce_.back();
      team::Builder::Settings settings{
          {rank, shape.builders, shape.eager}, events, places, [](const sog::Label&) {
            return true;
          }};
      pools_.push_back(
          std::make_unique<team::Pool>(sets, std::move(settings), shape.threads, [] {}));
    }
  }

  // Aggregates that the checker has seen when nothing is missing any more.
  std::size_t explore() {
    std::string bytes(1, static_cast<char>(team::Tag::ask_initial));
    (void)pools_[0]->receive(team::kChecker, bytes);
    open_.insert({team::kInitial, sog::kWaiting});
    ++missing_;
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (missing_ > 0 && std::chrono::steady_clock::now() < deadline) {
      for (std::size_t i = 0; i < pools_.size(); ++i) {
        if (pools_[i]->failure()) return 0;
        for (const team::Outbox::Packet& packet : pools_[i]->outgoing()) {
          if (packet.to == team::kChecker)
            take(packet.bytes);
          else
            (void)pools_[static_cast<std::size_t>(packet.to - 1)]->receive(
                static_cast<team::Rank>(i + 1), packet.bytes);
        }
        pools_[i]->look_for_work();
      }
      std::this_thread::yield();
    }
    CHECK(missing_ == 0);
    return seen_.size();
  }

 private:
  using Question = std::pair<team::Digest, std::int64_t>;

  void take(const std::string& bytes) {
    team::Reader data(bytes);
    while (!data.finished()) {
      CHECK(data.u8() == static_cast<std::uint8_t>(team::Tag::successors));
      const team::Digest identity = data.digest();
      const std::int64_t mode = data.i64();
      told_.insert({identity, mode});
      if (open_.erase({identity, mode}) > 0) --missing_;
      (void)data.take(8 * std::size_t{data.u32()});  // events
      for (std::uint32_t nodes = data.u32(); nodes > 0; --nodes) take_node(data);
    }
  }
  void take_node(team::Reader& data) {
    const team::Digest identity = data.digest();
    const team::Rank holder = data.u32();
    (void)data.flag();
    (void)data.blob();
    if (!seen_.insert(identity).second) return;
    const Question question{identity, sog::kWaiting};
    if (told_.contains(question)) return;
    open_.insert(question);
    ++missing_;
    std::string bytes;
    team::Writer out(bytes);
    out.u8(static_cast<std::uint8_t>(team::Tag::ask_successors));
    out.digest(identity);
    out.i64(sog::kWaiting);
    (void)pools_[static_cast<std::size_t>(holder - 1)]->receive(team::kChecker, bytes);
  }

  std::vector<std::unique_ptr<Fixture>> fixtures_;
  std::vector<std::unique_ptr<Scarce>> scarce_;
  std::vector<std::unique_ptr<team::Pool>> pools_;
  std::set<Question> told_, open_;
  std::set<team::Digest> seen_;
  int missing_ = 0;
};

}  // namespace

TEST(teams_build_the_graph_of_the_definition) {
  std::mt19937 random(20);
  for (int i = 0; i < random_cases(60);) {
    const petri::Net net = random_net(random);
    if (!naive_explore(net, 150)) continue;
    ++i;
    Watched watched = random_watched(random, net);
    watched.events.clear();  // so that the mode of waiting reaches everything
    const NaiveGraph expected(net, watched);
    const Shape shape{1 + static_cast<team::Rank>(random() % 4),
                      1 + static_cast<unsigned>(random() % 2), random() % 2 == 0, 0};
    CHECK(Run<MddFixture>(net, watched, shape).explore() == expected.size());
    CHECK(Run<BitsFixture>(net, watched, shape).explore() == expected.size());
  }
}

TEST(work_that_fails_for_want_of_memory_is_done_elsewhere) {
  const petri::Net net = ring(6, 3);
  const Watched watched{{1, 3, 5}, {}};
  const std::size_t expected = NaiveGraph(net, watched).size();
  for (const unsigned threads : {1U, 2U}) {
    for (const unsigned one_in : {2U, 3U, 7U}) {
      const Shape shape{3, threads, true, one_in};
      CHECK(Run<MddFixture>(net, watched, shape).explore() == expected);
    }
  }
}

// An aggregate that no builder can expand is not handed around for ever.
TEST(what_is_too_large_for_all_ends_the_run) {
  const petri::Net net = ring(6, 3);
  for (const team::Rank builders : {2, 3})
    CHECK(Run<MddFixture>(net, {{1, 3, 5}, {}}, {builders, 1, true, 0, true}).explore() == 0);
}

TEST(a_lone_builder_that_fails_ends) {
  const petri::Net net = ring(6, 3);
  CHECK(Run<MddFixture>(net, {{1, 3, 5}, {}}, {1, 2, true, 5}).explore() == 0);
}
