"""Formulas for the large families, with verdicts that are known by construction.

They are made for any size of the net, so that small nets show whether the verdicts are right.
Easy: decided by a few firings, or by looking at a few places. Harder: long ways to a violation,
invariants of the whole net, or reasons why nothing goes on for ever.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

Case = tuple[str, bool]
"""A formula and whether it holds."""


@dataclass(frozen=True)
class LargeFamily:
    """A family of ``mpisog.nets.generators``, its size here and its formulas."""

    name: str
    size: int
    easy: Callable[[int], list[Case]]
    harder: Callable[[int], list[Case]]


def _epidemic_easy(n: int) -> list[Case]:
    far = f"{n - 1}_{n - 1}"
    return [
        ("I_0_0", True),
        ("G I_0_0", False),
        ("X R_0_0", False),
        ("X I_0_0", False),
        ("G S_0_1", False),
        (f"F I_{far}", False),
        ("G !dead", False),
        ("G F I_0_0", False),
        ("S_0_1 U R_0_1", False),
        ('G "fireable(remove_0_0)"', False),
        ('"fireable(remove_0_0,infect_0_0_0_1)"', True),
        ('"fire(remove_0_0)"', False),
        ("X X dead", False),
        ("F G I_0_0", False),
        (f"F R_{far}", False),
        ('G "S_0_0 <= 0"', True),
    ]


def _epidemic_harder(n: int) -> list[Case]:
    far, corner, middle = f"{n - 1}_{n - 1}", f"0_{n - 1}", f"{n // 2}_{n // 2}"
    return [
        (f"G S_{far}", False),
        (f"G !(I_{far} & I_0_0)", False),
        (f"G !(R_{far} & I_{corner})", False),
        (f"G (R_{far} -> !S_{middle})", False),
        (f"(!I_{far}) W R_0_0", False),
        (f"G (I_{middle} -> X I_{middle})", False),
        ("F dead", True),
        ("F R_0_0", True),
        (f"F G !I_{middle}", True),
        (f"G (I_{middle} -> F R_{middle})", True),
        (f'G "S_{far} + I_{far} + R_{far} == 1"', True),
        (f"G !(S_{middle} & R_{middle})", True),
        (f"G (R_{middle} -> G R_{middle})", True),
        ('F "fire(remove_0_0)"', True),
        (f"F (I_{far} & I_{corner}) | F dead", True),
        (f'(F "fire(remove_{middle})") -> F R_{middle}', True),
    ]


def _ring_easy(n: int) -> list[Case]:
    return [
        ("Token_0", True),
        ("G Token_0", False),
        ("X Wait_0", False),
        ("F Crit_0", False),
        ("G !Crit_0", False),
        ("G F Crit_1", False),
        ("G !(Crit_0 & Wait_1)", False),
        ("Idle_0 U Crit_0", False),
        ('G "fireable(request_1)"', False),
        ('"fireable(pass_0,enter_1)"', True),
        ('"fire(request_0)"', False),
        ("F G Idle_0", False),
        ("F dead", False),
        (f"F Wait_{n - 1}", False),
        ("G (Wait_0 -> X Crit_0)", False),
        ("Idle_0 & !Crit_1", True),
    ]


def _ring_harder(n: int) -> list[Case]:
    last, middle = n - 1, n // 2
    return [
        (f"G !Crit_{last}", False),
        (f"G !(Crit_{middle} & Wait_{last})", False),
        (f"(!Crit_{last}) W Wait_0", False),
        (f"G (Token_{middle} -> F Crit_{middle})", False),
        (f"F G !Token_{middle}", False),
        (f"G F Crit_{middle}", False),
        (f"G (Wait_{last} -> Token_{last})", False),
        (f"G (Crit_{last} -> F Crit_0)", False),
        (f"G !(Crit_0 & Crit_{middle})", True),
        (f'G "Idle_{middle} + Wait_{middle} + Crit_{middle} == 1"', True),
        (f"G !(Token_0 & Crit_{last})", True),
        (f'G "Token_{middle} + Crit_{middle} <= 1"', True),
        (f"G (Crit_{middle} -> F Token_{(middle + 1) % n})", True),
        (f"G (Wait_{last} -> F Crit_{last})", True),
        (f"(!Crit_{middle}) W Wait_{middle}", True),
        ("G !dead", True),
    ]


def _pipeline_easy(n: int) -> list[Case]:
    return [
        ("Free_0", True),
        ("X Full_0", True),
        ("G Free_0", False),
        ("G Free_1", False),
        ("G (Full_0 -> X X Full_1)", False),
        ("G !(Full_0 & Full_1)", False),
        ("F G Free_0", False),
        ('"fireable(arrive)"', True),
        ('"fire(arrive)"', True),
        ('G "fireable(arrive)"', False),
        ('X "fireable(move_0)"', True),
        ("Free_0 U Full_1", False),
        ('G "fireable(arrive,move_0)"', False),
        ('X X "fire(arrive)"', False),
        ("G (Full_1 -> Free_0)", False),
        ("Free_0 & Free_1 & !Full_0", True),
    ]


def _pipeline_harder(n: int) -> list[Case]:
    last, middle = n - 1, n // 2
    return [
        (f"G Free_{last}", False),
        (f"G !(Full_{last} & Full_{middle})", False),
        (f"G !(Full_0 & Full_{middle} & Full_{last})", False),
        (f"G (Full_{last} -> Free_{middle})", False),
        (f"F G Free_{middle}", False),
        ('G !"fire(depart)"', False),
        (f"(Free_{last}) W (Full_0 & Full_{middle})", False),
        (f"G (Full_{last} -> X Free_{last})", False),
        (f"G F Full_{middle}", True),
        (f"G (Full_{middle} -> F Free_{middle})", True),
        ("G !dead", True),
        (f'G "Free_{middle} + Full_{middle} == 1"', True),
        ('G F "fire(depart)"', True),
        (f"Free_{last} W Full_{last - 1}", True),
        (f"F Full_{last}", True),
        (f"G (Full_0 -> F Full_{last})", True),
    ]


def _grid_easy(n: int) -> list[Case]:
    far = f"{n - 1}_{n - 1}"
    return [
        ("At_0_0", True),
        ("G At_0_0", False),
        ("X Free_0_0", False),
        ("F At_1_0", False),
        ("G Free_1_0", False),
        ("G F At_1_1", False),
        ("F G At_0_0", False),
        ("At_0_0 U At_1_0", False),
        (f"F At_{far}", False),
        ('"fireable(go_0_0_1_0)"', True),
        ('G "fireable(go_0_0_1_0)"', False),
        ('"fire(go_0_0_1_0)"', False),
        ("F dead", False),
        ("G (At_1_0 -> X At_1_0)", False),
        (f"Free_{far} & At_0_1", True),
        ("G (Free_0_0 -> F At_0_0)", False),
    ]


def _grid_harder(n: int) -> list[Case]:
    far, left, middle = f"{n - 1}_{n - 1}", f"{n - 1}_0", f"{n // 2}_{n // 2}"
    return [
        (f"G Free_{far}", False),
        (f"G !(At_{far} & At_{left})", False),
        (f"G !(At_{far} & At_{left} & At_{middle})", False),
        (f"Free_{far} W Free_0_0", False),
        (f"G (At_{middle} -> At_{far})", False),
        (f"G (At_{far} -> F Free_{far})", False),
        (f"F G Free_{middle}", False),
        (f"G F Free_{middle} -> G F At_{far}", False),
        (f'G "At_{far} + Free_{far} == 1"', True),
        (f"G !(At_{middle} & Free_{middle})", True),
        ("G !dead", True),
        (f"(!At_{far}) W (At_{n - 2}_{n - 1} | At_{n - 1}_{n - 2})", True),
        (f'G (At_{far} -> "At_{far} + 2*Free_{far} <= 1")', True),
        (f"F G At_{far} -> G F At_{far}", True),
        (f"G (At_{middle} -> (At_{middle} W Free_{middle}))", True),
        (f'G ("fire(go_{middle}_{n // 2}_{n // 2 - 1})" -> X Free_{middle})', True),
    ]


FAMILIES = (
    LargeFamily("epidemic", 125, _epidemic_easy, _epidemic_harder),
    LargeFamily("process_ring", 11_750, _ring_easy, _ring_harder),
    LargeFamily("pipeline", 23_500, _pipeline_easy, _pipeline_harder),
    LargeFamily("grid_walk", 153, _grid_easy, _grid_harder),
)
