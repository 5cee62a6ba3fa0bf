"""Families of fixed structure whose token numbers grow with the parameter."""

from __future__ import annotations

from collections.abc import Mapping

from mpisog.nets.model import PetriNet, make_net


def _net(name: str, marked: Mapping[str, int], rules: str) -> PetriNet:
    """A net from lines ``transition: inputs -> outputs``; places not marked start empty."""
    transitions = {}
    places = dict(marked)
    for rule in rules.strip().splitlines():
        transition, arcs = rule.split(":")
        inputs, outputs = (side.split() for side in arcs.split("->"))
        transitions[transition.strip()] = (inputs, outputs)
        places |= {place: 0 for place in (*inputs, *outputs) if place not in places}
    return make_net(name, places, transitions)


def fms(parts: int) -> PetriNet:
    """Contest form of Ciardo and Trivedi's flexible manufacturing system."""
    marked = {"P1": parts, "M1": 3, "P2": parts, "M2": 1, "P3": parts, "M3": 2}
    return _net(
        f"FMS-PT-{parts:05}",
        marked,
        """
        tP1: P1 -> P1wM1
        tM1: P1wM1 M1 -> P1M1
        tP1M1: P1M1 -> P1d M1
        tP1e: P1d -> P1s
        tP1s: P1s -> P1
        tP1j: P1d -> P1wP2
        tP2: P2 -> P2wM2
        tM2: P2wM2 M2 -> P2M2
        tP2M2: P2M2 -> P2d M2
        tP2e: P2d -> P2s
        tP2s: P2s -> P2
        tP2j: P2d -> P2wP1
        tx: P1wP2 P2wP1 -> P12
        tP12: P12 -> P12wM3
        tM3: P12wM3 M3 -> P12M3
        tP12M3: P12M3 -> P12s M3
        tP12s: P12s -> P1 P2
        tP3: P3 -> P3M2
        tP3M2: P3M2 M2 -> P3s M2
        tP3s: P3s -> P3
        """,
    )


def kanban(cards: int) -> PetriNet:
    """Contest form of the kanban system with four cells."""
    return _net(
        f"Kanban-PT-{cards:05}",
        {"P1": cards, "P2": cards, "P3": cards, "P4": cards},
        """
        tin4: P4 -> Pm4
        tredo4: Pm4 -> Pback4
        tback4: Pback4 -> Pm4
        tok4: Pm4 -> Pout4
        tsynch4_23: Pout4 P2 P3 -> P4 Pm2 Pm3
        tredo2: Pm2 -> Pback2
        tback2: Pback2 -> Pm2
        tok2: Pm2 -> Pout2
        tredo3: Pm3 -> Pback3
        tback3: Pback3 -> Pm3
        tok3: Pm3 -> Pout3
        tsynch1_23: Pout2 Pout3 P1 -> P2 P3 Pm1
        tredo1: Pm1 -> Pback1
        tback1: Pback1 -> Pm1
        tok1: Pm1 -> Pout1
        tout1: Pout1 -> P1
        """,
    )


def robot_manipulation(scale: int) -> PetriNet:
    """Contest form: 2n robots and accesses, 2n + 1 processes that want to use them."""
    return _net(
        f"RobotManipulation-PT-{scale:05}",
        {"r_stopped": 2 * scale, "access": 2 * scale, "p_i1": 2 * scale + 1},
        """
        p_start: p_i1 -> initialize p_i2
        r_starts: r_stopped initialize -> r_active initialized
        p_started: p_i2 initialized -> p_rdy
        p_intoSC: p_rdy access -> p_sc
        p_move: p_sc -> p_m move
        r_begin_move: move r_active -> r_moving
        r_end_move: r_moving -> moved r_active
        p_moved: p_m moved -> p_rel
        p_relSC: p_rel -> access p_rdy
        p_sop: p_rdy -> off p_i1
        r_stops: r_active off -> r_stopped
        """,
    )


def swimming_pool(scale: int) -> PetriNet:
    """Contest form: swimmers take a cabin and a bag, and a cabin again to get dressed."""
    return _net(
        f"SwimmingPool-PT-{scale:02}",
        {"Out": 20 * scale, "Cabins": 10 * scale, "Bags": 15 * scale},
        """
        Enter: Out -> Entered
        GetK: Entered Cabins -> WaitBag
        GetB: WaitBag Bags -> Undress
        RelK: Undress -> Cabins InBath
        GetK2: InBath Cabins -> Dress
        RBag: Dress -> Bags Dressed
        RKey: Dressed -> Cabins Out
        """,
    )
