"""Checks on unfoldings: which transitions take part in moves of the automaton, dead markings."""
