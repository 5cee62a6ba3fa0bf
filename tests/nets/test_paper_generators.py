"""The MCLCD paper's nets: published figures, closed forms, the contest's nets, and plain games."""

from __future__ import annotations

import pytest

import mpisog
from mpisog import Verdict
from mpisog.cli.main import main
from mpisog.engines.mclcd import VARIANTS
from mpisog.errors import MpisogError, NetError, UsageError
from mpisog.nets.generators import FAMILIES, formulas_of, generate, generate_board
from mpisog.nets.generators.boards import PEG_BOARDS, SOKOBAN_LEVELS
from tests.helpers import MCC_DIR
from tests.helpers import mpisog as run_mpisog
from tests.nets.exploring import reachable


def lucas(n: int) -> int:
    before, here = 2, 1
    for _ in range(n - 1):
        before, here = here, before + here
    return here


@pytest.mark.parametrize("count", [2, 3, 4])
def test_philosophers_are_counted_by_lucas_numbers(count):
    assert lucas(39) == 141_422_324  # the paper's size, of 13 philosophers
    assert len(reachable(generate("ph", count))) == lucas(3 * count)


def test_thirteen_philosophers_are_the_papers():
    figures = mpisog.states(generate("ph", 13), engine="symbolic")
    assert (figures.states, figures.edges) == (141_422_324, 1_718_533_167)


@pytest.mark.parametrize("family", ["tk", "tk_m"])
def test_token_rings_have_the_papers_size(family):
    assert 5 * 22 * 2**21 == 230_686_720  # 23 * 10^7 with 22 stations
    assert 5 * 20 * 2**19 == 52_428_800  # 5 * 10^7 with 20
    for count in (2, 3, 5):
        assert len(reachable(generate(family, count))) == 5 * count * 2 ** (count - 1)


FIGURE_11 = {
    ("ph", "5"): "TFTTF",
    ("tk", "6"): "FTT",
    ("tk_m", "6"): "TTT",
    ("peg", "square-4"): "TT",
    ("sokoban", "corner"): "TT",
}
"""The paper's results, formula by formula."""


@pytest.mark.parametrize(("net", "results"), FIGURE_11.items())
@pytest.mark.parametrize("variant", VARIANTS)
def test_formulas_have_the_papers_results(net, results, variant, tmp_path, capsys):
    paths = str(tmp_path / "net.pnml"), str(tmp_path / "net.lrl")
    assert main(["gen", *net, "-o", paths[0], "--formulas", paths[1]]) == 0
    settings = ["--engine", "mclcd", "--variant", variant, "--reduce", "none", "--threads", "2"]
    main(["check", paths[0], "-L", paths[1], "--no-trace", *settings])
    shown = capsys.readouterr().out.splitlines()
    assert "".join(line[0] for line in shown if ": " in line and line[0] in "TFU") == results


def test_rectangles_can_be_solved():
    net, formulas = generate_board("peg", "rectangle-5x4")
    results = mpisog.check_many(net, [text for _, text in formulas], "lrl", engine="mclcd")
    assert [result.verdict for result in results] == [Verdict.TRUE, Verdict.TRUE]
    assert sum(results[0].trace.markings()[-1][::2]) == 1  # pegs and holes take turns


def plain_peg_positions(board: str) -> int:
    """Reachable positions of the game, as sets of cells."""
    cells = {(r, c): x for r, line in enumerate(board.splitlines()) for c, x in enumerate(line)}
    holes = {cell for cell, x in cells.items() if x in "o."}
    start = frozenset(cell for cell in holes if cells[cell] == "o")
    seen, todo = {start}, [start]
    while todo:
        pegs = todo.pop()
        for r, c in pegs:
            for dr, dc in ((0, 1), (0, -1), (1, 0), (-1, 0)):
                over, to = (r + dr, c + dc), (r + 2 * dr, c + 2 * dc)
                if over in pegs and to in holes and to not in pegs:
                    after = pegs - {(r, c), over} | {to}
                    if after not in seen:
                        seen.add(after)
                        todo.append(after)
    return len(seen)


@pytest.mark.parametrize("board", ["square-4", "diamond"])
def test_peg_solitaire_is_the_game(board):
    net, _ = generate_board("peg", board)
    assert len(reachable(net)) == plain_peg_positions(PEG_BOARDS[board])


