"""Families on which unfoldings are compared: Corbett's tasking programs, independent loops.

The places of a process are its states; a transition changes the state of one process, or of two
that meet. The sizes are those of the literature: DAC(15) has 105 places and 88 transitions.
"""

from __future__ import annotations

from collections.abc import Sequence

from mpisog.nets.model import PetriNet, make_net

_Arcs = tuple[Sequence[str], Sequence[str]]


class _Processes:
    """A net that is put together from what processes do alone and together."""

    def __init__(self) -> None:
        self._places: dict[str, int] = {}
        self._transitions: dict[str, _Arcs] = {}

    def process(self, name: str, states: str) -> None:
        """A process that begins in the first of the states."""
        for number, state in enumerate(states.split()):
            self._places[f"{name}_{state}"] = int(number == 0)

    def act(self, action: str, *changes: tuple[str, str, str]) -> None:
        """One transition; a change is a process, its state before and its state after."""
        self._transitions[action] = (
            [f"{name}_{before}" for name, before, _ in changes],
            [f"{name}_{after}" for name, _, after in changes],
        )

    def net(self, name: str) -> PetriNet:
        """The finished net; its transitions in the order that published figures depend on.

        First what a process does alone, then what two do, by the places of their inputs.
        """
        numbers = {place: number for number, place in enumerate(self._places)}

        def rank(item: tuple[str, _Arcs]) -> tuple[int, list[int]]:
            inputs = sorted(numbers[place] for place in item[1][0])
            return len(inputs), inputs

        ordered = sorted(self._transitions.items(), key=rank)
        return make_net(name, self._places, dict(ordered))


def divide_and_conquer(count: int) -> PetriNet:
    """DAC: tasks that fork one task each and wait for it, down a chain."""
    processes = _Processes()
    processes.process("task1", "start done forked finished")
    for i in range(2, count + 1):
        processes.process(f"task{i}", "start done waiting called solved finished alone")
    processes.process("end", "start called done")
    processes.act("solve_1", ("task1", "start", "done"))
    processes.act("finish_1", ("task1", "forked", "finished"))
    for i in range(2, count + 1):
        task = f"task{i}"
        processes.act(f"solve_{i}", (task, "start", "done"))
        processes.act(f"compute_{i}", (task, "called", "solved"))
        processes.act(f"compute_alone_{i}", (task, "alone", "finished"))
    processes.act("fork_1", ("task1", "start", "forked"), ("task2", "waiting", "called"))
    processes.act("join_1", ("task1", "finished", "done"), ("task2", "solved", "finished"))
    for i in range(2, count + 1):
        task, child = f"task{i}", f"task{i + 1}" if i < count else "end"
        ready, solved = ("waiting", "solved") if i < count else ("start", "called")
        last = "finished" if i < count else "done"
        call = (child, ready, "called")
        processes.act(f"fork_alone_{i}", (task, "start", "alone"), call)
        processes.act(f"fork_{i}", (task, "start", "waiting"), call)
        processes.act(f"join_{i}", (task, "finished", "done"), (child, solved, last))
    return processes.net(f"DAC-{count}")


def dining_philosophers(count: int) -> PetriNet:
    """DP: a philosopher takes the fork on one side, then the other, and puts them down likewise."""
    processes = _Processes()
    for i in range(1, count + 1):
        processes.process(f"fork{i}", "free taken")
    for i in range(1, count + 1):
        processes.process(f"phil{i}", "think hungry eat sated")
    for i in range(1, count + 1):
        _meal(processes, i, count, ("think", "hungry", "eat", "sated"), ("think",))
    return processes.net(f"DP-{count}")


def _meal(
    processes: _Processes, i: int, count: int, states: tuple[str, ...], after: tuple[str, ...]
) -> None:
    """Take two forks, put them down in the same order; ``after`` is what may come then."""
    phil = f"phil{i}"
    first, second = f"fork{(i - 2) % count + 1}", f"fork{i}"
    think, hungry, eat, sated = states
    processes.act(f"take_first_{i}", (phil, think, hungry), (first, "free", "taken"))
    processes.act(f"take_second_{i}", (phil, hungry, eat), (second, "free", "taken"))
    processes.act(f"put_first_{i}", (phil, eat, sated), (first, "taken", "free"))
    for state in after:
        name = f"put_second_{i}" if len(after) == 1 else f"put_second_{i}_to_{state}"
        processes.act(name, (phil, sated, state), (second, "taken", "free"))


def philosophers_with_dictionary(count: int) -> PetriNet:
    """DPD: philosophers pass a dictionary around; who holds it does not eat."""
    processes = _Processes()
    for i in range(1, count + 1):
        processes.process(f"phil{i}", "start think hungry eat sated ready reads")
    for i in range(1, count + 1):
        processes.process(f"fork{i}", "free taken")
    for i in range(1, count):
        processes.act(f"start_{i}_ready", (f"phil{i}", "start", "ready"))
        processes.act(f"start_{i}_think", (f"phil{i}", "start", "think"))
    for i in range(1, count + 1):
        _meal(processes, i, count, ("think", "hungry", "eat", "sated"), ("ready", "think"))
    for i in range(1, count + 1):
        giver = i % count + 1
        held = ("reads", "start") if giver == count else ("reads",)
        for state in held:
            for then in ("ready", "think"):
                processes.act(
                    f"pass_{giver}_{state}_{then}",
                    (f"phil{i}", "ready", "reads"),
                    (f"phil{giver}", state, then),
                )
    return processes.net(f"DPD-{count}")


def token_ring_exclusion(count: int) -> PetriNet:
    """RING: mutual exclusion; users ask their server, servers ask the one before for the token."""
    processes = _Processes()
    states = "start idle wanted asked granting used owner called fetching giving"
    for i in range(1, count + 1):
        processes.process(f"server{i}", states)
    for i in range(1, count + 1):
        processes.process(f"user{i}", "rest wait use")
    for i in range(1, count + 1):
        server, user = f"server{i}", f"user{i}"
        before = f"server{(i - 2) % count + 1}"
        has_token = "owner" if i == count else "idle"
        processes.act(f"start_{i}", (server, "start", has_token))
        processes.act(f"want_{i}", (server, "idle", "wanted"), (user, "rest", "wait"))
        processes.act(f"want_owned_{i}", (server, "owner", "granting"), (user, "rest", "wait"))
        processes.act(f"grant_{i}", (server, "granting", "used"), (user, "wait", "use"))
        processes.act(f"release_{i}", (server, "used", "owner"), (user, "use", "rest"))
        for need, wait, have in (("wanted", "asked", "granting"), ("called", "fetching", "giving")):
            processes.act(
                f"ask_owner_{need}_{i}", (server, need, wait), (before, "owner", "giving")
            )
            processes.act(f"ask_{need}_{i}", (server, need, wait), (before, "idle", "called"))
            processes.act(f"get_{wait}_{i}", (server, wait, have), (before, "giving", "idle"))
    return processes.net(f"RING-{count}")


def independent_loops(count: int) -> PetriNet:
    """Niebert's example: nothing but concurrency, 2^n markings."""
    processes = _Processes()
    for i in range(1, count + 1):
        processes.process(f"loop{i}", "a b")
        processes.act(f"there_{i}", (f"loop{i}", "a", "b"))
        processes.act(f"back_{i}", (f"loop{i}", "b", "a"))
    return processes.net(f"loops-{count}")
