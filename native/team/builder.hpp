// A builder: from messages and finished tasks to messages and new tasks (mpisog/team/builder.py).
//
// It computes nothing itself and never waits. `compute` is for any thread; everything else is for
// one at a time, under the mutex.
#pragma once

#include <deque>
#include <functional>
#include <mutex>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "sog/builder.hpp"
#include "team/tasks.hpp"

namespace mpisog::team {

class Builder {
 public:
  struct Settings {
    Plan plan;
    std::vector<std::int64_t> events;        // the observed transitions, as the checker calls them
    std::vector<std::uint32_t> coordinates;  // the places that positions are made of
    std::function<bool(const sog::Label&)> stuttering_matters;  // for any thread
  };

  Builder(sog::Builder& sets, Settings settings);

  [[nodiscard]] std::mutex& mutex() noexcept { return mutex_; }
  // All messages of a packet.
  std::size_t receive(Rank source, std::string_view messages);
  // Ask another rank for work; for a rank that has none.
  void steal();
  // Without the lock.
  void compute(Task& task);
  void finish(Task& task);
  // For a task that ran out of memory: a builder with room gets it, or it has another try. False
  // when all are full.
  bool relieve(Task& task);

  Tasks tasks;
  Outbox outbox;
  std::uint64_t built = 0, edges = 0, asked = 0;
  [[nodiscard]] std::size_t held() const { return held_.size() - held_.count(kInitial); }
  [[nodiscard]] std::size_t table_bytes() const;

 private:
  // From messages.
  void receive_one(Rank source, Reader& data);
  void ask_initial();
  void ask(const Digest& identity, sog::Mode mode);
  void claimed(Rank source, const Digest& key, bool urgent);
  void claim_conflict(Entry& entry, Rank rank, bool urgent);
  void built_elsewhere(Entry& entry);
  void found_elsewhere(const Digest& key, const Node& node);
  void priority_raised(const Digest& key);
  void share_work(Rank source);
  void registered(Rank source, const Digest& identity);
  void drop(const Digest& identity, Rank holder);
  void delivered(const Digest& identity, Reader& data);
  void stolen(Rank source, const Digest& key, Reader& data);

  // Entry sets.
  Entry& entry_of(sog::Entry entry, const Following& name);
  bool claim(Entry& entry, bool urgent);
  void build(Entry& entry, bool urgent);
  void raise_priority(Entry& entry);
  void promise(Entry& entry, Rank rank, bool urgent);
  Entry& stolen_entry(const Task& task);
  static bool built_or_queued(const Entry& entry);
  void complete(Entry& entry, const Node& node);
  void forget_states(Entry& entry);

  // Aggregates.
  void hold(const Digest& identity, const sog::Aggregate& aggregate);
  void expand(AggregateRecord& held, bool urgent);
  void know(AggregateRecord& held, const sog::Expansion& ways,
            const std::vector<Following>& following);
  void follow(PendingAnswer& part, bool urgent);
  void follow_all(AggregateRecord& held);
  void answer(PendingAnswer& part);

  // Memory.
  void look_at_memory();
  void say_level(int level);
  [[nodiscard]] int level() const;
  [[nodiscard]] int own_level() const;
  [[nodiscard]] Rank emptiest(int below) const;
  void give(Entry& entry, Rank rank);
  void give(AggregateRecord& held, Rank rank);
  bool give_waiting(Rank rank, std::size_t fraction);
  bool has_room();
  void forward(Task& task, Rank rank);
  void drop_results(Task& task);
  bool goes_round(const Task& task);

  // Tasks, without the lock and with it.
  void pack(Task& task);
  void unpack(Task& task);
  void compute_building(Task& task);
  void compute_expansion(Task& task);
  void finish_building(Task& task);
  void finish_expansion(Task& task);
  void finish_packing(Task& task);
  void finish_unpacking(Task& task);
  void send_work(const Entry& entry, Rank rank, std::string_view states);
  [[nodiscard]] Digest key_of(sog::SetId states);
  [[nodiscard]] Position position_of(sog::SetId states);
  [[nodiscard]] Digest identity_of(const sog::Aggregate& aggregate);
  [[nodiscard]] bool stuttering_matters(sog::LabelId label);
  void drop_sets(const sog::Aggregate& aggregate);
  const std::string* traits(sog::LabelId label, const std::vector<sog::Mode>& ready);
  Node read_node(Reader& data);

  sog::Builder& sets_;
  Settings settings_;
  const Plan plan_;
  std::mutex mutex_;
  std::vector<int> levels_;  // how full the builders are
  std::size_t collections_ = 0;
  std::uint64_t done_ = 0, done_before_ = 0;             // entry sets built and aggregates expanded
  std::unordered_map<Digest, int, DigestHash> returns_;  // of what did not fit, since then
  bool idle_ = false;                                    // since it looked for work the last time
  bool stealing_ = false;
  Rank victim_;
  std::unordered_map<Digest, Entry, DigestHash> entries_;
  std::deque<AggregateRecord> all_held_;
  std::unordered_map<Digest, AggregateRecord*, DigestHash> held_;
  std::unordered_map<Digest, std::set<sog::Mode>, DigestHash> early_;  // asked for, still under way
  std::unordered_map<Digest, Rank, DigestHash> holders_;     // of what we own or have found
  std::unordered_map<Digest, Rank, DigestHash> claimed_by_;  // of the keys that we own, who builds
  std::unordered_map<sog::Aggregate, std::uint64_t, sog::AggregateHash> numbers_;  // if alone
  std::unordered_set<std::string> traits_;
  std::mutex matters_mutex_;
  std::unordered_map<sog::LabelId, bool> matters_;
};

}  // namespace mpisog::team