def plain_sokoban_positions(level: str) -> int:
    cells = {(r, c): x for r, line in enumerate(level.splitlines()) for c, x in enumerate(line)}
    (player,) = (cell for cell, x in cells.items() if x in "@+")
    start = player, frozenset(cell for cell, x in cells.items() if x in "$*")
    seen, todo = {start}, [start]
    while todo:
        (r, c), boxes = todo.pop()
        for dr, dc in ((0, 1), (0, -1), (1, 0), (-1, 0)):
            to, beyond = (r + dr, c + dc), (r + 2 * dr, c + 2 * dc)
            if cells.get(to, "#") == "#":
                continue
            after = to, boxes
            if to in boxes:
                if cells.get(beyond, "#") == "#" or beyond in boxes:
                    continue
                after = to, boxes - {to} | {beyond}
            if after not in seen:
                seen.add(after)
                todo.append(after)
    return len(seen)


@pytest.mark.parametrize("level", ["first", "corner"])
def test_sokoban_is_the_game(level):
    net, _ = generate_board("sokoban", level)
    assert len(reachable(net)) == plain_sokoban_positions(SOKOBAN_LEVELS[level])


@pytest.mark.parametrize(
    ("board", "contest"),
    [("english", "Solitaire-PT-EngNC7x7"), ("european", "Solitaire-PT-FrnNC7x7")],
)
def test_full_boards_are_the_contests(board, contest):
    """Up to names and the symmetries of the board."""
    path = MCC_DIR / contest / "model.pnml"
    if not path.is_file():
        pytest.skip("the contest's nets are not here; set MPISOG_MCC_DIR")
    theirs = mpisog.load_net(path)
    ours, _ = generate_board("peg", board)
    lines = PEG_BOARDS[board].splitlines()
    cells = [(r, c) for r, line in enumerate(lines) for c, x in enumerate(line) if x != " "]

    def moves(net, cell_of):
        """Initial pegs and jumps, by cells."""
        initial = frozenset(cell_of(p.id) for p in net.places if p.initial)
        named = [[cell_of(net.places[p].id) for p, _ in t.pre] for t in net.transitions]
        return initial, frozenset(frozenset(jump) for jump in named)

    def our_cell(id):
        kind, number = id.split("_")
        return kind == "peg", *cells[int(number) - 1]

    def their_cell(id):
        return id[0] in "Tp", int(id[1]) - 1, int(id[2]) - 1  # one T is called p

    turns = [
        lambda r, c: (r, c), lambda r, c: (c, r), lambda r, c: (6 - r, c), lambda r, c: (r, 6 - c),
        lambda r, c: (6 - c, r), lambda r, c: (c, 6 - r), lambda r, c: (6 - r, 6 - c),
        lambda r, c: (6 - c, 6 - r),
    ]  # fmt: skip
    wanted = moves(theirs, their_cell)

    def turned(turn):
        return moves(ours, lambda id: (our_cell(id)[0], *turn(*our_cell(id)[1:])))

    assert any(turned(turn) == wanted for turn in turns)


def test_levels_from_files(tmp_path):
    path = tmp_path / "mine.xsb"
    path.write_text("####\n#+$#\n#  #\n####\n", encoding="utf-8")
    net, formulas = generate_board("sokoban", str(path))
    assert net.name == "Sokoban-mine"
    assert dict(formulas)["winnable"] == "E<> (box_1_1)"
    for text, complaint in (("#$#", "players"), ("#@#", "goal"), ("#@x", "no 'x'")):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(NetError, match=complaint):
            generate_board("sokoban", str(path))
    path.write_text("...", encoding="utf-8")
    with pytest.raises(NetError, match="no peg"):
        generate_board("peg", str(path))
    with pytest.raises(UsageError, match="neither a board") as error:
        generate_board("peg", "enlgish")
    assert "english" in error.value.hint


def test_families_without_formulas_say_so(tmp_path):
    assert {f.name for f in FAMILIES.values() if f.formulas} == {"ph", "tk", "tk_m"}
    with pytest.raises(MpisogError, match="has no formulas"):
        formulas_of("fms", 2)
    assert run_mpisog("gen", "fms", "2", "--formulas", str(tmp_path / "x")).returncode == 3
