// Builders of both backends over small nets, and nets to build from.
#pragma once

#include <memory>
#include <numeric>
#include <random>

#include "sog/builders.hpp"
#include "sog/graph.hpp"
#include "tests/sog/oracle.hpp"

namespace mpisog::tests {

inline std::vector<search::Step> plain_steps(const std::vector<std::uint32_t>& transitions) {
  std::vector<search::Step> steps;
  for (const std::uint32_t t : transitions) steps.push_back({t, {}, {}});
  return steps;
}

// The transitions of a net by what they are to an observation.
struct Kinds {
  Kinds(const petri::Net& net, const Watched& watched) {
    for (std::uint32_t t = 0; t < net.transitions.size(); ++t) {
      if (is_silent(net, watched, t)) silent.push_back(t);
      if (!is_silent(net, watched, t)) leaving.push_back(t);
      if (!is_silent(net, watched, t) && !is_event(watched, t)) exits.push_back(t);
      all.push_back(t);
    }
  }
  std::vector<std::uint32_t> silent, exits, leaving, all;
};

// Builders of the backends; what their steps point to lives as long.
class MddFixture {
 public:
  using Steps = mdd::Events;

  MddFixture(const petri::Net& net, const Watched& watched, std::function<bool()> cancel = {},
             std::size_t budget = std::size_t{256} << 20)
      : kernel_({.levels = static_cast<mdd::Level>(net.places()),
                 .memory_budget_bytes = budget,
                 .cancel = cancel}),
        atoms_(kernel_),
        kinds_(net, watched) {
    sog::PlaceOrder order(net.places());
    std::iota(order.begin(), order.end(), 0U);
    for (const std::uint32_t place : watched.places)
      atoms_.compare({{{place, 1}}, mdd::Comparison::kGreaterEqual, 1});
    sog::Observed<sog::MddSets> observed;
    observed.precise = false;
    observed.says_dead.assign(watched.places.size(), false);
    for (const std::uint32_t t : watched.events) observed.events.push_back(events(net, {t}));
    observed.event_enabled = observed.events;
    observed.some_event = events(net, watched.events);
    silent_.list = plain_steps(kinds_.silent);
    sog::LabelSteps<sog::MddSets> steps;
    if (!kinds_.silent.empty()) steps.free = steps.inside = events(net, kinds_.silent);
    if (!kinds_.exits.empty()) steps.exits = events(net, kinds_.exits);
    steps.leaving = events(net, kinds_.leaving);
    steps.candidates = [this, inside = steps.inside](bool) {
      return sog::MddSets::Candidates{inside, &silent_};
    };
    sog::MddSets sets(kernel_, {net, order, events(net, kinds_.all), &atoms_},
                      [cancel] { return cancel && cancel(); });
    graph = std::make_unique<sog::Graph>(std::make_unique<sog::MddBuilder>(
        std::move(sets), std::move(observed), label_of(net, watched),
        [steps](const sog::Label&) { return steps; }));
  }

  static sog::Label label_of(const petri::Net& net, const Watched& watched) {
    sog::Label label;
    for (const std::uint32_t place : watched.places) label.push_back(net.initial[place] >= 1);
    return label;
  }

 private:
  mdd::Events* events(const petri::Net& net, const std::vector<std::uint32_t>& transitions) {
    std::vector<mdd::Event> list;
    for (const std::uint32_t t : transitions) {
      std::map<mdd::Level, mdd::Term> terms;
      for (const petri::Arc& arc : net.transitions[t].pre) {
        mdd::Term& term = terms[arc.place];
        term.at_least = static_cast<mdd::Value>(arc.weight);
        term.delta -= arc.weight;
      }
      for (const petri::Arc& arc : net.transitions[t].post) terms[arc.place].delta += arc.weight;
      mdd::Event& event = list.emplace_back();
      for (auto& [place, term] : terms) {
        term.level = place;
        event.push_back(term);
      }
    }
    made_.push_back(std::make_unique<mdd::Events>(kernel_, std::move(list)));
    return made_.back().get();
  }

  mdd::Kernel kernel_;
  mdd::Atoms atoms_;
  Kinds kinds_;
  std::vector<std::unique_ptr<mdd::Events>> made_;
  sog::SearchSteps silent_;

 public:
  std::unique_ptr<sog::Graph> graph;
};

class BitsFixture {
 public:
  BitsFixture(const petri::Net& net, const Watched& watched)
      : reachable_(bits::enumerate(net, {100'000, 100'000'000}, {}).reachable),
        kinds_(net, watched) {
    sog::BitsSets::Atoms atoms{{}, truth(petri::Dead{})};
    for (const std::uint32_t place : watched.places)
      atoms.list.push_back(truth(petri::Comparison{{{place, 1}}, petri::Relation::ge, 1}));
    sog::Observed<sog::BitsSets> observed;
    observed.precise = false;
    observed.says_dead.assign(watched.places.size(), false);
    for (const std::uint32_t t : watched.events) {
      observed.events.push_back(steps_of({t}));
      observed.event_enabled.push_back(truth(petri::Fireable{{t}}));
    }
    observed.some_event = truth(petri::Fireable{watched.events});
    sog::LabelSteps<sog::BitsSets> steps;
    if (!kinds_.silent.empty()) steps.free = steps.inside = steps_of(kinds_.silent);
    if (!kinds_.exits.empty()) steps.exits = steps_of(kinds_.exits);
    steps.leaving = truth(petri::Fireable{kinds_.leaving});
    steps.candidates = [inside = steps.inside](bool) { return sog::BitsSets::Candidates{inside}; };
    graph = std::make_unique<sog::Graph>(std::make_unique<sog::BitsBuilder>(
        sog::BitsSets(*reachable_, std::move(atoms), [] { return false; }), std::move(observed),
        MddFixture::label_of(net, watched), [steps](const sog::Label&) { return steps; }));
  }

 private:
  const bits::Truth* truth(petri::Atom atom) {
    truths_.push_back(std::make_unique<bits::Truth>(*reachable_, std::move(atom)));
    return truths_.back().get();
  }
  const bits::Steps* steps_of(const std::vector<std::uint32_t>& transitions) {
    steps_.push_back(std::make_unique<bits::Steps>(*reachable_, plain_steps(transitions)));
    return steps_.back().get();
  }

  std::shared_ptr<bits::Reachable> reachable_;
  Kinds kinds_;
  std::vector<std::unique_ptr<bits::Truth>> truths_;
  std::vector<std::unique_ptr<bits::Steps>> steps_;

 public:
  std::unique_ptr<sog::Graph> graph;
};

inline Watched random_watched(std::mt19937& random, const petri::Net& net) {
  Watched watched;
  const auto some = [&](std::size_t count, std::vector<std::uint32_t>& chosen) {
    for (std::uint32_t i = 0; i < count; ++i)
      if (random() % 3 == 0) chosen.push_back(i);
  };
  some(net.places(), watched.places);
  if (random() % 2 == 0) some(net.transitions.size(), watched.events);
  return watched;
}

// Tokens that go around a ring of stations, each on its own way: many markings, many aggregates.
inline petri::Net ring(std::uint32_t stations, std::int64_t tokens) {
  petri::Net net;
  net.initial.assign(stations, 0);
  net.initial[0] = tokens;
  for (std::uint32_t p = 0; p < stations; ++p)
    net.transitions.push_back({{{p, 1}}, {{(p + 1) % stations, 1}}});
  return net;
}

}  // namespace mpisog::tests
