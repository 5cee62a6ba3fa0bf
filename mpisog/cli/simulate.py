"""``mpisog simulate``: the token game in the terminal, or as a page."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress

from mpisog.cli.outputs import output_files
from mpisog.cli.parsing import NET_HELP
from mpisog.cli.terminal import COLOUR_CHOICES, wants_colour
from mpisog.errors import InputError, UsageError
from mpisog.formulas.atoms import Atom, Fire, holds
from mpisog.formulas.properties import from_texts
from mpisog.formulas.wording import Wording
from mpisog.nets.load import load_net
from mpisog.nets.model import PetriNet
from mpisog.nets.token_game import TokenGame, read_scenario
from mpisog.verdict import ExitCode

_COMMANDS = """\
  N or NAME       fire the transition with that number in the list, or that id or name
  undo [N]        take N steps back (1)
  random [N]      fire N transitions at random (1)
  load FILE       go back to the start and follow a scenario
  save FILE       write the steps so far as a scenario
  marking         show all places that have tokens
  steps           show the steps so far
  reset           back to the start
  help, quit"""
_SHOWN = 20
"""Enabled transitions that are listed."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``mpisog simulate``."""
    parser.epilog = "commands:\n" + _COMMANDS
    parser.add_argument("net", metavar="NET", help=NET_HELP)
    parser.add_argument(
        "-f", "--formula", action="append", default=[], metavar="LTL",
        help="watch the atoms of this formula",
    )  # fmt: skip
    parser.add_argument("--load", metavar="FILE", help="begin with the steps of a scenario (.scn)")
    parser.add_argument("--random", metavar="N", type=int, default=0, help="then N random steps")
    parser.add_argument("--seed", metavar="N", type=int, help="for the same random steps again")
    parser.add_argument("--html", metavar="FILE", help="write the game as a page instead")
    parser.add_argument("--ids", action="store_true", help="show ids of elements, not names")
    parser.add_argument("--color", choices=COLOUR_CHOICES, default="auto", help="colours")


def run(options: argparse.Namespace) -> ExitCode:
    """Play until the input ends."""
    net = load_net(options.net)
    atoms = _atoms(options.formula, net)
    if options.html is not None:
        from mpisog.report.page import simulation_page

        with output_files([options.html], [options.net]) as files:
            page = simulation_page(net, options.net, atoms, ids=options.ids)
            files[options.html].write(page)
        return ExitCode.OK
    if options.random < 0:
        raise UsageError(f"--random is {options.random}", hint="a number of steps, 0 or more")
    game = TokenGame(net, options.seed)
    if options.load is not None:
        game.follow(read_scenario(options.load))
    game.random(options.random)
    _Table(game, atoms, Wording(net, options.ids), wants_colour(options.color)).play(_lines())
    return ExitCode.OK


def _atoms(formulas: list[str], net: PetriNet) -> list[Atom]:
    if not formulas:
        return []
    from mpisog.spotglue.ltl import bind

    bound = [bind(prop, net) for prop in from_texts(formulas)]
    return list(dict.fromkeys(atom for formula in bound for atom in formula.atoms))


def _lines() -> Iterator[str]:
    """What is typed; with history and editing on a terminal."""
    if not sys.stdin.isatty():
        yield from sys.stdin
        return
    with suppress(ImportError):
        import readline  # noqa: F401 - input() uses it once it is loaded
    while True:
        try:
            yield input("> ")
        except EOFError:
            print()
            return


class _Table:
    """The game as it is shown, and the commands."""

    def __init__(self, game: TokenGame, atoms: list[Atom], wording: Wording, colour: bool) -> None:
        self._game = game
        self._atoms = atoms
        self._wording = wording
        self._colour = colour

    def play(self, lines: Iterator[str]) -> None:
        self._show()
        for line in lines:
            words = line.split()
            if not words:
                continue
            if words[0] in ("quit", "q", "exit"):
                return
            try:
                self._do(words[0], words[1:], line.strip())
            except InputError as error:
                print(f"mpisog: {error}")

    def _do(self, word: str, rest: list[str], line: str) -> None:
        commands: dict[str, Callable[[list[str]], None]] = {
            "undo": self._undo, "u": self._undo, "random": self._random, "r": self._random,
            "load": self._load, "save": self._save, "reset": self._reset,
            "marking": lambda _: print("  " + self._wording.marking(self._game.marking)),
            "steps": lambda _: print("  " + self._steps()),
            "help": lambda _: print(_COMMANDS), "?": lambda _: print(_COMMANDS),
        }  # fmt: skip
        if word in commands:
            commands[word](rest)
            return
        choice = self._game.enabled()
        if line.isdecimal() and 1 <= int(line) <= len(choice):
            self._game.fire(choice[int(line) - 1])
        else:
            self._game.fire(self._game.find(line))
        self._show()

    def _undo(self, rest: list[str]) -> None:
        self._game.undo(_count(rest))
        self._show()

    def _random(self, rest: list[str]) -> None:
        self._game.random(_count(rest))
        self._show()

    def _reset(self, _: list[str]) -> None:
        self._game.undo(len(self._game.firings))
        self._show()

    def _load(self, rest: list[str]) -> None:
        names = read_scenario(_file(rest))
        self._game.undo(len(self._game.firings))
        try:
            self._game.follow(names)
        finally:
            self._show()

    def _save(self, rest: list[str]) -> None:
        from mpisog.report.traces import scenario_text

        with output_files([_file(rest)]) as files:
            files[_file(rest)].write(scenario_text(self._game.net, self._game.firings))

    def _steps(self) -> str:
        return " ".join(self._wording.transition(t) for t in self._game.firings) or "(none)"

    def _show(self) -> None:
        game, wording = self._game, self._wording
        last = f" {wording.transition(game.firings[-1])}" if game.firings else ""
        print(f"step {len(game.firings)}{last}: {wording.marking(game.marking)}")
        if self._atoms:
            print("  atoms: " + "  ".join(map(self._atom, self._atoms)))
        choice = game.enabled()
        shown = [f"{n}:{wording.transition(t)}" for n, t in enumerate(choice[:_SHOWN], start=1)]
        more = [f"and {len(choice) - _SHOWN} more"] if len(choice) > _SHOWN else []
        print("  enabled: " + ("  ".join([*shown, *more]) or "nothing, this marking is dead"))

    def _atom(self, atom: Atom) -> str:
        game = self._game
        text = self._wording.atom(atom, short=True)
        if isinstance(atom, Fire):  # the step that led here
            true = bool(game.firings) and game.firings[-1] == atom.transition
        else:
            true = holds(atom, game.net, game.marking, None)
        mark = "+" if true else "-"
        return f"\033[1;32m{mark}{text}\033[0m" if true and self._colour else mark + text


def _count(rest: list[str]) -> int:
    if not rest:
        return 1
    if not rest[0].isdecimal():
        raise UsageError(f"'{rest[0]}' is not a number of steps")
    return int(rest[0])


def _file(rest: list[str]) -> str:
    if not rest:
        raise UsageError("which file?")
    return " ".join(rest)
